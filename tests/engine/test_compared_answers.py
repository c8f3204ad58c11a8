"""Follow-ups that set something against what was answered, over the demo life; right is what its exports say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from demo_life import orders, runs, songs, workouts

from reqap_kg.engine.conversation.conversation import asked
from reqap_kg.engine.conversation.turns import Turn
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.planner.followups.followups import Proposal

NOW = datetime(2025, 3, 1, 12)
pytestmark = [pytest.mark.model, pytest.mark.long]


@pytest.fixture(scope="module")
def known(read_demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(read_demo_store) as opened:
        yield opened


def said(known: KnowledgeGraph, *questions: str) -> Turn:
    turns: list[Turn] = []
    for question in questions:
        turns.append(asked(known, question, turns, now=NOW))
    return turns[-1]


def km(year: int) -> float:
    return sum(run.km or 0 for run in runs() if run.start.year == year)


def count(year: int) -> int:
    return sum(run.start.year == year for run in runs())


def spent(*months: int) -> float:
    return sum(o.total for o in orders() if o.at.year == 2024 and o.at.month in months)


def plays(artist: str, year: int) -> int:
    return sum(s.artist == artist and s.start.year == year for s in songs())


def rides(year: int) -> list[float]:
    return [w.km or 0 for w in workouts() if w.kind == "cycling" and w.start.year == year]


CASES: list[tuple[tuple[str, ...], Callable[[], Any]]] = [
    (("How far did I run in 2024?", "And in 2023?", "How much more was that?"), lambda: km(2024) - km(2023)),
    (("How many runs did I do in 2024?", "how many more than the year before?"), lambda: count(2024) - count(2023)),
    (("How many runs did I do in 2024?", "Is that more than in 2023?"), lambda: count(2024) > count(2023)),
    (("How many runs did I do in 2024?", "is that more than 60?"), lambda: count(2024) > 60),
    (("How many runs did I do in 2023?", "and in 2024?", "which year had more?"), lambda: "2024"),
    (
        ("How much did I spend on Amazon in March 2024?", "and in April?", "how much altogether?"),
        lambda: spent(3, 4),
    ),
    (
        ("How much did I spend on Amazon in March 2024?", "and in April?", "and in May?", "add them up"),
        lambda: spent(3, 4, 5),
    ),
    (("How many runs did I do in 2024?", "how many km was that?", "per run?"), lambda: km(2024) / count(2024)),
    (
        (
            "How many songs by Radiohead did I listen to in 2024?",
            "How much did I spend on Amazon in March 2024?",
            "back to the songs: how many in 2023?",
        ),
        lambda: plays("Radiohead", 2023),
    ),
    (
        ("How many songs by Radiohead did I listen to in 2024?", "which one did I hear most?"),
        lambda: "No Surprises",
    ),
    (("Which song did I listen to most in 2024?", "how many times?"), lambda: most_played(2024)),
    (("How often did I go cycling in 2023?", "all years?"), lambda: len(rides(2023) + rides(2024))),
    (("How many rides did I do in 2023?", "Which of these rides was the longest?"), lambda: max(rides(2023))),
]


def most_played(year: int) -> int:
    names = [song.name for song in songs() if song.start.year == year]
    return max(map(names.count, set(names)))


@pytest.mark.parametrize(("questions", "right"), CASES, ids=lambda v: " / ".join(v) if isinstance(v, tuple) else "")
def test_the_last_is_answered_rightly(
    questions: tuple[str, ...], right: Callable[[], Any], known: KnowledgeGraph
) -> None:
    turn = said(known, *questions)
    assert turn.answer is not None, turn.failure
    wanted = right()
    exact = isinstance(wanted, str | bool)
    assert turn.answer.values == ((wanted,) if exact else (pytest.approx(wanted, abs=0.01),)), turn.resolved


def test_what_is_compared_is_a_question_that_stands_alone(known: KnowledgeGraph) -> None:
    turn = said(known, "How far did I run in 2024?", "Is that more than in 2023?")
    assert turn.resolved == "Is (How far did I run in 2024) more than (How far did I run in 2023)?"
    assert known.ask(turn.resolved, now=NOW).values == (True,)


@dataclass(frozen=True)
class Pointing:
    """Resolves whatever is asked as a question about one event of 10 March 2024, which is answered by another."""

    known: KnowledgeGraph

    def follow_ups(self, *, now: datetime) -> Any:
        del now
        return self

    def proposals(self, question: str, earlier: object) -> list[Proposal]:
        del question, earlier
        return [Proposal("When was my last run?", "pointed to", day=date(2024, 3, 10))]

    def corrects(self, question: str) -> bool:
        del question
        return False

    def chat_context(self, now: datetime) -> Any:
        return self.known.chat_context(now)

    def reads(self, question: str) -> bool:
        return bool(question)

    def reworded(self, question: str, said: object) -> list[str]:
        del question, said
        return []

    def plan(self, question: str, *, now: datetime) -> Any:
        return self.known.plan(question, now=now)

    def ask(self, question: str, *, now: datetime, most_events: int | None = 10, explain: bool = False) -> Any:
        return self.known.ask(question, now=now, most_events=most_events, explain=explain)


def test_an_answer_about_other_events_is_none(known: KnowledgeGraph) -> None:
    turn = asked(cast(Any, Pointing(known)), "when was it?", (), now=NOW)
    assert turn.answer is None
    assert "other events" in str(turn.failure)
