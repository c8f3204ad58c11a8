"""Pairs of rows by comparisons of numbers, found by sorting (ReQAP, appendix A.2: "a sort-merge algorithm").

One side is sorted by one of its keys; each row of the other side then bounds that key from below and above, so its
partners are a range of the sorted side. A bound on another key of the same row bounds this one too, by how far the two
lie apart at most: "the song ends before the run ends" says where it can start. So intervals that must overlap need no
bins, and comparisons that a range says completely need no pairs to be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import TooLarge
from ...operators.conditions import FLIPPED

Integers = NDArray[np.int64]

_CHUNK = 2_000_000
MOST_TRIED = 200_000_000
"""Candidate pairs beyond which a join is refused."""
MOST_PAIRS = 500_000
"""Pairs beyond which a join is refused; what only counts them makes none."""
_LOWER, _UPPER = frozenset({">", ">="}), frozenset({"<", "<="})
_TESTS: dict[str, Callable[[Integers, Integers], NDArray[np.bool_]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


@dataclass(frozen=True)
class Part:
    """`left operator right` for every pair: one number per row of each side, on one scale."""

    operator: str
    left: Integers
    right: Integers

    def flipped(self) -> Part:
        """The same with the sides exchanged."""
        return Part(FLIPPED[self.operator], self.right, self.left)


@dataclass(frozen=True)
class Ranges:
    """For each row of one side, which rows of the other may be its partners: `order[low[i]:high[i]]`.

    `exact`: they are its partners, nothing is left to test.
    """

    order: Integers
    low: Integers
    high: Integers
    exact: bool

    @property
    def counts(self) -> Integers:
        """How many candidates each row has."""
        return np.maximum(self.high - self.low, 0)

    @property
    def total(self) -> int:
        """Candidate pairs."""
        return int(self.counts.sum())


def ranges(parts: Sequence[Part], rows: int, others: int, key: Integers | None = None) -> Ranges:
    """The narrowest ranges of right rows for each left row; `key` fixes by which key the right side is sorted."""
    keys = _distinct([key] if key is not None else [p.right for p in parts if p.operator in _LOWER | _UPPER])
    equal = [part for part in parts if part.operator == "=="]
    groups = _groups(equal, rows, others) if equal else None
    options = [_ranges(at, parts, groups, rows) for at in keys or [np.zeros(others, np.int64)]]
    return min(options, key=lambda option: (option.total, not option.exact))


def pairs(parts: Sequence[Part], rows: int, others: int) -> Iterator[tuple[Integers, Integers]]:
    """The pairs that satisfy all parts, as positions on both sides, in portions. Raises TooLarge."""
    forward = ranges(parts, rows, others)
    backward = ranges([part.flipped() for part in parts], others, rows)
    turned = backward.total < forward.total
    best = backward if turned else forward
    if best.total > MOST_TRIED:
        raise TooLarge(f"the join would try {best.total:,} pairs; narrow one of its sides, or add a bound")
    for one, other in _enumerated(best):
        left, right = (other, one) if turned else (one, other)
        if not best.exact:
            kept = _kept(parts, left, right)
            left, right = left[kept], right[kept]
        yield left, right


def counts(parts: Sequence[Part], rows: int, others: int) -> Integers:
    """How many partners each left row has; pairs are only made where a range does not say it all. Raises TooLarge."""
    found = [r for key in _distinct([p.right for p in parts]) if (r := ranges(parts, rows, others, key)).exact]
    if found or not parts:
        return (found[0] if found else ranges(parts, rows, others)).counts
    total = np.zeros(rows, np.int64)
    for left, _ in pairs(parts, rows, others):
        total += np.bincount(left, minlength=rows)
    return total


def nearest(parts: Sequence[Part], at: Part, rows: int, others: int) -> tuple[Integers, Integers]:
    """For each left row those of its partners whose key is nearest to its own, all ties. Raises TooLarge.

    `at` holds the two keys; its operator does not count.
    """
    found = ranges(parts, rows, others, at.right)
    return _nearest_in(found, at) if found.exact else least(at, *gathered(pairs(parts, rows, others)), rows)


def least(at: Part, left: Integers, right: Integers, rows: int) -> tuple[Integers, Integers]:
    """Of pairs those whose keys are nearest to each other for their left row, all ties."""
    apart = np.abs(at.left[left] - at.right[right])
    best = np.full(rows, np.iinfo(np.int64).max)
    np.minimum.at(best, left, apart)
    kept = apart == best[left]
    return left[kept], right[kept]


def gathered(portions: Iterable[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    """All portions as one. Raises TooLarge where they are more than a person can want."""
    none = np.zeros(0, np.int64)
    lefts, rights, total = [none], [none], 0
    for left, right in portions:
        total += len(left)
        if total > MOST_PAIRS:
            raise TooLarge(f"the join has more than {MOST_PAIRS:,} pairs; count them, or narrow one of its sides")
        lefts.append(left)
        rights.append(right)
    return np.concatenate(lefts), np.concatenate(rights)


def _ranges(key: Integers, parts: Sequence[Part], groups: tuple[Integers, Integers] | None, rows: int) -> Ranges:
    """Ranges over the right rows sorted by group, then by key."""
    if groups is None:
        order = np.argsort(key, kind="stable")
        low, high, exact = _bounds(key[order], key, parts, rows)
        return Ranges(order, low, high, exact)
    values = np.unique(key)
    low, high, exact = _bounds(values, key, parts, rows)
    mine, theirs = groups
    width = len(values) + 1
    places = theirs * width + np.searchsorted(values, key)
    order = np.argsort(places, kind="stable")
    held = places[order]
    return Ranges(order, np.searchsorted(held, mine * width + low), np.searchsorted(held, mine * width + high), exact)


def _bounds(values: Integers, key: Integers, parts: Sequence[Part], rows: int) -> tuple[Integers, Integers, bool]:
    """For each left row the places among sorted values between which its partners' keys lie; whether that says all."""
    low, high = np.zeros(rows, np.int64), np.full(rows, len(values), np.int64)
    exact = True
    for part in parts:
        if part.operator == "==":
            continue
        exact = exact and part.right is key and part.operator != "!="
        apart = key - part.right
        if part.operator in _LOWER and len(key):  # left > right, so left + the most apart > key
            side = "left" if part.operator == ">" else "right"
            high = np.minimum(high, np.searchsorted(values, part.left + apart.max(), side))
        elif part.operator in _UPPER and len(key):
            side = "right" if part.operator == "<" else "left"
            low = np.maximum(low, np.searchsorted(values, part.left + apart.min(), side))
    return low, high, exact


def _groups(equal: Sequence[Part], rows: int, others: int) -> tuple[Integers, Integers]:
    """A number per row of both sides, the same where all equalities hold."""
    mine, theirs = np.zeros(rows, np.int64), np.zeros(others, np.int64)
    for part in equal:
        values, codes = np.unique(np.concatenate([part.left, part.right]), return_inverse=True)
        joined = np.concatenate([mine, theirs]) * (len(values) + 1) + codes
        _, dense = np.unique(joined, return_inverse=True)
        mine, theirs = dense[:rows].astype(np.int64), dense[rows:].astype(np.int64)
    return mine, theirs


def _enumerated(found: Ranges) -> Iterator[tuple[Integers, Integers]]:
    """The candidate pairs of ranges, in portions."""
    counted = found.counts
    begins = np.concatenate([[0], np.cumsum(counted)])
    at = 0
    while at < len(counted):
        end = max(at + 1, int(np.searchsorted(begins, begins[at] + _CHUNK, "right")) - 1)
        sizes = counted[at:end]
        mine = np.repeat(np.arange(at, end), sizes)
        offsets = np.arange(len(mine)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        yield mine, found.order[np.repeat(found.low[at:end], sizes) + offsets]
        at = end


def _kept(parts: Sequence[Part], left: Integers, right: Integers) -> NDArray[np.bool_]:
    kept = np.ones(len(left), np.bool_)
    for part in parts:
        kept &= _TESTS[part.operator](part.left[left], part.right[right])
    return kept


def _nearest_in(found: Ranges, at: Part) -> tuple[Integers, Integers]:
    """Within each range, which is sorted by the key: the neighbours of the row's own key, and all that equal them."""
    key = at.right[found.order]
    rows = np.flatnonzero(found.counts > 0)
    low, high, own = found.low[rows], found.high[rows], at.left[rows]
    after = _positions(key, low, high, own)
    above = np.where(after < high, np.abs(key[np.minimum(after, len(key) - 1)] - own), np.iinfo(np.int64).max)
    below = np.where(after > low, np.abs(own - key[np.maximum(after - 1, 0)]), np.iinfo(np.int64).max)
    least = np.minimum(above, below)
    starts = _positions(key, low, high, own - least)
    ends = _positions(key, low, high, own + least, right=True)
    mine, theirs = gathered(_enumerated(Ranges(found.order, starts, ends, True)))
    return rows[mine], theirs


def _positions(key: Integers, low: Integers, high: Integers, wanted: Integers, *, right: bool = False) -> Integers:
    """Where each wanted value would stand in its own sorted range, by bisection of all ranges at once."""
    low, high = low.copy(), high.copy()
    while (open_ranges := low < high).any():
        middle = (low + high) // 2
        at = key[np.minimum(middle, len(key) - 1)]
        before = open_ranges & ((at <= wanted) if right else (at < wanted))
        low = np.where(before, middle + 1, low)
        high = np.where(open_ranges & ~before, middle, high)
    return low


def _distinct(keys: Sequence[Integers]) -> list[Integers]:
    return list({id(key): key for key in keys}.values())
