"""Complete dates inside a short text, with the clock beside them: the forms of `read_times`, found, not read whole.

Only what is one date and no other is found: its year is written out, and `3/4/2024` could be two days and is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from .read_times import DATES, day_of, orders

_CLOCK: Final = re.compile(
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
    found = [moment for shape in _SURE for match in shape.finditer(text) if (moment := _moment(text, match))]
    return min(found, key=lambda moment: (moment.start, -moment.end), default=None)


def _moment(text: str, found: re.Match[str]) -> Moment | None:
    start, end = found.span()
    inside = text[max(0, start - 1) : start].isdigit() or text[end : end + 1].isdigit()
    if inside or len(found["year"]) != 4 or not _is_one(found):
        return None
    day = day_of(found, True if found.groupdict().get("mark") == "." else None)
    if day is None:
        return None
    clock = _CLOCK.match(text, end)
    return _with_clock(day, clock, start) if clock else Moment(day.isoformat(), "day", start, end)


def _is_one(found: re.Match[str]) -> bool:
    """Whether a date in numbers is the same in either order, or one in only one of them."""
    parts = found.groupdict()
    if not parts.get("one") or parts["mark"] == ".":
        return True
    both = orders(found[0])
    return both is not None and (both != (True, True) or int(parts["one"]) == int(parts["two"]))


def _with_clock(day: date, clock: re.Match[str], start: int) -> Moment | None:
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].lower() == "p" else 0)
    try:
        time = datetime(day.year, day.month, day.day, hour, int(clock["minute"]), int(clock["second"] or 0))
    except ValueError:
        return None
    zone = (clock["zone"] or "").upper()
    if len(zone) == 5:
        zone = f"{zone[:3]}:{zone[3:]}"
    return Moment(time.isoformat() + zone, "second" if clock["second"] else "minute", start, clock.end())
