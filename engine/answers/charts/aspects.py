"""The events behind an answer over time, in several ways: period by period, by weekday, as a calendar.

What is drawn is how many events there were, or the sum or the average of what each has, as the answer is.
"""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from statistics import fmean
from typing import Final

from ..answer import Answer
from .choose import Chart
from .columns import clean
from .data import grain_between
from .fitting import can_draw, fitted
from .frame import ChartData, Column, Grain, Role, Type
from .periods import as_period, between, day_of
from .rules import Kind

TIME, WEEKDAY, CALENDAR = "time", "weekday", "calendar"
_LEAST: Final = 2
_LEAST_BY_WEEKDAY: Final = 10
_LEAST_DAYS: Final = 45
MOST_DAYS: Final = 3 * 366
"""Days that a calendar has at most."""
_MANY_PERIODS: Final = 40
"""Periods from which on they are a line and no bars."""
_WEEKDAYS: Final = tuple(calendar.day_name)
_REASONS: Final = {
    TIME: "events are counted from period to period",
    WEEKDAY: "events are counted by weekday",
    CALENDAR: "days of a long time are a calendar",
}


@dataclass(frozen=True)
class Measured:
    """What is added up: its name, its unit, and how much of it each event has, by IRI; of an `average` what each event
    has on average."""

    name: str
    unit: str | None
    amounts: Mapping[str, float]
    average: bool = False


@dataclass(frozen=True)
class Aspects:
    """The ways in which the events behind an answer can be drawn."""

    answer: Answer
    measured: Measured | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Those that say something of these events, the best first."""
        days = self._days
        if len(days) < _LEAST:
            return ()
        found = [TIME]
        first, last = min(day for day, _ in days), max(day for day, _ in days)
        span = (last - first).days + 1
        if len(days) >= _LEAST_BY_WEEKDAY and span > len(_WEEKDAYS):
            found.append(WEEKDAY)
        if _LEAST_DAYS <= span <= MOST_DAYS and len({day for day, _ in days}) > _LEAST:
            found.append(CALENDAR)
        return tuple(found)

    @property
    def grain(self) -> Grain:
        """How long a period is."""
        first, last = self._ends
        return grain_between(first, last)

    def chart(self, name: str) -> Chart | None:
        """One of them drawn; None where there is nothing to draw."""
        if name not in self.names:
            return None
        kind, data = {TIME: self._by_time, WEEKDAY: self._by_weekday, CALENDAR: self._by_day}[name]()
        drawn = fitted(kind, data) if can_draw(kind, data) else None
        return Chart(kind, _REASONS[name], drawn) if drawn is not None and can_draw(kind, drawn) else None

    def _by_time(self) -> tuple[Kind, ChartData]:
        grain, (first, last) = self.grain, self._ends
        amounts = self._folded(lambda day: as_period(day, grain))
        periods = list(between(as_period(first, grain), as_period(last, grain), grain))
        rows = self._rows(amounts, periods)
        column = Column(grain.value, Role.DIMENSION, Type.TEMPORAL, grain)
        return Kind.LINE if len(periods) > _MANY_PERIODS else Kind.BAR, self._data(column, rows)

    def _by_weekday(self) -> tuple[Kind, ChartData]:
        rows = self._rows(self._folded(lambda day: _WEEKDAYS[day.weekday()]), _WEEKDAYS)
        return Kind.BAR, self._data(
            Column("weekday", Role.DIMENSION, Type.ORDINAL, Grain.WEEKDAY, order=_WEEKDAYS), rows
        )

    def _by_day(self) -> tuple[Kind, ChartData]:
        amounts = self._folded(date.isoformat)
        rows = self._rows(amounts, sorted(amounts))
        return Kind.CALENDAR, self._data(Column("day", Role.DIMENSION, Type.TEMPORAL, Grain.DAY), rows)

    def _folded(self, group: Callable[[date], str]) -> dict[str, float]:
        """The sum, or the average, of each group of days that has any."""
        held: dict[str, list[float]] = defaultdict(list)
        for day, amount in self._days:
            held[group(day)].append(amount)
        fold = fmean if self._is_average else sum
        return {name: fold(amounts) for name, amounts in held.items()}

    def _rows(self, amounts: Mapping[str, float], groups: Iterable[str]) -> tuple[tuple[str, float], ...]:
        """Groups with their amounts; one without events has none on average."""
        wanted = (one for one in groups if one in amounts or not self._is_average)
        return tuple((one, self._rounded(amounts.get(one, 0.0))) for one in wanted)

    @property
    def _is_average(self) -> bool:
        return self.measured is not None and self.measured.average

    def _data(self, column: Column, rows: tuple[tuple[str, float], ...]) -> ChartData:
        measured = self.measured
        called = self.answer.statement.called.many if self.answer.statement is not None else "events"
        measure = Column(
            clean(f"{'average ' if measured.average else ''}{measured.name}" if measured is not None else called),
            Role.MEASURE,
            Type.QUANTITATIVE,
            unit=measured.unit if measured is not None else None,
        )
        data = ChartData((column, measure), rows, question=clean(self.answer.question), counted=measured is None)
        return data.told(self._note) if self._note else data

    @property
    def _note(self) -> str:
        events = self.answer.events
        if self.answer.more_events:
            return f"These are {len(events):,} of the events; there are more."
        undated = sum(not event.start for event in events)
        return f"{undated:,} of the {len(events):,} events have no date." if undated else ""

    @property
    def _days(self) -> list[tuple[date, float]]:
        """The days of the events, with how much each counts."""
        amounts = self.measured.amounts if self.measured is not None else None
        found = ((event, day_of(event.start)) for event in self.answer.events if event.start)
        return [
            (day, 1.0 if amounts is None else amounts.get(event.iri, 0.0))
            for event, day in found
            if day is not None and not (self._is_average and amounts is not None and event.iri not in amounts)
        ]

    @property
    def _ends(self) -> tuple[date, date]:
        """The days from which to which they are drawn: the whole period that was asked for, where it is not long."""
        days = [day for day, _ in self._days]
        first, last = min(days), max(days)
        stated = self.answer.statement
        if stated is None or stated.extreme:
            return first, last
        period = stated.period
        wide = first if period.first == date.min else min(first, period.first)
        far = last if period.last == date.max else max(last, period.last)
        return (wide, far) if (far - wide).days <= 366 else (first, last)

    def _rounded(self, amount: float) -> float:
        return int(amount) if self.measured is None else round(amount, 2)
