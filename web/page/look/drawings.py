"""Drawings: a year as a calendar, with where each day stands and how full it is, and years as bars."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from babel.dates import get_month_names

from ....engine.answers.sentence import LOCALE
from ....texts.words import counted
from ..frame.formats import day as day_said

STEP: Final = 18
"""From one day to the next, in the units of the drawing."""
SIDE: Final = 15
TOP: Final = 22
"""Room for the names of the months."""
COLUMNS: Final = 27
"""Weeks of one half; the halves stand beside one another, on a phone below."""
HEIGHT: Final = TOP + 7 * STEP
LEVELS: Final = 5
_ROOM: Final = 2
"""Columns that the name of a month takes."""
_BARS_WIDE: Final = 598
_WIDEST_BAR: Final = 44
_BETWEEN_BARS: Final = 6
_BARS_HIGH: Final = 64
_ABOVE_BARS: Final = 20
"""Room for the number above a bar."""
_BELOW_BARS: Final = 20
"""Room for the year below it."""
_LABEL_WIDE: Final = 40
"""A bar's number and year need so much."""
_LEAST_BAR: Final = 2
"""A bar of few events beside many is still seen."""


@dataclass(frozen=True)
class Cell:
    """A day: its place, how full it is (0: nothing, then 1 to LEVELS), and what it is called."""

    day: str
    x: int
    y: int
    level: int
    called: str


@dataclass(frozen=True)
class Half:
    """Half a year of weeks: how wide it is, the names of its months with their places, and its days."""

    width: int
    months: tuple[tuple[int, str], ...]
    cells: tuple[Cell, ...]


def halves(year: int, events: Mapping[str, int]) -> tuple[Half, Half]:
    """A year in two halves, weeks from the left, Monday first. Where days differ little, all are of middle levels."""
    bounds = _bounds([number for number in events.values() if number])
    lift = (LEVELS - bisect_right(bounds, max(events.values(), default=0))) // 2
    cells: tuple[list[Cell], list[Cell]] = ([], [])
    months: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for iso, column, row, called, month in _days(year):
        half, number = column // COLUMNS, events.get(iso, 0)
        x = column % COLUMNS * STEP
        level = bisect_right(bounds, number) + lift if number else 0
        begins = iso[8:] == "01" or not cells[half]
        if begins and x < (COLUMNS - _ROOM) * STEP and not (months[half] and x - months[half][-1][0] < _ROOM * STEP):
            months[half].append((x, month))
        cells[half].append(Cell(iso, x, TOP + row * STEP, level, f"{called}: {counted(number, 'event')}"))
    first, second = (
        Half(found[-1].x + STEP, tuple(names), tuple(found)) for names, found in zip(months, cells, strict=True)
    )
    return first, second


def _bounds(numbers: list[int]) -> list[int]:
    """From how many events on a day is of each level: as many days of one as of another, so that a day of a thousand
    songs does not make all others pale."""
    ordered = sorted(numbers)
    if not ordered:
        return []
    found = [1]
    for level in range(1, LEVELS):
        found.append(max(ordered[len(ordered) * level // LEVELS], found[-1] + 1))
    return found


@cache
def _days(year: int) -> tuple[tuple[str, int, int, str, str], ...]:
    """All days of a year: ISO, week of the year from 0, weekday from Monday, in words, and its month."""
    names = get_month_names("abbreviated", locale=LOCALE)
    first = date(year, 1, 1)
    found: list[tuple[str, int, int, str, str]] = []
    for number in range((date(year, 12, 31) - first).days + 1):
        one = first + timedelta(days=number)
        column = (number + first.weekday()) // 7
        found.append((one.isoformat(), column, one.weekday(), day_said(one), names[one.month]))
    return tuple(found)


@dataclass(frozen=True)
class Bar:
    """A year: where its bar stands, and whether number and year have room beside those of others."""

    year: int
    events: int
    x: float
    y: float
    wide: float
    high: float
    label: bool


@dataclass(frozen=True)
class Bars:
    """The bars with the size of the drawing."""

    width: int
    height: int
    bars: tuple[Bar, ...]


def bars_of(years: Sequence[tuple[int, int]]) -> Bars | None:
    """The bars of years with their events; None of a single year, which a sentence says as well."""
    if len(years) < 2:
        return None
    step = min(_WIDEST_BAR, _BARS_WIDE / len(years))
    gap = min(_BETWEEN_BARS, step / 4)
    most = max(number for _, number in years)
    every = -(-_LABEL_WIDE // int(step)) if step < _LABEL_WIDE else 1
    found: list[Bar] = []
    for place, (year, number) in enumerate(years):
        high = max(_LEAST_BAR, round(_BARS_HIGH * number / most, 1)) if number else 0
        label = (len(years) - 1 - place) % every == 0
        x = round(place * step, 1)
        found.append(Bar(year, number, x, _ABOVE_BARS + _BARS_HIGH - high, round(step - gap, 1), high, label))
    return Bars(round(step * len(years)), _ABOVE_BARS + _BARS_HIGH + _BELOW_BARS, tuple(found))
