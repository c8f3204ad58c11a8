"""A question that leans on nothing stays as it is, whatever was asked before: shown with the questions of other tests,
each after one about something else. One in ten is taken, with HYPOTHESIS_PROFILE=search all (386 on 2026-11-22)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.planner.followups.followups import Earlier, FollowUps

NOW = datetime(2025, 3, 1, 12)
TESTS = Path(__file__).resolve().parents[1]
_WORDS = "How|What|Which|When|Where|Who|Did|On which|In which|how|what|which|when|where|did"
_QUESTION = re.compile(rf'"((?:{_WORDS})\b[^"{{}}\\]{{10,110}}\?)"')
_LEANS = re.compile(r"(?i)\b(that|it|those|these|they|them)\b")
BEFORE = (
    Earlier("How much money did I spend on Amazon in 2024?", ("2352.7",), "number", unit="EUR"),
    Earlier("How many runs did I do in 2024?", ("57",), "number"),
    Earlier("Which artist did I listen to most in May 2023?", ("Gwenno",), "text"),
)
REFUSED = frozenset({"How many calories did I burn?", "What was my highest heart rate?", "How many cities are there?"})
"""What may be asked of what was spoken of, too; where that has no such thing, the question itself is taken next."""


def questions() -> list[str]:
    files = [*sorted(TESTS.rglob("test_*.py")), *sorted((TESTS / "planner" / "phrasings").glob("[qs]*.json"))]
    found = {q for file in files for q in _QUESTION.findall(file.read_text(encoding="utf-8"))}
    return sorted(q for q in found if not _LEANS.search(q))


@pytest.fixture(scope="module")
def follow_ups(demo_store: Path) -> Iterator[FollowUps]:
    # Rules alone: what is tested are the self-contained questions that they make of follow-ups.
    with KnowledgeGraph.open(demo_store, Settings(proposers=("rules",))) as known:
        yield known.follow_ups(now=NOW)


def test_there_are_enough_questions() -> None:
    assert len(questions()) >= 300


@pytest.mark.long
def test_a_question_that_leans_on_nothing_stays_as_it_is(follow_ups: FollowUps) -> None:
    every = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "search" else 10
    asked = [q for q in questions()[::every] if follow_ups.reads(q) and q not in REFUSED]
    assert len(asked) >= 300 / every * 0.7
    changed: list[tuple[str, str]] = []
    for place, question in enumerate(asked):
        before = next(b for b in (*BEFORE[place % 3 :], *BEFORE) if not follow_ups.speaks_of_same(question, b))
        first = follow_ups.proposals(question, [before])[0]
        if first.question != question:
            changed.append((question, first.question))
    assert not changed
