"""Groups of moments: the coarsest calendar unit that parts them (years, quarters, months, weeks, days), weekend or
weekday, and the part of the day."""

from __future__ import annotations

from calendar import month_name, monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....operators.conditions import written_day
from ....operators.expressions import Boolean, Expression, Literal
from ....store.index.columns import Kind
from .enriching import Attribute
from .splits import Group, Split, among, between, key_of, members, part, weekday, with_rest

_DAY: Final = 86_400.0
_PARTS: Final = (
    ("morning", 5, 12),
    ("afternoon", 12, 17),
    ("evening", 17, 22),
    ("night", 22, 5),
)
"""Parts of the day by hours, as people say them."""
_UNIX: Final = date(1970, 1, 1)
Days = NDArray[np.int64]
Period = tuple[str, date, date]
"""What a period is called, its first day, and the day after its last."""


def moment_splits(attribute: Attribute, key: str, events: int, most: int, clock: str = "") -> Iterator[Split]:
    """The ways to ask when; `clock` is the name of the time of the day in trees, "" where it is none."""
    days = np.floor(attribute.held / _DAY).astype(np.int64)
    for grain, periods in _periods(days, most):
        yield _of_periods(attribute, key, days, periods, grain, events)
    if clock:
        yield _weekend(attribute, key, days, events)
        hours = ((attribute.held % _DAY) // 3600).astype(np.int64)
        if attribute.kind is Kind.MOMENT and (attribute.held % _DAY != 0).any():
            yield _part_of_day(attribute, clock, hours, events)


def _periods(days: Days, most: int) -> Iterator[tuple[str, list[Period]]]:
    """The coarsest calendar unit that parts the days, in at most so many periods."""
    first, last = (_date(int(one)) for one in (days.min(), days.max()))
    years = last.year - first.year + 1
    if years > most:
        yield "years", _spans(days, most)
        return
    if years > 1:
        yield (
            "year",
            [(str(year), date(year, 1, 1), date(year + 1, 1, 1)) for year in range(first.year, last.year + 1)],
        )
        return
    months = [_month(first.year, month) for month in range(first.month, last.month + 1)]
    if len(months) > most:
        yield "quarter", [_quarter(first.year, number) for number in range(4)]
    elif len(months) > 1:
        yield "month", months
    elif (last - first).days >= most:
        yield "week", _weeks(first, last)
    elif last > first:
        number = (last - first).days + 1
        yield "day", [_one_day(first + timedelta(days=at)) for at in range(number)]


def _spans(days: Days, most: int) -> list[Period]:
    """Spans of whole years with about as many days each; decades or lustrums where there are many years."""
    years = np.array([_date(int(one)).year for one in np.unique(days)])
    step = next(
        (
            one
            for one in (2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
            if (years.max() // one) - (years.min() // one) < most
        ),
        5000,
    )
    begins = sorted({int(year) // step * step for year in years})
    return [(f"{one} to {one + step - 1}", _new_year(one), _new_year(one + step)) for one in begins]


def _new_year(year: int) -> date:
    return date(min(max(year, 1), 9999), 1, 1)


def _month(year: int, month: int) -> Period:
    first = date(year, month, 1)
    return month_name[month], first, first + timedelta(days=monthrange(year, month)[1])


def _quarter(year: int, number: int) -> Period:
    first, last = 3 * number + 1, 3 * number + 3
    after = date(year, last + 1, 1) if last < 12 else _new_year(year + 1)
    return f"{month_name[first]} to {month_name[last]}", date(year, first, 1), after


def _weeks(first: date, last: date) -> list[Period]:
    begin, found = first - timedelta(days=first.weekday()), list[Period]()
    while begin <= last:
        end = begin + timedelta(days=7)
        found.append((f"week of {begin.day} {month_name[begin.month]}", begin, end))
        begin = end
    return found


def _one_day(one: date) -> Period:
    return f"{one:%A} {one.day} {month_name[one.month]}", one, one + timedelta(days=1)


def _date(number: int) -> date:
    return _UNIX + timedelta(days=number)


def _of_periods(
    attribute: Attribute, key: str, days: Days, periods: Sequence[Period], grain: str, events: int
) -> Split:
    base = key_of(key)
    groups: list[Group] = []
    for label, first, after in periods:
        chosen = (days >= (first - _UNIX).days) & (days < (after - _UNIX).days)
        if chosen.any():
            limits = between(base, written_day(first), written_day(after))
            groups.append(Group(label, limits, members(attribute, chosen, events)))
    return with_rest(attribute, key, groups, events, grain)


def _weekend(attribute: Attribute, key: str, days: Days, events: int) -> Split:
    base = weekday(key_of(key))
    numbers = (days + 3) % 7  # the first of January 1970 was a Thursday
    named = (("weekdays", tuple(range(5))), ("weekends", (5, 6)))
    groups = [
        Group(label, among(base, numbers_), members(attribute, np.isin(numbers, numbers_), events))
        for label, numbers_ in named
        if np.isin(numbers, numbers_).any()
    ]
    return with_rest(attribute, key, groups, events, "weekend")


def _part_of_day(attribute: Attribute, clock: str, hours: Days, events: int) -> Split:
    hour = part(key_of(clock), "hour")
    groups: list[Group] = []
    for label, first, after in _PARTS:
        chosen = (hours >= first) & (hours < after) if first < after else (hours >= first) | (hours < after)
        if chosen.any():
            groups.append(Group(label, _hours(hour, first, after), members(attribute, chosen, events)))
    return with_rest(attribute, clock, groups, events, "part of day")


def _hours(hour: Expression, first: int, after: int) -> Expression:
    if first < after:
        return between(hour, Literal(first), Literal(after))
    return Boolean("or", (between(hour, Literal(first), None), between(hour, None, Literal(after))))
