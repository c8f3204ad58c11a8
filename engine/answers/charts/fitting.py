"""What a kind of chart can draw, in which order, and how much of it: the rest is left out, and said to be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from .describing import are_comparable, is_repeated
from .frame import ChartData, Column, Grain, Role, Row, Type
from .periods import between, period_said, span
from .rules import Kind

MOST_PARTS: Final = 10
"""Members of a pie."""
MOST_BARS: Final = 30
"""Members without an order that bars show; those of a scale or of time are up to MOST_STEPS."""
MOST_STEPS: Final = 120
MOST_SERIES: Final = 8
MOST_CELLS: Final = 60
"""Members of a side of a grid."""
MOST_POINTS: Final = 2_000
MOST_DAYS: Final = 1_100
MOST_PLACES: Final = 500
TABLE_ROWS: Final = 30
TABLE_COLUMNS: Final = 6
Test = Callable[[ChartData], bool]


def can_draw(kind: Kind, data: ChartData) -> bool:
    """Whether a kind of chart can draw some data at all, whatever a rule says."""
    return bool(data.rows) and _TESTS[kind](data)


def fitted(kind: Kind, data: ChartData) -> ChartData:
    """What of some data a kind of chart draws, in the order in which it does, with a note of what it leaves out."""
    known = data if kind is Kind.TABLE else _without_gaps(data, located=kind is Kind.MAP)
    return _FITS.get(kind, _as_it_is)(known)


def _without_gaps(data: ChartData, *, located: bool) -> ChartData:
    """Without rows that lack what is drawn: a dimension, all measures, or a position."""
    needed, measures = [*data.at(Role.DIMENSION)], data.at(Role.MEASURE)
    needed += data.at(Role.POSITION) if located else ()
    rows = tuple(
        row
        for row in data.rows
        if all(row[at] is not None for at in needed) and (not measures or any(row[at] is not None for at in measures))
    )
    left = len(data.rows) - len(rows)
    what = "no known position" if located else "no value"
    return replace(data, rows=rows).told(f"{left:,} with {what} left out." if left else "")


# ---------------------------------------------------------------- what can be drawn
def _has(dimensions: Sequence[int], measures: Sequence[int]) -> Test:
    return lambda data: len(data.dimensions) in dimensions and len(data.measures) in measures


def _once(test: Test) -> Test:
    """No two rows for the same place of a chart."""
    return lambda data: test(data) and not is_repeated(data)


def _no_debts(data: ChartData) -> bool:
    """Whether there is something, and nothing below 0."""
    numbers = [number for column in data.measures for number in data.numbers(column)]
    return bool(numbers) and min(numbers) >= 0 and max(numbers) > 0


def _pie(data: ChartData) -> bool:
    one = _once(_has([1], [1]))(data) and _no_debts(data)
    return one and 2 <= len(data.rows) <= MOST_PARTS


def _series(data: ChartData) -> bool:
    """One dimension with a measure or several that can be compared, or two with one; the second tells series apart."""
    if not _once(_has([1, 2], range(1, MOST_SERIES + 1)))(data):
        return False
    several = len(data.measures) > 1
    return (len(data.dimensions) == 1 and are_comparable(data)) if several else True


def _grouped(data: ChartData) -> bool:
    if not _series(data) or len(data.dimensions) + len(data.measures) < 3:
        return False
    return len(data.dimensions) == 1 or len(data.members(data.dimensions[1])) <= MOST_SERIES * 2


def _stacked(data: ChartData) -> bool:
    return _has([2], [1])(data) and _grouped(data) and _no_debts(data)


def _runs(data: ChartData) -> bool:
    """What lines need: a first dimension, or a second, with an order."""
    return _series(data) and any(is_ordered(column) for column in data.dimensions)


def _area(data: ChartData) -> bool:
    return _runs(data) and (len(data.dimensions) == 1 or _no_debts(data))


def _grid(data: ChartData) -> bool:
    sides = [len(data.members(column)) for column in data.dimensions]
    return _once(_has([2], [1]))(data) and max(sides) <= MOST_CELLS


def _calendar(data: ChartData) -> bool:
    if not _once(_has([1], [1]))(data) or data.dimensions[0].grain is not Grain.DAY:
        return False
    days = data.members(data.dimensions[0])
    return bool(days) and span(str(days[0]), str(days[-1]), Grain.DAY) <= MOST_DAYS


def _scatter(data: ChartData) -> bool:
    if len(data.measures) == 2 and len(data.dimensions) <= 1:
        return True
    ordered = len(data.dimensions) == 1 and data.dimensions[0].type in (Type.TEMPORAL, Type.QUANTITATIVE)
    return len(data.measures) == 1 and ordered


def _map(data: ChartData) -> bool:
    places = data.at(Role.POSITION)
    located = any(all(row[at] is not None for at in places) for row in data.rows)
    return len(places) == 2 and located and len(data.measures) <= 1 and _no_debts_if_measured(data)


def _no_debts_if_measured(data: ChartData) -> bool:
    return all(number >= 0 for column in data.measures for number in data.numbers(column))


def _any(_data: ChartData) -> bool:
    return True


_TESTS: Final[Mapping[Kind, Test]] = MappingProxyType(
    {
        Kind.BAR: _once(_has([1], [1])),
        Kind.HORIZONTAL_BAR: _once(_has([1], [1])),
        Kind.GROUPED_BAR: _grouped,
        Kind.STACKED_BAR: _stacked,
        Kind.LINE: _runs,
        Kind.AREA: _area,
        Kind.PIE: _pie,
        Kind.HISTOGRAM: _has(range(3), [1]),
        Kind.SCATTER: _scatter,
        Kind.HEATMAP: _grid,
        Kind.CALENDAR: _calendar,
        Kind.MAP: _map,
        Kind.TABLE: _any,
        Kind.NONE: _any,
    }
)


# ---------------------------------------------------------------- how it is drawn
def is_ordered(column: Column) -> bool:
    """Whether the values of a column follow one another by themselves."""
    return column.type in (Type.TEMPORAL, Type.ORDINAL, Type.QUANTITATIVE)


def _as_it_is(data: ChartData) -> ChartData:
    return data


def _bars(data: ChartData) -> ChartData:
    """Bars of a scale in its order, of periods with those between; others as a ranking has them, else the greatest
    first."""
    by = data.dimensions[0]
    if is_ordered(by):
        return _cut(_in_order(_with_gaps_filled(data), by), MOST_STEPS, "first")
    return _greatest(data, MOST_BARS)


def _greatest(data: ChartData, most: int) -> ChartData:
    at = data.at(Role.MEASURE)[0]
    numbers = data.numbers(data.measures[0])
    sorted_already = numbers in (sorted(numbers), sorted(numbers, reverse=True))
    if data.analysis == "ranking" and sorted_already:
        return _cut(data, most, "first")
    return _cut(replace(data, rows=tuple(sorted(data.rows, key=lambda row: -_number(row, at)))), most, "greatest")


def _number(row: Row, at: int) -> float:
    value = row[at]
    return float(value) if isinstance(value, int | float) else -math.inf


def _cut(data: ChartData, most: int, which: str) -> ChartData:
    if len(data.rows) <= most:
        return data
    note = f"The {which} {most:,} of {len(data.rows):,} are shown."
    return replace(data, rows=data.rows[:most]).told(note)


def _in_order(data: ChartData, by: Column) -> ChartData:
    at = data.columns.index(by)
    places = {value: place for place, value in enumerate(data.members(by))}
    return replace(data, rows=tuple(sorted(data.rows, key=lambda row: places.get(row[at] or 0, -1))))


def _with_gaps_filled(data: ChartData) -> ChartData:
    """With the periods between the first and the last that have no row, so that time goes evenly; they have no value,
    which is not 0."""
    by = data.dimensions[0]
    members = [str(one) for one in data.members(by)]
    if by.grain is None or by.grain.returns or not members:
        return data
    if span(members[0], members[-1], by.grain) > MOST_STEPS:
        return data
    at, held = data.columns.index(by), set(members)
    missing = [period for period in between(members[0], members[-1], by.grain) if period not in held]
    none: list[None] = [None] * len(data.columns)
    return replace(data, rows=(*data.rows, *((*none[:at], period, *none[at + 1 :]) for period in missing)))


def _stepped(data: ChartData) -> ChartData:
    """Along the dimension that has an order, with the greatest series and not too many points."""
    cut = with_series(data)
    by = axis_of(cut)
    inner = _in_order(cut, by) if is_ordered(by) else cut
    every = math.ceil(len(inner.rows) / (MOST_POINTS * 2))
    if every < 2:
        return inner
    note = f"One in {every:,} of {len(inner.rows):,} points is shown."
    return replace(inner, rows=inner.rows[::every]).told(note)


def axis_of(data: ChartData) -> Column:
    """The dimension along which a chart goes: of two the one of time, or with an order, else the first."""
    timely = [column for column in data.dimensions if column.type is Type.TEMPORAL]
    ordered = [column for column in data.dimensions if is_ordered(column)]
    return (timely or ordered or data.dimensions)[0]


def series_of(data: ChartData) -> Column | None:
    """The dimension that tells series apart, where there are two."""
    by = axis_of(data)
    return next((column for column in data.dimensions if column is not by), None)


def with_series(data: ChartData) -> ChartData:
    """With the greatest series alone, where there are more than can be told apart."""
    series = series_of(data)
    members = data.members(series) if series is not None else []
    if series is None or len(members) <= MOST_SERIES:
        return data
    at, measured = data.columns.index(series), data.at(Role.MEASURE)[0]
    sums = {one: sum(max(_number(row, measured), 0) for row in data.rows if row[at] == one) for one in members}
    kept = set(sorted(members, key=lambda one: -sums[one])[:MOST_SERIES])
    note = f"The greatest {MOST_SERIES} of {len(members):,} {series.title} are shown."
    return replace(data, rows=tuple(row for row in data.rows if row[at] in kept)).told(note)


def _groups(data: ChartData) -> ChartData:
    """The groups in their order; of those without one the greatest."""
    cut = with_series(data)
    by = axis_of(cut)
    if is_ordered(by):
        return _in_order(cut, by)
    at, measured = cut.columns.index(by), cut.at(Role.MEASURE)
    members = cut.members(by)
    sums = {one: 0.0 for one in members}
    for row in cut.rows:
        sums[row[at] or ""] = sums.get(row[at] or "", 0.0) + sum(max(_number(row, m), 0) for m in measured)
    kept = sorted(members, key=lambda one: -sums[one])[:MOST_BARS]
    places = {one: place for place, one in enumerate(kept)}
    note = f"The greatest {MOST_BARS} of {len(members):,} are shown." if len(members) > MOST_BARS else ""
    rows = sorted((row for row in cut.rows if row[at] in places), key=lambda row: places[row[at] or ""])
    return replace(cut, rows=tuple(rows)).told(note)


def _points(data: ChartData) -> ChartData:
    every = math.ceil(len(data.rows) / MOST_POINTS)
    if every < 2:
        return data
    return replace(data, rows=data.rows[::every]).told(f"One in {every:,} of {len(data.rows):,} is shown.")


def _places(data: ChartData) -> ChartData:
    return _greatest(data, MOST_PLACES) if data.measures else _cut(data, MOST_PLACES, "first")


def _table(data: ChartData) -> ChartData:
    """Without positions, which are for maps."""
    kept = [at for at, column in enumerate(data.columns) if column.role is not Role.POSITION]
    kept = kept or list(range(len(data.columns)))
    columns = tuple(data.columns[at] for at in kept[:TABLE_COLUMNS])
    rows = tuple(tuple(row[at] for at in kept[:TABLE_COLUMNS]) for row in data.rows)
    note = f"The first {TABLE_COLUMNS} of {len(kept):,} columns are shown." if len(kept) > TABLE_COLUMNS else ""
    return _cut(replace(data, columns=columns, rows=rows).told(note), TABLE_ROWS, "first")


_FITS: Final[Mapping[Kind, Callable[[ChartData], ChartData]]] = MappingProxyType(
    {
        Kind.BAR: _bars,
        Kind.HORIZONTAL_BAR: _bars,
        Kind.PIE: lambda data: _in_order(data, data.dimensions[0]) if _scaled(data) else _greatest(data, MOST_PARTS),
        Kind.GROUPED_BAR: _groups,
        Kind.STACKED_BAR: _groups,
        Kind.LINE: _stepped,
        Kind.AREA: _stepped,
        Kind.SCATTER: _points,
        Kind.MAP: _places,
        Kind.TABLE: _table,
    }
)


def _scaled(data: ChartData) -> bool:
    return is_ordered(data.dimensions[0])


@dataclass(frozen=True)
class Bin:
    """Numbers from `low` up to `high`, and how many there are."""

    low: float
    high: float
    count: int


def bins(numbers: Sequence[float], most: int = 20) -> list[Bin]:
    """Equal parts of the range of some numbers with round edges, so many at most."""
    least, greatest = min(numbers), max(numbers)
    width = greatest / most - least / most
    step = round_step(width) if width > 0 else max(abs(least) / 10, 1.0)
    if all(number.is_integer() for number in numbers):
        step = max(1.0, float(math.ceil(step)))
    first = math.floor(least / step)
    counts: dict[int, int] = {}
    for number in numbers:
        counts[math.floor(number / step + 1e-9) - first] = counts.get(math.floor(number / step + 1e-9) - first, 0) + 1
    return [
        Bin(round((first + at) * step, 10), round((first + at + 1) * step, 10), counts.get(at, 0))
        for at in range(max(counts) + 1)
    ]


def round_step(least: float) -> float:
    """The least of 1, 2, 2.5, 5 times a power of ten that is not below a number."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1, 2, 2.5, 5, 10) if times * power >= least * (1 - 1e-9))


def member_said(value: object, column: Column) -> str:
    """What a member of a dimension is called; nothing where it has none."""
    if value is None or value == "":
        return ""
    if column.grain is Grain.HOUR and isinstance(value, int | float):
        return f"{int(value):02d}:00"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return period_said(str(value), column.grain) if column.type is Type.TEMPORAL else str(value)
