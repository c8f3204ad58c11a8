"""What is told of the rows of a tree: how many there are, all of them, the total, average, greatest or least of a
number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...operators.base import Node
from ...operators.expressions import Builtin
from ...operators.nodes import Apply, AttributeType, Avg, Extract, Filter, Max, Min, Retrieve, Sum, rebuilt
from ...operators.standard import STANDARD

_FOLDS: Final = ((Sum, "total"), (Avg, "average"), (Max, "greatest"), (Min, "least"))
_COUNTED: Final = "counted"
_LISTED: Final = "listed"
_MOST_NUMBERS: Final = 5
_OF_TIMES: Final = {"greatest": "latest", "least": "earliest"}
_STATISTICS: Final = frozenset({"average", "mean", "median", "maximum", "minimum"})


@dataclass(frozen=True)
class Measure:
    """What is told, in words, and the trees that tell something else of the same rows."""

    text: str
    others: tuple[tuple[str, Node], ...]


def measure_of(tree: Node, numbers: Sequence[str]) -> Measure | None:
    """What a tree tells of its events; None for groups, and for what is computed in other ways. `numbers` are
    attributes of the events that are numbers."""
    found = _told(tree)
    if found is None:
        return None
    text, rows = found
    others = tuple((other, made) for other, made in _ways(rows, numbers) if other != text)
    return Measure(text, others)


def _told(tree: Node) -> tuple[str, Node] | None:
    """What is told, and the rows of which it is."""
    if isinstance(tree, Apply) and tree.function == Builtin("len") and _are_events(tree.input):
        return _COUNTED, _bare(tree.input)
    for fold, word in _FOLDS:
        if isinstance(tree, fold) and _are_events(tree.input):
            return _said(word, tree.name), _bare(tree.input)
    return (_LISTED, _bare(tree)) if _are_events(tree) else None


def _ways(rows: Node, numbers: Sequence[str]) -> Iterator[tuple[str, Node]]:
    yield _COUNTED, Apply(rows, Builtin("len"))
    yield _LISTED, rebuilt(rows, _without_standard)
    for name in sorted(numbers, key=_is_statistic)[:_MOST_NUMBERS]:
        for fold, word in _FOLDS[_is_statistic(name) :]:
            told = Extract(rows, (name,), (AttributeType.FLOAT,))
            yield _said(word, name), fold(told, name)


def _is_statistic(name: str) -> bool:
    """Whether a number is one of many already, so that its sum says nothing."""
    return name.split("_")[0] in _STATISTICS


def _said(word: str, name: str) -> str:
    """What a fold gives: "total distance", "latest start"."""
    if name in STANDARD:
        return f"{_OF_TIMES.get(word, word)} {name.split('_')[0]}"
    told = name.replace("_", " ")
    return told if told.startswith(f"{word} ") else f"{word} {told}"


def _without_standard(node: Node) -> Node:
    """Rows without the times that every event has: what else they have is listed."""
    return node.input if isinstance(node, Extract) and set(node.names) <= STANDARD.keys() else node


def _are_events(rows: Node) -> bool:
    """Whether each row is an event."""
    while isinstance(rows, Filter | Extract):
        rows = rows.input
    return isinstance(rows, Retrieve)


def _bare(rows: Node) -> Node:
    """The rows without what is only read of them."""
    while isinstance(rows, Extract):
        rows = rows.input
    return rows
