"""Google's timeline as phones export it since 2024: `Timeline.json` of Android, `location-history.json` of iOS.

Both tell visits and trips, with other keys and other spellings of positions. The moment of an entry is exact; its
wall-clock time is that of its place, as a phone writes the offset that it has when it exports.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_object, as_text
from ..json.jsonmembers import json_member_elements
from ..json.jsonstream import Element, json_elements
from ..peek import JsonShape, json_shape
from .place_records import Spot, degrees, fact, moment, number, offset, trip, visit
from .travel import travel_mode

__all__ = ["FORMAT"]

_SEGMENTS: Final = "semanticSegments"
_PARTS: Final = ("visit", "activity", "timelinePath", "timelineMemory")
_LEFT_OUT: Final = {
    "timelinePath": "points of a way: the visits and trips are read",
    "timelineMemory": "a summary of several days: the visits and trips are read",
}
_HOMES: Final = {"home": "Home", "inferred home": "Home", "work": "Work", "inferred work": "Work"}


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is None:
        return 0.0
    if shape.kind == "object":
        raw = shape.has("rawSignals") and b'"LatLng"' in head
        return 1.0 if shape.has(_SEGMENTS) or raw else 0.0
    return 1.0 if shape.kind == "array" and _is_ios(shape) else 0.0


def _is_ios(shape: JsonShape) -> bool:
    return shape.has("startTime", "endTime") and any(shape.has(part) for part in _PARTS)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Visits and trips; what tells the same in less words is counted."""
    tally = Tally(file.path)
    found = 0
    for element in _elements(file, context):
        found += 1
        record = element if isinstance(element, BadRecord) else _entry(element, context)
        if isinstance(record, str):
            tally.add(element.where, record)
        else:
            yield record
    if not found:
        yield BadRecord(file.path, "the timeline", "there is no visit and no trip in it")
    yield from tally.report()


def _elements(file: InputFile, context: ReadContext) -> Iterator[Element | BadRecord]:
    shape = json_shape(file.head())
    if shape is not None and shape.kind == "object":
        for _, element in json_member_elements(file, context.limits, (_SEGMENTS,)):
            yield element
    else:
        yield from json_elements(file, context.limits)


def _entry(element: Element, context: ReadContext) -> Record | str:
    """The record of one entry, or why there is none."""
    entry = as_object(element.value)
    left_out = next((reason for key, reason in _LEFT_OUT.items() if key in entry), None)
    stay, way = as_object(entry.get("visit")), as_object(entry.get("activity"))
    if not stay and not way:
        return left_out or "neither a visit nor a trip"
    start, end = (_moment(entry, name) for name in ("startTime", "endTime"))
    if start is None or end is None or end < start:
        return "no begin, or no end after it"
    if (number(stay.get("hierarchyLevel")) or 0) > 0:
        return "a place inside the place of another visit"
    return _visit(stay, start, end, context) if stay else _trip(way, start, end, context)


def _moment(entry: dict[str, Any], name: str) -> datetime | None:
    """The moment with the offset that it had there, where this is told."""
    at = moment(entry.get(name))
    zone = offset(entry.get(f"{name}TimezoneUtcOffsetMinutes"))
    return at.astimezone(zone) if at is not None and zone is not None else at


def _visit(stay: dict[str, Any], start: datetime, end: datetime, context: ReadContext) -> Record | str:
    best = as_object(stay.get("topCandidate"))
    where = _position(best.get("placeLocation"))
    kind = as_text(best.get("semanticType")).replace("_", " ").strip()
    name = _HOMES.get(kind.lower(), "")
    if where is None and not name:
        return "a visit without a place"
    record = visit("visit", start, end, Spot(*(where or (None, None)), name), context.home_zone)
    record["placeId"] = as_text(best.get("placeId")) or as_text(best.get("placeID")) or None
    record["semanticType"] = kind if kind.lower() not in ("", "unknown") else None
    return fact(record, record["placeId"] or where)


def _trip(way: dict[str, Any], start: datetime, end: datetime, context: ReadContext) -> Record:
    ends = [Spot(*(_position(way.get(name)) or (None, None))) for name in ("start", "end")]
    record = trip(start, end, ends[0], ends[1], context.home_zone, metres=number(way.get("distanceMeters")))
    record["_mode"] = travel_mode(as_object(way.get("topCandidate")).get("type"))
    return fact(record, "trip")


def _position(value: Any) -> tuple[float, float] | None:
    """The position in `geo:48.85,2.35`, `48.85°, 2.35°`, or an object with one of these under `latLng`."""
    text = as_text(value) or as_text(as_object(value).get("latLng"))
    north, _, east = text.removeprefix("geo:").replace("°", "").partition(",")
    return degrees(north.strip(), east.strip())


FORMAT = Format(
    name="google-timeline",
    label="Google timeline (exported on the phone)",
    map_file="places.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "google-timeline",
)
