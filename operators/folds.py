"""Functions over whole lists: len, sum, mean, min, max, set, list, sorted. Missing items do not count."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from .values import NoValue

__all__ = ["FOLDS", "distinct"]


def distinct(values: Any) -> tuple[Any, ...]:
    """A set, which is kept in the order of its values."""
    return tuple(sorted({value for value in values if value is not None}))


def _values(items: Any) -> list[Any]:
    return [item for item in items if item is not None]


def _extreme(choose: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def fold(items: Any) -> Any:
        values = _values(items)
        if not values:
            raise NoValue
        return choose(values)

    return fold


def _sum(items: Any) -> Any:
    values = _values(items)
    return sum(values[1:], values[0]) if values else 0


def _mean(items: Any) -> Any:
    values = _values(items)
    if not values:
        raise NoValue
    total: Any = _sum(values)
    return total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values)


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
    "min": _extreme(min),
    "max": _extreme(max),
    "set": distinct,
    "list": _list,
    "sorted": _sorted,
}
