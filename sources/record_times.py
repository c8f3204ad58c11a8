"""When a record of unknown making happened: start and end from whatever time keys it has.

Times are given as ISO texts: without offset where the record states none (the person's wall clock), with offset or `Z`
where it does; numbers are taken as seconds, milliseconds or microseconds since 1970 by their size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

__all__ = ["Times", "read_times", "time_key", "time_under"]

_START = (
    "start_datetime", "startdatetime", "start_timestamp", "start", "begin", "datetime", "date_time", "timestamp", "ts",
    "time", "when", "start_time", "starttime", "started_at", "start_date", "startdate", "date", "day", "at", "created",
    "created_at",
)  # fmt: skip
_END = (
    "end_datetime", "enddatetime", "end_timestamp", "end", "finish", "end_time", "endtime", "ended_at", "end_date",
    "enddate", "until",
)  # fmt: skip
_START_DATES = ("start_date", "startdate", "date", "day")
_START_CLOCKS = ("start_time", "starttime", "time")
_END_DATES = ("end_date", "enddate")
_END_CLOCKS = ("end_time", "endtime")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_SPACED_OFFSET = re.compile(r"(?<!\s)\s+(?=[+-]\d\d:?\d\d$)")


@dataclass(frozen=True)
class Times:
    """Start and end as ISO texts (date-times, or a date alone with precision `day`); None where not known."""

    start: str | None
    end: str | None
    precision: str | None
    """`second`, `minute` or `day`; None without a start."""
    keys: frozenset[str] = frozenset()
    """Keys of the record that say nothing but these times."""
    unread: tuple[str, ...] = ()
    """Keys that should say a time of day or an end, and say none that can be read."""


def time_key(record: Mapping[str, Any]) -> str | None:
    """The key that says when a record happened: a usual name first, else one that speaks of date or time; or None."""
    usual = _usual(record)
    for name in _START:
        key = usual.get(name)
        if key is not None and _moment(record[key]) is not None:
            return key
    for key, value in record.items():
        if re.search(r"(?i)date|time|(?:_|[a-z])(?-i:at|At)$", key) and isinstance(value, str) and _moment(value):
            return key
    return None


def time_under(record: Mapping[str, Any], key: str) -> Times | None:
    """The moment under one key of a record as its start, or None where it is none."""
    moment = _moment(record.get(key))
    if moment is None:
        return None
    return Times(_iso(moment), None, _precision(moment, record, frozenset((key,))), frozenset((key,)))


def read_times(record: Mapping[str, Any]) -> Times | str:
    """The times of a record, or why what stands under its time keys is none. Without a time key: all None."""
    usual = _usual(record)
    start = _joined(record, usual, _START_DATES, _START_CLOCKS)
    key = None if start else time_key(record)
    if key is not None:
        start = _moment(record[key])
    if start is None:
        broken = [usual[name] for name in _START if name in usual and record[usual[name]] not in (None, "")]
        if broken:
            return f"{broken[0]} is no date or time: {record[broken[0]]!r:.60}"
        return Times(None, None, None)
    end = _end(record, usual, start)
    named = [usual[name] for name in (*_START, *_END) if name in usual]
    told = frozenset(key for key in named if _says(record[key], start, end))
    ends = _iso(end) if end is not None else None
    return Times(_iso(start), ends, _precision(start, record, told), told, _unread(record, usual, start))


def _unread(record: Mapping[str, Any], usual: Mapping[str, str], start: datetime | date) -> tuple[str, ...]:
    """The keys of clock times and ends that have a value which is no time, or an end before the start."""
    clocks = (*_START_CLOCKS, *_END_CLOCKS)

    def is_wrong(name: str, value: Any) -> bool:
        moment = _moment(value)
        if moment is None:
            return name not in clocks or _clock(value) is None
        return name not in clocks and _before(moment, start)

    said = {name: record[usual[name]] for name in dict.fromkeys((*clocks, *_END)) if name in usual}
    return tuple(usual[name] for name, value in said.items() if value not in (None, "") and is_wrong(name, value))


def _says(value: Any, start: datetime | date, end: datetime | date | None) -> bool:
    """Whether a value is the start or the end, or the day or the clock time of one."""
    moment, clock = _moment(value), _clock(value)
    for known in (start, end):
        if known is None:
            continue
        if moment is not None and moment in (known, _day(known)):
            return True
        if clock is not None and isinstance(known, datetime) and clock == known.timetz():
            return True
    return False


def _usual(record: Mapping[str, Any]) -> dict[str, str]:
    """Keys of the record by their name in lower case with underscores."""
    return {re.sub(r"[\s-]+", "_", key.strip()).lower(): key for key in record}


def _joined(
    record: Mapping[str, Any], usual: Mapping[str, str], dates: tuple[str, ...], clocks: tuple[str, ...]
) -> datetime | date | None:
    """A date under one key and a clock time under another, as one."""
    day = next((found for name in dates if name in usual and (found := _moment(record[usual[name]]))), None)
    if day is None or isinstance(day, datetime):
        return day
    for name in clocks:
        if name in usual and (clock := _clock(record[usual[name]])) is not None:
            return datetime.combine(day, clock)
    return day


def _end(record: Mapping[str, Any], usual: Mapping[str, str], start: datetime | date) -> datetime | date | None:
    """The end: stated, or a clock time on the day of the start (the next day when it is earlier)."""
    end = _joined(record, usual, _END_DATES, _END_CLOCKS)
    if end is None:
        values = (record[usual[name]] for name in _END if name in usual)
        end = next((found for value in values if (found := _moment(value)) is not None), None)
    if end is None and isinstance(start, datetime):
        clocks = (_clock(record[usual[name]]) for name in _END_CLOCKS if name in usual)
        clock = next((found for found in clocks if found is not None), None)
        if clock is not None:
            end = datetime.combine(start.date(), clock, clock.tzinfo or start.tzinfo)
            end = _next_day(end) if _before(end, start) else end
    return None if end is not None and _before(end, start) else end


def _next_day(moment: datetime) -> datetime | None:
    """The same time a day later; None after the last day of the calendar."""
    return moment + timedelta(days=1) if moment.date() < date.max else None


def _before(one: datetime | date, two: datetime | date) -> bool:
    if isinstance(one, datetime) and isinstance(two, datetime) and (one.tzinfo is None) == (two.tzinfo is None):
        return one < two
    return _day(one) < _day(two)


def _day(moment: datetime | date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _iso(moment: datetime | date) -> str:
    text = moment.isoformat()
    return text.replace("+00:00", "Z") if isinstance(moment, datetime) and moment.tzinfo is UTC else text


def _precision(start: datetime | date, record: Mapping[str, Any], told: frozenset[str]) -> str:
    if not isinstance(start, datetime):
        return "day"
    texts = [str(record[key]) for key in told]
    to_the_minute = any(re.search(r"\d:\d\d", text) for text in texts) and not any(
        re.search(r"\d:\d\d:\d\d|\d{9}", text) for text in texts
    )
    return "minute" if to_the_minute and not start.second else "second"


def _moment(value: Any) -> datetime | date | None:
    """A date-time, or a date without a time, or None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int) and 19000101 <= value <= 21001231:
        value = str(value)
    if isinstance(value, int | float):
        return _epoch(value)
    if not isinstance(value, str):
        return None
    text = _SPACED_OFFSET.sub("", value.strip())
    if re.fullmatch(r"\d{9,17}(\.\d+)?", text):
        return _epoch(float(text))
    if not re.match(r"\d{4}-?\d\d-?\d\d|\d{4}/\d\d/\d\d", text):
        return None
    text = text.replace("/", "-")
    try:
        return date.fromisoformat(text) if len(text) <= 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def _epoch(value: float) -> datetime | None:
    """A moment since 1970 in seconds, milliseconds or microseconds, of the years 1980 to 2100."""
    for scale in (1, 1_000, 1_000_000):
        if 315_532_800 * scale <= value < 4_102_444_800 * scale:  # a huge integer cannot be divided into a float
            return datetime.fromtimestamp(value / scale, UTC)
    return None


def _clock(value: Any) -> time | None:
    found = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        hours = f"{int(found[1]):02}:{found[2]}:{found[3] or '00'}{found[4] or ''}{found[5] or ''}"
        return time.fromisoformat(hours)
    except ValueError:
        return None
