"""Fitbit's account archive (also inside Google's Takeout): exercise, sleep, weight, and series that become days."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC
from typing import Any, Final

from ...errors import SourceError
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_object, as_text, as_told, digest
from ..json.jsonstream import Element, json_elements
from ..peek import json_shape
from ..unique_identifiers import UniqueIdentifiers
from .fitbit_days import DAILY, SUMMED, american, measure_of, read_daily, read_summed, survey_summed
from .record import ASSUMED, instant, positive, put, set_moments, set_workout, soon
from .sports import sport_name

__all__ = ["FORMAT"]

_SHAPES: Final = {
    "exercise": ("logId", "activityName", "startTime"),
    "sleep": ("dateOfSleep", "startTime", "minutesAsleep"),
    "weight": ("logId", "weight", "bmi", "date"),
    "series": ("dateTime", "value"),
}
_STAGES: Final = {"deep": "_deep", "light": "_light", "rem": "_rem"}
_POUND: Final = 0.45359237
_HEIGHT: Final = 1.7
"""Metres: of the two units of weight the one that makes people about as tall."""
_UNITS: Final = {"kilometer": 1.0, "kilometers": 1.0, "km": 1.0, "mile": 1.609344, "miles": 1.609344, "meter": 0.001}
_TAKEN: Final = frozenset(
    {"logId", "startTime", "endTime", "duration", "activeDuration", "calories", "averageHeartRate", "distance"}
    | {"distanceUnit", "source", "speed", "pace", "minutesAsleep", "minutesAwake", "timeInBed", "efficiency", "levels"}
    | {"weight", "date", "time", "fat"}
)


def _shape(file: InputFile) -> str:
    """Which kind of file it is; empty for none."""
    shape = json_shape(file.head())
    if shape is None or shape.kind != "array":
        return ""
    found = next((name for name, keys in _SHAPES.items() if shape.has(*keys)), "")
    if found != "series":
        return found
    first = shape.elements[0] if shape.elements else {}
    return "series" if set(shape.keys) == {"dateTime", "value"} and american(first.get("dateTime")) else ""


def _recognise(file: InputFile) -> float:
    found = _shape(file)
    return 0.0 if not found else 0.9 if found == "series" else 1.0


def _survey(file: InputFile, context: ReadContext) -> None:
    """Adds up the days of a series: those at the end of a file go on in the next one."""
    if _shape(file) == "series" and measure_of(file) in SUMMED:
        survey_summed(file, context)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    shape = _shape(file)
    make = {"exercise": _exercise, "sleep": _sleep, "weight": _weight}.get(shape)
    if make is not None:
        yield from _logged(file, context, make)
        return
    if shape != "series":
        raise SourceError(f"{file.path}: no list of Fitbit's entries, or cut off in the first of them")
    measure = measure_of(file)
    if measure in SUMMED:
        yield from read_summed(file, context)
    elif measure in DAILY:
        yield from read_daily(file, context)
    else:
        named = f"the series {measure.replace('_', ' ')}" if measure else "a series whose file name tells no measure"
        yield BadRecord(file.path, "file", f"{named} is not read")


def _logged(file: InputFile, context: ReadContext, make: Any) -> Iterator[Record | BadRecord]:
    """Entries with an id of their own; lists in them (zones, stages minute by minute) are not kept."""
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="logId", again="the same entry once more")
    for element in json_elements(file, context.limits):
        if isinstance(element, BadRecord):
            yield element
            continue
        record = _entry(element, file.path, context, make, tally)
        if isinstance(record, BadRecord) or identifiers.take(record, element.where, record["_start"]):
            yield record
    yield from tally.report()


def _entry(element: Element, path: str, context: ReadContext, make: Any, tally: Tally) -> Record | BadRecord:
    row = element.value
    if not isinstance(row, dict):
        return BadRecord(path, element.where, "not an object")
    record = as_told((key, value) for key, value in row.items() if key not in _TAKEN and _is_plain(value))
    reason = make(record, row, context, tally, element.where)
    if reason:
        return BadRecord(path, element.where, reason)
    name = row.get("logId")
    told = str(name) if isinstance(name, int | str) and not isinstance(name, bool) and str(name) else ""
    record["_id"] = f"{record['_kind']}-{told[:100] or digest([record['_start'], record['_label']])}"
    return record


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _exercise(record: Record, row: dict[str, Any], context: ReadContext, _tally: Tally, _where: str) -> str:
    """A workout; its start is in UTC though the file does not say so."""
    start = american(row.get("startTime")) or instant(row.get("startTime"), UTC)
    if start is None:
        return f"startTime is no date-time: {row.get('startTime')!r:.60}"
    start = start if start.tzinfo else start.replace(tzinfo=UTC)
    whole = positive(row.get("duration"), 0.001)
    set_moments(record, start, soon(start, whole), context.home_zone, ASSUMED)
    factor = _UNITS.get(as_text(row.get("distanceUnit")).lower())
    values = {
        "_seconds": positive(row.get("activeDuration"), 0.001) or whole,
        "_km": positive(row.get("distance"), factor) if factor else None,
        "_kcal": positive(row.get("calories")),
        "_bpm": positive(row.get("averageHeartRate")),
        "_device": as_text(as_object(row.get("source")).get("name")) or None,
    }
    set_workout(record, sport_name(as_text(row.get("activityName"))), "", values)
    return ""


def _sleep(record: Record, row: dict[str, Any], context: ReadContext, _tally: Tally, _where: str) -> str:
    """A sleep in local time; its duration is the time asleep."""
    start, end = instant(row.get("startTime")), instant(row.get("endTime"))
    if start is None:
        return f"startTime is no date-time: {row.get('startTime')!r:.60}"
    end = end if end is not None and (end.tzinfo is None) == (start.tzinfo is None) else None
    set_moments(record, start, end or soon(start, positive(row.get("duration"), 0.001)), context.home_zone, ASSUMED)
    summary = as_object(as_object(row.get("levels")).get("summary"))
    values = {
        "_seconds": positive(row.get("minutesAsleep"), 60),
        "_inBed": positive(row.get("timeInBed"), 60) or positive(row.get("duration"), 0.001),
        "_awake": positive(row.get("minutesAwake"), 60),
        "_efficiency": positive(row.get("efficiency")),
        **{name: positive(as_object(summary.get(stage)).get("minutes"), 60) for stage, name in _STAGES.items()},
    }
    put(record, values)
    record["_kind"] = "sleep"
    record["_label"] = f"sleep {as_text(row.get('dateOfSleep'))[:10]}".strip()
    return ""


def _weight(record: Record, row: dict[str, Any], context: ReadContext, tally: Tally, where: str) -> str:
    """A weight in local time; the file does not name its unit, the body mass index beside it shows it."""
    start = american(f"{row.get('date')} {row.get('time') or '00:00:00'}")
    if start is None:
        return f"date and time are no date-time: {row.get('date')!r:.30} {row.get('time')!r:.30}"
    number, index = positive(row.get("weight")), positive(row.get("bmi"))
    if number is None:
        return f"weight is no number above 0: {row.get('weight')!r:.60}"
    if index is None:
        tally.add(where, "nothing shows the unit of the weight: read as kilograms", key="weight")
    factor = _POUND if index is not None and _is_pounds(number, index) else 1.0
    set_moments(record, start, None, context.home_zone, ASSUMED)
    put(record, {"_kg": round(number * factor, 2), "_fat": positive(row.get("fat"))})
    record["_kind"] = "weight"
    record["_label"] = f"weight {record['_kg']} kg"
    return ""


def _is_pounds(weight: float, index: float) -> bool:
    """Whether a weight with its body mass index (kg/m²) is of a likelier person in pounds than in kilograms."""
    tall, small = math.sqrt(weight / index), math.sqrt(weight * _POUND / index)
    return abs(math.log(small / _HEIGHT)) < abs(math.log(tall / _HEIGHT))


FORMAT = Format(
    name="fitbit",
    label="Fitbit account archive",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "fitbit",
    survey=_survey,
)
