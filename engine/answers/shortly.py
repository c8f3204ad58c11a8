"""How a question was read, shortly: what is answered, and of when, without the days from which to which."""

from __future__ import annotations

from ...operators.base import Node
from ...operators.conditions import operands
from ...operators.expressions import Expression
from ...operators.nodes import Filter, Retrieve, rebuilt, walk
from ...operators.wording import told_in_words
from .formats import period_in_words
from .statement import Period, is_until_now, period_of


def shortly(tree: Node, column: str | None, locale: str) -> tuple[str, str]:
    """What a tree answers, and its period ("in 2024"; "" for none, and where several are told of)."""
    if sum(isinstance(node, Retrieve) for node in walk(tree)) != 1:
        return told_in_words(tree, column), ""
    found: list[Period] = []

    def without_period(node: Node) -> Node:
        if not isinstance(node, Filter):
            return node
        own = [_period(part) for part in operands(node.condition.body)]
        told = [period for period in own if period is not None]
        if len(told) < len(own):
            return node
        found.extend(told)
        return node.input

    plain = rebuilt(tree, without_period)
    period = Period()
    for one in found:
        period = period.within(one)
    return told_in_words(plain, column), period_in_words(period, locale)


def _period(body: Expression) -> Period | None:
    """The days that a condition allows; all of them for what has not begun after now."""
    return Period() if is_until_now(body) else period_of(body)
