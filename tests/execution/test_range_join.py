"""Joins by sorting against trying all pairs."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.errors import TooLarge
from reqap_kg.execution.joins import range_join
from reqap_kg.execution.joins.range_join import Part, counts, gathered, nearest, pairs

TESTS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
Row = tuple[int, int]
sides = st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 9)).map(lambda p: (p[0], p[0] + p[1])), max_size=12)
conditions = st.lists(st.tuples(st.sampled_from(list(TESTS)), st.integers(0, 1), st.integers(0, 1)), max_size=4)


def parts_of(left: list[Row], right: list[Row], condition: list[tuple[str, int, int]]) -> list[Part]:
    lefts = [np.array([row[at] for row in left], np.int64) for at in (0, 1)]
    rights = [np.array([row[at] for row in right], np.int64) for at in (0, 1)]
    return [Part(operator, lefts[a], rights[b]) for operator, a, b in condition]


def naive(left: list[Row], right: list[Row], condition: list[tuple[str, int, int]]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if all(TESTS[operator](one[a], other[b]) for operator, a, b in condition)
    ]


def listed(found: Any) -> list[tuple[int, int]]:
    left, right = gathered(found)
    return sorted(zip(left.tolist(), right.tolist(), strict=True))


@given(sides, sides, conditions)
def test_pairs_are_those_of_all_pairs_that_pass(
    left: list[Row], right: list[Row], condition: list[tuple[str, int, int]]
) -> None:
    parts = parts_of(left, right, condition)
    assert listed(pairs(parts, len(left), len(right))) == naive(left, right, condition)


@given(sides, sides, conditions)
def test_counts_are_the_numbers_of_pairs(
    left: list[Row], right: list[Row], condition: list[tuple[str, int, int]]
) -> None:
    wanted = [sum(1 for i, _ in naive(left, right, condition) if i == at) for at in range(len(left))]
    assert counts(parts_of(left, right, condition), len(left), len(right)).tolist() == wanted


@given(sides, sides, conditions, st.integers(0, 1), st.integers(0, 1))
def test_nearest_keeps_the_least_distance_with_its_ties(
    left: list[Row], right: list[Row], condition: list[tuple[str, int, int]], a: int, b: int
) -> None:
    every = naive(left, right, condition)
    wanted = [
        (i, j)
        for i, j in every
        if abs(left[i][a] - right[j][b]) == min(abs(left[i][a] - right[k][b]) for h, k in every if h == i)
    ]
    parts = parts_of(left, right, [*condition, ("==", a, b)])
    shared = {id(key): key for part in parts for key in (part.left, part.right)}
    assert shared
    one, other = ([row[a] for row in left], [row[b] for row in right])
    at = next((p for p in parts[:-1] if p.right.tolist() == other), None)
    key = Part("==", np.array(one, np.int64), at.right if at is not None else np.array(other, np.int64))
    assert listed([nearest(parts[:-1], key, len(left), len(right))]) == wanted


def test_counting_an_unbounded_join_makes_no_pairs() -> None:
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, 10**9, 400_000), rng.integers(0, 10**9, 8_000)
    begin = time.perf_counter()
    found = counts([Part(">", left, right)], len(left), len(right))
    assert time.perf_counter() - begin < 2
    assert int(found.sum()) == int(np.searchsorted(np.sort(right), left, "left").sum())


def test_more_pairs_than_anybody_wants_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ones = np.zeros(100, np.int64)
    monkeypatch.setattr(range_join, "MOST_PAIRS", 9_999)
    with pytest.raises(TooLarge, match="9,999 pairs"):
        gathered(pairs([Part("<=", ones, ones)], 100, 100))
    monkeypatch.setattr(range_join, "MOST_TRIED", 9_999)
    with pytest.raises(TooLarge, match="10,000 pairs"):
        list(pairs([Part("<=", ones, ones)], 100, 100))


def test_intervals_that_overlap_try_few_pairs() -> None:
    rng = np.random.default_rng(2)
    start = np.sort(rng.integers(0, 10**9, 38_000))
    runs = rng.integers(0, 10**9, 300)
    parts = [Part("<", start, runs + 3_600), Part(">", start + 240, runs)]
    tried = min(
        range_join.ranges(parts, 38_000, 300).total,
        range_join.ranges([part.flipped() for part in parts], 300, 38_000).total,
    )
    assert tried <= 2 * len(listed(pairs(parts, 38_000, 300))) + 300
