"""Answers that say how sure they are, over the demo life."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from warehouse import SETTINGS

from reqap_kg.engine.answers.answer import RECORDS, TOLD
from reqap_kg.engine.asking.guide import QUESTIONS
from reqap_kg.engine.asking.refusal import examples_of
from reqap_kg.engine.authoring.domain import domain_of
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import Declined, NotUnderstood, UsageError

NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


@pytest.mark.model
def test_a_plain_question_of_records_is_sure(known: KnowledgeGraph) -> None:
    found = known.ask("How many runs did I do in 2024?", now=NOW)
    assert found.probability > 0.75
    assert found.doubt == ()
    assert found.as_json()["probability"] == found.probability


@pytest.mark.model
def test_nothing_left_of_what_texts_tell_is_less_sure_than_nothing_recorded(known: KnowledgeGraph) -> None:
    told = known.ask("How often did I eat Italian food in July 2024?", now=NOW)
    recorded = known.ask("How often did I go running on 1 January 2024?", now=NOW)
    assert told.values == recorded.values == (0,)
    assert (told.basis, recorded.basis) == (TOLD, RECORDS)
    assert told.probability < 0.85 < recorded.probability


@pytest.mark.model
def test_a_name_that_no_text_has_restricts_to_nothing(known: KnowledgeGraph) -> None:
    found = known.ask("When was the Hozier concert?", now=NOW)
    assert found.answer_type == "none"
    assert "Hozier" in found.text
    assert len(known.ask("When was the Khruangbin concert?", now=NOW).values) == 1


@pytest.mark.model
@pytest.mark.parametrize("aside", ["honestly", "mind you", "bless her", "to be honest"])
def test_asides_are_no_content(known: KnowledgeGraph, aside: str) -> None:
    plain = known.ask("How many runs did I do in 2024?", now=NOW)
    found = known.ask(f"How many runs did I do in 2024, {aside}?", now=NOW)
    assert found.values == plain.values
    assert aside not in found.plan


@pytest.mark.parametrize("when", ["since I moved to Vladivostok", "while I worked at Pixar", "before I lived in Quito"])
def test_what_cannot_be_dated_is_not_zero(known: KnowledgeGraph, when: str) -> None:
    with pytest.raises(Declined, match="your profile does not say"):
        known.ask(f"How many runs did I do {when}?", now=NOW)


@pytest.mark.model
@pytest.mark.parametrize("question", ["Which of my runs was the longest?", "which run was my longest"])
def test_which_is_not_answered_by_a_measure(known: KnowledgeGraph, question: str) -> None:
    try:
        found = known.ask(question, now=NOW)
    except NotUnderstood:
        return
    assert found.answer_type in ("text", "events", "none")


@pytest.mark.model
def test_the_unit_asked_for_is_that_of_the_answer(known: KnowledgeGraph) -> None:
    minutes = known.ask("How many minutes did I run in 2024?", now=NOW)
    hours = known.ask("How many hours did I run in 2024?", now=NOW)
    assert (minutes.unit, hours.unit) == ("min", "h")
    assert minutes.values[0] == pytest.approx(60 * float(hours.values[0]))


def test_what_can_be_asked_works(known: KnowledgeGraph) -> None:
    found = known.ask("What can I ask?", now=NOW)
    assert len(found.values) == QUESTIONS
    for question in found.values:
        assert known.ask(str(question), now=NOW).answer_type != "none"
    assert all(str(question) in found.text for question in found.values)


def test_a_domain_offers_its_own_questions(resorts: Path) -> None:
    with KnowledgeGraph.open(resorts, SETTINGS) as known:
        found = known.ask("What can I ask?", now=NOW)
        assert set(found.values) <= set(examples_of(domain_of(known.settings.domain)))
        assert found.values


def test_a_question_without_end_is_not_looked_at(known: KnowledgeGraph) -> None:
    with pytest.raises(UsageError):
        known.ask("what can I ask " * 20_000, now=NOW)


def test_a_person_is_told_of_in_words(known: KnowledgeGraph) -> None:
    person = next(one for one in known._people.people if not one.owner and one.relation)
    found = known.ask(f"Tell me about {person.names[0]}", now=NOW)
    assert f"is your {person.relation}" in found.text


def test_nothing_is_told_of_what_nobody_knows(known: KnowledgeGraph) -> None:
    with pytest.raises(NotUnderstood):
        known.ask("Tell me about qxzizvkuwo", now=NOW)
