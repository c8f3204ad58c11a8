"""From an answer to what is drawn of it: its table, its values, or the events it rests on, over time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final

from ..answer import Answer, Plain
from .columns import clean, read_column
from .frame import MOST_ROWS, ChartData, Column, Grain, Role, Type
from .periods import as_period, between, day_of
from .roles import Asked, data_of_table, located

_MOST_DAYS: Final = 62
"""Days up to which events are counted by day: two months."""
_MOST_DAYS_BY_WEEK: Final = 120
_MOST_DAYS_BY_MONTH: Final = 4 * 366
_NUMBERS: Final = frozenset({"number", "duration"})
_TIMES: Final = frozenset({"date", "datetime"})
_COUNT: Final = "count"
_ASKS_PLACES: Final = re.compile(r"\b(?:countr(?:y|ies)|cit(?:y|ies)|towns?|places?|where)\b", re.IGNORECASE)

__all__ = ["ChartData", "Column", "Grain", "Role", "Type", "data_of", "grain_between"]


def data_of(answer: Answer) -> ChartData | None:
    """What is drawn of an answer: its table; a list of numbers, days or places as it is; else the events that a number
    or a list of events rests on, over time. None where there is nothing to draw."""
    asked = Asked(answer.analysis, answer.answer_type, answer.unit, clean(answer.question))
    if answer.answer_type in ("none", "boolean"):
        return None
    if answer.table is not None:
        drawn = data_of_table(answer.table, asked)
        if drawn is not None and (drawn.measures or _is_positions(drawn)):
            return drawn
    if answer.answer_type in _NUMBERS and len(answer.values) > 1:
        return _of_numbers(answer, asked)
    if answer.answer_type in _TIMES and len(answer.values) > 1:
        return _over_time([str(value) for value in answer.values], asked, "days")
    if answer.answer_type == "time" and len(answer.values) > 1:
        return _by_hour(answer.values, asked)
    if answer.answer_type in _NUMBERS or answer.answer_type == "events":
        return _of_events(answer, asked)
    return _of_places(answer, asked)


def _is_positions(data: ChartData) -> bool:
    """Whether the table itself has latitudes and longitudes."""
    places = any(column.type is Type.GEOGRAPHIC for column in data.columns)
    return bool(data.at(Role.POSITION)) and not places


def _of_numbers(answer: Answer, asked: Asked) -> ChartData | None:
    read = read_column("value", answer.values[:MOST_ROWS])
    if read.type is not Type.QUANTITATIVE:
        return None
    column = Column("value", Role.MEASURE, Type.QUANTITATIVE, unit=asked.unit)
    return ChartData((column,), tuple((value,) for value in read.values), "distribution", asked.question)


def _of_events(answer: Answer, asked: Asked) -> ChartData | None:
    """How many events there were in each day, week, month or year."""
    called = answer.statement.called.many if answer.statement is not None else "events"
    data = _over_time([event.start for event in answer.events if event.start], asked, called)
    if data is None:
        return None
    undated = sum(not event.start for event in answer.events)
    if undated:
        data = data.told(f"{undated:,} of the {len(answer.events):,} events have no date.")
    return data.told(f"These are {len(answer.events):,} of the events; there are more.") if answer.more_events else data


def _over_time(times: Sequence[str], asked: Asked, called: str) -> ChartData | None:
    days = sorted(day for time in times if (day := day_of(time)) is not None)
    if len(days) < 2:
        return None
    grain = grain_between(days[0], days[-1])
    counts = Counter(as_period(day, grain) for day in days)
    first, last = as_period(days[0], grain), as_period(days[-1], grain)
    columns = (
        Column(grain.value, Role.DIMENSION, Type.TEMPORAL, grain),
        Column(clean(called), Role.MEASURE, Type.QUANTITATIVE),
    )
    rows = tuple((period, counts[period]) for period in between(first, last, grain))
    return ChartData(columns, rows, asked.analysis, asked.question, counted=True)


def grain_between(first: date, last: date) -> Grain:
    """The grain in which events from one day to another are counted."""
    days = (last - first).days + 1
    if days <= _MOST_DAYS:
        return Grain.DAY
    if days <= _MOST_DAYS_BY_WEEK:
        return Grain.WEEK
    return Grain.MONTH if days <= _MOST_DAYS_BY_MONTH else Grain.YEAR


def _by_hour(values: Sequence[Plain], asked: Asked) -> ChartData | None:
    """How many times of day are in each hour."""
    hours = Counter(int(str(value)[:2]) for value in values if str(value)[:2].isdecimal())
    columns = (
        Column("hour", Role.DIMENSION, Type.ORDINAL, Grain.HOUR, order=tuple(range(24))),
        Column("times", Role.MEASURE, Type.QUANTITATIVE),
    )
    rows = tuple((hour, hours[hour]) for hour in range(24))
    return ChartData(columns, rows, asked.analysis, asked.question, counted=True) if hours else None


def _of_places(answer: Answer, asked: Asked) -> ChartData | None:
    """How often each place is among the values, or in the column of the table that has them."""
    if answer.answer_type not in ("text", "place", "table"):
        return None
    values: Sequence[Plain | None] = answer.values
    name = "place" if _ASKS_PLACES.search(asked.question) else ""
    for at, column in enumerate(answer.table.columns if answer.table is not None else ()):
        held = [row[at] for row in answer.table.rows] if answer.table is not None else []
        if {one for one in held if one is not None} == set(answer.values):
            values, name = held, column
    counts = Counter(clean(str(value)) for value in values[:MOST_ROWS] if value is not None)
    columns = (
        Column(name, Role.DIMENSION, Type.NOMINAL),
        Column(_COUNT, Role.MEASURE, Type.QUANTITATIVE),
    )
    data = located(ChartData(columns, tuple(counts.items()), asked.analysis, asked.question))
    return data if data.at(Role.POSITION) else None
