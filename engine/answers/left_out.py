"""What an answer leaves out, and why: which events each condition of its tree turned down.

In: a tree, and what finds the events of its parts. Out: for every condition the events that did not pass it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...operators.expressions import Expression, Node
from ...operators.nodes import Apply, ArgMax, ArgMin, Avg, Extract, Filter, GroupBy, Join, Map, Max, Min, Sum, Unnest
from ...operators.wording import limited, wording
from .formats import period_in_words
from .statement import period_in

Events = Callable[[Node], tuple[str, ...]]
"""Gives the IRIs of the events of a part of a tree."""
_ABOVE = Extract | Map | Unnest | GroupBy | Apply | ArgMax | ArgMin | Avg | Max | Min | Sum


@dataclass(frozen=True)
class LeftOut:
    """Events that one condition turned down; `reason` says it of them: "not in 2024"."""

    reason: str
    events: tuple[str, ...]


def left_out(tree: Node, events: Events, locale: str) -> Iterator[LeftOut]:
    """What was turned down, the first condition first; nothing for conditions that all events passed."""
    for before, after, body in _conditions(tree):
        passed = frozenset(events(after))
        gone = tuple(event for event in events(before) if event not in passed)
        if gone:
            yield LeftOut(_reason(after, body, locale), gone)


def _conditions(tree: Node) -> Iterator[tuple[Node, Node, Expression | None]]:
    """(rows before, rows after, condition) from below; the condition of a JOIN is none."""
    found: list[tuple[Node, Node, Expression | None]] = []
    at = tree
    while True:
        if isinstance(at, Filter):
            found.append((at.input, at, at.condition.body))
            at = at.input
        elif isinstance(at, Join):
            found.append((at.left, at, None))
            at = at.left
        elif isinstance(at, _ABOVE):
            at = at.input
        else:
            return iter(reversed(found))


def _reason(after: Node, body: Expression | None, locale: str) -> str:
    """Why an event did not pass."""
    if body is None:
        other = wording(after.right) if isinstance(after, Join) else ""
        return f"without what it was set against: {other}"
    period = period_in(body)
    if period is None:
        return f"not so: {limited(body)}"
    said = period_in_words(period, locale)
    return f"not {said}" if said else "at another time"
