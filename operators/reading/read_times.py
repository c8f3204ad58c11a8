"""Dates, clock times, weekdays and months from the texts that exports write.

Explicit forms only, each a pattern: ISO 8601 (dates, ordinal and week dates, basic form), numbers in an order that is
stated, month names of several languages, RFC 2822, `ctime`, and a clock beside any of them. What is read is the wall
clock as it is written: an offset or zone is accepted and not applied. What leaves the year or the day open is no date.

`find_date` finds a date inside a longer text: only what is one date and no other. `3/4/2024` could be two days and is
none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from .names import folded, month_of, weekday_of

_LONGEST: Final = 80
_MONTH: Final = r"(?:d')?(?P<month>[^\W\d_]{2,14})\.?"
_WEEKDAY: Final = r"(?P<weekday>[^\W\d_]{2,14}(?:-feira)?)\.?"
_YEAR: Final = r"(?P<year>\d{4}|'?\d{2})(?!\d)"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_ZONE: Final = (
    r"(?:(?:z|(?:utc|gmt)?\s?[+-]\d{1,2}(?::?\d\d)?|utc|gmt|[ecmp][sd]t|ce?s?t|we?s?t|ee?s?t|bst|ist|jst|msk|"
    r"a[ec][sd]t|nz[sd]t|hst|ak[sd]t|\[?[a-z]+(?:/[a-z_+-]+)+\]?)(?:\s*[(\[][^()\[\]]*[)\]])?)"
)
_CLOCK: Final = re.compile(
    r"(?P<hour>\d{1,2})(?:\s?[:.h]\s?(?P<minute>\d\d)(?:[:.m](?P<second>\d\d)s?(?:[.,]\d+)?)?)?"
    r"\s*+(?P<half>[ap]\.?\s?m\.?|uhr|o'clock|h)?"
    rf"\s*+{_ZONE}?"
)
_BASIC_CLOCK: Final = re.compile(rf"(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?:[.,]\d+)?\s*{_ZONE}?")
DATES: Final = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?P<year>\d{4})(?P<mark>[-/._])(?P<number>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
        r"(?P<year>\d{4})-?w(?P<week>\d\d)-?(?P<weekday>[1-7])(?!\d)",
        r"(?P<year>\d{4})-(?P<ordinal>\d{3})(?!\d)",
        rf"(?P<one>\d{{1,2}})(?P<mark>[-/.])\s?(?P<two>\d{{1,2}})(?P=mark)\s?{_YEAR}",
        rf"{_DAY}[\s/-]*(?:of\s+|de\s+)?{_MONTH}[,\s/-]*(?:de[l]?\s+)?{_YEAR}",
        rf"{_MONTH}[\s-]*{_DAY}(?:\s*,\s*|\s+|-){_YEAR}",
        rf"(?P<year>\d{{4}})\.?[\s,-]+{_MONTH}[\s-]+{_DAY}(?!\d)",
        r"(?P<year>\d{4})\s?年\s?(?P<number>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日",
        r"(?P<basic>)(?P<year>(?:19|20)\d\d)(?P<number>\d\d)(?P<day>\d\d)(?!\d)",
    )
)
"""The forms of a date with its year, of folded text or any."""
_OF_ANY_YEAR: Final = tuple(
    re.compile(shape + r"(?P<year>)") for shape in (rf"{_DAY}[\s/-]*(?:of\s+)?{_MONTH}", rf"{_MONTH}[\s-]*{_DAY}")
)
_CTIME: Final = re.compile(
    rf"{_MONTH}\s+(?P<day>\d{{1,2}})\s+(?P<clock>\d\d?:\d\d(?::\d\d)?)\s+(?:{_ZONE}\s+)?(?P<year>\d{{4}})"
)
_BETWEEN: Final = re.compile(r"t(?=\d)|:(?=\d\d:)|\s*[,;·|@–-]?\s*(?:(?:at|um|kl\.?|alle|a\sles|a\slas|a|om)\s+)?")
_FIRST_CLOCK: Final = re.compile(
    r"(\d{1,2}(?::\d\d){1,2}(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?)(?:\s*,\s*|\s+-\s+|\s+on\s+|\s+)"
)
_LEADING_WEEKDAY: Final = re.compile(rf"{_WEEKDAY}\s*+,?\s*+(?:the\s++)?(?=\S)")
_TRAILING_WEEKDAY: Final = re.compile(rf"(?<![,\s(\[])[,\s(\[]+{_WEEKDAY}[)\]]?$")
_NUMERIC: Final = re.compile(r"(?<![\d:.])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(?:\d{4}|\d{2})(?!\d)")
_LEAP_YEAR: Final = 2024
"""Stands for any year: it has all days that some year has."""
_EPOCHS: Final = {"s": 1, "ms": 1_000, "us": 1_000_000}
_NAMED_CLOCKS: Final = {"noon": time(12), "midday": time(12), "midnight": time(0)}


def orders(text: str) -> tuple[bool, bool] | None:
    """Whether the first two numbers of a date in numbers can stand as (day, month) and as (month, day); else None."""
    found = _NUMERIC.search(folded(text)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    one, two = int(found[1]), int(found[3])
    return (1 <= one <= 31 and 1 <= two <= 12, 1 <= one <= 12 and 1 <= two <= 31)


def epoch_of(text: str) -> str | None:
    """What a bare number would count since 1970 (s, ms or us), if that gives a moment between 1973 and 2103."""
    if not re.fullmatch(r"\d{9,16}(?:\.\d+)?", text.strip()):
        return None
    number = float(text)
    return next((unit for unit, size in _EPOCHS.items() if 1e8 * size <= number < 4.2e9 * size), None)


def from_epoch(text: str, unit: str) -> datetime | None:
    """The moment that many seconds (s), ms or us after 1970, in UTC: no zone is stated."""
    try:
        seconds = float(text) / _EPOCHS[unit]
        return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None, microsecond=0)
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=1 << 13)
def read_moment(text: str, day_first: bool | None = None) -> datetime | date | None:
    """A date, or a date with a clock; None where the text is neither. `day_first` is the order of dates in numbers.

    Where no order is stated, the month comes first between slashes, the day between dots and dashes. A date that is one
    in only one order is read in that.
    """
    if not 6 <= len(text) <= _LONGEST:
        return None
    plain = folded(text)
    found = _moment(plain, day_first)
    if found is not None:
        return found
    trailing = _TRAILING_WEEKDAY.search(plain)
    shorter = plain[: trailing.start()] if trailing and _is_weekday(trailing) else plain
    leading = _LEADING_WEEKDAY.match(shorter)
    shorter = shorter[leading.end() :] if leading and _is_weekday(leading) else shorter
    return _moment(shorter, day_first) if shorter != plain else None


def says_no_day(text: str) -> bool:
    """Whether a text is written as a date, and the calendar has no such day: 2024-13-45, 31 February."""
    plain = folded(text) if len(text) <= _LONGEST else ""
    found = [match for shape in (*DATES, *_OF_ANY_YEAR) if (match := shape.fullmatch(plain)) and _is_plainly(match)]
    return bool(found) and all(day_of(match, None) is None for match in found)


def _is_plainly(date_: re.Match[str]) -> bool:
    """Whether it can hardly be anything but a date: it has its whole year, or the name of a month."""
    parts = date_.groupdict()
    if parts.get("month"):
        return month_of(parts["month"]) is not None
    return len(parts["year"]) == len("2024") and bool(parts.get("mark"))


@lru_cache(maxsize=1 << 13)
def read_clock(text: str) -> time | None:
    """A clock time: 21:05, 9:05 PM, 9pm, 21h05, 21.05, 21:05:30+01:00."""
    if not 1 <= len(text) <= _LONGEST:
        return None
    plain = folded(text)
    return _NAMED_CLOCKS.get(plain) or _clock_in(plain, _CLOCK)


def read_compact_clock(text: str) -> time | None:
    """A clock time of four or six digits: 0905, 210530."""
    return _clock_in(text.strip(), _BASIC_CLOCK)


def _is_weekday(found: re.Match[str]) -> bool:
    return weekday_of(found["weekday"]) is not None


def _moment(text: str, day_first: bool | None) -> datetime | date | None:
    odd = _CTIME.fullmatch(text)
    if odd:
        return _joined(day_of(odd, day_first), read_clock(odd["clock"]))
    for shape in DATES:
        found = shape.match(text)
        day = day_of(found, day_first) if found else None
        if found and day:
            moment = _with_clock(day, text[found.end() :], basic="basic" in shape.groupindex)
            if moment is not None:
                return moment
    return _clock_first(text, day_first)


def _with_clock(day: date, rest: str, *, basic: bool) -> datetime | date | None:
    """The day with the clock that follows it, if there is any; None where something else follows."""
    if not rest or re.fullmatch(_ZONE, rest):
        return day
    between = _BETWEEN.match(rest)
    clock = rest[between.end() :] if between else rest
    if clock == rest:
        return None
    if clock.startswith("24:00"):
        later = _clock_in("0" + clock[2:], _CLOCK)
        return _joined(day + timedelta(days=1), later) if later == time(0) and day < date.max else None
    return _joined(day, (_clock_in(clock, _BASIC_CLOCK) if basic else None) or _clock_in(clock, _CLOCK))


def _clock_first(text: str, day_first: bool | None) -> datetime | None:
    """A clock and then a date: 21:05, 14 March 2022."""
    found = _FIRST_CLOCK.match(text)
    if found is None:
        return None
    for shape in DATES:
        day = shape.fullmatch(text, found.end())
        if day:
            return _joined(day_of(day, day_first), _clock_in(found[1], _CLOCK))
    return None


def _joined(day: date | None, clock: time | None) -> datetime | None:
    return datetime.combine(day, clock) if day is not None and clock is not None else None


def _clock_in(text: str, shape: re.Pattern[str]) -> time | None:
    found = shape.fullmatch(text)
    if found is None:
        return None
    parts = found.groupdict()
    half = (parts.get("half") or "").replace(".", "").replace(" ", "")
    if parts["minute"] is None and not half:
        return None
    hour, minute, second = int(parts["hour"]), int(parts["minute"] or 0), int(parts["second"] or 0)
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59 or second > 60:
        return None
    return time(hour, minute, min(second, 59))


def day_of(found: re.Match[str], day_first: bool | None) -> date | None:
    """The day that a match of one of DATES says; None where the calendar has none such."""
    parts = found.groupdict()
    year = _year(parts["year"])
    try:
        if parts.get("week"):
            return date.fromisocalendar(year, int(parts["week"]), int(parts["weekday"]))
        if parts.get("ordinal"):
            day = date(year, 1, 1) + timedelta(days=int(parts["ordinal"]) - 1)
            return day if day.year == year and int(parts["ordinal"]) else None
        if parts.get("one"):
            return _in_order(int(parts["one"]), int(parts["two"]), year, _first(parts["mark"], day_first))
        month = month_of(parts["month"]) if parts.get("month") else int(parts["number"])
        return date(year, month, int(parts["day"])) if month else None
    except (ValueError, OverflowError):
        return None


def _first(mark: str, day_first: bool | None) -> bool:
    return mark != "/" if day_first is None else day_first


def _in_order(one: int, two: int, year: int, day_first: bool) -> date:
    day, month = (one, two) if day_first else (two, one)
    if month > 12 >= day:
        day, month = month, day
    return date(year, month, day)


def _year(text: str) -> int:
    """A year of two digits is one of 1969 to 2068, as POSIX has it."""
    if not text:
        return _LEAP_YEAR
    number = int(text.lstrip("'"))
    if len(text.lstrip("'")) == 4:
        return number
    return number + (1900 if number >= 69 else 2000)


# ---------------------------------------------------------------- dates inside a text
_CLOCK_BESIDE: Final = re.compile(
    r"[T,]?\s*(?:at\s+|um\s+|@\s*)?(?P<hour>\d{1,2})[:h](?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?\s*(?P<zone>Z\b|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_SURE: Final = tuple(shape for shape in DATES if "ordinal" not in shape.groupindex)
"""Forms that are dates in a sentence, too: 2024-123 is as often the number of an invoice."""


@dataclass(frozen=True)
class Moment:
    """A date or date-time as ISO text, with offset only where one is stated; `precision` day, minute or second."""

    iso: str
    precision: str
    start: int = 0
    """Where in the text it begins, and (`end`) where it ends."""
    end: int = 0


def find_date(text: str) -> Moment | None:
    """The first complete date of a text; of those that begin at one place the longest."""
    found = [moment for shape in _SURE for match in shape.finditer(text) if (moment := _found_in(text, match))]
    return min(found, key=lambda moment: (moment.start, -moment.end), default=None)


def _found_in(text: str, found: re.Match[str]) -> Moment | None:
    start, end = found.span()
    inside = text[max(0, start - 1) : start].isdigit() or text[end : end + 1].isdigit()
    if inside or len(found["year"]) != 4 or not _is_one(found):
        return None
    day = day_of(found, True if found.groupdict().get("mark") == "." else None)
    if day is None:
        return None
    clock = _CLOCK_BESIDE.match(text, end)
    return _found_with_clock(day, clock, start) if clock else Moment(day.isoformat(), "day", start, end)


def _is_one(found: re.Match[str]) -> bool:
    """Whether a date in numbers is the same in either order, or one in only one of them."""
    parts = found.groupdict()
    if not parts.get("one") or parts["mark"] == ".":
        return True
    both = orders(found[0])
    return both is not None and (both != (True, True) or int(parts["one"]) == int(parts["two"]))


def _found_with_clock(day: date, clock: re.Match[str], start: int) -> Moment | None:
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].lower() == "p" else 0)
    try:
        moment = datetime(day.year, day.month, day.day, hour, int(clock["minute"]), int(clock["second"] or 0))
    except ValueError:
        return None
    zone = (clock["zone"] or "").upper()
    if len(zone) == 5:
        zone = f"{zone[:3]}:{zone[3:]}"
    return Moment(moment.isoformat() + zone, "second" if clock["second"] else "minute", start, clock.end())
