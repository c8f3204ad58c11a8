"""Proposals that are no questions are told from those that are."""

from __future__ import annotations

import pytest

from reqap_kg.planner.followups.older import is_broken, without_repeats


@pytest.mark.parametrize(
    "text",
    [
        "When did I what was in that order the cordless drill?",
        "What is the when did the last of the mail about?",
        "How many n how many did I send in 2023?",
        "total price of was in that order",
    ],
)
def test_a_clause_in_a_noun_s_place_is_broken(text: str) -> None:
    assert is_broken(text)


@pytest.mark.parametrize(
    "text",
    [
        "How far did I run in 2024?",
        "Is (How far did I run in 2024) more than (How far did I run in 2023)?",
        "When was the longest run I did in 2023?",
    ],
)
def test_a_question_is_not(text: str) -> None:
    assert not is_broken(text)


def test_a_name_is_said_once() -> None:
    assert without_repeats("how many episodes of Dark, dark", "Dark") == "how many episodes of Dark"
