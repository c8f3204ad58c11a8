"""What the rewrites that move conditions have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...operators.expressions import Expression
from ...operators.nodes import Filter, Node
from .expressions import conjunction, conjuncts, reads


def tests(node: Filter) -> tuple[Expression, ...]:
    """The parts of a FILTER's condition, each of which must hold."""
    return conjuncts(node.condition.body)


def attributes_read(node: Filter, test: Expression) -> frozenset[str] | None:
    """The attributes that a part of a FILTER's condition reads, None where it does more with the row."""
    return reads(test, node.condition.parameter)


def filtered(rows: Node, like: Filter, kept: Iterable[Expression]) -> Node:
    """The rows that parts of the condition of `like` hold for; the rows themselves for no part."""
    found = tuple(kept)
    if not found:
        return rows
    return Filter(rows, replace(like.condition, body=conjunction(found)))
