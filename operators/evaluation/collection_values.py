"""Methods of lists, sets and dicts, and their items by position and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import reduce
from typing import Any

from ...errors import TreeTypeError
from .arithmetic import combined
from .values import NoValue, Table, shown


def item(value: Any, key: Any) -> Any:
    """`value[key]`. Raises NoValue where there is none, TreeTypeError where values of the kind have no items."""
    if isinstance(value, Table):
        return value.get(key)
    if isinstance(value, Mapping) and isinstance(key, str):
        return value.get(key)
    if not isinstance(value, str | tuple):
        raise TreeTypeError(f"{shown(value)} has no items")
    try:
        return value[position(key)]
    except IndexError as bad:
        raise NoValue from bad


def section(value: Any, start: Any, stop: Any, step: Any) -> Any:
    """`value[start:stop:step]`. Raises TreeTypeError."""
    if not isinstance(value, str | tuple):
        raise TreeTypeError(f"{shown(value)} has no parts")
    bounds = [None if bound is None else position(bound) for bound in (start, stop, step)]
    if bounds[2] == 0:
        raise TreeTypeError("a step of 0")
    found = value[slice(*bounds)]
    return found if isinstance(found, str) else tuple(found)


def position(value: Any) -> int:
    """A whole number, also where it is held as a fractional one. Raises TreeTypeError for others."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, int):
        return value
    raise TreeTypeError(f"{shown(value)} is not a whole number")


def items(value: Any) -> tuple[Any, ...]:
    """What a loop runs over: items of a list, characters of a text, keys of a dict or event. Raises TreeTypeError."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, str):
        return tuple(value)
    if isinstance(value, Table):
        return tuple(value.entries)
    if isinstance(value, Mapping):
        return tuple(value)
    raise TreeTypeError(f"{shown(value)} is not a list")


def _folded(operator: str) -> Callable[..., Any]:
    def fold(value: tuple[Any, ...], *others: Any) -> Any:
        return reduce(lambda left, right: combined(operator, left, items(right)), others, combined("|", value, ()))

    return fold


def _count(value: tuple[Any, ...], wanted: Any) -> int:
    return value.count(wanted)


LIST_METHODS: dict[str, Callable[..., Any]] = {
    "count": _count,
    "index": lambda value, wanted: value.index(wanted),
    "union": _folded("|"),
    "intersection": _folded("&"),
    "difference": _folded("-"),
    "symmetric_difference": _folded("^"),
    "issubset": lambda value, other: set(value) <= set(items(other)),
    "issuperset": lambda value, other: set(value) >= set(items(other)),
    "isdisjoint": lambda value, other: set(value).isdisjoint(items(other)),
    "group": lambda value, number=0: value[position(number)],
    "groups": lambda value: tuple(value[1:]),
}


def _most_common(value: Table, n: Any = None) -> tuple[Any, ...]:
    """Keys with their counts, the greatest first; in the order of their appearance where they are equal."""
    pairs = sorted(value.entries.items(), key=lambda pair: pair[1], reverse=True)
    return tuple(pairs if n is None else pairs[: max(0, position(n))])


TABLE_METHODS: dict[str, Callable[..., Any]] = {
    "get": Table.get,
    "keys": lambda value: tuple(value.entries),
    "values": lambda value: tuple(value.entries.values()),
    "items": lambda value: tuple(value.entries.items()),
    "most_common": _most_common,
    "total": lambda value: sum(value.entries.values()),
}
ROW_METHODS: dict[str, Callable[..., Any]] = {
    "get": lambda value, key, default=None: default if value.get(key) is None else value.get(key),
    "keys": lambda value: tuple(value),
    "values": lambda value: tuple(value.values()),
    "items": lambda value: tuple(value.items()),
}
