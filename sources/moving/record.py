"""What records of trackers have in common: the keys that `mappings/moving.ttl` reads, quantities, and times.

`_kind` is workout, day, sleep or weight. `_start` and `_end` are the wall clock where the person was, `_startInstant`
and `_endInstant` the moments with their offset, where the export tells them. Quantities are in the ontology's units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from ..base import Record

__all__ = [
    "ASSUMED",
    "STATED",
    "day_record",
    "instant",
    "positive",
    "put",
    "quantity",
    "seconds",
    "set_moments",
    "set_workout",
    "soon",
]

STATED: Final = "stated"
ASSUMED: Final = "assumed"
_MOST: Final = 1e9
"""More than any quantity here: a larger number is no measurement."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,20})?(?:[eE][+-]?[0-9]{1,2})?")
_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{1,2}(?:\.[0-9]{1,9})?)")
_FIRST, _LAST = datetime(1970, 1, 2), datetime(2200, 1, 1)


def quantity(value: Any) -> float | None:
    """A number that a value is or says, where it can be a measurement."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        value = float(text) if _NUMBER.fullmatch(text) else None
    elif isinstance(value, int) and abs(value) > _MOST:
        return None
    if not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and abs(value) <= _MOST else None


def positive(value: Any, factor: float | None = 1.0) -> float | None:
    """A quantity above zero times a factor, where this is known; trackers write 0 where nothing was measured."""
    number = quantity(value) if factor is not None else None
    return round(number * factor, 6) if factor is not None and number is not None and number > 0 else None


def seconds(text: Any) -> float | None:
    """Seconds of `0:31:40`, `31:40.5` or `1900`."""
    if not isinstance(text, str):
        return positive(text)
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return positive(text)
    return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])


def instant(text: Any, zone: tzinfo | None = None) -> datetime | None:
    """The date-time of an ISO text, in `zone` where it tells none; None where it is none, or no time of a tracker."""
    if not isinstance(text, str) or len(text) > 40:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    found = found if found.tzinfo else found.replace(tzinfo=zone)
    return found if _FIRST <= found.replace(tzinfo=None) < _LAST else None


def soon(start: datetime, value: float | None) -> datetime | None:
    """The time so many seconds after a start, where these are of a day or some."""
    return start + timedelta(seconds=value) if value is not None and value < 60 * 86_400 else None


def set_moments(record: Record, start: datetime, end: datetime | None, home: ZoneInfo, certainty: str = STATED) -> None:
    """Sets the times of a record. A time in UTC becomes the home zone's, another offset is that of the place."""
    for name, moment in (("_start", start), ("_end", end if end is not None and end >= start else None)):
        if moment is None:
            continue
        if moment.tzinfo is UTC:
            moment = moment.astimezone(home)
        record[name] = moment.replace(tzinfo=None).isoformat()
        if moment.tzinfo is not None:
            record[f"{name}Instant"] = moment.isoformat()
    record["_precision"] = "second"
    record["_certainty"] = certainty


def set_workout(record: Record, sport: str, name: str, values: Mapping[str, Any]) -> None:
    """Sets what makes a record a workout; values that are None are left out."""
    record["_kind"] = "workout"
    record["_sport"] = sport
    put(record, {"_name": name.strip() or None, **values})
    record["_label"] = record.get("_name") or sport
    distance, time = record.get("_km"), record.get("_seconds")
    if distance and time and "_kmh" not in record:
        record["_kmh"] = round(distance / time * 3600, 6)


def put(record: Record, values: Mapping[str, Any]) -> None:
    """Sets the values that are there."""
    record |= {key: value for key, value in values.items() if value is not None}


def day_record(day: date, values: Mapping[str, Any], certainty: str = STATED) -> Record:
    """The record of a day, to be identified by it: what several files tell of one day is one event."""
    record: Record = {"_kind": "day", "_id": f"day-{day.isoformat()}", "_label": f"daily activity {day.isoformat()}"}
    record["_start"] = f"{day.isoformat()}T00:00:00"
    record["_end"] = f"{(day + timedelta(days=1)).isoformat()}T00:00:00"
    record["_precision"] = "day"
    record["_certainty"] = certainty
    put(record, values)
    return record
