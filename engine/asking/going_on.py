"""What may be asked next of an answer: of the year before, the longest of the events, when the last of them was.

Each is a tree that is made of the answer's own, so that it costs no more than a query to know whether it has an answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ...operators.expressions import (
    Attribute,
    Boolean,
    Builtin,
    Call,
    Comparison,
    Expression,
    Field,
    Lambda,
    Literal,
    Node,
)
from ...operators.nodes import Apply, AttributeType, Avg, Extract, Filter, Max, Sum, rebuilt, walk
from ..answers.answer import Answer
from ..answers.statement import COUNT, STARTS

MOST: Final = 3
"""Ways to go on that are offered of one answer."""
_LEAST_EVENTS: Final = 2
_MEASURES: Final = (("distance", "the longest of them"), ("price", "the dearest of them"))
"""What is greatest of some kinds of events, and how it is asked for."""


@dataclass(frozen=True)
class WayOn:
    """A way to go on: how it is called, the tree, and the question in words of its own, if these can be told."""

    label: str
    tree: Node
    question: str = ""


def ways_on(answer: Answer, tree: Node, recorded: Collection[str] = ()) -> tuple[WayOn, ...]:
    """Ways that may have an answer, the likeliest first; they are to be tried before they are offered. `recorded` names
    what all of the events have as a record: what would be read in texts takes too long to be tried."""
    if not answer.values or answer.page or answer.also is not None:
        return ()
    before = _year_before(answer, tree)
    others = (
        _ways(answer, tree, recorded) if len(answer.events) >= _LEAST_EVENTS and answer.statement is not None else ()
    )
    return (*((before,) if before is not None else ()), *others)


def _ways(answer: Answer, tree: Node, recorded: Collection[str]) -> Iterator[WayOn]:
    """Others of the same events."""
    rows = _rows_of(tree)
    if rows is None:
        return
    if isinstance(tree, Sum):
        yield WayOn("on average?", Avg(tree.input, tree.name))
    for name, label in _MEASURES:
        if name in recorded:
            yield WayOn(label, Max(Extract(rows, (name,), (AttributeType.FLOAT,)), name))
    yield WayOn("when was the last?", Max(Extract(rows, ("start_date",), (AttributeType.DATE,)), "start_date"))
    if answer.statement is not None and answer.statement.operation == COUNT:
        if not answer.more_events:
            yield WayOn("list them", rows)
    elif not isinstance(tree, Sum):
        yield WayOn("how many?", Apply(rows, Builtin("len")))


def _rows_of(tree: Node) -> Node | None:
    """The events that a tree counts, adds up or lists."""
    if isinstance(tree, Apply) and tree.function == Builtin("len"):
        tree = tree.input
    elif isinstance(tree, Sum):
        tree = tree.input.input if isinstance(tree.input, Extract) else tree.input
    return tree if isinstance(tree, Filter | Extract) else None


# ---------------------------------------------------------------- the year before
def _year_before(answer: Answer, tree: Node) -> WayOn | None:
    """The same of the year before, where it was asked of one year."""
    filters = [node for node in walk(tree) if isinstance(node, Filter)]
    days = [day for node in filters for day in _days(node.condition.body)]
    years = {day[0] for day in days}
    if len(years) != 1 or not all(day[1:] in ((), (1, 1), (12, 31)) for day in days):
        return None
    year = years.pop()
    said = answer.resolved or answer.question
    question = said.replace(str(year), str(year - 1)) if said.count(str(year)) == 1 else ""
    return WayOn(f"and in {year - 1}?", rebuilt(tree, lambda node: _shifted(node, year)), question)


def _days(body: Expression) -> Iterator[tuple[int, ...]]:
    """The days, or years alone, that a condition compares with."""
    if isinstance(body, Call) and body.function == "date":
        parts = [one.value for one in body.arguments if isinstance(one, Literal)]
        yield tuple(part for part in parts if isinstance(part, int))
    elif isinstance(body, Comparison) and _is_year(body.left):
        yield from ((one.value,) for one in body.rights if isinstance(one, Literal) and isinstance(one.value, int))
    elif isinstance(body, Comparison):
        for part in (body.left, *body.rights):
            yield from _days(part)
    elif isinstance(body, Boolean):
        for part in body.operands:
            yield from _days(part)


def _shifted(node: Node, year: int) -> Node:
    if not isinstance(node, Filter):
        return node
    body = _moved(node.condition.body, year)
    return replace(node, condition=Lambda(node.condition.parameter, body))


def _moved(body: Expression, year: int) -> Expression:
    """A condition with a year before in its dates: `date(2024, 1, 1)`, `start.year == 2024`."""
    if isinstance(body, Call) and body.function in ("date", "datetime") and body.arguments[:1] == (Literal(year),):
        return replace(body, arguments=(Literal(year - 1), *body.arguments[1:]))
    if isinstance(body, Comparison):
        if _is_year(body.left) and body.rights == (Literal(year),):
            return replace(body, rights=(Literal(year - 1),))
        return replace(body, left=_moved(body.left, year), rights=tuple(_moved(one, year) for one in body.rights))
    if isinstance(body, Boolean):
        return replace(body, operands=tuple(_moved(one, year) for one in body.operands))
    return body


def _is_year(body: Expression) -> bool:
    return (
        isinstance(body, Field)
        and body.name == "year"
        and isinstance(body.base, Attribute)
        and body.base.name in STARTS
    )
