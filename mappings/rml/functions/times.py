"""Dates, times and durations for maps: what an export writes → wall-clock time at home, instants, days, seconds."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

from ....operators.evaluation.budget import MAX_PATTERN
from ..nquads import text_of
from .types import Function, Unconvertible, examples, optional_text, told, zone_named

MAX_DAYS: Final = 366
"""An event that touches more days is listed by its first 366."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DIGITS: Final = 30
_EPOCH_UNITS: Final = {"epoch-s": 1_000_000, "epoch-ms": 1_000, "epoch-us": 1}
_ZONE_SUFFIX: Final = re.compile(
    r"\s{0,9}(?:\[([A-Za-z0-9_+\-/]{1,64})\]|(UTC|GMT)|((?:[A-Z][A-Za-z_]{1,30}/){1,3}[A-Z][A-Za-z_\-]{1,30}))$"
)
_SPACED_OFFSET: Final = re.compile(r"(?<!\s)\s+([+-]\d{2}:?\d{2})$")
_LONGEST: Final = 200
"""A text of more characters is no time; nothing that long is parsed or kept."""
_DATE_ONLY: Final = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_ISO_LIKE: Final = re.compile(r"\d{4}")
_HAS_SECONDS: Final = re.compile(r":\d{2}:\d{2}|T\d{6}")


@lru_cache(maxsize=1 << 13)
def _read(value: str, pattern: str | None) -> datetime:
    text = value.strip()
    return _by_patterns(text, pattern) if pattern else _by_form(text)


def _by_form(text: str) -> datetime:
    """ISO 8601, also with a space for the T, an offset set apart, or a zone's name behind; else RFC 2822."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    if _ISO_LIKE.match(text):
        named = _ZONE_SUFFIX.search(text)
        if named:
            moment = _by_form(text[: named.start()])
            name = named.group(1) or ("UTC" if named.group(2) else named.group(3))
            return moment if moment.tzinfo else moment.replace(tzinfo=zone_named(name, ZoneInfo("UTC")))
        try:
            return datetime.fromisoformat(_SPACED_OFFSET.sub(r"\1", text).replace("/", "-"))
        except ValueError as bad:
            raise Unconvertible("no date and time of ISO 8601") from bad
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError) as bad:
        raise Unconvertible("neither ISO 8601 nor RFC 2822; a fn:pattern tells other forms") from bad
    return moment if moment.tzinfo or not text.endswith("-0000") else moment.replace(tzinfo=UTC)


def _by_patterns(text: str, patterns: str) -> datetime:
    for pattern in patterns.split("|"):
        if pattern in _EPOCH_UNITS:
            try:
                count = Decimal(text)
                if count.adjusted() > _EPOCH_DIGITS:
                    continue
                return _EPOCH + timedelta(microseconds=int(count * _EPOCH_UNITS[pattern]))
            except (ArithmeticError, ValueError, OverflowError):
                continue
        try:
            return _by_form(text) if pattern == "iso" else datetime.strptime(text, pattern)
        except (ValueError, LookupError, OverflowError, re.error):
            continue
    raise Unconvertible(f"not of the pattern {told(patterns)}")


def moment_of(value: Any, pattern: Any) -> datetime:
    """A date-time as the export writes it: aware when it states an offset, a zone or an epoch, else naive."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    form = optional_text(pattern)
    if form is not None and len(form) > MAX_PATTERN:
        raise Unconvertible(f"a pattern of more than {MAX_PATTERN} characters")
    if isinstance(value, str):
        if len(value) > _LONGEST:
            raise Unconvertible("too long for a date and time")
        return _read(value, form)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        if form is None:
            raise Unconvertible("a bare number; fn:pattern epoch-s, epoch-ms or epoch-us tells what it counts")
        return _read(str(bounded(value if isinstance(value, Decimal) else Decimal(str(value)))), form)
    raise Unconvertible("no date and time")


def _zoned(moment: datetime, zone: Any, home: ZoneInfo) -> datetime:
    """A zone-less time put into the zone that the map states for such."""
    if moment.tzinfo is None and zone:
        return moment.replace(tzinfo=zone_named(text_of(zone), home))
    return moment


def _is_utc(info: tzinfo) -> bool:
    return (
        info is UTC
        or (info.utcoffset(None) == timedelta(0))
        or str(info) in ("UTC", "Etc/UTC", "GMT", "Etc/GMT", "Zulu")
    )


def wall_clock(home: ZoneInfo, value: Any, zone: str | None, pattern: str | None, form: str | None) -> datetime:
    """Local time as stated; a time stated in UTC becomes that of the home zone; a bare date its midnight."""
    moment = _zoned(moment_of(value, pattern or form), zone, home)
    if moment.tzinfo is None:
        return moment
    if _is_utc(moment.tzinfo):
        try:
            moment = moment.astimezone(home)
        except OverflowError as bad:
            raise Unconvertible("outside the years 1 to 9999") from bad
    return moment.replace(tzinfo=None, fold=0)


def instant(home: ZoneInfo, value: Any, zone: str | None, pattern: str | None, form: str | None) -> datetime | None:
    """The same moment with its offset; nothing when neither the value nor the map tells a zone."""
    moment = _zoned(moment_of(value, pattern or form), zone, home)
    return None if moment.tzinfo is None else moment


def time_precision(value: Any, pattern: str | None, form: str | None) -> str:
    """day, minute or second: how precise the value is as it is written."""
    form = optional_text(pattern or form)
    if isinstance(value, datetime):
        return "second"
    if isinstance(value, date):
        return "day"
    if form and "%" in form:
        moment_of(value, form)
        return "second" if "%S" in form or "%X" in form or "%c" in form else "minute" if "%M" in form else "day"
    moment_of(value, form)
    if isinstance(value, str) and not form:
        if _DATE_ONLY.fullmatch(value.strip()):
            return "day"
        return "second" if _HAS_SECONDS.search(value) else "minute"
    return "second"


def time_certainty(home: ZoneInfo, value: Any, zone: str | None, pattern: str | None, form: str | None) -> str:
    """stated when the value or the map tells the zone, else assumed."""
    return "assumed" if instant(home, value, zone, pattern, form) is None else "stated"


def plus_seconds(value: Any, seconds: Any) -> datetime:
    """A date-time moved by a number of seconds, which may be negative. An aware one moves along the time line."""
    moment = moment_of(value, None)
    try:
        step = timedelta(seconds=float(Decimal(str(seconds))))
        if moment.tzinfo is None:
            return moment + step
        return (moment.astimezone(UTC) + step).astimezone(moment.tzinfo)
    except (ArithmeticError, OverflowError, ValueError) as bad:
        raise Unconvertible("seconds that are no number, or too many") from bad


def days(start: Any, end: Any) -> list[date]:
    """Every day from start to end; an end at midnight does not touch its day; without an end only the first day."""
    first = moment_of(start, None)
    last = moment_of(end, None) if end is not None else first
    final = last.date()
    if final > first.date() and last.time() == time():
        final -= timedelta(days=1)
    count = min(max((final - first.date()).days + 1, 1), MAX_DAYS, (date.max - first.date()).days + 1)
    return [first.date() + timedelta(days=step) for step in range(count)]


def date_of(value: Any, pattern: str | None, form: str | None) -> date:
    """The calendar day of a date or date-time, as written."""
    return moment_of(value, pattern or form).date()


def time_of(value: Any, pattern: str | None, form: str | None) -> time:
    """The time of day of a date-time or time, as written, without offset."""
    if isinstance(value, str) and not (pattern or form):
        try:
            return time.fromisoformat(value.strip()).replace(tzinfo=None)
        except ValueError:
            pass
    return moment_of(value, pattern or form).time().replace(tzinfo=None)


_MAGNITUDE: Final = 400
"""Powers of ten, either way, beyond which a number is none that an export means."""
_DIGITS: Final = 1_000
_ISO_DURATION: Final = re.compile(
    r"([+-])?P(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?",
    re.I,
)
_CLOCK: Final = re.compile(r"([+-])?(?:(\d+):)?(\d{1,9}):(\d{2}(?:[.,]\d+)?)")
_UNIT_PART: Final = re.compile(r"\s{0,9}(?:,|and|&)?\s{0,9}(\d{1,18}(?:[.,]\d{1,18})?)\s{0,9}([a-zµ]{1,24})\.?", re.I)
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
SECONDS: Final = {
    **dict.fromkeys(("us", "µs"), Decimal("0.000001")),
    **dict.fromkeys(("ms", "msec", "millisecond"), Decimal("0.001")),
    **dict.fromkeys(("s", "sec", "second"), Decimal(1)),
    **dict.fromkeys(("m", "min", "minute"), Decimal(60)),
    **dict.fromkeys(("h", "hr", "hour"), Decimal(3600)),
    **dict.fromkeys(("d", "day"), Decimal(86400)),
    **dict.fromkeys(("w", "wk", "week"), Decimal(604800)),
}
"""Seconds of one unit of time."""


def bounded(value: Decimal) -> Decimal:
    """A number itself. Raises Unconvertible for one beyond what a store can write and add up."""
    if not value.is_finite():
        raise Unconvertible("no number")
    if not value:
        return Decimal(0)
    if abs(value.adjusted()) > _MAGNITUDE or len(value.as_tuple().digits) > _DIGITS:
        raise Unconvertible("a number too large, too small or too long")
    return value


def second_unit(name: str) -> Decimal | None:
    """Seconds of a named unit, singular or plural, in any case; None for a name that is no unit of time."""
    low = name.lower()
    return SECONDS.get(low) or (SECONDS.get(low[:-1]) if low.endswith("s") else None)


def _decimal(text: str | None) -> Decimal:
    return Decimal(text.replace(",", ".")) if text else Decimal(0)


def seconds(value: Any, unit: Any) -> Decimal:
    """A duration in seconds from 1:02:03, 2:03, PT1H2M, 1 hr 2 min, or a number with its unit (s when none is told)."""
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return bounded(value if isinstance(value, Decimal) else Decimal(str(value))) * _factor(unit)
    text = text_of(value).strip()
    if len(text) > _LONGEST:
        raise Unconvertible("too long for a duration")
    if _NUMBER.fullmatch(text):
        return bounded(_decimal(text)) * _factor(unit)
    clock = _CLOCK.fullmatch(text)
    if clock:
        sign, hours, minutes, rest = clock.groups()
        total = _decimal(hours) * 3600 + _decimal(minutes) * 60 + _decimal(rest)
        return -total if sign == "-" else total
    iso = _ISO_DURATION.fullmatch(text)
    if iso and any(iso.groups()[1:]):
        parts = [_decimal(part) for part in iso.groups()[1:]]
        total = sum((part * size for part, size in zip(parts, (604800, 86400, 3600, 60, 1), strict=True)), Decimal(0))
        return -total if iso.group(1) == "-" else total
    return _words(text)


def _factor(unit: Any) -> Decimal:
    name = optional_text(unit)
    factor = second_unit(name) if name else Decimal(1)
    if factor is None:
        raise Unconvertible(f"{told(name)} is no unit of time")
    return factor


def _words(text: str) -> Decimal:
    found = list(_UNIT_PART.finditer(text))
    whole = (
        found
        and found[0].start() == 0
        and all(a.end() == b.start() for a, b in pairwise(found))
        and found[-1].end() == len(text)
    )
    factors = [second_unit(part.group(2)) for part in found]
    if not whole or None in factors:
        raise Unconvertible("no duration")
    return sum(
        (_decimal(part.group(1)) * factor for part, factor in zip(found, factors, strict=True) if factor), Decimal(0)
    )


_T = datetime
TIME_FUNCTIONS: Final = (
    Function(
        "wallClock",
        wall_clock,
        "The wall-clock time where the person was. A stated offset or zone other than UTC keeps its local time; UTC "
        "becomes the home zone's; a bare date its midnight. fn:zone tells what values without a zone are in (an IANA "
        "name, UTC or home). fn:pattern (or fn:format) is epoch-s, epoch-ms, epoch-us, iso, or a strptime pattern; "
        "several are tried in turn, separated by |.",
        "xsd:dateTime without zone",
        optional=("zone", "pattern", "format"),
        zoned=True,
        examples=examples(
            ({"value": "2024-06-01T10:00:00Z"}, _T(2024, 6, 1, 11, 0)),
            ({"value": "2024-06-01 10:00:00 +0200"}, _T(2024, 6, 1, 10, 0)),
            ({"value": "2024-06-01 10:00:00", "zone": "UTC"}, _T(2024, 6, 1, 11, 0)),
            ({"value": "2024-06-01"}, _T(2024, 6, 1)),
            ({"value": 1717232400000, "pattern": "epoch-ms"}, _T(2024, 6, 1, 10, 0)),
            ({"value": "Sat, 01 Jun 2024 10:00:00 +0200"}, _T(2024, 6, 1, 10, 0)),
            ({"value": "6/1/24 9:05 PM", "pattern": "%m/%d/%y %I:%M %p"}, _T(2024, 6, 1, 21, 5)),
        ),
    ),
    Function(
        "instant",
        instant,
        "The same moment with its offset; nothing when neither the value nor fn:zone tells one.",
        "xsd:dateTime with offset",
        optional=("zone", "pattern", "format"),
        zoned=True,
        examples=examples(
            ({"value": "2024-06-01T10:00:00+02:00"}, "2024-06-01T10:00:00+02:00"),
            ({"value": "2024-06-01 10:00:00", "zone": "UTC"}, "2024-06-01T10:00:00Z"),
            ({"value": "2024-06-01 10:00:00", "zone": "home"}, "2024-06-01T10:00:00+01:00"),
            ({"value": "2024-06-01 10:00:00"}, None),
        ),
    ),
    Function(
        "timePrecision",
        time_precision,
        "day, minute or second: how precise a time is as it is written.",
        "xsd:string",
        optional=("pattern", "format"),
        examples=examples(
            ({"value": "2024-06-01"}, "day"),
            ({"value": "2024-06-01 10:00"}, "minute"),
            ({"value": "2024-06-01T10:00:00Z"}, "second"),
        ),
    ),
    Function(
        "timeCertainty",
        time_certainty,
        "stated when the value or fn:zone tells a zone, else assumed.",
        "xsd:string",
        optional=("zone", "pattern", "format"),
        zoned=True,
        examples=examples(({"value": "2024-06-01T10:00:00Z"}, "stated"), ({"value": "2024-06-01 10:00"}, "assumed")),
    ),
    Function(
        "plusSeconds",
        plus_seconds,
        "A date-time moved by seconds, which may be negative: start = end − played.",
        "xsd:dateTime",
        required=("value", "seconds"),
        examples=examples(({"value": "2024-06-01T10:00:00", "seconds": -90}, _T(2024, 6, 1, 9, 58, 30))),
    ),
    Function(
        "days",
        days,
        "Every day from fn:start to fn:end, at most 366. An end at midnight does not touch its day.",
        "list of xsd:date",
        required=("start",),
        optional=("end",),
        examples=examples(
            (
                {"start": "2024-06-01T22:00:00", "end": "2024-06-03T01:00:00"},
                [date(2024, 6, 1), date(2024, 6, 2), date(2024, 6, 3)],
            ),
            ({"start": "2024-06-01", "end": "2024-06-02"}, [date(2024, 6, 1)]),
        ),
    ),
    Function(
        "date",
        date_of,
        "The calendar day of a date or date-time, as written.",
        "xsd:date",
        optional=("pattern", "format"),
        examples=examples(
            ({"value": "2024-06-01T23:30:00"}, date(2024, 6, 1)),
            ({"value": "6/1/24", "pattern": "%m/%d/%y"}, date(2024, 6, 1)),
        ),
    ),
    Function(
        "time",
        time_of,
        "The time of day of a time or date-time, as written.",
        "xsd:time",
        optional=("pattern", "format"),
        examples=examples(({"value": "2024-06-01T23:30:00"}, time(23, 30)), ({"value": "07:05"}, time(7, 5))),
    ),
    Function(
        "seconds",
        seconds,
        "A duration in seconds from a clock form, ISO 8601, words, or a number with its fn:unit.",
        "xsd:decimal",
        optional=("unit",),
        checks=(("unit", _factor),),
        examples=examples(
            ({"value": "0:48:22"}, Decimal(2902)),
            ({"value": "PT5M"}, Decimal(300)),
            ({"value": "1 hr 13 min"}, Decimal(4380)),
            ({"value": 215300, "unit": "ms"}, Decimal("215.3")),
            ({"value": "32.5", "unit": "min"}, Decimal(1950)),
        ),
    ),
)
"""Every function on times."""
