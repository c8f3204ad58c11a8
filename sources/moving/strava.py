"""Strava's bulk export: activities.csv, one row an activity. The tracks beside it tell the same activities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from ...config import Limits
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_told
from ..peek import csv_columns
from ..tables import Row, csv_rows
from ..unique_identifiers import UniqueIdentifiers
from .record import positive, seconds, set_moments, set_workout, soon
from .sports import sport_name

__all__ = ["FORMAT"]

_COLUMNS: Final = ("Activity ID", "Activity Date", "Activity Type")
_GERMAN: Final = {
    "Aktivitäts-ID": "Activity ID",
    "Aktivitätsdatum": "Activity Date",
    "Name der Aktivität": "Activity Name",
    "Aktivitätsart": "Activity Type",
    "Aktivitätsbeschreibung": "Activity Description",
    "Verstrichene Zeit": "Elapsed Time",
    "Distanz": "Distance",
    "Max. Herzfrequenz": "Max Heart Rate",
    "Pendeln": "Commute",
    "Aktivitätsausrüstung": "Activity Gear",
    "Dateiname": "Filename",
    "Bewegungszeit": "Moving Time",
    "Höchstgeschw.": "Max Speed",
    "Durchschnittliche Geschwindigkeit": "Average Speed",
    "Höhenzunahme": "Elevation Gain",
    "Durchschnittliche Herzfrequenz": "Average Heart Rate",
    "Kalorien": "Calories",
}
_FRENCH: Final = {
    "ID de l'activité": "Activity ID",
    "Date de l'activité": "Activity Date",
    "Nom de l'activité": "Activity Name",
    "Type d'activité": "Activity Type",
    "Description de l'activité": "Activity Description",
    "Temps écoulé": "Elapsed Time",
    "Fréquence cardiaque max.": "Max Heart Rate",
    "Déplacement-transport": "Commute",
    "Matériel utilisé pour l'activité": "Activity Gear",
    "Nom du fichier": "Filename",
    "Durée de déplacement": "Moving Time",
    "Vitesse max.": "Max Speed",
    "Vitesse moyenne": "Average Speed",
    "Dénivelé positif": "Elevation Gain",
    "Fréquence cardiaque moyenne": "Average Heart Rate",
}
_ENGLISH: Final = _GERMAN | _FRENCH
_AGAIN = " (2)"
"""Behind the name of a column that is there for the second time; its numbers are in base units (metres)."""
_DATES: Final = ("%b %d, %Y, %I:%M:%S %p", "%b %d, %Y, %H:%M:%S", "%d.%m.%Y, %H:%M:%S", "%d %b %Y, %H:%M:%S")
_DECIMAL_COMMA = re.compile(r"[0-9]+,[0-9]+")
_NO_FILE: Final = ("", "#error#")
_TAKEN: Final = frozenset(
    {"Activity ID", "Activity Date", "Activity Name", "Elapsed Time", "Moving Time", "Distance", "Calories", "Commute"}
    | {"Max Heart Rate", "Average Heart Rate", "Max Speed", "Average Speed", "Elevation Gain", "Activity Gear"}
)
"""Columns whose values stand under attributes of their own."""


def _name(column: str) -> str:
    plain = column.removesuffix(_AGAIN).replace("’", "'")
    return _ENGLISH.get(plain, plain) + (_AGAIN if column.endswith(_AGAIN) else "")


def _base(name: str) -> str:
    return name.removesuffix(_AGAIN).removesuffix(" (seconds)")


def _recognise(file: InputFile) -> float:
    header = csv_columns(file.head())
    return 1.0 if header and set(_COLUMNS) <= {_name(name) for name in header[1]} else 0.0


def _rows(file: InputFile, limits: Limits) -> Iterator[Row | BadRecord]:
    for row in csv_rows(file, limits, numbered=True):
        yield row if isinstance(row, BadRecord) else Row(row.where, {_name(k): v for k, v in row.cells.items()})


def _covers(file: InputFile, limits: Limits) -> Iterable[str]:
    """The tracks that rows with a date and an id name."""
    for row in _rows(file, limits):
        cells = row.cells if isinstance(row, Row) else {}
        if _date(cells.get("Activity Date", "")) and cells.get("Activity ID", "").strip():
            name = cells.get("Filename", "").strip()
            if name not in _NO_FILE:
                yield name


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Activities with their own columns; dates are UTC. Nothing is read of the tracks that rows name."""
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="Activity ID", again="the same activity once more")
    for row in _rows(file, context.limits):
        if isinstance(row, BadRecord):
            yield row
            continue
        record = _activity(row, file.path, context)
        if isinstance(record, BadRecord) or identifiers.take(record, row.where, record["_start"], record["_sport"]):
            yield record
    yield from tally.report()


def _activity(row: Row, path: str, context: ReadContext) -> Record | BadRecord:
    cells = {name: text.strip() for name, text in row.cells.items()}
    start = _date(cells.get("Activity Date", ""))
    if start is None:
        return BadRecord(path, row.where, f"the activity's date is no date-time: {cells.get('Activity Date')!r:.60}")
    if not cells.get("Activity ID"):
        return BadRecord(path, row.where, "no activity id")
    told = ((name, text or None) for name, text in cells.items() if _base(name) not in _TAKEN)
    record = as_told(told)
    record["_id"] = cells["Activity ID"]
    elapsed, moving = (_seconds(cells, name) for name in ("Elapsed Time", "Moving Time"))
    set_moments(record, start, soon(start, elapsed), context.home_zone)
    sport = sport_name(cells.get("Activity Type", ""))
    time = moving or elapsed
    distance = _distance(cells, sport)
    values = {
        "_seconds": time,
        "_km": distance,
        "_kcal": positive(_plain(cells.get("Calories"))),
        "_bpm": positive(_last(cells, "Average Heart Rate")),
        "_bpmMaximum": positive(_last(cells, "Max Heart Rate")),
        "_kmhMaximum": positive(_last(cells, "Max Speed"), _speed_factor(cells, distance, time)),
        "_climb": positive(_last(cells, "Elevation Gain")),
        "_gear": cells.get("Activity Gear") or None,
        "_commute": _commute(cells),
    }
    set_workout(record, sport, cells.get("Activity Name", ""), values)
    return record


def _date(text: str) -> datetime | None:
    """The UTC date-time of `Jan 15, 2024, 7:30:00 AM` (before AM stands a narrow blank since 2023)."""
    plain = " ".join(text.replace("\u202f", " ").split())[:40]
    for pattern in _DATES:
        try:
            found = datetime.strptime(plain, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
        return found if 1970 < found.year < 2200 else None
    return None


def _plain(text: str | None) -> str:
    """A number with a decimal point; exports in other languages have a comma."""
    told = (text or "").strip()
    return told.replace(",", ".") if _DECIMAL_COMMA.fullmatch(told) else told


def _last(cells: dict[str, str], name: str) -> str:
    """The value of the last column of that name that has one: that in base units."""
    return _plain(cells.get(name + _AGAIN)) or _plain(cells.get(name))


def _seconds(cells: dict[str, str], name: str) -> float | None:
    return seconds(cells.get(f"{name} (seconds)") or _last(cells, name))


def _distance(cells: dict[str, str], sport: str) -> float | None:
    """Kilometres. The second column is in metres; an old export has the first one only, in kilometres.

    Where both say the same, they are as people read them: kilometres, metres in a pool.
    """
    first, second = positive(_plain(cells.get("Distance"))), positive(_plain(cells.get("Distance" + _AGAIN)))
    if second is None or second == first:
        in_metres = first is not None and "swimming" in sport and first >= 25
        return positive(first, 0.001) if in_metres else first
    return positive(second, 0.001)


def _speed_factor(cells: dict[str, str], km: float | None, time: float | None) -> float:
    """What makes km/h of the file's speeds, which are m/s, unless its own mean is the distance by the hours."""
    mean = positive(_last(cells, "Average Speed"))
    kmh = km / time * 3600 if km and time else None
    return 1.0 if mean and kmh and abs(mean / kmh - 1) < 0.1 else 3.6


def _commute(cells: dict[str, str]) -> str | None:
    told = _last(cells, "Commute").lower()
    return {"true": "true", "false": "false", "1": "true", "0": "false", "1.0": "true", "0.0": "false"}.get(told)


FORMAT = Format(
    name="strava",
    label="Strava bulk export (activities.csv)",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "strava",
    covers=_covers,
)
