"""Functions over whole lists: len, sum, mean, median, min, max, set, sorted and so on. Missing items do not count."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError
from .values import Members, NoValue, Table

__all__ = ["FOLDS", "Members", "counted", "distinct"]


def distinct(values: Iterable[Any]) -> Members:
    """A set, which is kept in the order of its values; in that of their appearance where they have none."""
    found = dict.fromkeys(value for value in values if value is not None)
    try:
        return Members(sorted(found))
    except TypeError:
        return Members(found)


def counted(values: Iterable[Any]) -> Table:
    """How often each value stands in a list, as `Counter` says."""
    counts: dict[Any, Any] = {}
    for value in _values(values):
        counts[value] = counts.get(value, 0) + 1
    return Table(counts, counts=True)


def _values(items: Iterable[Any]) -> list[Any]:
    return [item for item in items if item is not None]


def _extreme(choose: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def fold(items: Any) -> Any:
        return choose(_some(items))

    return fold


def _some(items: Iterable[Any]) -> list[Any]:
    values = _values(items)
    if not values:
        raise NoValue
    return values


def _sum(items: Any) -> Any:
    values = _values(items)
    if not values:
        return 0
    if any(isinstance(value, str | tuple) for value in values):
        raise TreeTypeError("sum() is of numbers and durations")
    return sum(values[1:], values[0] + 0 if isinstance(values[0], bool) else values[0])


def _mean(items: Any) -> Any:
    values = _some(items)
    total: Any = _sum(values)
    return total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values)


def _median(items: Any) -> Any:
    values = sorted(_some(items))
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else _mean(values[middle - 1 : middle + 1])


def _mode(items: Any) -> Any:
    """The most frequent value, the first of those that are equally frequent."""
    return statistics.mode(_some(items))


def _spread(measure: Callable[[list[Any]], Any], fewest: int) -> Callable[[Any], Any]:
    def fold(items: Any) -> Any:
        values = _some(items)
        if len(values) < fewest:
            raise NoValue
        if isinstance(values[0], timedelta):
            raise TreeTypeError("the spread of durations; use total_seconds()")
        return measure([Decimal(value) for value in values])

    return fold


def _length(items: Any) -> int:
    return len(items)


def _list(items: Any) -> tuple[Any, ...]:
    return tuple(items)


def _sorted(items: Any) -> tuple[Any, ...]:
    return tuple(sorted(_values(items)))


FOLDS: dict[str, Callable[[Any], Any]] = {
    "len": _length,
    "sum": _sum,
    "mean": _mean,
    "median": _median,
    "mode": _mode,
    "stdev": _spread(statistics.stdev, 2),
    "pstdev": _spread(statistics.pstdev, 1),
    "variance": _spread(statistics.variance, 2),
    "min": _extreme(min),
    "max": _extreme(max),
    "set": distinct,
    "list": _list,
    "sorted": _sorted,
    "Counter": counted,
}
