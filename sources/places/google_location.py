"""Google's location history of Takeout: `Records.json` (raw positions, two spellings of time and place) and the monthly
files of `Semantic Location History` (visits and trips as Google told them).

Where one import has both, only the visits and trips are read, as the positions would tell the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_list, as_object, as_objects, as_text
from ..json.jsonmembers import json_member_elements
from ..json.jsonstream import Element
from ..peek import json_shape
from .derived import ACCURACY, NOT_EXACT, derived_records
from .place_records import Spot, degrees, fact, moment, number, trip, visit
from .stay_points import Point
from .travel import travel_mode

__all__ = ["FORMAT"]

_POINTS, _TOLD = "locations", "timelineObjects"
_E7: Final = 1e7
_SEEN: Final = "google-location: told"
"""What `context.parts` says where a file of visits is in the import."""


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is None or shape.kind != "object":
        return 0.0
    if shape.has(_TOLD):
        return 1.0
    return 1.0 if shape.has(_POINTS) and b'"latitudeE7"' in head and b'"timestamp' in head else 0.0


def _is_told(file: InputFile) -> bool:
    shape = json_shape(file.head())
    return shape is not None and shape.has(_TOLD)


def _survey(file: InputFile, context: ReadContext) -> None:
    if _is_told(file):
        context.parts[_SEEN] = True


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Visits and trips: those that are told, or those derived from the positions."""
    tally = Tally(file.path)
    if _is_told(file):
        yield from _told(file, context, tally)
    elif context.parts.get(_SEEN):
        yield BadRecord(file.path, "its positions", "the visits of the Semantic Location History tell the same")
    else:
        yield from derived_records(_points(file, context, tally), file.path, tally, context.home_zone)


def _points(file: InputFile, context: ReadContext, tally: Tally) -> Iterator[Point]:
    for _, element in json_member_elements(file, context.limits, (_POINTS,)):
        if isinstance(element, BadRecord):
            tally.add(element.where, element.reason)
            continue
        row = as_object(element.value)
        at = moment(row.get("timestamp")) or moment(row.get("timestampMs"))
        where = degrees(row.get("latitudeE7"), row.get("longitudeE7"), by=_E7)
        accuracy = number(row.get("accuracy"))
        if at is None:
            tally.add(element.where, "a position without a time")
        elif where is None:
            tally.add(element.where, "no position on Earth")
        elif accuracy is not None and accuracy > ACCURACY:
            tally.add(element.where, NOT_EXACT)
        else:
            yield Point(at.timestamp(), *where)


def _told(file: InputFile, context: ReadContext, tally: Tally) -> Iterator[Record | BadRecord]:
    found = 0
    for _, element in json_member_elements(file, context.limits, (_TOLD,)):
        found += 1
        if isinstance(element, BadRecord):
            yield element
            continue
        record = _segment(element, context)
        if isinstance(record, str):
            tally.add(element.where, record)
            continue
        if inside := len(as_objects(as_object(as_object(element.value).get("placeVisit")).get("childVisits"))):
            for _ in range(inside):
                tally.add(element.where, "a place inside the place of another visit")
        yield record
    if not found:
        yield BadRecord(file.path, _TOLD, "there is no visit and no trip in it")
    yield from tally.report()


def _segment(element: Element, context: ReadContext) -> Record | str:
    """The record of one object of a timeline, or why there is none."""
    value = as_object(element.value)
    stay, segment = as_object(value.get("placeVisit")), as_object(value.get("activitySegment"))
    part = stay or segment
    if not part:
        return "neither a visit nor a trip"
    times = as_object(part.get("duration"))
    start, end = (_moment(times, name) for name in ("start", "end"))
    if start is None or end is None or end < start:
        return "no begin, or no end after it"
    return _visit(stay, start, end, context) if stay else _trip(segment, start, end, context)


def _moment(times: dict[str, Any], name: str) -> datetime | None:
    return moment(times.get(f"{name}Timestamp")) or moment(times.get(f"{name}TimestampMs"))


def _visit(stay: dict[str, Any], start: datetime, end: datetime, context: ReadContext) -> Record | str:
    place = as_object(stay.get("location"))
    centre = degrees(stay.get("centerLatE7"), stay.get("centerLngE7"), by=_E7)
    where = degrees(place.get("latitudeE7"), place.get("longitudeE7"), by=_E7) or centre
    name = as_text(place.get("name")) or _kind(place.get("semanticType"))
    if where is None and not name:
        return "a visit without a place"
    record = visit("visit", start, end, Spot(*(where or (None, None)), name), context.home_zone)
    for key in ("placeId", "address", "semanticType"):
        record[key] = as_text(place.get(key)) or None
    record["placeConfidence"] = as_text(stay.get("placeConfidence")) or None
    return fact(record, record["placeId"] or name or where)


def _kind(value: Any) -> str:
    """`Home` for TYPE_HOME; nothing for a place of no kind."""
    kind = as_text(value).removeprefix("TYPE_").removeprefix("INFERRED_")
    return kind.title() if kind in ("HOME", "WORK") else ""


def _trip(segment: dict[str, Any], start: datetime, end: datetime, context: ReadContext) -> Record:
    path = as_object(segment.get("waypointPath"))
    points = as_objects(path.get("waypoints"))
    ends = [
        _end(segment.get(name), points[at : at + 1 or None]) for name, at in (("startLocation", 0), ("endLocation", -1))
    ]
    raw = as_object(segment.get("simplifiedRawPath"))
    lengths = (
        number(found) for found in (segment.get("distance"), path.get("distanceMeters"), raw.get("distanceMeters"))
    )
    metres = next((length for length in lengths if length is not None), None)
    record = trip(start, end, ends[0], ends[1], context.home_zone, metres=metres)
    first = as_object(next(iter(as_list(segment.get("activities"))), None))
    sure = first.get("activityType") if (number(first.get("probability")) or 0) > 0 else None
    record["_mode"] = travel_mode(segment.get("activityType") or path.get("travelMode") or sure)
    record["confidence"] = as_text(segment.get("confidence")) or None
    return fact(record, "trip")


def _end(value: Any, points: list[dict[str, Any]]) -> Spot:
    """The begin or end of a trip: as told, else the first or last of its points."""
    place = as_object(value)
    where = degrees(place.get("latitudeE7"), place.get("longitudeE7"), by=_E7)
    for point in () if where else points:
        where = degrees(point.get("latE7"), point.get("lngE7"), by=_E7)
    return Spot(*(where or (None, None)), as_text(place.get("name")))


FORMAT = Format(
    name="google-location",
    label="Google location history (Takeout)",
    map_file="places.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "google-location",
    survey=_survey,
)
