"""Groups of an answer's events by one attribute: its values where they are few, else bins where they have an order, the
most frequent values, or what stands above them (a country above its towns)."""

from __future__ import annotations

from calendar import month_name, monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from math import floor, log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....operators.conditions import written_day
from ....operators.expressions import Boolean, Comparison, Expression, Literal
from ....operators.nodes import AttributeType
from ....store.index.columns import Kind, Numbers
from .enriching import START, Attribute
from .splits import Group, Members, Split, among, any_of, between, equals, key_of, members, part, weekday, with_rest

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


FREQUENT: Final = 4
"""The most frequent values that are named where there are more than a question may name."""
_SAMPLE: Final = 1_000
"""Values of which it is seen whether they are few."""
Above = Callable[[str], str | None]
"""What stands above a text: the country of a town; None where nothing does, or several may."""


def splits_of(attribute: Attribute, key: str, events: int, most: int, above: Above) -> Iterator[Split]:
    """The ways to ask about an attribute, under its name in trees, with at most so many groups each. Of several numbers
    or moments of one event EXTRACT reads one: there is no way."""
    if attribute.multiple and attribute.kind is not Kind.TEXT:
        return
    if attribute.iri == START:
        yield from moment_splits(attribute, "start_date", events, most, clock="start_time")
    elif attribute.kind in (Kind.DAY, Kind.MOMENT):
        for split in moment_splits(attribute, key, events, most):
            yield replace(split, read=AttributeType.DATE)
    elif attribute.kind is Kind.TRUTH:
        yield _truths(attribute, key, events)
    elif attribute.kind is Kind.NUMBER:
        yield _numbers(attribute, key, events, most)
    else:
        yield from _texts(attribute, key, events, most, above)


def _truths(attribute: Attribute, key: str, events: int) -> Split:
    base = key_of(key)
    groups = [
        Group(label, equals(base, truth), members(attribute, attribute.held == truth, events))
        for label, truth in (("yes", True), ("no", False))
        if (attribute.held == truth).any()
    ]
    return with_rest(attribute, key, groups, events, "value", AttributeType.BOOL)


def _numbers(attribute: Attribute, key: str, events: int, most: int) -> Split:
    """Each number where they are few, else ranges with round edges that hold about as many each."""
    held, base, values = attribute.held, key_of(key), _few(attribute.held, most)
    unit = f" {attribute.unit}" if attribute.unit else ""
    if values is not None and (values == np.floor(values)).all():
        groups = [
            Group(f"{shown_number(one)}{unit}", equals(base, int(one)), members(attribute, held == one, events))
            for one in values.tolist()
        ]
        return with_rest(attribute, key, groups, events, "value", AttributeType.INT)
    edges, groups = round_edges(held, most), list[Group]()
    if not edges:
        return Split(attribute, "bin", (), None, key, AttributeType.FLOAT)
    for first, last in zip([None, *edges], [*edges, None], strict=True):
        chosen = _within(held, first, last)
        if chosen.any():
            low, high = (None if one is None else Literal(_plain(one)) for one in (first, last))
            label = _range(first, last, unit, attribute.unit == "s")
            groups.append(Group(label, between(base, low, high), members(attribute, chosen, events)))
    return with_rest(attribute, key, groups, events, "bin", AttributeType.FLOAT)


def _few(held: Numbers, most: int) -> Numbers | None:
    """The distinct numbers, where they are few."""
    if len(np.unique(held[:: max(1, len(held) // _SAMPLE)])) > most:
        return None
    values = np.unique(held)
    return values if len(values) <= most else None


def _within(held: Numbers, first: float | None, last: float | None) -> Members:
    chosen = np.ones(len(held), dtype=np.bool_)
    if first is not None:
        chosen &= held >= first
    if last is not None:
        chosen &= held < last
    return chosen


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


def _range(first: float | None, last: float | None, unit: str, is_time: bool) -> str:
    low, high = (None if one is None else shown_number(one, is_time=is_time) for one in (first, last))
    unit = "" if is_time else unit
    if low is None:
        return f"under {high}{unit}"
    return f"{low}{unit} and more" if high is None else f"{low} to {high}{unit}"


def _texts(attribute: Attribute, key: str, events: int, most: int, above: Above) -> Iterator[Split]:
    counts = np.bincount(attribute.held.astype(np.int64), minlength=len(attribute.texts))
    ordered = np.argsort(-counts, kind="stable")
    ordered = ordered[counts[ordered] > 0]
    if len(ordered) <= most:
        groups = _named(attribute, key, [(attribute.texts[at], (attribute.texts[at],)) for at in ordered], events)
        yield with_rest(attribute, key, groups, events, "value", _read(attribute))
        return
    frequent = [(attribute.texts[at], (attribute.texts[at],)) for at in ordered[:FREQUENT]]
    groups = _named(attribute, key, frequent, events)
    yield with_rest(attribute, key, groups, events, "frequent", _read(attribute))
    higher = _by_higher(attribute, above)
    if len(higher) > 1:
        places = {text: at for at, text in enumerate(attribute.texts)}
        largest = sorted(higher.items(), key=lambda entry: -sum(counts[places[one]] for one in entry[1]))
        groups = _named(attribute, key, [(name, tuple(texts)) for name, texts in largest[:FREQUENT]], events)
        yield with_rest(attribute, key, groups, events, "country", _read(attribute))


def _by_higher(attribute: Attribute, above: Above) -> Mapping[str, list[str]]:
    """Texts by what stands above them, where most have something above."""
    if not attribute.of_towns:
        return {}
    found: dict[str, list[str]] = {}
    known = 0
    for text in attribute.texts:
        name = above(text)
        if name is not None:
            known += 1
            found.setdefault(name, []).append(text)
    return found if 2 * known > len(attribute.texts) else {}


def _read(attribute: Attribute) -> AttributeType:
    return AttributeType.LIST if attribute.multiple else AttributeType.STR


def _named(attribute: Attribute, key: str, named: Sequence[tuple[str, tuple[str, ...]]], events: int) -> list[Group]:
    """A group for each name, of the events that have one of its texts."""
    base, is_list = key_of(key), attribute.multiple
    places = {text: at for at, text in enumerate(attribute.texts)}
    groups: list[Group] = []
    for name, texts in named:
        chosen = _one_of(attribute.held, [places[text] for text in texts])
        condition = any_of(tuple(_is(base, text, is_list) for text in texts))
        groups.append(Group(name, condition, members(attribute, chosen, events)))
    return groups


def group_named(split: Split, text: str) -> Group:
    """The events that have one text of the attribute of a split, be it among the groups or not."""
    events = len(split.all[0].members)
    return _named(split.attribute, split.key, [(text, (text,))], events)[0]


def _one_of(held: Numbers, places: Sequence[int]) -> Members:
    if len(places) == 1:
        return held == places[0]
    return np.isin(held, places)


def _is(base: Expression, text: str, is_list: bool) -> Expression:
    return Comparison(Literal(text), ("in",), (base,)) if is_list else equals(base, text)


_ROUND: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)
_SECONDS: Final = (60.0, 3600.0)


def round_edges(values: Numbers, most: int) -> list[float]:
    """At most `most` − 1 edges that part values into ranges with about as many each, each as round as it can be
    without moving far."""
    quantiles = np.quantile(values, np.linspace(0, 1, most + 1)[1:-1])
    low, high = float(values.min()), float(values.max())
    edges = sorted({_rounded(float(one)) for one in quantiles})
    return [edge for edge in edges if low < edge <= high]


def _rounded(value: float) -> float:
    """The nearest round number: one of 1, 1.5, 2 … times a power of ten."""
    if value == 0:
        return 0.0
    sign, size = (-1.0 if value < 0 else 1.0), abs(value)
    power = 10.0 ** floor(log10(size))
    nearest = min(_ROUND, key=lambda one: abs(one * power - size)) * power
    return sign * float(f"{nearest:.12g}")


def shown_number(value: float, *, is_time: bool = False) -> str:
    """A number as people write it; lengths of time in seconds as minutes or hours."""
    if is_time and value >= _SECONDS[1]:
        return f"{value / _SECONDS[1]:,.1f}".removesuffix(".0") + " h"
    if is_time and value >= _SECONDS[0]:
        return f"{value / _SECONDS[0]:,.1f}".removesuffix(".0") + " min"
    if is_time:
        return f"{value:g} s"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"
