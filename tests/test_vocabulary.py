"""The reference of the vocabulary is of today, and leaves no term and no function out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from vocabulary import FOLDER, pages, undescribed
from vocabulary_functions import RULES, registered
from vocabulary_json import fields_without_words, undescribed_fields

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.web.api.responses import Answer, Planned

PAGES = pages()
NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def demo(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store, Settings(proposers=("rules",), read_texts=False)) as known:
        yield known


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_of_today(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "python tests/vocabulary.py writes it anew"


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_term_is_described() -> None:
    assert undescribed() == []


def test_every_function_of_rules_is_there() -> None:
    assert set(RULES) == registered()


def test_every_field_of_the_json_is_described() -> None:
    assert fields_without_words() == []


@pytest.mark.parametrize("question", ["How many runs did I do in 2024?", "List my workouts", "Why did I run?"])
def test_answers_have_the_fields_of_the_page_and_no_others(demo: KnowledgeGraph, question: str) -> None:
    try:
        found = demo.ask(question, now=NOW, explain=True).as_json()
    except NotUnderstood as bad:
        found = demo.refused(question, bad, now=NOW).as_json()
    assert undescribed_fields(found) == []
    always = {name for name, field in Answer.model_fields.items() if field.is_required()}
    assert always <= set(found)


def test_plans_have_the_fields_of_the_page_and_no_others(demo: KnowledgeGraph) -> None:
    for plan in demo.plans("How many runs did I do in 2024?", now=NOW, top=2):
        found = plan.as_json()
        assert undescribed_fields(found, Planned) == []
        assert {name for name, field in Planned.model_fields.items() if field.is_required()} <= set(found)
