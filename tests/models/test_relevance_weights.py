"""Fitting the weights of the relevance score: from queries of which the meant texts are known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from reqap_kg.retrieval.relevance_score import FEATURES
from reqap_kg.training.relevance import Example, Regression, fitted, measure, quality

TELLING = FEATURES.index("agrees")


def example(number: int, life: str = "one", texts: int = 12) -> Example:
    """A query whose meant texts are just those that agree with it; all else is noise."""
    rng = random.Random(number)
    rows, meant = {}, set[str]()
    for text in range(texts):
        row = [rng.uniform(-1, 1) for _ in FEATURES]
        row[TELLING] = float(text % 3 == 0)
        rows[f"{number}-{text}"] = row
        meant |= {f"{number}-{text}"} if text % 3 == 0 else set()
    return Example(life, rows, frozenset(meant), frozenset(), frozenset())


@pytest.fixture(scope="module")
def known() -> list[Example]:
    return [example(number, "one" if number % 2 else "two") for number in range(12)]


def test_what_tells_meant_texts_from_others_is_found(known):
    found = fitted(known)
    assert found.weights[TELLING] == max(found.weights) > 3
    assert quality(example(99), found)[1] == 1.0
    mute = Regression((0.0,) * len(FEATURES), -9.0)
    assert quality(example(99), mute) == (0.0, 0.0, 0.0)


def test_what_nobody_can_say_counts_for_nothing(known):
    one = known[0]
    wrong = replace(one, meant=one.meant ^ one.evidence.keys())
    unknown = replace(wrong, ignored=frozenset(one.evidence) - {"0-0", "0-1"}, meant=one.meant)
    assert fitted([*known[1:], unknown]).weights[TELLING] > 3
    assert quality(replace(one, ignored=frozenset(one.evidence)), fitted(known)) == (1.0, 1.0, 1.0)


def test_the_same_data_and_seed_give_the_same_lines(known):
    lines = list(measure(known, folds=3, seed=1))
    assert lines == list(measure(known, folds=3, seed=1))
    assert [line.split(",")[0] for line in lines[:-2]] == ["one"] * 4 + ["two"] * 4 + ["all"] * 4
    assert lines[-2].startswith("weights fitted on all: ")
