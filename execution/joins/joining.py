"""JOIN over columns: which pairs of rows a condition holds for (ReQAP, appendix A.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TooLarge, TreeTypeError
from ...operators.conditions import conjuncts, nearest_keys, sides
from ...operators.evaluation.evaluate import holds
from ...operators.expressions import Expression
from ...operators.names import free_names, holds_answer
from ..row_operators import Scope
from .join_sides import Keys, Side, as_days, ranked
from .range_join import Integers, Part, counts, gathered, nearest, pairs

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


def joined(condition: Condition, left: Side, right: Side) -> tuple[Integers, Integers]:
    """Positions of the pairs, in the order of the left rows, then of the right ones. Raises TooLarge, TreeTypeError."""
    columns = _columns(condition, left, right)
    near = _near(condition, left, right)
    if near is not None and not columns.rest:
        one, other = columns.nearest(*near)
    else:
        one, other = columns.pairs(left, right)
        if near is not None:
            one, other = _least(near, one, other)
    order = np.lexsort((other, one))
    return one[order], other[order]


def counted(condition: Condition, left: Side, right: Side) -> Integers:
    """How many right rows each left row is paired with. Raises TooLarge, TreeTypeError."""
    columns = _columns(condition, left, right)
    total = np.zeros(len(left), np.int64)
    if columns.rest:
        one, _ = columns.pairs(left, right)
        return np.bincount(one, minlength=len(left)).astype(np.int64)
    total[columns.rows] = counts(columns.parts, len(columns.rows), len(columns.others))
    return total


@dataclass(frozen=True)
class _Columns:
    """The rows of both sides that have every key, the parts over them, and what is left to test."""

    rows: Integers
    others: Integers
    parts: tuple[Part, ...]
    rest: tuple[Expression, ...]

    def pairs(self, left: Side, right: Side) -> tuple[Integers, Integers]:
        """The pairs, as positions in the sides."""
        one, other = gathered(pairs(self.parts, len(self.rows), len(self.others)))
        one, other = self.rows[one], self.others[other]
        if not self.rest:
            return one, other
        if len(one) > MOST_TESTED:
            raise TooLarge(f"{len(one):,} pairs would be tested one by one; add a comparison of the two sides")
        scope = left.scope.over(len(one))
        tested = (_holds(self.rest, left, right, pair, scope) for pair in zip(one, other, strict=True))
        kept = np.fromiter(tested, np.bool_, len(one))
        return one[kept], other[kept]

    def nearest(self, mine: Keys, theirs: Keys) -> tuple[Integers, Integers]:
        """The nearest pairs, as positions in the sides."""
        rows, others = mine.known[self.rows], theirs.known[self.others]
        parts = _restricted(self.parts, rows, others)
        key = theirs.numbers[self.others[others]]
        for part in parts:  # where a part compares the same key, ranges of it say all
            if np.array_equal(part.right, key):
                key = part.right
        at = Part("==", mine.numbers[self.rows[rows]], key)
        one, other = gathered(nearest(parts, at, int(rows.sum()), int(others.sum())))
        return self.rows[rows][one], self.others[others][other]


def _columns(condition: Condition, left: Side, right: Side) -> _Columns:
    keyed: list[tuple[str, Keys, Keys]] = []
    rest = list(condition.rest)
    for one, operator, other in condition.compared:
        found = _alike(left, right, one, other)
        if found is None:
            raise TreeTypeError("the two sides of a comparison in a JOIN are of different types")
        keyed.append((operator, *found))
    rows = np.flatnonzero(_all_known([mine for _, mine, _ in keyed], len(left)))
    others = np.flatnonzero(_all_known([theirs for _, _, theirs in keyed], len(right)))
    held: dict[tuple[int, bool], Integers] = {}
    parts = tuple(
        Part(operator, _taken(held, mine, rows, True), _taken(held, theirs, others, False))
        for operator, mine, theirs in keyed
    )
    return _Columns(rows, others, parts, tuple(rest))


def _taken(held: dict[tuple[int, bool], Integers], keys: Keys, rows: Integers, mine: bool) -> Integers:
    """The keys of some rows; the same array for the same keys, by which the joins tell them."""
    return held.setdefault((id(keys.numbers), mine), keys.numbers[rows])


def _restricted(parts: tuple[Part, ...], rows: np.ndarray, others: np.ndarray) -> tuple[Part, ...]:
    held: dict[int, Integers] = {}
    return tuple(
        Part(
            part.operator,
            held.setdefault(id(part.left), part.left[rows]),
            held.setdefault(id(part.right), part.right[others]),
        )
        for part in parts
    )


def _alike(left: Side, right: Side, one: Expression, other: Expression) -> tuple[Keys, Keys] | None:
    """Both keys on one scale: a day and a moment as days."""
    mine, theirs = left.keys(one), right.keys(other)
    if mine is None or theirs is None:
        return ranked(left.values(one), right.values(other))
    if "none" in (mine.kind, theirs.kind):
        return mine, theirs
    if {mine.kind, theirs.kind} == {"day", "moment"}:
        return as_days(mine), as_days(theirs)
    return (mine, theirs) if mine.kind == theirs.kind else None


def _near(condition: Condition, left: Side, right: Side) -> tuple[Keys, Keys] | None:
    if condition.nearest is None:
        return None
    found = _alike(left, right, *condition.nearest)
    if found is None or found[0].kind == "place":
        raise TreeTypeError("nearest() compares days, moments, times or numbers of one kind")
    return found


def _least(near: tuple[Keys, Keys], one: Integers, other: Integers) -> tuple[Integers, Integers]:
    mine, theirs = near
    known = mine.known[one] & theirs.known[other]
    one, other = one[known], other[known]
    apart = np.abs(mine.numbers[one] - theirs.numbers[other])
    least = np.full(len(mine.numbers), np.iinfo(np.int64).max)
    np.minimum.at(least, one, apart)
    kept = apart == least[one]
    return one[kept], other[kept]


def _all_known(keys: list[Keys], rows: int) -> np.ndarray:
    known = np.ones(rows, np.bool_)
    for key in keys:
        known &= key.known
    return known


def _holds(rest: tuple[Expression, ...], left: Side, right: Side, pair: tuple[int, int], scope: Scope) -> bool:
    names = {"i1": left.table.rows[pair[0]], "i2": right.table.rows[pair[1]]}
    return all(holds(part, scope.environment(names)) for part in rest)
