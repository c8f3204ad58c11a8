"""Garmin Connect's list of activities (Activities.csv) in six languages: local times, numbers and units as shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from ...errors import SourceError
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_told, digest
from ..peek import csv_columns
from ..tables import Row, csv_rows
from ..unique_identifiers import UniqueIdentifiers
from .record import ASSUMED, instant, positive, seconds, set_moments, set_workout, soon
from .sports import sport_name

__all__ = ["FORMAT"]

_NAMES: Final = {
    "type": "Activity Type|Aktivitätstyp|Type d'activité|Tipo de actividad|Tipo di attività|Activiteittype"
    "|Activiteitstype|Type activiteit",
    "date": "Date|Datum|Fecha|Data",
    "title": "Title|Titel|Titre|Título|Titolo",
    "distance": "Distance|Distanz|Distancia|Distanza|Afstand",
    "calories": "Calories|Kalorien|Calorías|Calorie|Calorieën",
    "time": "Time|Zeit|Durée|Heure|Tiempo|Tempo|Tijd|Activity Time",
    "pulse": "Avg HR|Ø HF|Ø Herzfrequenz|Durchschnittliche Herzfrequenz|Fréquence cardiaque moyenne|FC moyenne"
    "|Frecuencia cardiaca media|Frecuencia cardíaca media|FC media|Gem. HS|Gemiddelde HS",
    "peak": "Max HR|Max. HF|Maximale Herzfrequenz|Fréquence cardiaque maximale|FC maximale|FC máxima"
    "|Frecuencia cardiaca máxima|Frecuencia cardíaca máxima|FC max|Max. HS|Max HS",
    "ascent": "Total Ascent|Elev Gain|Anstieg gesamt|Positiver Höhenunterschied|Ascension totale|Ascenso total"
    "|Ascesa totale|Totale stijging",
    "moving": "Moving Time|Zeit in Bewegung|Temps de déplacement|Tiempo en movimiento|Tempo in movimento|Tijd bewogen",
    "elapsed": "Elapsed Time|Verstrichene Zeit|Temps écoulé|Tiempo transcurrido|Tempo trascorso|Verstreken tijd",
    "cadence": "Avg Run Cadence|Ø Schrittfrequenz (Laufen)|Cadence de course moyenne|Cadencia de carrera media"
    "|Cadenza di corsa media|Gemiddelde loopcadans",
    "stride": "Avg Stride Length|Ø Schrittlänge|Longueur moyenne des foulées|Longitud media de zancada"
    "|Lunghezza media passo|Gem. staplengte",
}
_COLUMNS: Final = {told.lower(): name for name, several in _NAMES.items() for told in several.split("|")}
_NEEDED: Final = ("type", "date", "time")
_DECIMAL_COMMA = re.compile(r"'?-?[0-9.]*,[0-9]{2}")
_IN_METRES: Final = ("swimming", "track running", "bahnlauf")
"""Sports whose distance Garmin lists in metres, or yards."""
_UNTOLD: Final = "the file states no unit: distances are read as kilometres, heights as metres"


@dataclass(frozen=True)
class _Habits:
    """How a file writes numbers, and in which units; `certain` where the file shows the unit."""

    comma: bool
    miles: bool
    certain: bool

    def number(self, text: str) -> float | None:
        plain = text.strip().lstrip("'")
        plain = plain.replace(".", "").replace(",", ".") if self.comma else plain.replace(",", "")
        return positive(plain)


def _canonical(names: tuple[str, ...]) -> dict[str, str]:
    """What columns are called here, by what the file calls them; of several the first."""
    found: dict[str, str] = {}
    for name in names:
        known = _COLUMNS.get(name.replace("’", "'").strip().lower())
        if known is not None and known not in found.values():
            found[name] = known
    return found


def _recognise(file: InputFile) -> float:
    header = csv_columns(file.head())
    if header is None:
        return 0.0
    found = set(_canonical(header[1]).values())
    return 0.9 if found.issuperset(_NEEDED) and len(found) >= 5 else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Activities with their own columns. Times have no zone: they are local, as the watch had them."""
    header = csv_columns(file.head())
    names = _canonical(header[1]) if header else {}
    if missing := [name for name in _NEEDED if name not in names.values()]:
        raise SourceError(
            f"{file.path}: expected a list of activities with the column {_NAMES[missing[0]].split('|')[0]}"
        )
    habits = _habits(file, context, names)
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="Date", again="the same activity once more")
    for row in csv_rows(file, context.limits):
        if isinstance(row, BadRecord):
            yield row
            continue
        record = _activity(row, file.path, names, habits, context)
        if isinstance(record, BadRecord):
            yield record
        elif identifiers.take(record, row.where, record.get("_seconds"), record.get("_km")):
            if not habits.certain and "_km" in record:
                tally.add(row.where, _UNTOLD, key="Distance")
            yield record
    yield from tally.report()


def _habits(file: InputFile, context: ReadContext, names: dict[str, str]) -> _Habits:
    """The decimal mark and the unit of a file.

    Steps a minute by minutes by the length of a step is the way in metres: it tells kilometres from miles.
    """
    marks = Counter[bool]()
    rows: list[dict[str, str]] = []
    for row in csv_rows(file, context.limits):
        if isinstance(row, Row):
            cells = _cells(row, names)
            told = cells.get("distance", "").strip()
            if told:
                marks[_DECIMAL_COMMA.fullmatch(told) is not None] += 1
            if len(rows) < 500 and cells.get("stride") and cells.get("cadence"):
                rows.append(cells)
    plain = _Habits(comma=marks[True] > marks[False], miles=False, certain=False)
    factors = [factor for cells in rows if (factor := _metres_per_unit(cells, plain))]
    if not factors:
        return plain
    metres = median(factors)
    return _Habits(plain.comma, miles=1400 < metres < 1900, certain=850 < metres < 1200 or 1400 < metres < 1900)


def _metres_per_unit(cells: dict[str, str], habits: _Habits) -> float | None:
    stride, cadence, distance = (habits.number(cells.get(name, "")) for name in ("stride", "cadence", "distance"))
    time = seconds(cells.get("moving", "")) or seconds(cells.get("time", ""))
    if not (stride and cadence and distance and time):
        return None
    return cadence * time / 60 * (stride / 100 if stride > 10 else stride) / distance  # newer lists have centimetres


def _cells(row: Row, names: dict[str, str]) -> dict[str, str]:
    return {known: row.cells.get(name, "") for name, known in names.items()}


def _activity(row: Row, path: str, names: dict[str, str], habits: _Habits, context: ReadContext) -> Record | BadRecord:
    cells = _cells(row, names)
    start = instant(cells["date"]) if len(cells["date"].strip()) > 10 else None
    if start is None or start.tzinfo is not None:
        return BadRecord(path, row.where, f"the date is no local date-time: {cells['date']!r:.60}")
    kind = cells["type"].strip()
    if not kind:
        return BadRecord(path, row.where, "no type of activity")
    sport = sport_name(kind)
    told = {name: text.strip() for name, text in row.cells.items() if name not in names or names[name] == "type"}
    record = as_told((name, text) for name, text in told.items() if text not in ("", "--"))
    time, moving, elapsed = (seconds(cells.get(name, "")) for name in ("time", "moving", "elapsed"))
    set_moments(record, start, soon(start, elapsed or time), context.home_zone, ASSUMED)
    values = {
        "_seconds": moving or time,
        "_km": positive(habits.number(cells.get("distance", "")), _kilometres(sport, kind, habits)),
        "_kcal": habits.number(cells.get("calories", "")),
        "_bpm": habits.number(cells.get("pulse", "")),
        "_bpmMaximum": habits.number(cells.get("peak", "")),
        "_climb": positive(habits.number(cells.get("ascent", "")), 0.3048 if habits.miles else 1.0),
    }
    set_workout(record, sport, cells.get("title", ""), values)
    record["_id"] = digest([record["_start"], sport])
    return record


def _kilometres(sport: str, kind: str, habits: _Habits) -> float:
    """What makes kilometres of a distance."""
    if any(name in sport or name in kind.lower() for name in _IN_METRES):
        return 0.0009144 if habits.miles else 0.001
    return 1.609344 if habits.miles else 1.0


FORMAT = Format(
    name="garmin-activities",
    label="Garmin Connect's list of activities",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "garmin",
)
