"""Follow-ups put into words by a language model: what it is shown, and what of its answers is a question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reqap_kg.errors import ModelUnreachable
from reqap_kg.planner.followups.rewording import LONGEST, Rewording, worded

EARLIER = ("How many runs did I do in 2024?", "And rides?")


def saying(*answers: str) -> Rewording:
    return Rewording(lambda messages: list(answers))


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("How many rides did I do in 2023?", "How many rides did I do in 2023?"),
        ('"How many rides did I do in 2023?"', "How many rides did I do in 2023?"),
        ("Question: how many rides\nwere there", "how many rides"),
        ("3. How many rides did I do?", "How many rides did I do?"),
        ("2023 rides count", "2023 rides count"),
        ("", ""),
        ("...", ""),
        ("a" * (LONGEST + 1), ""),
        ("How many\x07 rides?", ""),
        ("How many \u202erides?", ""),
    ],
)
def test_what_is_a_question(answer: str, question: str) -> None:
    assert worded(answer) == question


def test_what_most_answers_say_comes_first() -> None:
    found = saying("How many rides in 2022?", "How many rides in 2023?", "how many rides in 2023").questions(
        "and the year before?", EARLIER
    )
    assert found == ("How many rides in 2023?", "How many rides in 2022?")


def test_a_question_that_is_repeated_is_none() -> None:
    assert saying("And the year before").questions("and the year before?", EARLIER) == ()


def test_the_model_is_shown_questions_alone() -> None:
    shown: list[str] = []

    def complete(messages: Sequence[dict[str, str]]) -> list[str]:
        shown.extend(message["content"] for message in messages)
        return []

    Rewording(complete).questions("and the year before?", EARLIER)
    assert shown[-1] == "1. How many runs did I do in 2024?\n2. And rides?\n3. and the year before?"
    assert not any("runs did I do" in text for text in shown[:-1])


def test_without_earlier_questions_or_with_a_long_one_nothing_is_asked() -> None:
    def complete(messages: Sequence[dict[str, str]]) -> list[str]:
        raise AssertionError("asked")

    assert Rewording(complete).questions("and the year before?", ()) == ()
    assert Rewording(complete).questions("x" * (LONGEST + 1), EARLIER) == ()


def test_a_model_out_of_reach_says_nothing() -> None:
    def complete(messages: Sequence[dict[str, str]]) -> list[str]:
        raise ModelUnreachable("down")

    assert Rewording(complete).questions("and the year before?", EARLIER) == ()
