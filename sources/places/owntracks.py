"""OwnTracks: what its recorder keeps (`.rec`: time, tab, kind, tab, JSON), the same as JSON Lines, or as the recorder's
HTTP answers them (`{"data": […]}`). Its positions are derived into visits and trips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import HostileInput
from ...texts.import_budget import nested_deeper
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_list, as_object, as_text
from ..json.jsonmembers import json_member_elements
from ..json.jsonstream import Element, json_elements, json_lines, value_of
from ..peek import decode, json_shape
from .derived import ACCURACY, NOT_EXACT, derived_records
from .place_records import degrees, moment, number
from .stay_points import Point

__all__ = ["FORMAT"]

_OTHER = "a message of OwnTracks that is no position"


def _recognise(file: InputFile) -> float:
    head = file.head()
    shape = json_shape(head)
    if shape is not None:
        if shape.kind == "object" and not shape.has("_type"):
            return 0.9 if shape.has("data") and b'"_type"' in head and b'"tst"' in head else 0.0
        known = any("_type" in one and "tst" in one and "lat" in one for one in shape.elements)
        return 1.0 if known else 0.0
    line = decode(head).lstrip("\ufeff").partition("\n")[0].split("\t")
    return 1.0 if len(line) >= 3 and moment(line[0]) is not None and '"_type"' in line[-1] else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    tally = Tally(file.path)
    yield from derived_records(_points(file, context, tally), file.path, tally, context.home_zone)


def _points(file: InputFile, context: ReadContext, tally: Tally) -> Iterator[Point]:
    for element in _messages(file, context):
        if isinstance(element, BadRecord):
            tally.add(element.where, element.reason)
            continue
        message = as_object(element.value)
        if message.get("_type") not in ("location", "transition"):
            tally.add(element.where, _OTHER)
            continue
        at, where = moment(number(message.get("tst"))), degrees(message.get("lat"), message.get("lon"))
        accuracy = number(message.get("acc"))
        if at is None:
            tally.add(element.where, "a position without a time")
        elif where is None:
            tally.add(element.where, "no position on Earth")
        elif accuracy is not None and accuracy > ACCURACY:
            tally.add(element.where, NOT_EXACT)
        else:
            yield Point(at.timestamp(), *where, _name(message))


def _name(message: dict[str, Any]) -> str | None:
    """The region that the person gave a name, or the point of interest."""
    regions = [as_text(name).strip() for name in as_list(message.get("inregions"))]
    return next(filter(None, (*regions, as_text(message.get("poi")).strip())), None)


def _messages(file: InputFile, context: ReadContext) -> Iterator[Element | BadRecord]:
    shape = json_shape(file.head())
    if shape is None:
        yield from _lines(file, context)
    elif shape.kind == "object" and not shape.has("_type"):
        for _, element in json_member_elements(file, context.limits, ("data",)):
            yield element
    else:
        yield from (json_elements if shape.kind == "array" else json_lines)(file, context.limits)


def _lines(file: InputFile, context: ReadContext) -> Iterator[Element | BadRecord]:
    """The JSON at the end of each line of a recorder's file."""
    most = context.limits.record_bytes
    with file.open() as stream:
        number_of_line = 0
        while line := stream.readline(most + 1):
            number_of_line += 1
            where = f"line {number_of_line}"
            if len(line) > most:
                raise HostileInput(f"{file.path}: {where} is longer than {most} bytes")
            text = line.rpartition(b"\t")[2].strip()
            if not text:
                continue
            if nested_deeper(text, context.limits.depth):
                yield BadRecord(file.path, where, f"JSON nested more than {context.limits.depth} deep")
                continue
            try:
                yield Element(where, value_of(text))
            except ValueError as bad:
                yield BadRecord(file.path, where, f"malformed JSON: {bad}")


FORMAT = Format(
    name="owntracks",
    label="OwnTracks positions",
    map_file="places.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "owntracks",
)
