"""How a question was read, part by part: what is told, of which events, of when, under which conditions; each with the
trees that it becomes without the part, or with another in its place.

    parts = parts_of(tree, about)
    parts[1].text, parts[1].without     # "type: running", the tree of all workouts

A tree is changed, never the words of the question: what else it says stays as it was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from ...operators.conditions import day_across, on_or_across, operands, written_day
from ...operators.expressions import Attribute, Boolean, Builtin, Comparison, Expression, Lambda, Literal, Method, Node
from ...operators.nodes import Apply, AttributeType, Avg, Extract, Filter, Max, Min, Retrieve, Sum, children, rebuilt
from ...operators.resolution import ClassMatch, Constraint
from ...operators.standard import STANDARD
from ...operators.wording import limited
from ...texts.words import plural
from ..answers.formats import period_in_words
from ..answers.statement import Period, is_until_now, period_of
from .offers import ROW, Offers, is_value, narrowed, with_condition, with_events, without_condition

START = "start_date"


class Role(StrEnum):
    """What a part says."""

    MEASURE = "measure"
    EVENTS = "events"
    PERIOD = "period"
    CONDITION = "condition"


@dataclass(frozen=True)
class Change:
    """What may stand in a part's place, and the tree that it leads to; `count` is how many events have it, where
    nothing else in the tree leaves fewer."""

    text: str
    tree: Node
    count: int | None = None


@dataclass(frozen=True)
class Part:
    """One part of a tree in words; `without` is the tree without it, where there is one."""

    role: Role
    text: str
    without: Node | None = None
    others: tuple[Change, ...] = ()

    @property
    def is_period(self) -> bool:
        """Whether it says when."""
        return self.role == Role.PERIOD


@dataclass(frozen=True)
class _Held:
    """Parts of the condition of one FILTER."""

    filter: Filter
    parts: tuple[Expression, ...]


def parts_of(tree: Node, offers: Offers) -> tuple[Part, ...]:
    """The parts of a tree, as they are read; what only keeps what is to come out is not told."""
    events = events_of(tree)
    if events is None:
        return ()
    periods, conditions = _conditions(tree)
    found = (
        *_events(tree, events, offers),
        *(_condition(tree, events, held, offers) for held in conditions),
        *_period(tree, periods, offers),
        *_measure(tree, events, offers),
    )
    limits = sum(part.role in (Role.CONDITION, Role.PERIOD) for part in found)
    return tuple(_uncounted(part) if limits > (part.role == Role.CONDITION) else part for part in found)


def _uncounted(part: Part) -> Part:
    """A part without how many events what may stand in its place has: other parts leave fewer."""
    return replace(part, others=tuple(replace(one, count=None) for one in part.others))


def events_of(tree: Node) -> Retrieve | None:
    """The events that a tree is about, first of all; None where it is about none of its own."""
    return next((node for node in _rows(tree) if isinstance(node, Retrieve) and node.source is None), None)


def with_period(tree: Node, first: date, last: date) -> Node:
    """The tree about what began on these days."""
    periods, _ = _conditions(tree)
    limits = _days(first, last)
    is_across = any(day_across(part) is not None for held in periods for part in held.parts)
    if is_across and first == last:
        limits = (on_or_across(ROW.identifier, first),)
    if periods:
        tree = with_condition(tree, periods[0].filter, periods[0].parts, limits)
        for held in periods[1:]:
            tree = without_condition(tree, held.filter, held.parts)
        return tree
    events = events_of(tree)
    return tree if events is None else narrowed(tree, events, START, AttributeType.DATE, Boolean("and", limits))


# ---------------------------------------------------------------- conditions
def _conditions(tree: Node) -> tuple[list[_Held], list[_Held]]:
    """Periods and other conditions on the rows of a tree, those nearest to the events first."""
    periods: list[_Held] = []
    others: list[_Held] = []
    for node in reversed(list(_rows(tree))):
        if not isinstance(node, Filter):
            continue
        told = [part for part in operands(node.condition.body) if not is_until_now(part)]
        when = tuple(part for part in told if period_of(part) is not None)
        if when:
            periods.append(_Held(node, when))
        others += [_Held(node, (part,)) for part in told if part not in when]
    return periods, others


def _rows(tree: Node) -> Iterator[Node]:
    """The nodes from the root down to the events."""
    node: Node | None = tree
    while node is not None:
        yield node
        node = next(iter(children(node)), None)


def _condition(tree: Node, events: Retrieve, held: _Held, offers: Offers) -> Part:
    (body,) = held.parts
    found = _value_of(body)
    if found is None:
        return Part(Role.CONDITION, limited(_timeless(body)), without_condition(tree, held.filter, held.parts))
    name, value = found
    others = tuple(
        Change(other, with_condition(tree, held.filter, held.parts, (is_value(name, other),)), count)
        for other, count in offers.values_of(events.query, name)
        if other.casefold() != value.casefold()
    )
    text = f"{name.replace('_', ' ')}: {value}"
    return Part(Role.CONDITION, text, without_condition(tree, held.filter, held.parts), others)


def _timeless(body: Expression) -> Expression:
    """The condition without what only keeps what is to come out of the trees in it."""

    def change(node: Node) -> Node:
        return node.input if isinstance(node, Filter) and is_until_now(node.condition.body) else node

    held = rebuilt(Filter(Retrieve("events"), Lambda(ROW.identifier, body)), change)
    return held.condition.body if isinstance(held, Filter) else body


def _value_of(body: Expression) -> tuple[str, str] | None:
    """The attribute and the text that it must be; also where it may be unknown."""
    if isinstance(body, Boolean) and body.operator == "or" and len(body.operands) == 2:
        first, second = body.operands
        return _value_of(second) if isinstance(first, Comparison) and first.operators == ("is",) else None
    if not isinstance(body, Comparison) or body.operators != ("==",):
        return None
    left, right = body.left, body.rights[0]
    if isinstance(left, Method) and left.name == "lower":
        left = left.base
    if isinstance(left, Attribute) and isinstance(right, Literal) and isinstance(right.value, str):
        return left.name, right.value
    return None


# ---------------------------------------------------------------- periods
def _period(tree: Node, periods: list[_Held], offers: Offers) -> Iterator[Part]:
    found = Period()
    for held in periods:
        for part in held.parts:
            found = found.within(period_of(part) or Period())
    said = period_in_words(found, offers.locale)
    if not said:
        return
    without = tree
    for held in periods:
        without = without_condition(without, held.filter, held.parts)
    others = tuple(
        Change(period_in_words(one, offers.locale), with_period(tree, one.first, one.last))
        for one in _neighbours(found, offers)
    )
    yield Part(Role.PERIOD, said, without, others)


def _neighbours(period: Period, offers: Offers) -> Iterator[Period]:
    """Periods as long before and after it that the data have something of; of a year, all years."""
    first, last = period.first, period.last
    span = offers.span
    if date.min in (first, last) or date.max in (first, last) or span is None:
        return
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        years = (Period(date(year, 1, 1), date(year, 12, 31)) for year in range(span[0].year, span[1].year + 1))
        yield from (one for one in years if one != period)
        return
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        moved = (
            Period(_month(first, step), _month(first, step + months) - timedelta(days=1)) for step in (-months, months)
        )
    else:
        days = last - first + timedelta(days=1)
        moved = (Period(first + step, last + step) for step in (-days, days))
    yield from (one for one in moved if one.last >= span[0] and one.first <= span[1])


def _month(day: date, months: int) -> date:
    """The first of a month, so many months on."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def _days(first: date, last: date) -> tuple[Expression, ...]:
    def limit(sign: str, day: date) -> Expression:
        return Comparison(Attribute(ROW, START), (sign,), (written_day(day),))

    return limit(">=", first), limit("<=", last)


# ---------------------------------------------------------------- events
def _events(tree: Node, events: Retrieve, offers: Offers) -> Iterator[Part]:
    match = offers.match_of(events.query)
    kind = offers.kind_of(match)
    if kind is None or not isinstance(match, ClassMatch):
        yield Part(Role.EVENTS, f"“{events.query}”")
        return
    others = tuple(
        Change(plural(label), with_events(tree, events, plural(label)), count)
        for label, count in offers.kinds
        if label != kind
    )
    yield Part(Role.EVENTS, plural(kind), None, others)
    for one in match.constraints:
        yield _constraint(tree, events, kind, match, one, offers)


def _constraint(tree: Node, events: Retrieve, kind: str, match: ClassMatch, one: Constraint, offers: Offers) -> Part:
    """What a phrase limits its kind to: "type: running" of "runs"."""
    name = offers.name_of(one.property)
    whole = with_events(tree, events, plural(kind))
    bare = Retrieve(plural(kind), events.source)
    for other in match.constraints:
        if other != one:
            whole = _limited(whole, bare, other, offers)
    others = tuple(
        Change(value, narrowed(whole, bare, name, AttributeType.STR, is_value(name, value)), count)
        for value, count in offers.values(one.property, match)
        if value.casefold() not in {said.casefold() for said in one.values}
    )
    return Part(Role.CONDITION, f"{name.replace('_', ' ')}: {' or '.join(one.values)}", whole, others)


def _limited(tree: Node, events: Retrieve, limit: Constraint, offers: Offers) -> Node:
    name = offers.name_of(limit.property)
    each = tuple(is_value(name, value) for value in limit.values)
    return narrowed(tree, events, name, AttributeType.STR, each[0] if len(each) == 1 else Boolean("or", each))


# ---------------------------------------------------------------- measures
def _measure(tree: Node, events: Retrieve, offers: Offers) -> Iterator[Part]:
    found = measure_of(tree, offers.numbers_of(events.query))
    if found is not None:
        others = tuple(Change(text, other) for text, other in found.others)
        yield Part(Role.MEASURE, found.text, None, others)


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
