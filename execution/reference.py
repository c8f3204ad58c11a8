"""The algebra computed naively over plain Python rows: what the compiled query must agree with.

Events are given as plain objects with the values that stand in the graph; nothing here knows SPARQL. It is slow and
simple on purpose: random trees are run both ways and compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import singledispatchmethod
from typing import Any

from ..errors import TreeTypeError
from ..ontology.namespaces import EV
from ..operators.evaluate import Environment, NoValue, evaluate_function, holds
from ..operators.expressions import Call, Function, Index, Lambda
from ..operators.nodes import (
    Aggregate,
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Retrieve,
    Sum,
    Unnest,
)
from ..operators.resolution import AttributeMatch, ClassMatch, Resolution
from ..operators.standard import STANDARD, standard_attributes


@dataclass(frozen=True)
class Event:
    """An event: its IRI, classes, and the lexical values of each property."""

    iri: str
    classes: frozenset[str]
    values: Mapping[str, tuple[str, ...]]


class Row(dict[str, Any]):
    """Attributes of one row; `events` are the events behind it, each with the queries that retrieved it."""

    def __init__(self, attributes: Mapping[str, Any], events: tuple[tuple[Event, tuple[str, ...]], ...]) -> None:
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


@dataclass
class Reference:
    """Computes trees over events."""

    events: Sequence[Event]
    resolution: Resolution
    now: datetime
    _standard: tuple[str, ...] = field(default=(), init=False)

    def run(self, tree: Node) -> Answered:
        """What the tree answers. Raises TreeTypeError as the compiler does."""
        self._standard = standard_attributes(tree)
        return self._node(tree, frozenset(), ())

    def _environment(self, names: Mapping[str, Any]) -> Environment:
        return Environment(names, self.now, self._answers)

    def _answers(self, tree: Node) -> tuple[Any, ...]:
        found = self._node(tree, frozenset(), ())
        if isinstance(found, One):
            return () if found.value is None else (found.value,)
        if isinstance(found, Many):
            return found.values
        raise TreeTypeError("a tree in an expression must answer one value")

    def _rows(self, node: Node, named: frozenset[str], above: tuple[str, ...]) -> tuple[Row, ...]:
        found = self._node(node, named, above)
        if isinstance(found, tuple):
            return found
        raise TreeTypeError("this operator works on events")

    @singledispatchmethod
    def _node(self, node: Node, _named: frozenset[str], _above: tuple[str, ...]) -> Answered:
        raise TypeError(f"not an operator: {type(node).__name__}")

    @_node.register
    def _(self, node: Retrieve, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        asked = (*above, node.query)
        match = dict(self.resolution.retrieves)[node.query]
        if node.source is not None:
            return tuple(row for row in self._rows(node.source, named, asked) if _matches(row.events[0][0], match))
        found = sorted((event for event in self.events if _matches(event, match)), key=_by_start)
        given = [name for name in self._standard if name not in named]
        rows = [Row({}, ((event, asked),)) for event in found]
        return tuple(Row({name: self._read(row, name, STANDARD[name]) for name in given}, row.events) for row in rows)

    @_node.register
    def _(self, node: Extract, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        rows = self._rows(node.input, named | set(node.names), above)
        for name, kind in zip(node.names, node.types, strict=True):
            rows = tuple(row.adding(name, self._read(row, name, kind)) for row in rows)
        return rows

    def _read(self, row: Row, name: str, kind: AttributeType) -> Any:
        empty: Any = () if kind is AttributeType.LIST else None
        for event, asked in row.events:
            for prop in self._properties(asked, name, kind):
                held = [value for text in event.values.get(prop, ()) if (value := _cast(text, kind)) is not None]
                if kind is AttributeType.TIME and prop in (EV + "start", EV + "end"):
                    held = [] if "day" in event.values.get(EV + "timePrecision", ()) else held
                if held:
                    return tuple(sorted(set(held))) if kind is AttributeType.LIST else min(held)
        return empty

    def _properties(self, asked: tuple[str, ...], name: str, kind: AttributeType) -> tuple[str, ...]:
        attributes: dict[tuple[str, str], AttributeMatch] = dict(self.resolution.attributes)
        for query in asked:
            if (query, name) in attributes:
                return attributes[query, name].properties
        return (EV + name.partition("_")[0],) if STANDARD.get(name) is kind else ()

    @_node.register
    def _(self, node: Filter, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        found = self._node(node.input, named, above)

        def kept(item: Any) -> bool:
            return holds(node.condition.body, self._environment({node.condition.parameter: item}))

        if isinstance(found, Grouped):
            return Grouped(found.keys, [group for group in found.groups if kept(group)])
        if isinstance(found, Many):
            return Many(tuple(value for value in found.values if kept(value)))
        if isinstance(found, tuple):
            return tuple(row for row in found if kept(row))
        raise TreeTypeError("FILTER works on events")

    @_node.register
    def _(self, node: Map, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        found = self._node(node.input, named, above)
        environment = self._environment({})
        if isinstance(found, tuple):
            return tuple(row.adding(node.name, _or_none(node.function, row, environment)) for row in found)
        if not isinstance(found, Grouped):
            raise TreeTypeError("MAP works on events or groups")
        rows = []
        for group in found.groups:
            value = _or_none(node.function, group, environment)
            if value is not None:
                keys = {key: group[0][key] for key in found.keys}
                rows.append(Row({**keys, node.name: value}, ()))
        return tuple(sorted(rows, key=lambda row: [row[key] for key in found.keys]))

    @_node.register
    def _(self, node: GroupBy, _named: frozenset[str], above: tuple[str, ...]) -> Answered:
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in self._rows(node.input, frozenset(), above):
            key = tuple(row[name] for name in node.names)
            if None not in key:
                groups.setdefault(key, []).append(row)
        return Grouped(node.names, [tuple(groups[key]) for key in sorted(groups)])

    @_node.register
    def _(self, node: Unnest, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        name = node.item_name or node.name
        rows = self._rows(node.input, named, above)
        return tuple(row.adding(name, item) for row in rows for item in row[node.name])

    @_node.register
    def _(self, node: Join, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        left, right = self._rows(node.left, named, above), self._rows(node.right, named, above)
        pairs = ((one, other) for one in left for other in right)
        return tuple(
            Row(_merged(one, other), (*one.events, *other.events))
            for one, other in pairs
            if holds(node.condition, self._environment({"i1": one, "i2": other}))
        )

    @_node.register
    def _(self, node: Apply, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        found = self._node(node.input, named, above)
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
            value = evaluate_function(node.function, argument, self._environment({}))
        except NoValue:
            return () if isinstance(found, tuple) and _picks_row(node.function) else One(None)
        if isinstance(value, Row):
            return (value,)
        if not isinstance(value, tuple):
            return One(value)
        if all(isinstance(item, Row) for item in value) and (value or isinstance(found, tuple)):
            return value
        return Many(tuple(item for item in value if item is not None))

    @_node.register(Min)
    @_node.register(Max)
    @_node.register(Sum)
    @_node.register(Avg)
    def _(self, node: Aggregate, _named: frozenset[str], above: tuple[str, ...]) -> Answered:
        rows = self._rows(node.input, frozenset(), above)
        values = [row[node.name] for row in rows if row[node.name] is not None]
        if isinstance(node, Sum):
            return One(sum(values[1:], values[0]) if values else 0)
        if not values:
            return One(None)
        if isinstance(node, Avg):
            total: Any = sum(values[1:], values[0])
            return One(total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values))
        return One(min(values) if isinstance(node, Min) else max(values))

    @_node.register(ArgMin)
    @_node.register(ArgMax)
    def _(self, node: ArgMin | ArgMax, _named: frozenset[str], above: tuple[str, ...]) -> Answered:
        rows = self._rows(node.input, frozenset(), above)
        known = [row for row in rows if row[node.arg_name] is not None]
        choose: Callable[[Iterable[Any]], Any] = min if isinstance(node, ArgMin) else max
        best = choose(row[node.arg_name] for row in known) if known else None
        values: set[Any] = set()
        for row in known:
            if row[node.arg_name] == best:
                value = row[node.value_name]
                values |= set(value) if isinstance(value, tuple) else {value}
        return Many(tuple(sorted(values - {None})))


def _picks_row(function: Function) -> bool:
    """Whether a function of rows gives one of them: `l[0]`, `max(l, key=…)`."""
    body = function.body if isinstance(function, Lambda) else None
    return isinstance(body, Index) or (isinstance(body, Call) and bool(body.keywords))


def _or_none(function: Any, argument: Any, environment: Environment) -> Any:
    try:
        return evaluate_function(function, argument, environment)
    except NoValue:
        return None


def _matches(event: Event, match: object) -> bool:
    if not isinstance(match, ClassMatch):
        raise TreeTypeError("the reference knows classes only")
    if not event.classes & set(match.classes):
        return False
    return all(
        {text.lower() for text in event.values.get(constraint.property, ())} & {v.lower() for v in constraint.values}
        for constraint in match.constraints
    )


def _by_start(event: Event) -> tuple[bool, str, str]:
    starts = event.values.get(EV + "start", ())
    return bool(starts), min(starts, default=""), event.iri


def _merged(left: Row, right: Row) -> dict[str, Any]:
    held = dict(left)
    for name, value in right.items():
        free, count = name, 1
        while free in held or (count > 1 and free in right):
            count += 1
            free = f"{name}_{count}"
        held[free] = value
    return held


def _cast(text: str, kind: AttributeType) -> Any:
    """A lexical value read as a type, None where it is none."""
    try:
        return _CASTS[kind](text)
    except (ValueError, InvalidOperation):
        return None


def _date(text: str) -> date:
    return date.fromisoformat(text[:10])


def _time(text: str) -> time:
    clock = text.rpartition("T")[2]
    if not re.match(r"\d\d:\d\d", clock):
        raise ValueError(text)
    return time.fromisoformat((clock + ":00")[:8])


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text if "T" in text else text + "T00:00:00")


def _bool(text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise ValueError(text)
    return text in ("true", "1")


def _seconds(text: str) -> timedelta:
    return timedelta(microseconds=int(Decimal(text) * 1_000_000))


_CASTS: dict[AttributeType, Callable[[str], Any]] = {
    AttributeType.STR: str,
    AttributeType.LIST: str,
    AttributeType.INT: lambda text: int(Decimal(text)),
    AttributeType.FLOAT: Decimal,
    AttributeType.BOOL: _bool,
    AttributeType.DATE: _date,
    AttributeType.TIME: _time,
    AttributeType.DATETIME: _moment,
    AttributeType.DURATION: _seconds,
}
