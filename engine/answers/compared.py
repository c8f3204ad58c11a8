"""What an answer compares: "more often in 2024 than in 2023?" is answered by two numbers, each of events of its own;
and whether a number is of how many events there are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...operators.expressions import (
    Answer,
    Attribute,
    Boolean,
    Builtin,
    Call,
    Comparison,
    Expression,
    Lambda,
    Literal,
    Name,
    Node,
)
from ...operators.names import parts
from ...operators.nodes import Apply, Avg, Filter, Map, Max, Min, Retrieve, Sum, rebuilt, walk

_FOLDED = frozenset({"sum", "mean", "median", "max", "min"})
_FOLDS = frozenset(map(Builtin, _FOLDED))
_NUMBERS = Apply | Avg | Max | Min | Sum


def sides_of(tree: Node) -> tuple[Node, ...]:
    """The trees of the numbers that a tree compares or sets against one another, in its order; none for other trees."""
    if not isinstance(tree, Apply) or not isinstance(tree.function, Lambda) or not isinstance(tree.input, _NUMBERS):
        return ()
    others = dict.fromkeys(other for other in _answers(tree.function.body) if _is_number(other))
    return (tree.input, *others) if others else ()


def measures(tree: Node) -> bool:
    """Whether a tree gives a sum, an average, … of what its events have, and not how many there are; the average of
    numbers of events is of how many there are, too."""
    if isinstance(tree, Avg | Max | Min | Sum):
        return not (isinstance(tree.input, Map) and tree.input.function == Builtin("len"))
    if not isinstance(tree, Apply):
        return False
    return tree.function in _FOLDS or (isinstance(tree.function, Lambda) and _folds(tree.function.body))


def _folds(expression: Expression) -> bool:
    is_fold = isinstance(expression, Call) and expression.function in _FOLDED
    return is_fold or any(map(_folds, parts(expression)))


def _answers(expression: Expression) -> Iterator[Node]:
    if isinstance(expression, Answer):
        yield expression.tree
    for part in parts(expression):
        yield from _answers(part)


def _is_number(tree: Node) -> bool:
    return isinstance(tree, _NUMBERS) and any(isinstance(node, Retrieve) for node in walk(tree))


_ROW = Name("attr")


def without(tree: Node, query: str, start: datetime) -> Node:
    """The tree, whose search for a phrase leaves out what began at that moment; what has no time stays."""
    began = Attribute(_ROW, "start_datetime")
    parts = [start.year, start.month, start.day, start.hour, start.minute, start.second, start.microsecond]
    while len(parts) > 5 and parts[-1] == 0:
        parts.pop()
    moment = Call("datetime", tuple(map(Literal, parts)))
    unknown = Comparison(began, ("is",), (Literal(None),))
    other = Comparison(began, ("!=",), (moment,))
    condition = Lambda(_ROW.identifier, Boolean("or", (unknown, other)))
    return rebuilt(tree, lambda node: Filter(node, condition) if _is_search(node, query) else node)


def _is_search(node: Node, query: str) -> bool:
    return isinstance(node, Retrieve) and node.query == query and node.source is None
