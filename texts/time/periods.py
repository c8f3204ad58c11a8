"""Periods that are put together: the third Sunday of May, the week before Christmas 2023, late summer 2022, Q3 2021.

A small grammar read from the left, over the tokens of a text. What it says of a phrase is what the planner's patterns
say of it in a question (tests/planner/test_one_grammar.py); plain days and what counts from today is read elsewhere
(dates.py, relative.py). Where the year is left open, it is the nearest in the direction of the sentence.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from ...operators.reading.names import english_month, english_weekday
from ..quantities.number_words import number_of
from ..tokens import tokens
from ..when import When
from .context import Context, date_or_none, plus, plus_months
from .feasts import first_words, nth_weekday
from .single_periods import (
    BESIDE,
    DECADES,
    EDGES,
    FIRST_ORDINALS,
    PARTS,
    SEASONS,
    UNITS,
    Single,
    Span,
    edge,
    part_of,
    unit_around,
)

_SURE_DAYS: Final = 4
"""Periods of fewer days say a day, as "at the weekend" does; longer ones leave it open."""
_HEADS: Final = frozenset(
    ("the", "from", "between", "last", "past", "previous", "next", "second", "penultimate", "final", "calendar", "iso",
     "q1", "q2", "q3", "q4", "h1", "h2", *EDGES, *UNITS, *SEASONS, *DECADES, *FIRST_ORDINALS)
)  # fmt: skip
"""Words with which a period may begin, beside numbers and the names of months, weekdays and holidays."""


def periods(context: Context) -> Iterator[When]:
    """Periods that are put together of several words; they may overlap others."""
    found = tokens(context.text)
    reader = _Reader(context, found)
    place = 0
    while place < len(found):
        span = reader.whole(place) if _may_begin(found[place].plain) else None
        if span is None:
            place += 1
            continue
        where = (found[place].start, found[span.end - 1].end)
        vague = (span.last - span.first).days >= _SURE_DAYS or found[place].plain in EDGES
        yield context.when(where, span.first, span.last, vague=vague, score=0.45 if vague else 0.8)
        place = span.end


@lru_cache(maxsize=1 << 12)
def _may_begin(word: str) -> bool:
    return (
        word in _HEADS
        or word[0].isdigit()
        or english_month(word) is not None
        or english_weekday(word) is not None
        or word in first_words()
        or number_of(word) is not None
        or word.startswith("kw")
    )


class _Reader(Single):
    """Reads what is put together."""

    def whole(self, at: int) -> Span | None:
        """A period of several words that nothing else reads."""
        if self.word(at) == "the" and self.word(at + 1) != "the" and (inner := self.whole(at + 1)) is not None:
            return inner
        readers: tuple[Callable[[int], Span | None], ...] = (
            self._range, self._beside, self._nth, self._day_of, self._edge, self._fraction, self._week, self.holiday,
            self.season, self.month_of_year, self.decade, self._before_last, self._counted_back,
        )  # fmt: skip
        return next((span for read in readers if (span := read(at)) is not None), None)

    def _period(self, at: int) -> Span | None:
        """A period that others are parts or neighbours of."""
        at = self.skip(at, "the")
        whole = self.whole(at)
        if whole is not None:
            return whole
        for read in (self.date, self.month, self.year, self.unit):
            span = read(at)
            if span is not None:
                return span
        return None

    def _day_of(self, at: int) -> Span | None:
        """The 3rd of last month, the first of June 2024, June the 3rd, 2023."""
        if english_month(self.word(at)) is not None and self.word(at + 1) == "the":
            month, day = english_month(self.word(at)) or 0, self.day_number(at + 2)
            said = self.said_year(at + 3)
            found = date_or_none(said[0], month, day) if said and day else None
            return Span(said[1], found, found) if said and found else None
        which, end = self.ordinal(at)
        if which is None or which < 1 or self.word(end) != "of":
            return None
        inner = self.month(end + 1) or (self.unit(end + 1) if self.word(end + 2) == "month" else None)
        found = date_or_none(inner.first.year, inner.first.month, which) if inner else None
        return Span(inner.end, found, found) if inner and found else None

    def _before_last(self, at: int) -> Span | None:
        """The week before last, last weekend but one, the summer before last."""
        last = self.word(at) == "last"
        word, behind = self.word(at + last), (self.word(at + last + 1), self.word(at + last + 2))
        if behind != (("but", "one") if last else ("before", "last")):
            return None
        end, unit, season = at + last + 3, UNITS.get(word), SEASONS.get(word)
        if season is not None:
            over = [year for year in range(self._today.year - 3, self._today.year + 1)
                    if plus_months(dt.date(year, season, 1), 3) <= self._today]  # fmt: skip
            first = dt.date(over[-2], season, 1)
            return Span(end, first, plus(plus_months(first, 3), -1))
        if unit in (None, "day"):
            return None
        return Span(end, *unit_around(self._today, unit, -2))

    def _counted_back(self, at: int) -> Span | None:
        """The last 3 years, past six months, the last couple of weeks: up to today."""
        if self.word(at) not in ("last", "past", "previous"):
            return None
        end, count = self.count(at + 1)
        unit = UNITS.get(self.word(end))
        if count is None or unit in (None, "weekend") or self.word(end) in ("night", "nights"):
            return None
        months = {"month": 1, "quarter": 3, "year": 12}.get(unit)
        days = {"week": 7, "fortnight": 14}.get(unit, 1)
        first = plus_months(self._today, -months * count) if months else plus(self._today, -days * count)
        return Span(end + 1, first, self._today)

    def _range(self, at: int) -> Span | None:
        """From March to May 2020, between 28 December 2023 and 3 January, from 2019 to 2021."""
        joints = {"from": ("to", "until", "till", "through"), "between": ("and",)}.get(self.word(at))
        begin = self._end_of_range(at + 1) if joints else None
        if joints is None or begin is None or self.word(begin.end) not in joints:
            return None
        last = self._end_of_range(begin.end + 1)
        if last is None:
            return None
        first = begin.first
        if self._is_open(at + 1, begin) and not self._is_open(begin.end + 1, last):
            first = _in_the_year_of(first, last.first)
        return Span(last.end, first, last.last) if first <= last.last else None

    def _end_of_range(self, at: int) -> Span | None:
        at = self.skip(at, "the")
        for read in (self.holiday, self.season, self.date, self.month, self.year):
            span = read(at)
            if span is not None:
                return span
        return None

    def _is_open(self, at: int, span: Span) -> bool:
        """Whether no year is said in these tokens."""
        words = [self.word(place) for place in range(at, span.end)]
        return "year" not in words and not any(len(word) == 4 and word.isdigit() for word in words)

    def _fraction(self, at: int) -> Span | None:
        """Q3 2021, the second half of 2023, the first half of March 2024."""
        word = self.word(at)
        if word in ("q1", "q2", "q3", "q4", "h1", "h2"):
            said = self.said_year(at + 1)
            return self.part_of_year(said[1], said[0], 3 if word[0] == "q" else 6, int(word[1])) if said else None
        which, end = self.ordinal(at)
        months = PARTS.get(self.word(end))
        if which is None or months is None:
            return None
        said = self.said_year(end + 1)
        if said is not None:
            return self.part_of_year(said[1], said[0], months, which)
        inner = self.month(self.skip(end + 1, "of", "in")) if months == 6 else None
        if inner is None or which not in (1, 2, -1):
            return None
        middle = inner.first.replace(day=15)
        return Span(inner.end, inner.first, middle) if which == 1 else Span(inner.end, plus(middle, 1), inner.last)

    def _week(self, at: int) -> Span | None:
        """Week 12 of 2024, KW12 2024, the week of 8 May 2024, the week ending 9 March."""
        word = self.word(at)
        start = self.skip(at, "calendar", "iso")
        if word.startswith("kw") and word[2:].isdigit():
            return self.counted_week(int(word[2:4]), at + 1)
        if self.word(start) != "week":
            return None
        number = self.word(start + 1)
        if number.isascii() and number.isdigit() and len(number) < 3:
            return self.counted_week(int(number), start + 2)
        how = self.word(start + 1)
        if how not in ("of", "starting", "beginning", "commencing", "ending"):
            return None
        inner = self.date(start + 2) or self.holiday(start + 2, alone=True)
        if inner is None:
            return None
        first = inner.first
        if how == "of":
            first = plus(first, -first.weekday())
        begin = plus(first, -6) if how == "ending" else first
        return Span(inner.end, begin, plus(begin, 6))

    def _nth(self, at: int) -> Span | None:
        """The third Sunday of May, the last week of March 2024, the first two weeks of June, the 100th day of 2024."""
        which, end = self.ordinal(at)
        if which is None:
            return None
        many = number_of(self.word(end)) if self.word(end).isalnum() else None
        count, end = (int(many), end + 1) if many is not None and 1 < many < 100 else (1, end)
        weekday, unit = english_weekday(self.word(end)), UNITS.get(self.word(end))
        if (weekday is None and unit not in ("day", "week", "weekend", "month")) or self.word(end + 1) not in (
            "of",
            "in",
        ):
            return None
        inner = self._period(end + 2)
        if inner is None:
            return None
        if weekday is not None or unit == "weekend":
            day = nth_weekday(inner.first.year, inner.first.month, (5 if weekday is None else weekday) + 1, which)
            return Span(inner.end, day, plus(day, 0 if weekday is not None else 1)) if day else None
        days = part_of(inner.first, inner.last, unit or "day", which, count)
        return Span(inner.end, *days) if days else None

    def _edge(self, at: int) -> Span | None:
        """Early May, mid-June, late 2023, the beginning of 2024, the end of last month."""
        end = at
        name = EDGES.get(self.word(end))
        if name is None:
            return None
        if self.word(at) in ("beginning", "start", "middle", "end"):
            if self.word(end + 1) != "of":
                return None
            end += 1
        inner = self._period(end + 1)
        if inner is None or (self.word(at) in BESIDE and inner.end - at < 2):
            return None
        return Span(inner.end, *edge(inner.first, inner.last, name))

    def _beside(self, at: int) -> Span | None:
        """The day before Christmas Eve, two weeks after Easter 2024, the weekend before 5 May."""
        many = number_of(self.word(at)) if self.word(at).isalnum() else None
        count, end = (int(many), at + 1) if many is not None and 1 < many < 100 else (1, at)
        weekday, unit = english_weekday(self.word(end)), UNITS.get(self.word(end))
        side = self.word(end + 1)
        if (weekday is None and unit is None) or side not in ("before", "after"):
            return None
        inner = self.holiday(end + 2, alone=True) or self.date(self.skip(end + 2, "the")) or self._dated_month(end + 2)
        if inner is None:
            return None
        if weekday is not None or unit == "weekend":
            wanted = 5 if weekday is None else weekday
            first = _weekday_beside(inner, wanted, side)
            return Span(inner.end, first, plus(first, 0 if weekday is not None else 1))
        exact = many is not None and self.word(at - 1) != "the"
        return Span(inner.end, *_run_beside(inner, unit or "day", count, side, exact=exact))

    def _dated_month(self, at: int) -> Span | None:
        month = self.month(at)
        return month if month is not None and month.end - at > 1 else None


def _in_the_year_of(day: dt.date, end: dt.date) -> dt.date:
    """The same day in the year of another, or in the year before where it would lie behind it."""
    near = plus_months(day, 12 * (end.year - day.year))
    return near if near <= end else plus_months(near, -12)


def _weekday_beside(inner: Span, weekday: int, side: str) -> dt.date:
    if side == "before":
        return plus(inner.first, -((inner.first.weekday() - weekday - 1) % 7 + 1))
    return plus(inner.last, (weekday - inner.last.weekday() - 1) % 7 + 1)


def _run_beside(inner: Span, unit: str, count: int, side: str, *, exact: bool) -> tuple[dt.date, dt.date]:
    """So many days, weeks or months right before or behind; `exact`: the day that lies so far away."""
    months = {"month": 1, "quarter": 3, "year": 12}.get(unit)
    days = {"week": 7, "fortnight": 14}.get(unit, 1) * count
    if exact and months is None:
        day = plus(inner.first, -days) if side == "before" else plus(inner.last, days)
        return day, day
    if side == "before":
        first = plus_months(inner.first, -months * count) if months else plus(inner.first, -days)
        return first, plus(inner.first, -1)
    last = plus_months(inner.last, months * count) if months else plus(inner.last, days)
    return plus(inner.last, 1), last
