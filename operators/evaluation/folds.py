"""Functions over whole lists: len, sum, mean, median, set and list. Missing items do not count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError
from .values import NoValue


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """A set, which is kept in the order of its values; in that of their appearance where they have none."""
    found = dict.fromkeys(value for value in values if value is not None)
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(found)


def _values(items: Iterable[Any]) -> list[Any]:
    return [item for item in items if item is not None]


def _sum(items: Any) -> Any:
    values = _values(items)
    if not values:
        return 0
    if any(isinstance(value, str | tuple) for value in values):
        raise TreeTypeError("sum() is of numbers and durations")
    return sum(values[1:], values[0] + 0 if isinstance(values[0], bool) else values[0])


def _mean(items: Any) -> Any:
    values = _values(items)
    if not values:
        raise NoValue
    total: Any = _sum(values)
    return total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values)


def _median(items: Any) -> Any:
    values = sorted(_values(items))
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else _mean(values[middle - 1 : middle + 1])


FOLDS: dict[str, Callable[[Any], Any]] = {
    "len": len,
    "sum": _sum,
    "mean": _mean,
    "median": _median,
    "set": distinct,
    "list": tuple,
}
