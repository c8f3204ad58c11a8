"""What a question's tense says of time, put into its tree: the past stops at now, what is to come begins there.

In: a tree, from whomever, and the tense of the question. Out: the tree with a condition on the start of each RETRIEVE
whose events may lie on the wrong side of now. A period that the tree names goes first: "was I there in 2026".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

from ...compiler.rewrites.expressions import reads, with_trees
from ...operators.conditions import operands
from ...operators.evaluation.evaluate import Environment, Steps, holds
from ...operators.expressions import Attribute, Boolean, Call, Comparison, Expression, Lambda, Literal, Name
from ...operators.message_queries import is_of_messages
from ...operators.names import field_names
from ...operators.nodes import Extract, Filter, GroupBy, Map, Node, Retrieve, Unnest, answers
from ...operators.standard import STANDARD
from .tense import Tense, Told

_SAME_EVENTS: Final = (Extract, Map, Unnest, GroupBy)
"""Operators whose rows have the time of their input's, so that conditions above them speak of it."""
_DAYS: Final = 400
"""Days before and after now at which conditions on time are tried."""
_HOURS: Final = (12, 7, 20, 0, 17, 23, 9)
_FAR: Final = 36_500
_YEARS: Final = range(1900, 2200)
_MOST_STEPS: Final = 200_000
Condition = tuple[str, Expression]
"""A condition, and the name of the row that it speaks of."""


@dataclass(frozen=True)
class Bounded:
    """A tree whose events lie on the right side of now, and what the reader is told of that."""

    tree: Node
    note: str = ""


def at_now(tree: Node, told: Told, now: datetime) -> Bounded:
    """The tree as a tense has it: of the past nothing after `now`, of what is to come nothing before."""
    if told.tense is Tense.OPEN:
        return Bounded(tree)
    made = _Bounding(told, now).of(tree, ())
    if made == tree:
        return Bounded(tree)
    moment = now.isoformat(" ", "minutes")
    return Bounded(made, f"up to {moment}" if told.tense is Tense.PAST else f"from {moment} on")


@dataclass(frozen=True)
class _Bounding:
    told: Told
    now: datetime

    def of(self, node: Node, held: tuple[Condition, ...]) -> Node:
        """The node with its RETRIEVEs bounded; `held` are the conditions on its rows, each with the row's name."""
        if isinstance(node, Retrieve):
            return self._bounded(node, held)
        values: dict[str, Any] = {}
        for field in fields(node):  # type: ignore[arg-type]
            value = getattr(node, field.name)
            if isinstance(value, Node):
                values[field.name] = self.of(value, self._below(node, held) if field.name in ("input", "left") else ())
            elif isinstance(value, Expression) and any(True for _ in answers(value)):
                values[field.name] = with_trees(value, lambda tree: self.of(tree, ()))
        return replace(node, **values) if values else node  # type: ignore[type-var]

    def _below(self, node: Node, held: tuple[Condition, ...]) -> tuple[Condition, ...]:
        if isinstance(node, Filter):
            row = node.condition.parameter
            return (*held, *((row, part) for part in operands(node.condition.body)))
        if isinstance(node, GroupBy):
            return ()
        return held if isinstance(node, _SAME_EVENTS) else ()

    def _bounded(self, node: Retrieve, held: tuple[Condition, ...]) -> Node:
        """A RETRIEVE within the bounds; messages are of the past by themselves."""
        if node.source is not None:
            node = replace(node, source=self.of(node.source, ()))
        if is_of_messages(node.query) or not self._is_open([pair for pair in held if _is_of_time(*pair)]):
            return node
        return Filter(node, Lambda("attr", self._condition()))

    def _is_open(self, held: Sequence[Condition]) -> bool:
        """Whether conditions on time leave events on both sides of now, so that the tense has to part them."""
        if not held:
            return True
        before, after = (any(self._admits(held, at) for at in self._moments(held, way)) for way in (-1, 1))
        if not self.told.by_verb and (before or after):
            return False  # a period that is named goes before an adverb
        return before == after

    def _moments(self, held: Sequence[Condition], way: int) -> Iterator[datetime]:
        """Times before or after now, one at least in every period that conditions part time into."""
        yield self.now + timedelta(seconds=way)
        yield self.now + timedelta(days=way * _FAR)
        for named in sorted({moment for _, part in held for moment in _named(part)}):
            for days in (-1, 0, 1):
                yield from self._hours(named + timedelta(days=days), way)
        if all(_is_range(part) for _, part in held):
            return
        for days in range(_DAYS):
            yield _at_hour(self.now + timedelta(days=way * (days + 1)), _HOURS[days % len(_HOURS)])

    def _hours(self, day: datetime, way: int) -> Iterator[datetime]:
        moments = (day, *(_at_hour(day, hour) for hour in _HOURS))
        return (moment for moment in moments if (moment > self.now) == (way > 0))

    def _admits(self, held: Sequence[Condition], moment: datetime) -> bool:
        """Whether an event at a moment satisfies conditions."""
        values = {"date": moment.date(), "time": moment.time(), "datetime": moment}
        row = {f"{side}_{name}": value for side in ("start", "end") for name, value in values.items()}
        steps = Steps(_MOST_STEPS)
        return all(holds(part, Environment({name: row}, self.now, steps=steps)) for name, part in held)

    def _condition(self) -> Expression:
        start = Attribute(Name("attr"), "start_datetime")
        parts = (self.now.year, self.now.month, self.now.day, self.now.hour, self.now.minute, self.now.second)
        now = Call("datetime", tuple(map(Literal, parts)))
        if self.told.tense is Tense.FUTURE:
            return Comparison(start, (">=",), (now,))
        unknown = Comparison(start, ("is",), (Literal(None),))  # what has no time is not to come
        return Boolean("or", (unknown, Comparison(start, ("<=",), (now,))))


def _at_hour(moment: datetime, hour: int) -> datetime:
    return moment.replace(hour=hour, minute=0, second=0)


def _is_of_time(row: str, condition: Expression) -> bool:
    """Whether a condition speaks of an event's time alone."""
    read = reads(condition, row)
    return bool(read) and read <= STANDARD.keys() and not any(True for _ in answers(condition))


def _is_range(condition: Expression) -> bool:
    """Whether a condition compares a time with days or moments, and nothing else, so that these part time."""
    if not isinstance(condition, Comparison) or not isinstance(condition.left, Attribute):
        return False
    return condition.left.name not in ("start_time", "end_time") and all(
        isinstance(right, Call) and right.function in ("date", "datetime") for right in condition.rights
    )


def _named(condition: Expression) -> Iterator[datetime]:
    """The days and moments that a condition names, and the months of the years."""
    pending: list[object] = [condition]
    while pending:
        at = pending.pop()
        if isinstance(at, tuple):
            pending.extend(at)
        elif isinstance(at, Call) and at.function in ("date", "datetime") and len(at.arguments) >= 3:
            numbers = [one.value for one in at.arguments if isinstance(one, Literal) and isinstance(one.value, int)]
            if len(numbers) == len(at.arguments):
                yield datetime(*numbers[:6])  # type: ignore[arg-type]
        elif isinstance(at, Literal) and isinstance(at.value, int) and at.value in _YEARS:
            yield from (datetime(at.value, month, 15) for month in range(1, 13))
        elif isinstance(at, Expression):
            pending.extend(getattr(at, name) for name in field_names(type(at)))
