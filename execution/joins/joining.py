"""JOIN over columns: which pairs of rows a condition holds for (ReQAP, appendix A.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TooLarge, TreeTypeError
from ...operators.conditions import conjuncts, nearest_keys, sides
from ...operators.evaluation.evaluate import holds
from ...operators.expressions import Expression
from ...operators.names import free_names, holds_answer
from .join_sides import Keys, Side, ranked
from .range_join import Integers, Part, counts, gathered, least, nearest, pairs

MOST_TESTED = 2_000_000
"""Pairs beyond which a condition that is no comparison of the two sides is not tried one by one."""


@dataclass(frozen=True)
class Condition:
    """A JOIN's condition in parts: of one side alone, comparisons of the two, nearest(), and whatever else."""

    left: tuple[Expression, ...]
    right: tuple[Expression, ...]
    compared: tuple[tuple[Expression, str, Expression], ...]
    nearest: tuple[Expression, Expression] | None
    rest: tuple[Expression, ...]


def parted(condition: Expression) -> Condition:
    """The parts of a condition. Raises TreeTypeError for two nearest()."""
    left, right, compared, near, rest = [], [], [], [], []
    for part in conjuncts(condition):
        names = frozenset[str]() if holds_answer(part) else free_names(part)
        if (keys := nearest_keys(part)) is not None:
            near.append(keys)
        elif names in ({"i1"}, {"i2"}):
            (left if names == {"i1"} else right).append(part)
        elif (found := sides(part)) is not None:
            compared.append(found)
        else:
            rest.append(part)
    if len(near) > 1:
        raise TreeTypeError("a JOIN's condition holds nearest() once")
    return Condition(tuple(left), tuple(right), tuple(compared), near[0] if near else None, tuple(rest))


def is_at_hand(condition: Condition, left: Side, right: Side) -> bool:
    """Whether the pairs can be found again by columns on disk alone."""
    compared = [(one, other) for one, _, other in condition.compared] + [*filter(None, (condition.nearest,))]
    return not condition.rest and all(left.is_kept(one) and right.is_kept(other) for one, other in compared)


def unknown_on_both(condition: Condition, left: Side, right: Side) -> bool:
    """Whether both sides have rows without a value that is compared: two such are equal, which is no pair here."""
    keyed = [_alike(left, right, one, other) for one, _, other in condition.compared]
    return any(found is None or not (found[0].known.all() or found[1].known.all()) for found in keyed)


def joined(condition: Condition, left: Side, right: Side) -> tuple[Integers, Integers]:
    """Positions of the pairs, in the order of the left rows, then of the right ones. Raises TooLarge, TreeTypeError."""
    columns = _columns(condition, left, right)
    if columns.near is not None and not condition.rest:
        one, other = nearest(columns.parts, columns.near, *columns.sizes)
    else:
        one, other = gathered(pairs(columns.parts, *columns.sizes))
        if condition.rest:
            kept = _tested(condition.rest, (left, right), columns.rows[one], columns.others[other])
            one, other = one[kept], other[kept]
        if columns.near is not None:
            one, other = least(columns.near, one, other, len(columns.rows))
    order = np.lexsort((other, one))
    return columns.rows[one[order]], columns.others[other[order]]


def counted(condition: Condition, left: Side, right: Side) -> Integers:
    """How many right rows each left row is paired with, by comparisons alone. Raises TooLarge, TreeTypeError."""
    columns = _columns(condition, left, right)
    total = np.zeros(len(left), np.int64)
    total[columns.rows] = counts(columns.parts, *columns.sizes)
    return total


@dataclass(frozen=True)
class _Columns:
    """The rows of both sides that have every key, the comparisons of these keys, and the keys of nearest()."""

    rows: Integers
    others: Integers
    parts: tuple[Part, ...]
    near: Part | None

    @property
    def sizes(self) -> tuple[int, int]:
        """How many rows of each side these are."""
        return len(self.rows), len(self.others)


def _columns(condition: Condition, left: Side, right: Side) -> _Columns:
    keyed: list[tuple[str, Keys, Keys]] = []
    for one, operator, other in condition.compared:
        found = _alike(left, right, one, other)
        if found is None:
            raise TreeTypeError("the two sides of a comparison in a JOIN are of different types")
        keyed.append((operator, *found))
    if condition.nearest is not None:
        found = _alike(left, right, *condition.nearest)
        if found is None or found[0].kind == "place":
            raise TreeTypeError("nearest() compares days, moments, times or numbers of one kind")
        keyed.append(("==", *found))
    rows = np.flatnonzero(_all_known([mine for _, mine, _ in keyed], len(left)))
    others = np.flatnonzero(_all_known([theirs for _, _, theirs in keyed], len(right)))
    lefts, rights = list[Integers](), list[Integers]()
    parts = [
        Part(operator, _once(lefts, mine.numbers[rows]), _once(rights, theirs.numbers[others]))
        for operator, mine, theirs in keyed
    ]
    near = parts.pop() if condition.nearest is not None else None
    return _Columns(rows, others, tuple(parts), near)


def _once(held: list[Integers], numbers: Integers) -> Integers:
    """The same array for the same numbers, by which the joins tell them."""
    same = next((one for one in held if np.array_equal(one, numbers)), None)
    if same is None:
        held.append(numbers)
    return numbers if same is None else same


def _alike(left: Side, right: Side, one: Expression, other: Expression) -> tuple[Keys, Keys] | None:
    """Both keys on one scale: a day and a moment as days."""
    mine, theirs = left.keys(one), right.keys(other)
    if mine is None or theirs is None:
        return ranked(left.values(one), right.values(other))
    if "none" in (mine.kind, theirs.kind):
        return mine, theirs
    if {mine.kind, theirs.kind} == {"day", "moment"}:
        return mine.days, theirs.days
    return (mine, theirs) if mine.kind == theirs.kind else None


def _all_known(keys: list[Keys], rows: int) -> np.ndarray:
    known = np.ones(rows, np.bool_)
    for key in keys:
        known &= key.known
    return known


def _tested(
    rest: tuple[Expression, ...], sides: tuple[Side, Side], one: Integers, other: Integers
) -> NDArray[np.bool_]:
    """Which pairs the conditions hold for that are no comparisons of the two sides. Raises TooLarge."""
    if len(one) > MOST_TESTED:
        raise TooLarge(f"{len(one):,} pairs would be tested one by one; add a comparison of the two sides")
    left, right = sides
    scope = left.scope.over(len(one))
    found = (
        all(holds(part, scope.environment({"i1": left.table.rows[a], "i2": right.table.rows[b]})) for part in rest)
        for a, b in zip(one, other, strict=True)
    )
    return np.fromiter(found, np.bool_, len(one))
