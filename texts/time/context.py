"""What resolving an expression needs to know of its text, and the calendar arithmetic that all of them share."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..document import Document
from ..tense import direction_at
from ..when import Direction, When

_SMALL_HOURS: Final = 4
"""Before this hour "today" is still the day before."""
_ORDERED: Final = re.compile(r"(?<![\d./-])(\d{1,2})[/.-](\d{1,2})(?=[/.-]\d{2}|(?![\d./-]))")
_DISAGREES: Final = {True: 400, False: 25}
"""Days that a date counts as further away if it lies where the sentence surely, or by its kind, does not speak."""


@dataclass(frozen=True)
class Context:
    """A document, and the order of its dates in numbers where it is known."""

    document: Document
    given_day_first: bool | None = None

    @cached_property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    @cached_property
    def today(self) -> dt.date:
        """The day of writing; in the small hours still the day before."""
        written = self.document.written
        late = written.hour < _SMALL_HOURS and (written.hour, written.minute) != (0, 0) and self.document.start is None
        return written.date() - dt.timedelta(days=1) if late and self.document.by_owner else written.date()

    @cached_property
    def day_first(self) -> bool:
        """The order of dates in numbers: as some date of the document shows it, as given, or day first."""
        for found in _ORDERED.finditer(self.text):
            one, two = int(found[1]), int(found[2])
            if one > 12 >= two >= 1 and one <= 31:
                return True
            if two > 12 >= one >= 1 and two <= 31 and "/" in found[0]:
                return False
        return self.given_day_first is not False

    def direction(self, start: int, end: int) -> tuple[Direction, bool]:
        """Past or future of the sentence around [start, end), and whether it says so itself."""
        return direction_at(self.document, self.text, start, end)

    def when(self, span: tuple[int, int], day: dt.date, last_day: dt.date | None = None, **more: object) -> When:
        """An expression with the direction in which its day lies."""
        last = last_day or day
        way = Direction.PAST if last < self.today else Direction.FUTURE if day > self.today else Direction.PRESENT
        return When(*span, day, last_day if last_day != day else None, direction=way, **more)  # type: ignore[arg-type]

    def nearest(self, days: Iterable[dt.date], start: int, end: int) -> dt.date | None:
        """Of several days that are meant, the nearest in the direction of the sentence."""
        way, sure = self.direction(start, end)

        def distance(day: dt.date) -> int:
            gap = (day - self.today).days
            wrong = gap > 0 if way is Direction.PAST else gap < 0
            return abs(gap) + (_DISAGREES[sure] if wrong else 0)

        return min(days, key=distance, default=None)


def plus(day: dt.date, days: int) -> dt.date:
    """`day` and so many days; the ends of the calendar stay."""
    try:
        return day + dt.timedelta(days=days)
    except OverflowError:
        return dt.date.max if days > 0 else dt.date.min


def plus_months(day: dt.date, months: int) -> dt.date:
    """The same day of the month so many months later, or that month's last."""
    count = day.year * 12 + day.month - 1 + months
    year, month = divmod(count, 12)
    if not dt.MINYEAR <= year < dt.MAXYEAR:
        return day
    return dt.date(year, month + 1, min(day.day, last_of(year, month + 1).day))


def last_of(year: int, month: int) -> dt.date:
    """The last day of a month."""
    following = dt.date(year + month // 12, month % 12 + 1, 1) if year < dt.MAXYEAR else dt.date.max
    return following - dt.timedelta(days=1)


def date_or_none(year: int, month: int, day: int) -> dt.date | None:
    """A date; None for what is none."""
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
