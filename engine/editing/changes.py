"""Trees with one thing changed: a condition less, more, or another; other events; another measure.

A part of a tree may stand in it twice (what a JOIN keeps is named again beside it): it is changed wherever it stands.
"""

from __future__ import annotations

from ...operators.base import Node
from ...operators.conditions import conjunction, operands
from ...operators.expressions import Attribute, Comparison, Expression, Lambda, Literal, Method, Name
from ...operators.nodes import AttributeType, Extract, Filter, Retrieve, rebuilt
from ...operators.standard import used_names

ROW = Name("attr")
"""What conditions call a row."""


def replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one part in the place of another, wherever that stands."""
    return rebuilt(tree, lambda node: new if node == old else node)


def without_condition(tree: Node, held: Filter, parts: tuple[Expression, ...]) -> Node:
    """The tree without these parts of a FILTER's condition; what was extracted for them alone is not extracted."""
    rest = _with_parts(held, tuple(part for part in operands(held.condition.body) if part not in parts))
    if isinstance(rest, Extract):
        shorter = replaced(tree, held, rest.input)
        if used_names(shorter).isdisjoint(rest.names):
            return shorter
    return replaced(tree, held, rest)


def with_condition(tree: Node, held: Filter, old: tuple[Expression, ...], new: tuple[Expression, ...]) -> Node:
    """The tree with other parts in the place of these."""
    kept = [part for part in operands(held.condition.body) if part not in old]
    return replaced(tree, held, _with_parts(held, (*kept, *new)))


def narrowed(tree: Node, events: Retrieve, name: str, kind: AttributeType, condition: Expression) -> Node:
    """The tree whose events must meet one more condition on an attribute."""
    return replaced(tree, events, Filter(Extract(events, (name,), (kind,)), Lambda(ROW.identifier, condition)))


def is_value(name: str, value: str) -> Expression:
    """The condition that an attribute is a text, in whatever case."""
    return Comparison(Method(Attribute(ROW, name), "lower"), ("==",), (Literal(value.lower()),))


def with_events(tree: Node, old: Retrieve, query: str) -> Node:
    """The tree about other events."""
    return replaced(tree, old, Retrieve(query, old.source))


def _with_parts(held: Filter, parts: tuple[Expression, ...]) -> Node:
    body = conjunction(parts)
    return held.input if body is None else Filter(held.input, Lambda(held.condition.parameter, body))
