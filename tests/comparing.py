"""Whether two ways to compute a tree answer the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

from reference import Grouped, Many, One

from reqap_kg.execution.row_operators import Answered
from reqap_kg.execution.run import Result


def plain(value: Any) -> Any:
    """A value for comparison: numbers to six places, lists sorted."""
    if isinstance(value, bool) or value is None or isinstance(value, str | date | time):
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6) + 0.0
    if isinstance(value, timedelta):
        return ("seconds", round(value.total_seconds(), 3))
    return tuple(sorted(map(plain, value), key=repr))


def alike(left: Any, right: Any) -> bool:
    """Equal, numbers nearly."""
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) <= 1e-5 * max(1.0, abs(left))
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(map(alike, left, right))
    return bool(left == right)


def row_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """A row's attributes in their order."""
    return tuple((name, plain(value)) for name, value in row.items())


def of_reference(found: Answered) -> tuple[Any, ...]:
    """What the reference answered: values, or rows with their attributes in order and the events behind them."""
    if isinstance(found, One):
        return ("one", plain(found.value))
    if isinstance(found, Many):
        return ("many", tuple(map(plain, found.values)))
    if isinstance(found, Grouped):
        return ("groups", found.keys, tuple(tuple(map(row_of, group)) for group in found.groups))
    return ("rows", tuple((row_of(row), tuple(event.iri for event, _ in row.events)) for row in found))


def of_result(found: Result) -> tuple[Any, ...]:
    """All that a result says, but its query and what it warns of."""
    rows = tuple(tuple(map(plain, row)) for row in found.rows)
    answer = tuple(map(plain, found.answer))
    said = (found.answer_type, found.unit, found.matched, tuple(sorted(found.events)))
    return (found.columns, rows, answer, said)
