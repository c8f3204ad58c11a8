"""The decomposer: what trains it, how it trains, and what the shipped weights make of questions."""

from __future__ import annotations

import pytest

from reqap_kg.planner.proposers.sketch_trees import OPERATORS
from reqap_kg.texts.tokens import pieces
from reqap_kg.training.decomposer_questions import Labelled, keys, measures, operators, questions

MADE = list(questions(600, seed=3))


def test_questions_are_the_same_for_the_same_seed() -> None:
    assert list(questions(600, seed=3)) == MADE
    assert list(questions(600, seed=4)) != MADE


def test_every_operator_is_asked_for_and_can_be_made() -> None:
    assert {one.operator for one in MADE} == set(operators())
    assert set(OPERATORS) <= set(operators())
    assert {one.key for one in MADE} <= set(keys())
    assert {one.measure for one in MADE} <= set(measures())


@pytest.mark.parametrize("one", MADE[:80], ids=lambda one: " ".join(one.words))
def test_words_are_those_that_questions_are_cut_into(one: Labelled) -> None:
    assert "{" not in " ".join(one.words)
    assert len(one.kept) == len(one.words)
    assert tuple([piece.text for piece in pieces(" ".join(one.words))]) == one.words


def test_most_questions_name_events() -> None:
    named = [one for one in MADE if one.operator != "none"]
    assert sum(any(one.kept) for one in named) > 0.98 * len(named)
