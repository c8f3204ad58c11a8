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

from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.row_operators import Answered, EvaluationScope, Grouped, Many, One, Row, operate, rows_of
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.checking.checking import check_tree
from reqap_kg.operators.conditions import conjuncts, nearest_keys
from reqap_kg.operators.derived import Shared, original
from reqap_kg.operators.evaluation.evaluate import Environment, NoValue, evaluate, holds
from reqap_kg.operators.expressions import Expression
from reqap_kg.operators.names import joined_names
from reqap_kg.operators.nodes import (
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
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Resolution
from reqap_kg.operators.standard import STANDARD, standard_attributes, with_own_reads

__all__ = ["Event", "Grouped", "Many", "One", "Reference", "Row"]


@dataclass(frozen=True)
class Event:
    """An event: its IRI, classes, and the lexical values of each property."""

    iri: str
    classes: frozenset[str]
    values: Mapping[str, tuple[str, ...]]


@dataclass
class Reference:
    """Computes trees over events."""

    events: Sequence[Event]
    resolution: Resolution
    now: datetime
    _standard: tuple[str, ...] = field(default=(), init=False)
    _answered: dict[Node, tuple[Any, ...]] = field(default_factory=dict, init=False)

    def run(self, tree: Node) -> Answered:
        """What the tree answers. Raises TreeTypeError as the compiler does."""
        check_tree(original(tree))
        tree = with_own_reads(tree)
        self._standard = standard_attributes(tree)
        return self._node(tree, frozenset(), ())

    @property
    def _scope(self) -> EvaluationScope:
        return EvaluationScope(self.now, self._answers)

    def _answers(self, tree: Node) -> tuple[Any, ...]:
        if tree not in self._answered:
            found, name = self._node(tree, frozenset(), ()), _answered_by(tree)
            if isinstance(found, tuple) and name is not None:
                found = Many(tuple(row[name] for row in found))
            if not isinstance(found, One | Many):
                raise TreeTypeError("a tree in an expression must answer one value")
            values = (found.value,) if isinstance(found, One) else found.values
            self._answered[tree] = tuple(value for value in values if value is not None)
        return self._answered[tree]

    @singledispatchmethod
    def _node(self, node: Node, _named: frozenset[str], _above: tuple[str, ...]) -> Answered:
        raise TypeError(f"not an operator: {type(node).__name__}")

    @_node.register
    def _(self, node: Retrieve, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        asked = (*above, node.query)
        match = dict(self.resolution.retrieves)[node.query]
        if node.source is not None:
            return tuple(
                row for row in rows_of(self._node(node.source, named, asked)) if _matches(row.events[0][0], match)
            )
        found = sorted((event for event in self.events if _matches(event, match)), key=_by_start)
        given = [name for name in self._standard if name not in named]
        rows = [Row({}, ((event, asked),)) for event in found]
        return tuple(Row({name: self._read(row, name, STANDARD[name]) for name in given}, row.events) for row in rows)

    @_node.register
    def _(self, node: Extract, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        rows = rows_of(self._node(node.input, named | set(node.names), above))
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
    def _(self, node: Join, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        left, right = (rows_of(self._node(side, named, above)) for side in (node.left, node.right))
        return _joined(node.condition, left, right, self._scope)

    @_node.register
    def _(self, node: Shared, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        return self._node(node.tree, named, above)

    @_node.register(Filter)
    @_node.register(Map)
    @_node.register(Unnest)
    @_node.register(Apply)
    def _(self, node: Filter | Map | Unnest | Apply, named: frozenset[str], above: tuple[str, ...]) -> Answered:
        return operate(node, (self._node(node.input, named, above),), self._scope)

    @_node.register(GroupBy)
    @_node.register(Min)
    @_node.register(Max)
    @_node.register(Sum)
    @_node.register(Avg)
    @_node.register(ArgMin)
    @_node.register(ArgMax)
    def _(self, node: Any, _named: frozenset[str], above: tuple[str, ...]) -> Answered:
        return operate(node, (self._node(node.input, frozenset(), above),), self._scope)


def _joined(
    condition: Expression, left: tuple[Row, ...], right: tuple[Row, ...], scope: EvaluationScope
) -> tuple[Row, ...]:
    """The pairs of rows that a condition holds for, each tried."""
    scope = scope.over(len(left) + len(right))
    found = [
        (one, other)
        for one in left
        for other in _nearest(condition, one, _partners(condition, one, right, scope), scope)
    ]
    return tuple(Row(joined_names(one, other), (*one.events, *other.events)) for one, other in found)


def _partners(condition: Expression, one: Row, right: Iterable[Row], scope: EvaluationScope) -> list[Row]:
    tests = [part for part in conjuncts(condition) if nearest_keys(part) is None]
    pairs = ((other, scope.environment({"i1": one, "i2": other})) for other in right)
    return [other for other, names in pairs if all(holds(test, names) for test in tests)]


def _nearest(condition: Expression, one: Row, partners: list[Row], scope: EvaluationScope) -> list[Row]:
    """Of a row's partners those that lie nearest by each nearest() of the condition, which are asked one by one."""
    for keys in filter(None, map(nearest_keys, conjuncts(condition))):
        far = [(_distance(keys, scope.environment({"i1": one, "i2": other})), other) for other in partners]
        known = [(apart, other) for apart, other in far if apart is not None]
        least = min((apart for apart, _ in known), default=None)
        partners = [other for apart, other in known if apart == least]
    return partners


def _distance(keys: tuple[Expression, Expression], environment: Environment) -> Any:
    """How far two values lie apart, None where one is missing."""
    try:
        one, other = (evaluate(key, environment) for key in keys)
    except NoValue:
        return None
    return None if one is None or other is None else abs(one - other)


def _answered_by(tree: Node) -> str | None:
    """The attribute that rows answer, if it is clear: the one that was added last."""
    if isinstance(tree, Extract):
        return tree.names[0] if len(tree.names) == 1 else None
    if isinstance(tree, Map):
        return tree.name
    if isinstance(tree, Unnest):
        return tree.item_name or tree.name
    return _answered_by(tree.input) if isinstance(tree, Filter | Apply) else None


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
