"""What the rewrites that move conditions have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...operators.conditions import operands
from ...operators.expressions import Expression, Lambda
from ...operators.nodes import Filter, Node
from .expressions import conjunction, reads, renamed_row


def tests(node: Filter) -> tuple[Expression, ...]:
    """The parts of a FILTER's condition, each of which must hold."""
    return operands(node.condition.body)


def attributes_read(node: Filter, test: Expression) -> frozenset[str] | None:
    """The attributes that a part of a FILTER's condition reads, None where it does more with the row."""
    return reads(test, node.condition.parameter)


def filtered(rows: Node, like: Filter, kept: Iterable[Expression]) -> Node:
    """The rows that parts of the condition of `like` hold for; the rows themselves for no part."""
    found = tuple(kept)
    return within(rows, replace(like.condition, body=conjunction(found))) if found else rows


def within(rows: Node, condition: Lambda) -> Node:
    """The rows that a condition holds for: in one FILTER, where they are filtered already, its condition after theirs.

    One FILTER is found by the next rewrite as it goes down; a pile of them would take a round for each.
    """
    if isinstance(rows, Filter):
        body = renamed_row(condition.body, condition.parameter, rows.condition.parameter)
        if body is not None:
            return Filter(rows.input, replace(rows.condition, body=conjunction((rows.condition.body, body))))
    return Filter(rows, condition)
