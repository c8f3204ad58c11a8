"""What an answer states: what was counted or measured, of which events, of when, and within which limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import singledispatch
from typing import Final

from ...operators.conditions import day_across, fixed_day, operands
from ...operators.expressions import (
    Attribute,
    Boolean,
    Builtin,
    Call,
    Comparison,
    Expression,
    Field,
    Literal,
)
from ...operators.nodes import Apply, Avg, Extract, Filter, Map, Max, Min, Node, Sum, Unnest
from ...operators.resolution import Resolution
from ...operators.wording import limited
from ...store.vocabulary import Vocabulary
from ...store.words import key_words
from .nouns import Called, events_called, source_of

COUNT, LIST = "count", "list"
_FOLDS: Final = {Sum: "total", Avg: "average", Max: "greatest", Min: "least"}
_OF_TIMES: Final = {Max: "latest", Min: "earliest"}
STARTS: Final = frozenset({"start_date", "start_datetime"})
_FIRST, _LAST = date.min, date.max


@dataclass(frozen=True)
class Period:
    """The days from `first` to `last`, both with; an end that is not limited is the least or greatest date."""

    first: date = _FIRST
    last: date = _LAST

    def within(self, other: Period) -> Period:
        """What both have in common."""
        return Period(max(self.first, other.first), min(self.last, other.last))


@dataclass(frozen=True)
class Statement:
    """What an answer states: the `operation` over the `measure` of events that are `called` so, in a `period`, within
    further `limits` in words. `extreme`: one event of them is told, which alone is behind the answer."""

    operation: str
    measure: str
    called: Called
    period: Period
    limits: tuple[str, ...]

    @property
    def extreme(self) -> bool:
        """Whether the value is that of one event among them."""
        return self.operation in (_FOLDS[Max], _FOLDS[Min], *_OF_TIMES.values())


def statement_of(tree: Node, resolution: Resolution, vocabulary: Vocabulary) -> Statement | None:
    """What a tree states; None where its rows are not one event each, or are computed in other ways."""
    told = _operation(tree)
    source = source_of(told[2]) if told is not None else None
    if told is None or source is None:
        return None
    operation, measure, rows = told
    match = dict(resolution.retrieves).get(source.query)
    called, limits = events_called(source.query, match, vocabulary)
    period = Period()
    for body in _conditions(rows):
        when = period_of(body)
        if when is not None:
            period = period.within(when)
        elif not is_until_now(body):
            limits = (*limits, limited(body))
    return Statement(operation, key_words(measure), called, period, limits)


Operation = tuple[str, str, Node]


@singledispatch
def _operation(tree: Node) -> Operation | None:
    del tree
    return None


@_operation.register
def _(tree: Apply) -> Operation | None:
    if tree.function == Builtin("len") and not isinstance(tree.input, Extract | Unnest | Map):
        return COUNT, "", tree.input
    return None


@_operation.register
def _(tree: Sum | Avg | Max | Min) -> Operation | None:
    if tree.name in STARTS and type(tree) in _OF_TIMES:
        return _OF_TIMES[type(tree)], "", tree.input
    return _FOLDS[type(tree)], tree.name, tree.input


@_operation.register
def _(tree: Filter | Extract | Unnest) -> Operation | None:
    return LIST, "", tree


def _conditions(rows: Node) -> Iterator[Expression]:
    """The conditions on the rows of a tree, those that must all hold one by one."""
    node = rows
    while isinstance(node, Extract | Filter | Map | Unnest):
        if isinstance(node, Filter):
            yield from operands(node.condition.body)
        node = node.input


def is_until_now(body: Expression) -> bool:
    """Whether a condition only keeps what is to come out: `start is None or start <= now`."""
    if not isinstance(body, Boolean) or len(body.operands) != 2:
        return False
    left, right = body.operands
    missing = isinstance(left, Comparison) and left.operators == ("is",)
    return missing and isinstance(right, Comparison) and right.operators == ("<=",) and _is_start(right.left)


def _is_start(expression: Expression) -> bool:
    return isinstance(expression, Attribute) and expression.name in STARTS


def period_of(body: Expression) -> Period | None:
    """The days that a condition on the start allows, or on which something was under way; None for another
    condition."""
    across = day_across(body)
    if across is not None:
        return Period(across, across)
    if not isinstance(body, Comparison) or len(body.operators) != 1:
        return None
    left, test, right = body.left, body.operators[0], body.rights[0]
    if isinstance(left, Field) and _is_start(left.base) and left.name == "year" and test == "==":
        year = right.value if isinstance(right, Literal) else None
        return Period(date(year, 1, 1), date(year, 12, 31)) if isinstance(year, int) and 0 < year < 10_000 else None
    day = _date(right) if _is_start(left) else None
    if day is None:
        return None
    before, after = (date.fromordinal(day.toordinal() + step) for step in (-1, 1))
    limits = {">=": (day, _LAST), "<=": (_FIRST, day), "<": (_FIRST, before), ">": (after, _LAST), "==": (day, day)}
    return Period(*limits[test]) if test in limits else None


def period_in(body: Expression) -> Period | None:
    """The days that a condition allows, if it is about nothing else; what has no time passes it or not."""
    parts = body.operands if isinstance(body, Boolean) and body.operator == "and" else (body,)
    found = Period()
    for part in parts:
        one = period_of(_known(part))
        if one is None:
            return None
        found = found.within(one)
    return found


def _known(body: Expression) -> Expression:
    """`start is None or start <= now` without its first half."""
    if isinstance(body, Boolean) and body.operator == "or" and len(body.operands) == 2:
        first, second = body.operands
        if isinstance(first, Comparison) and first.operators == ("is",) and first.rights == (Literal(None),):
            return second
    return body


def _date(expression: Expression) -> date | None:
    """The day of `date(2024, 3, 1)`."""
    day = fixed_day(expression) if isinstance(expression, Call) and expression.function == "date" else None
    return day if day is not None and 1 < day.year < 9999 else None
