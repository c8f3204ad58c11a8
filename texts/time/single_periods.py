"""Single periods: a year, a month, a day, a season, a decade, a holiday, each with the year that is said or meant.

What is put together of them stands in `periods.py`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ...operators.reading.names import english_month
from ..quantities.number_words import number_of
from ..tokens import Token
from .context import Context, date_or_none, last_of, plus, plus_months
from .feasts import Holiday, longest_name

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


@dataclass(frozen=True)
class Span:
    """Tokens up to `end` (exclusive) that say the days `first` to `last`."""

    end: int
    first: dt.date
    last: dt.date


class Single:
    """Reads one text; every method takes the number of a token and gives what begins there, or None."""

    def __init__(self, context: Context, found: list[Token]) -> None:
        self._context, self._found = context, found
        self._today = context.today

    def word(self, at: int) -> str:
        """A token of the text, without accents; empty before its beginning and behind its end."""
        return self._found[at].plain if 0 <= at < len(self._found) else ""

    def skip(self, at: int, *words: str) -> int:
        """The place behind one of the words, or the same place."""
        return at + 1 if self.word(at) in words else at

    def year_number(self, at: int) -> int | None:
        word = self.word(at)
        return int(word) if len(word) == 4 and word.isascii() and word.isdigit() and word[:2] in ("19", "20") else None

    def said_year(self, at: int) -> tuple[int, int] | None:
        """A year and the place behind it: 2024, of 2024, last year, of this year."""
        at = self.skip(self.skip(self.skip(at, "of", "in", ","), "the"), "year")
        year = self.year_number(at)
        if year is not None:
            return year, at + 1
        step = {"last": -1, "this": 0, "next": 1}.get(self.word(at))
        if step is not None and self.word(at + 1) == "year":
            return self._today.year + step, at + 2
        return None

    def year(self, at: int) -> Span | None:
        said = self.said_year(at)
        return Span(said[1], dt.date(said[0], 1, 1), dt.date(said[0], 12, 31)) if said else None

    def month(self, at: int) -> Span | None:
        """A month, of a year or of the nearest."""
        month = english_month(self.word(at))
        if month is None or (self.word(at) in ("may", "march") and not self._written(at)[:1].isupper()):
            return None
        said = self.said_year(at + 1)
        if said is not None:
            return Span(said[1], dt.date(said[0], month, 1), last_of(said[0], month))
        first = self.nearest(at, [date_or_none(year, month, 1) for year in self._years()])
        return Span(at + 1, first, last_of(first.year, month)) if first else None

    def month_of_year(self, at: int) -> Span | None:
        """March of 2024, in October last year: more than the name and a number beside it."""
        number, mark, year = self.word(at), self.word(at + 1), self.word(at + 2)
        if mark == "/" and len(number) == 2 and number.isdigit() and self.year_number(at + 2) and number <= "12":
            first = date_or_none(int(year), int(number), 1)
            return Span(at + 3, first, last_of(first.year, first.month)) if first and self.word(at - 1) != "/" else None
        month = self.month(at)
        return month if month is not None and month.end - at > 2 else None

    def date(self, at: int) -> Span | None:
        """5 May 2024, May 5th, 2024; without its year the nearest."""
        for day_at, month_at in ((at, self.skip(at + 1, "of")), (at + 1, at)):
            month, day = english_month(self.word(month_at)), self.day_number(day_at)
            if month is None or day is None:
                continue
            said = self.said_year(max(day_at, month_at) + 1)
            if said is not None:
                found = date_or_none(said[0], month, day)
                return Span(said[1], found, found) if found else None
            near = self.nearest(at, [date_or_none(year, month, day) for year in self._years()])
            return Span(max(day_at, month_at) + 1, near, near) if near else None
        return None

    def day_number(self, at: int) -> int | None:
        digits = self.word(at).removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
        return int(digits) if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= 31 else None

    def unit(self, at: int) -> Span | None:
        """The month, last year, this quarter: a unit of the calendar around today, or beside it."""
        step = {"last": -1, "previous": -1, "this": 0, "next": 1}.get(self.word(at))
        unit = UNITS.get(self.word(at if step is None else at + 1))
        if unit is None or unit == "day" or (step is None and self.word(at - 1) != "the"):
            return None
        first, last = unit_around(self._today, unit, step or 0)
        return Span(at + (1 if step is None else 2), first, last)

    def _written(self, at: int) -> str:
        token = self._found[at]
        return self._context.text[token.start : token.end]

    def _years(self) -> range:
        return range(max(2, self._today.year - 1), min(9998, self._today.year + 1) + 1)

    def nearest(self, at: int, days: list[dt.date | None]) -> dt.date | None:
        token = self._found[at]
        return self._context.nearest([day for day in days if day is not None], token.start, token.end)

    def season(self, at: int) -> Span | None:
        """Summer 2022, the winter of 2023/24, spring of last year: winter is that which begins in the year."""
        month = SEASONS.get(self.word(at))
        said = self.said_year(at + 1) if month else None
        if month is None or said is None:
            return None
        year, end = said
        if self.word(end) in ("/", "-", "–") and self.word(end + 1)[-2:] == f"{(year + 1) % 100:02d}":
            end += 2
        first = dt.date(year, month, 1)
        return Span(end, first, plus(plus_months(first, 3), -1))

    def part_of_year(self, end: int, year: int, months: int, which: int) -> Span | None:
        """The `which`th run of so many months in a year."""
        which = which if which > 0 else 12 // months + 1 + which
        if not 1 <= which <= 12 // months:
            return None
        first = dt.date(year, months * (which - 1) + 1, 1)
        return Span(end, first, plus(plus_months(first, months), -1))

    def decade(self, at: int) -> Span | None:
        """The 1980s, the '90s, the nineties."""
        led = at - 2 if self.word(at - 1) in ("mid", "early", "late", "'") else at - 1
        if self.word(led) != "the" and self.word(at - 1) != "'":  # "in my mid-thirties" is an age
            return None
        word = self.word(at)
        digits = word.removesuffix("s")
        number = DECADES.get(word)
        if number is None and word.endswith("0s") and digits.isascii() and digits.isdigit() and len(digits) in (2, 4):
            number = int(digits)
        if number is None:
            return None
        year = number if number >= 100 else (2000 if 2000 + number <= self._today.year else 1900) + number
        return Span(at + 1, dt.date(year, 1, 1), dt.date(year + 9, 12, 31)) if 1000 <= year <= 2090 else None

    def holiday(self, at: int, *, alone: bool = False) -> Span | None:
        """Christmas Eve 2022, Easter of last year, the Christmas before last, last year's Halloween."""
        if self.word(at) == "last" and self.word(at + 1) in ("years", "year") and self.word(at + 1) == "years":
            count, holiday = longest_name(self._found, at + 2)
            return self._in_year(holiday, self._today.year - 1, at + 2 + count) if holiday else None
        count, holiday = longest_name(self._found, at) if at < len(self._found) else (1, None)
        if holiday is None:
            return None
        end = at + count
        said = self.said_year(end)
        if said is not None and english_month(self.word(end)) is None:
            return self._in_year(holiday, said[0], said[1])
        if (self.word(end), self.word(end + 1)) == ("before", "last"):
            past = [days for days in self._all(holiday, -3) if days[0] < self._today]
            return Span(end + 2, *past[-2]) if len(past) > 1 else None
        if not alone:
            return None
        first = self.nearest(at, [days[0] for days in self._all(holiday, -1)])
        chosen = next((days for days in self._all(holiday, -1) if days[0] == first), None)
        return Span(end, *chosen) if chosen else None

    def _all(self, holiday: Holiday, back: int) -> list[tuple[dt.date, dt.date]]:
        years = range(self._today.year + back, self._today.year + 2)
        return [days for year in years for days in holiday.in_year(year)]

    def _in_year(self, holiday: Holiday, year: int, end: int) -> Span | None:
        days = holiday.in_year(year)
        return Span(end, *days[0]) if days else None

    def ordinal(self, at: int) -> tuple[int | None, int]:
        """A place in a row, from its end where negative, and the token behind it."""
        word = self.word(at)
        for words, number in ORDINALS if word in FIRST_ORDINALS else ():
            if tuple(self.word(at + n) for n in range(len(words))) == words:
                return number, at + len(words)
        if word[:-2].isdigit() and word[-2:] in ("st", "nd", "rd", "th"):
            return int(word[:-2]), at + 1
        return None, at

    def count(self, at: int) -> tuple[int, int | None]:
        """The place behind a number of two and more, and the number."""
        if self.word(at) == "couple":
            return self.skip(at + 1, "of"), 2
        if self.word(at) == "few":
            return at + 1, 3
        many = number_of(self.word(at)) if self.word(at).isalnum() else None
        return at + 1, int(many) if many is not None and 1 < many < 1000 else None

    def counted_week(self, number: int, at: int) -> Span | None:
        said = self.said_year(at)
        if said is None or not 1 <= number <= 53:
            return None
        try:
            first = dt.date.fromisocalendar(said[0], number, 1)
        except ValueError:
            return None
        return Span(said[1], first, plus(first, 6))
