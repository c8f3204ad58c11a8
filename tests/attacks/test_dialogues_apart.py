"""Whatever is asked in chats, and answered: no question about the life is answered otherwise after it, nor shows it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from demo_questions import QUESTIONS
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import status
from reqap_kg.engine.conversation.dialogue import Dialogue
from reqap_kg.engine.conversation.journal import Journal
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import ReqapError

NOW = datetime(2025, 3, 1, 12)
SETTINGS = Settings()
QUERIES = [
    "SELECT (COUNT(*) AS ?n) { ?e ev:source ?s }",
    "SELECT DISTINCT ?class { ?e ev:source ?s ; a ?class } ORDER BY ?class",
    "SELECT (MIN(?t) AS ?first) (MAX(?t) AS ?last) { ?e ev:start ?t }",
    "SELECT ?sender (COUNT(*) AS ?n) { ?e ev:sender ?sender } GROUP BY ?sender ORDER BY ?sender",
    "SELECT (COUNT(?text) AS ?n) { ?e ev:text ?text }",
    "SELECT ?g { GRAPH ?g { ?s ev:source ?o } } GROUP BY ?g ORDER BY ?g",
]
NAMES = (
    "Leila",
    "Sjoerd",
    "Noukie",
    "Yusuf",
    "Gwenno",
    "Paddington 2",
    "pizza",
    "football",
    "egg cup",
    "me",
    "reqap-kg",
)
ANSWERS = ("57 (from 57 events).", "failed: no rule reads “swallow”", "nothing matched", "Error: the store is busy", "")


def spoken() -> st.SearchStrategy[str]:
    """Questions of the set, with names, and whatever else somebody may type."""
    named = st.builds(
        "{} {}?".format, st.sampled_from(("Who is", "When did I last meet", "Mail from")), st.sampled_from(NAMES)
    )
    return st.one_of(st.sampled_from(QUESTIONS), named, st.sampled_from(ANSWERS), st.text(min_size=1, max_size=80))


CHATS = st.lists(st.tuples(spoken(), spoken(), st.integers(0, 400 * 24 * 60)), min_size=1, max_size=12)
"""Questions, what is answered, and how many minutes ago."""


def everything(store: Path, questions: Sequence[str]) -> dict[str, Any]:
    """All that a life tells: the answers with their evidence and notes, searches, counts, statistics."""
    told: dict[str, Any] = {}
    with KnowledgeGraph.open(store, SETTINGS) as known:
        for question in questions:
            try:
                told[question] = {**known.ask(question, now=NOW).as_json(), "timings_ms": None}
            except ReqapError as bad:
                told[question] = str(bad)
        for query in QUERIES:
            told[query] = [[str(term) for term in row] for row in known.sparql(query, now=NOW).value]  # type: ignore[union-attr]
        for phrase in ("mails from Leila", "pizza", "football", "what I was asked"):
            told[phrase] = [hit.as_json() for hit in known.retrieve(phrase, now=NOW).hits]
        held = known.index.statistics
        told["statistics"] = str((held.classes, held.properties))
        told["values"] = [[value.text for value in known.index.equal_to(name)] for name in NAMES]
    found = status(store, SETTINGS)
    told["status"] = (found.sources, found.classes, found.span, found.generation)
    return told


@pytest.fixture(scope="module")
def questions(*, full_attack: bool) -> list[str]:
    """Those that are asked: all of them, or every third, which are of all kinds, too."""
    return QUESTIONS if full_attack else QUESTIONS[1::3]


@pytest.fixture(scope="module")
def before(read_demo_store: Path, questions: list[str]) -> dict[str, Any]:
    """What is told before any chat; asked twice, since the first time also derives."""
    everything(read_demo_store, questions)
    return everything(read_demo_store, questions)


def test_the_set_is_of_all_kinds(before: dict[str, Any], questions: list[str]) -> None:
    answers = [before[question] for question in questions]
    answered = [answer for answer in answers if isinstance(answer, dict) and answer["answer"]]
    assert len(set(QUESTIONS)) >= 60
    assert len(answered) >= 0.75 * len(questions)
    assert {"number", "text", "date", "boolean", "events"} <= {answer["answer_type"] for answer in answered}


def test_chats_change_nothing_of_the_life(
    read_demo_store: Path, before: dict[str, Any], questions: list[str], *, full_attack: bool
) -> None:
    @settings(
        max_examples=25 if full_attack else 2,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(CHATS)
    def changes_nothing(turns: list[tuple[str, str, int]]) -> None:
        journal = Journal(read_demo_store)
        journal.remove()
        for question, said, minutes in turns:
            journal.add("me", question, NOW - timedelta(minutes=minutes))
            journal.add("reqap-kg", said, NOW - timedelta(minutes=minutes))
        with Dialogue.open(read_demo_store, SETTINGS) as dialogue:
            dialogue.ask(turns[0][0], now=NOW)
            dialogue.ask("What did I ask you yesterday?", now=NOW)
        after = everything(read_demo_store, questions)
        changed = [key for key in before if before[key] != after[key]]
        assert not changed

    changes_nothing()
