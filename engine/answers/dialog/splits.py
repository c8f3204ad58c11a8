"""A split of an answer: the groups that one question makes of its events, each with the condition that keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....operators.expressions import Attribute as Read
from ....operators.expressions import (
    Boolean,
    Collection,
    Comparison,
    Expression,
    Field,
    Lambda,
    Literal,
    Method,
    Name,
    Not,
)
from ....operators.nodes import AttributeType, Extract, Filter, Map, Node, Unnest
from .enriching import Attribute

EVENT = Name("attr")
Members = NDArray[np.bool_]
_TIMES = (("start_date", AttributeType.DATE), ("start_time", AttributeType.TIME))


@dataclass(frozen=True)
class Group:
    """Events with something in common: what it is called, the condition on their attribute, and which they are."""

    label: str
    condition: Expression
    members: Members

    @property
    def count(self) -> int:
        """How many events it has."""
        return int(self.members.sum())


@dataclass(frozen=True)
class Split:
    """What asking for one attribute at one `grain` gives: its groups, and `rest`, all events that are in none.

    `key` is the attribute's name in trees, `read` how EXTRACT reads it; "" and None for the start, which every event
    has. `grain`: "value", "frequent" (the most frequent values), "bin", or a part of a moment: year, years, quarter,
    month, week, day, weekend, part of day.
    """

    attribute: Attribute
    grain: str
    groups: tuple[Group, ...]
    rest: Group | None
    key: str = ""
    read: AttributeType | None = None

    @property
    def all(self) -> tuple[Group, ...]:
        """The groups, the rest last."""
        return self.groups if self.rest is None else (*self.groups, self.rest)

    @property
    def bits(self) -> float:
        """How much a reply tells on average of which event is meant: the entropy of the groups."""
        counts = np.array([group.count for group in self.all], dtype=np.float64)
        shares = counts[counts > 0] / counts.sum()
        return float(-(shares * np.log2(shares)).sum())


def narrowed(tree: Node, split: Split, condition: Expression, *, lists: bool) -> Node:
    """The tree of those of its events that a condition on the split's attribute holds for: a FILTER is added, `lists`
    above a tree whose events are the answer, else below what makes values of events."""
    if not lists and isinstance(tree, Extract | Unnest | Map):
        return replace(tree, input=narrowed(tree.input, split, condition, lists=False))
    own = () if split.read is None else ((split.key, split.read),)
    if not own and not lists:
        return Filter(tree, Lambda(EVENT.identifier, condition))
    # Of a single attribute its values would be the answer, not the events.
    beside = () if not lists else _TIMES if split.read is None else _TIMES[:1]
    names, types = zip(*own, *beside, strict=True)
    return Filter(Extract(tree, names, types), Lambda(EVENT.identifier, condition))


def key_of(name: str) -> Read:
    """An attribute of the event."""
    return Read(EVENT, name)


def equals(left: Expression, value: str | float | int | bool) -> Expression:
    """`left == value`."""
    return Comparison(left, ("==",), (Literal(value),))


def among(left: Expression, values: tuple[str | int, ...]) -> Expression:
    """`left in [values]`; `left == value` for one."""
    if len(values) == 1:
        return equals(left, values[0])
    return Comparison(left, ("in",), (Collection("list", tuple(map(Literal, values))),))


def between(left: Expression, first: Expression | None, last: Expression | None) -> Expression:
    """From the first up to, but without, the last; None leaves an end open."""
    parts = []
    if first is not None:
        parts.append(Comparison(left, (">=",), (first,)))
    if last is not None:
        parts.append(Comparison(left, ("<",), (last,)))
    return parts[0] if len(parts) == 1 else Boolean("and", tuple(parts))


def part(base: Expression, name: str) -> Expression:
    """`base.year`."""
    return Field(base, name)


def weekday(base: Expression) -> Expression:
    """`base.weekday()`."""
    return Method(base, "weekday")


def any_of(conditions: tuple[Expression, ...]) -> Expression:
    """One of them, at least."""
    return conditions[0] if len(conditions) == 1 else Boolean("or", conditions)


def none_of(left: Expression, conditions: tuple[Expression, ...]) -> Expression:
    """None of them, nor any value at all: a condition over a missing value does not hold."""
    return Boolean("or", (Comparison(left, ("is",), (Literal(None),)), Not(any_of(conditions))))


def members(attribute: Attribute, chosen: Members, events: int) -> Members:
    """Which events have one of the chosen values; `chosen` is aligned with the values."""
    found = np.zeros(events, dtype=np.bool_)
    found[attribute.places[chosen]] = True
    return found


def with_rest(
    attribute: Attribute, key: str, groups: Sequence[Group], events: int, grain: str, read: AttributeType | None = None
) -> Split:
    """A split with all events that are in none of its groups as the rest."""
    left = ~np.logical_or.reduce([group.members for group in groups]) if groups else np.ones(events, dtype=np.bool_)
    conditions = tuple(group.condition for group in groups)
    if not left.any() or not groups:
        return Split(attribute, grain, tuple(groups), None, key, read)
    base = key_of(key)
    condition = none_of(base, conditions)
    return Split(attribute, grain, tuple(groups), Group("others", condition, left), key, read)
