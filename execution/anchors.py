"""What a condition compares with: the moment of "the exam", of "my first swim". Where a tree that stands for one value
has none, the condition holds for no row, and the 0 that is counted then says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from ..operators.expressions import Expression
from ..operators.nodes import Apply, Avg, Max, Min, Node, Retrieve, answers, walk
from ..operators.syntax.printing import format_expression
from .computed import Place
from .run import ready_to_run


def without_value(tree: Node, place: Place, folder: Path | None = None) -> tuple[str, ...]:
    """The queries of the events that conditions compare with and of which it cannot be told when they were, or which:
    there are none, or several that are meant as one."""
    found: dict[str, None] = {}
    for anchor in dict.fromkeys(_anchors(tree)):
        if ready_to_run(anchor, place, folder).run(place.graph, 0).answer == ():
            found.update((part.query, None) for part in walk(anchor) if isinstance(part, Retrieve))
    return tuple(found)


def _anchors(tree: Node) -> Iterator[Node]:
    """The trees inside conditions that stand for one value, not for a set."""
    for node in walk(tree):
        held = (getattr(node, field.name) for field in fields(node))  # type: ignore[arg-type]
        for value in held:
            if isinstance(value, Expression):
                yield from (anchor for anchor in answers(value) if _is_single(anchor))


def _is_single(anchor: Node) -> bool:
    if isinstance(anchor, Apply):
        return "set(" not in format_expression(anchor.function)
    return isinstance(anchor, Min | Max | Avg)
