"""Apple Health: the workouts of `export.xml`, and its steps, sleep, heart rates and weights, streamed.

Everything else in it is counted by type and reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..base import (
    BadRecord,
    Format,
    Identities,
    InputFile,
    ReadContext,
    Record,
    Tally,
    as_list,
    as_text,
    as_told,
    digest,
)
from .apple_days import Days
from .apple_sleep import Sleeps
from .record import positive
from .xml_elements import xml_elements

__all__ = ["FORMAT"]

_ROOT = "HealthData"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?([+-]\d\d):?(\d\d)")
_KEPT_INSIDE = frozenset({"MetadataEntry", "WorkoutStatistics", "WorkoutEvent", "WorkoutRoute", "FileReference"})
_QUANTITY = re.compile(r"HK(?:Quantity|Category)TypeIdentifier")


def _recognise(file: InputFile) -> float:
    head = file.head()
    return 1.0 if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" and f"<{_ROOT}".encode() in head else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Workouts and weights as they come, days and sleeps at the end; then what is not read, by type."""
    tally = Tally(file.path)
    identities = Identities()
    zones = _Zones(file, context)
    others = _Others(zones)
    for element in _children(file, context):
        if element.tag != "Workout":
            if element.tag not in ("ExportDate", "Me"):
                found = others.take(element)
                if isinstance(found, str):
                    kind = _QUANTITY.sub("", element.get("type") or "")
                    tally.add("", found, group=f"{element.tag} {kind}".strip())
                elif found is not None:
                    yield found
            continue
        where = f"Workout, line {element.sourceline}"
        record = _workout(element, zones)
        if isinstance(record, str):
            yield BadRecord(file.path, where, record)
            continue
        record["_id"] = identities.of(record.pop("_instants"), *(record.get(key) for key in _IDENTITY))
        yield record
    yield from others.records()
    yield from tally.report()


_IDENTITY = ("workoutActivityType", "sourceName")
_NOT_READ = "this kind of record is not read from Apple Health"
_KILOGRAMS = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "st": 6.35029318}


class _Others:
    """Records beside workouts: weights one by one, the rest added up by day or by sleep."""

    def __init__(self, zones: _Zones) -> None:
        self._zones = zones
        self._days = Days()
        self._sleeps = Sleeps()
        self._weighed: set[str] = set()

    def take(self, element: Any) -> Record | str | None:
        """The record of a weight; why an element is not read; or None where it is added to others."""
        kind = _QUANTITY.sub("", element.get("type") or "") if element.tag == "Record" else ""
        if not (kind in ("BodyMass", "SleepAnalysis") or self._days.takes(kind)):
            return _NOT_READ
        zone = next((e.get("value") for e in element.iter("MetadataEntry") if e.get("key") == "HKTimeZone"), None)
        start, end = (self._zones.moment(element.get(key) or "", zone or "") for key in ("startDate", "endDate"))
        if start is None:
            return "startDate is no date-time"
        if kind == "BodyMass":
            return self._weight(element, start)
        if kind == "SleepAnalysis":
            return self._sleeps.add(element, start, end or start) or None
        return self._days.add(kind, element, start, end or start) or None

    def _weight(self, element: Any, start: datetime) -> Record | str:
        kilograms = positive(element.get("value"), _KILOGRAMS.get(element.get("unit") or ""))
        if kilograms is None:
            return "no weight in a unit that is known"
        record: Record = {"_kind": "weight", "_kg": round(kilograms, 3), "_label": f"weight {round(kilograms, 2)} kg"}
        record["_id"] = f"weight-{digest([start.timestamp(), record['_kg']])}"
        if record["_id"] in self._weighed:
            return "the same weight from another app"
        self._weighed.add(record["_id"])
        record["startDate"], record["sourceName"] = start.isoformat(), element.get("sourceName")
        record["_start"], record["_precision"] = start.replace(tzinfo=None).isoformat(), "second"
        return record

    def records(self) -> Iterator[Record]:
        """Days and sleeps, once all is read."""
        yield from self._days.records()
        yield from self._sleeps.records()


def _children(file: InputFile, context: ReadContext) -> Iterator[Any]:
    """Top-level elements, each given once it is complete and then forgotten."""

    def inside(element: Any) -> bool:
        return element.tag in _KEPT_INSIDE

    yield from xml_elements(file, context.limits, _ROOT, lambda _element, depth: depth == 1, inside)


def _workout(element: Any, zones: _Zones) -> Record | str:
    """The record of a Workout element, or why there is none."""
    record = as_told(element.items())  # not `attrib`: that looks every key up
    for child in element.iter("MetadataEntry", "WorkoutStatistics", "WorkoutEvent", "FileReference"):
        _add_child(record, child)
    zone = as_text(record.get("HKTimeZone"))
    start, end = (zones.moment(as_text(record.get(key)), zone) for key in ("startDate", "endDate"))
    if start is None:
        return f"startDate is no date-time: {record.get('startDate')!r:.60}"
    record["startDate"] = start.isoformat()
    record["_start"] = start.replace(tzinfo=None).isoformat()
    if end is not None and end >= start:
        record["endDate"] = end.isoformat()
        record["_end"] = end.replace(tzinfo=None).isoformat()
    record["_kind"], record["_precision"] = "workout", "second"
    record["_instants"] = (start.timestamp(), end.timestamp() if end else None)
    if device := as_text(record.get("device")):  # begins with an address in memory, another one in each export
        record["device"] = re.sub(r"^<*HKDevice: 0x[0-9a-fA-F]+>*,?\s*|>$", "", device)
    _total(record, "_distance", "totalDistance", "Distance")
    _total(record, "_energy", "totalEnergyBurned", "ActiveEnergy")
    _quantity(record, "_averageSpeed", "HKAverageSpeed", "average")
    _quantity(record, "_maximumSpeed", "HKMaximumSpeed", "maximum")
    _quantity(record, "_elevation", "HKElevationAscended", "")
    return record


def _add_child(record: Record, child: Any) -> None:
    if child.tag == "MetadataEntry":
        key = child.get("key") or ""
        if key and child.get("value") is not None:
            record.setdefault(_own(key), child.get("value"))
    elif child.tag == "WorkoutStatistics":
        kind = _QUANTITY.sub("", child.get("type") or "")
        numbers = ("sum", "average", "minimum", "maximum", "unit")
        if kind:
            record.setdefault(_own(kind), {name: child.get(name) for name in numbers if child.get(name)})
    else:
        route = child.tag == "FileReference"
        key = "WorkoutRoute" if route else "WorkoutEvent"
        told = child.get("path") if route else f"{child.get('type')} {child.get('date')}"
        record[key] = held = as_list(record.get(key))
        held.append(told)


def _own(key: str) -> str:
    return next(iter(as_told([(key, None)])))


def _total(record: Record, name: str, key: str, prefix: str) -> None:
    """Sets a total and its unit: the element's own (until iOS 15), else its statistics' (since iOS 16)."""
    value, unit = (as_text(record.pop(name, None)) or None for name in (key, f"{key}Unit"))
    if value is None or _zero(value):
        for kind, numbers in record.items():
            if kind.startswith(prefix) and isinstance(numbers, dict) and numbers.get("sum"):
                value, unit = numbers["sum"], numbers.get("unit")
                break
    if value is not None and not _zero(value):
        record[name] = value
        record[f"{name}Unit"] = unit


def _quantity(record: Record, name: str, key: str, statistic: str) -> None:
    """Sets a number and its unit from metadata (`5.2 m/s`), or from a speed's statistics."""
    found = re.fullmatch(r"\s*([\d.,]+)\s*([a-zA-Z/]+)\s*", str(record.get(key) or ""))
    value, unit = found.groups() if found else (None, None)
    if value is None and statistic:
        for kind, numbers in record.items():
            if kind.endswith("Speed") and isinstance(numbers, dict) and numbers.get(statistic):
                value, unit = numbers[statistic], numbers.get("unit")
                break
    if value is not None and unit:
        record[name] = value
        record[f"{name}Unit"] = unit.replace("/hr", "/h")


def _zero(value: str) -> bool:
    """Apple writes a total of 0 where none was measured."""
    return re.fullmatch(r"0*(\.0*)?", value.strip()) is not None


class _Zones:
    """Local times of an export.

    Health writes every time with the offset that the phone had when it exported, summer and winter alike. Where the
    first part of a file shows that, and the phone was in the home zone, times are moved into the zone of the workout
    (HKTimeZone) or the home zone; otherwise they stand as stated.
    """

    def __init__(self, file: InputFile, context: ReadContext) -> None:
        self._home = context.home_zone
        self._frozen = self._is_frozen(file.head(2**20).decode("utf-8", "replace"))

    def _is_frozen(self, text: str) -> bool:
        exported = re.search(r'<ExportDate value="([^"]+)"', text)
        at_export = _stated(exported.group(1)) if exported else None
        if at_export is None or at_export.utcoffset() != self._at_home(at_export).utcoffset():
            return False
        moments = [_stated(found.group(1)) for found in re.finditer(r'\bstartDate="([^"]+)"', text)]
        offsets = {moment.utcoffset() for moment in moments if moment}
        at_home = {self._at_home(moment).utcoffset() for moment in moments if moment}
        return offsets == {at_export.utcoffset()} and at_home != offsets

    def _at_home(self, moment: datetime) -> datetime:
        return moment.astimezone(self._home)

    def moment(self, text: str, zone: str) -> datetime | None:
        """The time a text states, with the offset of the place as well as it is known; None when it is no time."""
        moment = _stated(text) if text else None
        if moment is None or not self._frozen:
            return moment
        try:
            return moment.astimezone(ZoneInfo(zone) if zone else self._home)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return self._at_home(moment)


def _stated(text: str) -> datetime | None:
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3]}:{found[4]}")
    except ValueError:
        return None
    # Arithmetic at the ends of the calendar overflows; nobody trained then.
    return moment if timedelta(0) <= moment.replace(tzinfo=None) - datetime(1900, 1, 1) and moment.year < 9000 else None


FORMAT = Format(
    name="apple-health",
    label="Apple Health export",
    map_file="apple_health.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "apple-health",
)
