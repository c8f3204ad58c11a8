"""Questions that data answer, and what words are in them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from derived_life import NOW as LIFE_NOW
from derived_life import without_weights

from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def demo(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as known:
        yield known


def test_examples_are_of_several_kinds_and_have_answers(demo: KnowledgeGraph) -> None:
    found = demo.examples(now=NOW)
    assert [one.question for one in found] == [
        "Which artist did I listen to most in 2024?",
        "When was my last calendar entry?",
        "How far did I run in 2024?",
        "When was the last mail from Sjoerd Wiersma?",
        "How much did I spend in 2024?",
    ]
    assert found[2].behind == "230 workouts"
    for one in found:
        answer = demo.ask(one.question, now=NOW)
        assert answer.values, one.question
        assert answer.missing is None, one.question


def test_examples_are_made_from_what_a_life_has(
    monkeypatch: pytest.MonkeyPatch, small_life: Path, tmp_path: Path
) -> None:
    from shutil import copytree

    without_weights(monkeypatch)
    with KnowledgeGraph.open(Path(copytree(small_life, tmp_path / "store"))) as known:
        assert known.examples(now=LIFE_NOW) == ()  # of each kind there are two events only


def test_words_are_said_to_be_what_they_are(demo: KnowledgeGraph) -> None:
    found = {one.word: one.says for one in demo.looked_for("How many workouts, steps and flurbs did I do in Lisbon?")}
    assert found["workouts"].startswith("230 workouts")
    assert found["flurbs"] == found["Lisbon"] == "no kind, no key, no value; in no text"
    assert "2024" not in found
    people = demo.looked_for("What did Tia say?")
    assert [one.says.split(";")[0] for one in people if one.word == "Tia"] == ["a person"]
    assert demo.looked_for("?") == ()
    assert demo.looked_for("x" * 900)[0].says == "no kind, no key, no value; in no text"


def test_rows_and_events_of_a_tree_are_found_without_more(demo: KnowledgeGraph) -> None:
    tree = 'RETRIEVE(query="I went swimming")'
    events = demo.events_of(tree, now=NOW)
    assert len(events) == len(demo.graph.select(demo.query_of(tree, now=NOW))) == 16
    assert demo.sought("I went swimming") == ()
