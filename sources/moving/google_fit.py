"""Google Fit in Takeout: sessions (JSON), daily activity metrics (CSV), activities (TCX); partly they tell the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from ...errors import SourceError
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_objects, as_text, as_told, digest
from ..json.jsonstream import json_document
from ..peek import csv_columns, json_shape
from .google_fit_days import is_daily, is_quarters, read_daily, read_quarters, survey_daily
from .record import instant, positive, put, set_moments, set_workout
from .sports import is_vehicle, sport_name
from .tcx import activities
from .xml_elements import root_name

__all__ = ["FORMAT"]

_SESSION: Final = ("fitnessActivity", "startTime", "endTime")
_TRACK_FIRST: Final = re.compile(rb"<Lap\b[^>]{0,200}>\s{0,200}<Track>")
"""The order of elements that Google Fit writes, against the schema."""
_AUTHOR: Final = b"<Name>Google Fit</Name>"
_TAIL: Final = 2**16
_DURATION: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
_SLEEP: Final = {"sleep.deep": "_deep", "sleep.light": "_light", "sleep.rem": "_rem", "sleep.awake": "_awake"}
_TOLD: Final = "a session of the same export tells it"


def _kind(file: InputFile) -> str:
    """Which kind of file it is; empty for none."""
    head = file.head()
    shape = json_shape(head)
    if shape is not None:
        return "session" if shape.kind == "object" and shape.has(*_SESSION) else ""
    if root_name(head) == "TrainingCenterDatabase":
        return "tcx" if _TRACK_FIRST.search(head) and _by_google(file) else ""
    header = csv_columns(head)
    names = header[1] if header else ()
    return "daily" if is_daily(names) else "quarters" if is_quarters(names) else ""


def _by_google(file: InputFile) -> bool:
    """Whether the end of a TCX file names Google Fit as its author."""
    last = b""
    with file.open() as stream:
        while data := stream.read(_TAIL):
            last = last[-_TAIL:] + data
    return _AUTHOR in last


def _recognise(file: InputFile) -> float:
    return 1.0 if _kind(file) else 0.0


def _survey(file: InputFile, context: ReadContext) -> None:
    """What tells whether another file says the same: the starts of sessions, the days of the summary."""
    kind = _kind(file)
    if kind == "session":
        start = instant(json_document(file, context.limits).get("startTime"), UTC)
        if start is not None:
            context.parts.setdefault("sessions", set()).add(_second(start))
    elif kind == "daily":
        survey_daily(file, context)


def _second(moment: datetime) -> int:
    return int(moment.timestamp())


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    kind = _kind(file)
    if kind == "session":
        yield _session(file, context)
    elif kind == "tcx":
        yield from _tcx(file, context)
    elif kind == "daily":
        yield from read_daily(file, context)
    elif kind == "quarters":
        yield from read_quarters(file, context)
    else:
        raise SourceError(f"{file.path}: no part of a Google Fit export, or cut off")


def _session(file: InputFile, context: ReadContext) -> Record | BadRecord:
    """A workout, or a sleep. Times in UTC become the home zone's."""
    row = json_document(file, context.limits)
    start, end = (instant(row.get(key), UTC) for key in ("startTime", "endTime"))
    if start is None:
        return BadRecord(file.path, "session", f"startTime is no date-time: {row.get('startTime')!r:.60}")
    activity = as_text(row.get("fitnessActivity"))
    if is_vehicle(activity):
        return BadRecord(file.path, "session", "a journey in a vehicle is no workout")
    record = as_told((key, value) for key, value in row.items() if isinstance(value, str) and key == "fitnessActivity")
    set_moments(record, start, end, context.home_zone)
    told = _DURATION.fullmatch(as_text(row.get("duration")))
    whole = positive(told[1] if told else None) or ((end - start).total_seconds() if end and end > start else None)
    record["_id"] = f"session-{digest([_second(start), activity])}"
    if activity.split(".")[0] == "sleep":
        _set_sleep(record, row, whole)
        return record
    measured = {as_text(item.get("metricName")): _number(item) for item in as_objects(row.get("aggregate"))}
    values = {
        "_seconds": whole,
        "_km": positive(measured.get("com.google.distance.delta"), 0.001),
        "_kcal": positive(measured.get("com.google.calories.expended")),
    }
    set_workout(record, sport_name(activity), "", values)
    put(record, {"steps": measured.get("com.google.step_count.delta")})
    return record


def _number(item: dict[str, Any]) -> Any:
    return next((item[key] for key in ("floatValue", "intValue") if positive(item.get(key)) is not None), None)


def _set_sleep(record: Record, row: dict[str, Any], whole: float | None) -> None:
    """A sleep; what its segments tell of it. Time awake is no sleep."""
    sums: dict[str, float] = {}
    for segment in as_objects(row.get("segment")):
        name = _SLEEP.get(as_text(segment.get("fitnessActivity")))
        start, end = (instant(segment.get(key), UTC) for key in ("startTime", "endTime"))
        if name and start and end and end > start:
            sums[name] = sums.get(name, 0.0) + (end - start).total_seconds()
    asleep = whole - sums.get("_awake", 0.0) if whole else None
    put(record, {"_seconds": positive(asleep), "_inBed": whole, **sums})
    record["_kind"] = "sleep"
    record["_label"] = f"sleep {record['_start'][:10]}"


def _tcx(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Activities that no session of the export tells."""
    known: set[int] = context.parts.get("sessions", set())
    tally = Tally(file.path)
    for where, record in activities(file, context):
        if isinstance(record, str):
            tally.add(where, record)
            continue
        start = instant(record.get("_startInstant"), UTC)
        if start is not None and _second(start) in known:
            tally.add(where, _TOLD)
            continue
        record["_id"] = f"session-{digest([_second(start) if start else record['_start'], record['_sport']])}"
        yield record
    yield from tally.report()


FORMAT = Format(
    name="google-fit",
    label="Google Fit (Takeout)",
    map_file="moving.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "google-fit",
    survey=_survey,
)
