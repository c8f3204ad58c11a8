"""Foursquare and Swarm: the check-ins of an export (`checkins1.json`) and as its interface answers them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_list, as_object, as_objects, as_text
from ..json.jsonmembers import json_member_elements
from ..json.jsonstream import Element, json_elements
from ..peek import json_shape
from ..unique_identifiers import UniqueIdentifiers
from .place_records import Spot, degrees, moment, offset, visit

__all__ = ["FORMAT"]

_ITEMS: Final = "items"


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is None or b'"venue"' not in head or b'"createdAt"' not in head:
        return 0.0
    if shape.kind == "array":
        return 1.0 if shape.has("venue", "createdAt") else 0.0
    return 1.0 if shape.kind == "object" and shape.has(_ITEMS) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Check-ins, one record each."""
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="id", again="the same check-in again")
    found = 0
    for element in _elements(file, context):
        found += 1
        record = element if isinstance(element, BadRecord) else _check_in(element, context)
        if isinstance(record, BadRecord):
            yield record
        elif isinstance(record, str):
            tally.add(element.where, record)
        elif identifiers.take(record, element.where, record["_startInstant"], record["_place"]):
            yield record
    if not found:
        yield BadRecord(file.path, _ITEMS, "there is no check-in in it")
    yield from tally.report()


def _elements(file: InputFile, context: ReadContext) -> Iterator[Element | BadRecord]:
    shape = json_shape(file.head())
    if shape is not None and shape.kind == "array":
        yield from json_elements(file, context.limits)
        return
    for _, element in json_member_elements(file, context.limits, (_ITEMS,)):
        yield element


def _check_in(element: Element, context: ReadContext) -> Record | str:
    item = as_object(element.value)
    at = _moment(item)
    if at is None:
        return "a check-in without a time"
    venue = as_object(item.get("venue"))
    name = as_text(venue.get("name")).strip()
    if not name:
        return "a check-in without a place"
    place = as_object(venue.get("location"))
    where = degrees(item.get("lat"), item.get("lng")) or degrees(place.get("lat"), place.get("lng"))
    city, country = (as_text(place.get(key)).strip() for key in ("city", "country"))
    record = visit("checkin", at, None, Spot(*(where or (None, None)), name, city, country), context.home_zone)
    record["_category"] = [text for text in _names(venue.get("categories")) if text] or None
    record["_with"] = _people(item) or None
    record["_text"] = as_text(item.get("shout")).strip() or None
    record["address"] = as_text(place.get("address")).strip() or None
    record["_url"] = as_text(venue.get("url")) or None
    record["_id"] = as_text(item.get("id")) or f"{record['_startInstant']}-{name}"[:80]
    return record


def _moment(item: dict[str, Any]) -> datetime | None:
    """The moment (UTC) with the offset that it had there."""
    at = moment(item.get("createdAt"))
    zone = offset(item.get("timeZoneOffset"))
    return at.astimezone(zone) if at is not None and zone is not None else at


def _names(value: Any) -> list[str]:
    return [as_text(one.get("name")).strip() for one in as_objects(value)]


def _people(item: dict[str, Any]) -> list[str]:
    """Who was there, too."""
    found: list[str] = []
    for one in (*as_list(item.get("with")), *as_list(as_object(item.get("with")).get("items"))):
        person = as_object(one)
        names = (as_text(person.get(key)).strip() for key in ("firstName", "lastName"))
        found.append(" ".join(filter(None, names)) or as_text(person.get("name")).strip())
    return [name for name in found if name]


FORMAT = Format(
    name="swarm",
    label="Foursquare and Swarm check-ins",
    map_file="places.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "swarm",
)
