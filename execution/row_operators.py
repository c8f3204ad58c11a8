"""The operators over plain Python rows, one function each: naive, readable, the meaning of the algebra.

Execution computes with them what SPARQL cannot say; `tests/reference.py` computes whole trees with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import Any

from ..compiler.rewrites.lists import list_reading
from ..errors import TreeTypeError
from ..operators.evaluation.budget import Steps
from ..operators.evaluation.evaluate import Environment, NoValue, evaluate_function, holds
from ..operators.expressions import Call, Collection, Function, Index, Lambda
from ..operators.nodes import (
    Aggregate,
    Apply,
    ArgMax,
    ArgMin,
    Avg,
    Filter,
    GroupBy,
    Map,
    Max,
    Min,
    Node,
    Sum,
    Unnest,
    walk,
)


class Row(dict[str, Any]):
    """Attributes of one row; `events` are what is known of the events behind it."""

    def __init__(self, attributes: Mapping[str, Any], events: tuple[Any, ...] = ()) -> None:
        super().__init__(attributes)
        self.events = events

    def adding(self, name: str, value: Any) -> Row:
        """The row with one more attribute."""
        return Row({**self, name: value}, self.events)

    __hash__ = object.__hash__  # type: ignore[assignment]  # rows are told apart by identity


@dataclass(frozen=True)
class Grouped:
    """Rows by the values of attributes."""

    keys: tuple[str, ...]
    groups: Sequence[tuple[Row, ...]]


@dataclass(frozen=True)
class One:
    """One value, None where there is none."""

    value: Any


@dataclass(frozen=True)
class Many:
    """A list of values."""

    values: tuple[Any, ...]


Answered = tuple[Row, ...] | Grouped | One | Many


@dataclass(frozen=True)
class EvaluationScope:
    """What functions may refer to besides their argument: the moment of asking, and how a tree inside is answered."""

    now: datetime
    answers: Callable[[Node], tuple[Any, ...]]
    steps: Steps = field(default_factory=Steps)
    """What everything in this scope may compute together."""

    def over(self, items: int) -> EvaluationScope:
        """The scope of an operator over so many rows."""
        return replace(self, steps=Steps.for_items(items))

    def environment(self, names: Mapping[str, Any]) -> Environment:
        """The environment of an expression over some names."""
        return Environment(names, self.now, self.answers, self.steps)

    def value(self, function: Any, argument: Any) -> Any:
        """The function's value, None where it has none; a tuple that lacks a part has none, a list leaves it out."""
        try:
            value = evaluate_function(function, argument, self.environment({}))
        except NoValue:
            return None
        if not isinstance(value, tuple) or None not in value:
            return value
        body = function.body if isinstance(function, Lambda) else None
        if isinstance(body, Collection) and body.kind == "tuple":
            return None
        return tuple(item for item in value if item is not None)


def operate(node: Node, inputs: tuple[Answered, ...], scope: EvaluationScope) -> Answered:
    """What an operator makes of its inputs.

    Raises TreeTypeError for inputs of a kind that it does not take, and for a function that has too much to compute.
    """
    return _operate(node, inputs, scope.over(sum(map(_size, inputs))))


def _size(found: Answered) -> int:
    if isinstance(found, Grouped):
        return sum(map(len, found.groups))
    return len(found.values if isinstance(found, Many) else found) if isinstance(found, Many | tuple) else 1


@singledispatch
def _operate(node: Node, _inputs: tuple[Answered, ...], _scope: EvaluationScope) -> Answered:
    raise TypeError(f"not an operator over rows: {type(node).__name__}")


@_operate.register
def _(node: Filter, inputs: tuple[Answered, ...], scope: EvaluationScope) -> Answered:
    (found,) = inputs

    def kept(item: Any) -> bool:
        return holds(node.condition.body, scope.environment({node.condition.parameter: item}))

    if isinstance(found, Grouped):
        return Grouped(found.keys, [group for group in found.groups if kept(group)])
    if isinstance(found, Many):
        return Many(tuple(value for value in found.values if kept(value)))
    if isinstance(found, tuple):
        return tuple(row for row in found if kept(row))
    raise TreeTypeError("FILTER works on events")


@_operate.register
def _(node: Map, inputs: tuple[Answered, ...], scope: EvaluationScope) -> Answered:
    (found,) = inputs
    if isinstance(found, tuple):
        return tuple(row.adding(node.name, scope.value(node.function, row)) for row in found)
    if not isinstance(found, Grouped):
        raise TreeTypeError("MAP works on events or groups")
    rows = []
    for group in found.groups:
        value = scope.value(node.function, group)
        if value is not None:
            rows.append(Row({**{key: group[0][key] for key in found.keys}, node.name: value}))
    return tuple(sorted(rows, key=lambda row: [row[key] for key in found.keys]))


@_operate.register
def _(node: GroupBy, inputs: tuple[Answered, ...], _scope: EvaluationScope) -> Answered:
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows_of(inputs[0]):
        key = tuple(row[name] for name in node.names)
        if None not in key:
            groups.setdefault(key, []).append(row)
    return Grouped(node.names, [tuple(groups[key]) for key in sorted(groups)])


@_operate.register
def _(node: Unnest, inputs: tuple[Answered, ...], _scope: EvaluationScope) -> Answered:
    name = node.item_name or node.name
    return tuple(
        row.adding(name, item) for row in rows_of(inputs[0]) for item in row[node.name] or () if item is not None
    )


@_operate.register
def _(node: Apply, inputs: tuple[Answered, ...], scope: EvaluationScope) -> Answered:
    (found,) = inputs
    argument: Any = found
    if isinstance(found, Grouped):
        argument = tuple(found.groups)
    elif isinstance(found, One):
        argument = found.value
        if argument is None:
            return One(None)
    elif isinstance(found, Many):
        argument = found.values
    try:
        value = evaluate_function(node.function, argument, scope.environment({}))
    except NoValue:
        return () if isinstance(found, tuple) and picks_row(node.function) else One(None)
    return answered(value, empty_is_rows=isinstance(found, tuple) and list_reading(node.function).gives_rows)


def picks_row(function: Function) -> bool:
    """Whether a function of rows gives one of them: `l[0]`, `max(l, key=…)`."""
    body = function.body if isinstance(function, Lambda) else None
    return isinstance(body, Index) or (isinstance(body, Call) and bool(body.keywords))


def answered(value: Any, *, empty_is_rows: bool) -> Answered:
    """A function's value as what an operator answers."""
    if isinstance(value, Row):
        return (value,)
    if not isinstance(value, tuple):
        return One(value)
    if all(isinstance(item, Row) for item in value) and (value or empty_is_rows):
        return value
    return Many(tuple(item for item in value if item is not None))


@_operate.register(Min)
@_operate.register(Max)
@_operate.register(Sum)
@_operate.register(Avg)
def _(node: Aggregate, inputs: tuple[Answered, ...], _scope: EvaluationScope) -> Answered:
    values = [row[node.name] for row in rows_of(inputs[0]) if row[node.name] is not None]
    if isinstance(node, Sum):
        return One(sum(values[1:], values[0]) if values else 0)
    if not values:
        return One(None)
    if isinstance(node, Avg):
        total: Any = sum(values[1:], values[0])
        return One(total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values))
    return One(min(values) if isinstance(node, Min) else max(values))


@_operate.register(ArgMin)
@_operate.register(ArgMax)
def _(node: ArgMin | ArgMax, inputs: tuple[Answered, ...], _scope: EvaluationScope) -> Answered:
    known = [row for row in rows_of(inputs[0]) if row[node.arg_name] is not None]
    choose: Callable[[Iterable[Any]], Any] = min if isinstance(node, ArgMin) else max
    best = choose(row[node.arg_name] for row in known) if known else None
    values: set[Any] = set()
    for row in known:
        if row[node.arg_name] == best:
            value = row[node.value_name]
            values |= set(value) if isinstance(value, tuple) and not _is_pair(node.input, node.value_name) else {value}
    return Many(tuple(sorted(values - {None})))


def _is_pair(node: Node, name: str) -> bool:
    """Whether an attribute is a tuple written as one, such as (month, year): one value, not a list of several."""
    made = (at.function for at in walk(node) if isinstance(at, Map) and at.name == name)
    bodies = [function.body for function in made if isinstance(function, Lambda)]
    return any(isinstance(body, Collection) and body.kind == "tuple" for body in bodies)


def rows_of(found: Answered) -> tuple[Row, ...]:
    """The rows, where an operator needs rows. Raises TreeTypeError for anything else."""
    if isinstance(found, tuple):
        return found
    raise TreeTypeError("this operator works on events")
