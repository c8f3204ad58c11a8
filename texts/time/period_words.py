"""Words for parts of the calendar, and the days that they say."""

from __future__ import annotations

import datetime as dt
from types import MappingProxyType
from typing import Final

from .context import last_of, plus, plus_months

SEASONS: Final = MappingProxyType({"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12})
PARTS: Final = MappingProxyType({"quarter": 3, "half": 6, "third": 4})
"""Months of each part of a year."""
DECADES: Final = MappingProxyType(
    {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
     "nineties": 90, "noughties": 0}
)  # fmt: skip
UNITS: Final = MappingProxyType(
    {
        name: unit
        for unit in ("day", "week", "weekend", "fortnight", "month", "quarter", "year")
        for name in (unit, f"{unit}s")
    }
    | {"night": "day"}
)
EDGES: Final = MappingProxyType(
    {
        "early": "early",
        "mid": "mid",
        "late": "late",
        "beginning": "early",
        "start": "early",
        "middle": "mid",
        "end": "late",
    }
)
BESIDE: Final = frozenset(("early", "mid", "late"))
_NUMBERS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS: Final[tuple[tuple[tuple[str, ...], int], ...]] = (
    (("next", "to", "last"), -2),
    (("second", "to", "last"), -2),
    (("penultimate",), -2),
    (("last",), -1),
    (("final",), -1),
    *(((word,), number) for number, word in enumerate(_NUMBERS.split(), start=1)),
)
"""Places in a row, the longest first; negative ones count from the end."""
FIRST_ORDINALS: Final = frozenset(words[0] for words, _ in ORDINALS)


def unit_around(today: dt.date, unit: str, step: int) -> tuple[dt.date, dt.date]:
    """The week, weekend, month, quarter or year around a day, or so many later."""
    if unit in ("week", "weekend", "fortnight"):
        monday = plus(today, 7 * step - today.weekday())
        return (plus(monday, 5) if unit == "weekend" else monday), plus(monday, 6)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = plus_months(today.replace(month=(today.month - 1) // size * size + 1, day=1), step * size)
    last = plus_months(first, size - 1)
    return first, last_of(last.year, last.month)


def part_of(first: dt.date, last: dt.date, unit: str, which: int, count: int) -> tuple[dt.date, dt.date] | None:
    """So many days, weeks or months of a period, counted from its beginning or (below zero) from its end."""
    if unit == "month":
        begin = plus_months(first, which - 1) if which > 0 else plus_months(last.replace(day=1), which + 2 - count)
        final = plus_months(begin, count - 1)
        found = (begin, last_of(final.year, final.month))
    else:
        size = (7 if unit == "week" else 1) * count
        begin = plus(first, size * (which - 1)) if which > 0 else plus(last, size * which + 1)
        found = (begin, min(plus(begin, size - 1), last))
    return found if first <= found[0] <= found[1] <= last else None


def edge(first: dt.date, last: dt.date, name: str) -> tuple[dt.date, dt.date]:
    """The early, middle or late third of a period: whole months of long ones, ten days of a month."""
    length = (last - first).days + 1
    if length > 3000:  # a decade
        years = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}[name]
        return dt.date(first.year + years[0], 1, 1), dt.date(first.year + years[1], 12, 31)
    if length > 80:
        months = round(length / 30.5) // 3
        begin = plus_months(first, {"early": 0, "mid": months, "late": 2 * months}[name])
        return begin, plus(plus_months(begin, months), -1)
    if length > 25:
        starts = {"early": 0, "mid": 10, "late": 20}[name]
        begin = plus(first, starts)
        return begin, last if name == "late" else plus(begin, 9)
    third = max(1, length // 3)
    begin = {"early": first, "mid": plus(first, third), "late": plus(last, 1 - third)}[name]
    return begin, plus(begin, third - 1)
