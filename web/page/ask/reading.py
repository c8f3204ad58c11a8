"""How a question was read, as chips below its answer: each is a part of the tree, which can go or become another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from starlette.datastructures import QueryParams

from ....engine.answers.formats import shortly
from ....engine.editing.parts import Part
from ....engine.knowledge import KnowledgeGraph
from ....errors import UsageError
from ....operators.expressions import Node
from ....operators.syntax.printing import format_tree
from ....operators.syntax.text import read_tree
from .asked import Asked, Link
from .kept import Kept, ordered

_MOST_COUNTED: Final = 5_000
"""Events whose values are counted."""


@dataclass(frozen=True)
class Chip:
    """One part of how a question was read: `without` is where it is answered without it; "" where it cannot go."""

    text: str
    without: str = ""
    others: tuple[Link, ...] = ()
    is_period: bool = False


@dataclass(frozen=True)
class Narrower:
    """An attribute by which the events can be narrowed, with values of it."""

    name: str
    values: tuple[Link, ...]


def chips_of(kept: Kept, asked: Asked, known: KnowledgeGraph) -> tuple[Chip, ...]:
    """The chips of an answer; those of several questions in one are told and not changed. None where nothing was
    read."""
    answer = kept.answer
    if answer.also is None and answer.plan:
        parts = known.parts(answer.plan, now=kept.at)
        if parts:
            return tuple(_chip(part, asked) for part in parts)
    told = (shortly(read_tree(part.plan).node, None, answer.locale) for part in answer.each if part.plan)
    return tuple(Chip(text) for one in told for text in one if text)


def narrower(kept: Kept, asked: Asked, known: KnowledgeGraph) -> tuple[Narrower, ...]:
    """Conditions that may be added: of what the answer rests on; of very many, of all events of their kind."""
    tree = kept.answer.plan
    behind = list(ordered(kept, known)) if kept.answer.more_events else [one.iri for one in kept.answer.events]
    is_counted = 0 < len(behind) <= _MOST_COUNTED
    found = known.additions(tree, now=kept.at, among=behind if is_counted else ())
    return tuple(
        Narrower(
            one.name.replace("_", " "),
            tuple(
                _link(value, known.narrowed(tree, one.name, value), asked, count if is_counted else None)
                for value, count in one.values
            ),
        )
        for one in found
    )


def in_period(kept: Kept, asked: Asked, known: KnowledgeGraph, given: QueryParams) -> str:
    """Where it is answered of the days that `first` and `last` say. Raises UsageError for what is no day."""
    try:
        first, last = (datetime.fromisoformat(given.get(name, "")).date() for name in ("first", "last"))
    except ValueError as bad:
        raise UsageError("the first and the last day are to be dates") from bad
    return _address(known.in_period(kept.answer.plan, first, last), asked)


def _chip(part: Part, asked: Asked) -> Chip:
    others = tuple(_link(one.text, one.tree, asked, one.count) for one in part.others)
    return Chip(part.text, _address(part.without, asked) if part.without is not None else "", others, part.is_period)


def _link(text: str, tree: Node, asked: Asked, count: int | None) -> Link:
    return Link(text, _address(tree, asked), "" if count is None else f"{count:,}")


def _address(tree: Node, asked: Asked) -> str:
    return asked.with_tree(format_tree(tree)).plain.address()
