"""Days that come each year: on a date, on a weekday of a month, by Easter, or in a table where another calendar rules.

A holiday says when it falls (`pg:falls`) in one of these ways, each with an offset in days behind it where needed:

    12-25                      that day of each year (02-29 only in leap years)
    4th thursday of 11         a weekday of a month; "last monday of 5"
    monday before 05-25        the weekday nearest before a day (not on it), "after" it, or "from" it (on it or after)
    easter - 2                 days from Easter Sunday; "orthodox easter"
    2024-04-10 2025-03-30/2025-04-02   its first day in each year, and its last where that varies
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

MOST_YEARS = 12
"""Years that are searched for the latest or next time a holiday falls."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_OFFSET = re.compile(r"^(.*?)(?:\s*([+-])\s+(\d+))?$")
_FIXED = re.compile(r"(\d\d)-(\d\d)")
_NTH = re.compile(r"(\d|last)(?:st|nd|rd|th)? (\w+day) of (\d+)")
_NEAR = re.compile(r"(\w+day) (before|after|from) (\d\d)-(\d\d)")
_LISTED = re.compile(r"(\d{4}-\d\d-\d\d)(?:/(\d{4}-\d\d-\d\d))?")


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The nth such weekday (1 for Monday) of a month; negative ones count from its end. None where it has none."""
    if nth == 0 or not 1 <= month <= 12 or not 1 <= weekday <= 7:
        return None
    first = date(year, month, 1)
    day = first + timedelta(days=(weekday - first.isoweekday()) % 7)
    days = [day + timedelta(weeks=week) for week in range(5)]
    inside = [day for day in days if day.month == month]
    index = nth - 1 if nth > 0 else nth
    return inside[index] if -len(inside) <= index < len(inside) else None


@lru_cache(maxsize=4096)
def feast(falls: str, lasts: int, year: int) -> tuple[date, date] | None:
    """First and last day of a holiday in a year; None where it does not fall in that year or nobody knows."""
    listed = [(date.fromisoformat(a), b and date.fromisoformat(b)) for a, b in _LISTED.findall(falls)]
    if listed:
        found = next(((first, last) for first, last in listed if first.year == year), None)
        return (found[0], found[1] or found[0] + timedelta(days=lasts - 1)) if found else None
    base, sign, days = _OFFSET.match(falls.strip()).groups()  # type: ignore[union-attr]
    try:
        day = _base_day(base, year)
    except ValueError:
        return None
    if day is None:
        return None
    shift = int(days or 0) * (-1 if sign == "-" else 1)
    first = day + timedelta(days=shift)
    return first, first + timedelta(days=lasts - 1)


def _base_day(base: str, year: int) -> date | None:
    if fixed := _FIXED.fullmatch(base):
        return date(year, int(fixed[1]), int(fixed[2]))
    if nth := _NTH.fullmatch(base):
        return nth_weekday(year, int(nth[3]), _number(nth[2]), -1 if nth[1] == "last" else int(nth[1]))
    if near := _NEAR.fullmatch(base):
        day, wanted = date(year, int(near[3]), int(near[4])), _number(near[1])
        if near[2] == "before":
            return day - timedelta(days=(day.isoweekday() - wanted - 1) % 7 + 1)
        start = day + timedelta(days=1) if near[2] == "after" else day
        return start + timedelta(days=(wanted - start.isoweekday()) % 7)
    if base in ("easter", "orthodox easter"):
        return easter(year, EASTER_WESTERN if base == "easter" else EASTER_ORTHODOX)
    raise ValueError(base)


def _number(weekday: str) -> int:
    return _WEEKDAYS.index(weekday) + 1


def latest(falls: str, lasts: int, before: date) -> tuple[date, date] | None:
    """The latest time the holiday began before a day."""
    times = (feast(falls, lasts, year) for year in range(before.year, before.year - MOST_YEARS, -1))
    return next((found for found in times if found and found[0] < before), None)


def upcoming(falls: str, lasts: int, after: date) -> tuple[date, date] | None:
    """The next time the holiday begins after a day."""
    times = (feast(falls, lasts, year) for year in range(after.year, after.year + MOST_YEARS))
    return next((found for found in times if found and found[0] > after), None)


def in_years(falls: str, lasts: int, first: int, last: int) -> Iterator[tuple[date, date]]:
    """Every time the holiday falls in the years from `first` to `last`."""
    for year in range(first, last + 1):
        found = feast(falls, lasts, year)
        if found is not None:
            yield found
