"""What an answer compares: "more often in 2024 than in 2023?" is answered by two numbers, each of events of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ...operators.base import Node
from ...operators.expressions import Answer, Expression, Lambda
from ...operators.names import parts
from ...operators.nodes import Apply, Avg, Max, Min, Retrieve, Sum, walk

_NUMBERS = Apply | Avg | Max | Min | Sum


def sides_of(tree: Node) -> tuple[Node, ...]:
    """The trees of the numbers that a tree compares or sets against one another, in its order; none for other trees."""
    if not isinstance(tree, Apply) or not isinstance(tree.function, Lambda) or not isinstance(tree.input, _NUMBERS):
        return ()
    others = dict.fromkeys(other for other in _answers(tree.function.body) if _is_number(other))
    return (tree.input, *others) if others else ()


def _answers(expression: Expression) -> Iterator[Node]:
    if isinstance(expression, Answer):
        yield expression.tree
    for part in parts(expression):
        yield from _answers(part)


def _is_number(tree: Node) -> bool:
    return isinstance(tree, _NUMBERS) and any(isinstance(node, Retrieve) for node in walk(tree))
