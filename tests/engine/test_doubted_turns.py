"""A question that rules put into other words is in doubt where the parser would be answered otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.conversation import conversation
from reqap_kg.engine.conversation.turns import Turn

NOW = datetime(2025, 3, 1, 12)


def answer(value: object, *doubt: str, kind: str = "number") -> Answer:
    values = () if value is None else (cast(Any, value),)
    return Answer("and in 2023?", values, kind, "", "", "rules", 1.0, probability=0.9, doubt=doubt)


@dataclass
class Known:
    """Knows what the parser reads, and what that is answered."""

    other: Answer | None
    asked: list[str] = field(default_factory=list[str])

    def after(self, question: str, before: object, *, now: datetime) -> Any:
        self.asked.append(question)
        planned = SimpleNamespace(in_words="the number of runs", probability=0.6)
        return SimpleNamespace(planned=planned) if self.other is not None else None

    def ask_plan(self, question: str, planned: object, *, now: datetime) -> Answer | None:
        return self.other


def doubted(own: Answer, other: Answer | None, how: str = "swapped") -> Turn:
    asking = conversation._Asking(cast(Any, Known(other)), "and in 2023?", NOW, None, False, None)
    return conversation._doubted(asking, Turn("and in 2023?", "How many runs in 2023?", own, how), (), None)


@pytest.mark.parametrize("other", [answer(3), answer(None), answer("running", kind="events"), None])
def test_what_agrees_or_says_nothing_brings_no_doubt(other: Answer | None) -> None:
    turn = doubted(answer(3), other)
    assert turn.answer == answer(3)


def test_what_differs_is_said_with_its_words_and_lowers_the_probability() -> None:
    found = doubted(answer(3), answer(4)).answer
    assert found is not None
    assert found.values == (3,)
    assert found.probability == pytest.approx(0.4)
    assert "the number of runs" in found.doubt[0]


def test_a_question_that_stays_as_it_is_and_one_in_doubt_are_not_asked_twice() -> None:
    assert doubted(answer(3), answer(4), how="").answer == answer(3)
    assert doubted(answer(3, "not sure"), answer(4)).answer == answer(3, "not sure")
