"""Asking again: what was made ready is run again, as long as what it rests on stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine import knowledge
from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.asking import ready
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 1, 1, 12)
NOTE = "---\ndate: 2024-0{month}-01\ntitle: Note {month}\n---\nThe plumber came.\n"
QUESTION = "How many notes did I write in 2024?"
LAST_MONTH = "How many notes did I write last month?"
COUNT = 'APPLY(l=RETRIEVE(query="notes"), fct=len)'


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnowledgeGraph]:
    for month in range(1, 6):
        (tmp_path / f"{month}.md").write_text(NOTE.replace("{month}", str(month)), encoding="utf-8")
    files = sorted(tmp_path.glob("*.md"))
    ingest(files, tmp_path / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    # Rules alone: the parser compiles a tree for each of its readings, and here trees are counted.
    with KnowledgeGraph.open(tmp_path / "store", Settings(proposers=("rules",))) as opened:
        yield opened


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was compiled, in order."""
    found: list[object] = []
    before = knowledge.ready_to_run

    def counted(*args: object, **options: object) -> object:
        found.append(args)
        return before(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(knowledge, "ready_to_run", counted)
    return found


def _timeless(answer: Answer) -> Answer:
    return replace(answer, timings_ms={})


@pytest.mark.parametrize("most_events", [0, 1, 3, None])
def test_the_same_question_has_the_same_answer_and_is_compiled_once(
    known: KnowledgeGraph, compiled: list[object], most_events: int | None
) -> None:
    first, again = (known.ask(QUESTION, now=NOW, most_events=most_events) for _ in range(2))
    assert _timeless(first) == _timeless(again)
    assert first.values == (5,)
    assert first.more_events is (most_events in (0, 1, 3))
    assert len(compiled) == 1
    assert again.timings_ms["plan"] == 0


def test_another_now_or_tree_is_another_question(known: KnowledgeGraph, compiled: list[object]) -> None:
    assert known.ask(LAST_MONTH, now=datetime(2024, 4, 10)).values == (1,)
    assert known.ask(LAST_MONTH, now=datetime(2024, 9, 10)).values == (0,)
    assert known.ask(QUESTION, now=NOW, tree=COUNT).values == (5,)
    assert known.run(COUNT, now=NOW).question == COUNT
    assert len(compiled) == 4


def test_to_explain_is_to_run_every_part_again(known: KnowledgeGraph, compiled: list[object]) -> None:
    assert known.run(COUNT, now=NOW).explained is None
    assert known.run(COUNT, now=NOW, explain=True).explained is not None
    assert known.run(COUNT, now=NOW).explained is None
    assert len(compiled) == 2


def test_what_was_removed_from_the_store_is_not_rested_on(known: KnowledgeGraph, compiled: list[object]) -> None:
    known.run(COUNT, now=NOW)
    known.graph.replace_graph("urn:new", [])
    known.run(COUNT, now=NOW)
    assert len(compiled) == 1
    known.graph.drop_graphs(["urn:new"])
    known.run(COUNT, now=NOW)
    assert len(compiled) == 2


def test_what_was_not_asked_for_longest_goes_first(
    known: KnowledgeGraph, compiled: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "MOST_KEPT", 2)
    for query in ("notes", "notes I wrote", "notes", "my notes", "notes"):
        known.run(COUNT.replace("notes", query), now=NOW)
    assert len(compiled) == 3
    known.run(COUNT.replace("notes", "notes I wrote"), now=NOW)
    assert len(compiled) == 4


def test_a_plan_that_lists_events_has_them_however_few_are_wanted_beside_a_value(known: KnowledgeGraph) -> None:
    question = "List my notes of March 2024."
    plan = known.plans(question, now=NOW, top=1)[0]
    listed = known.ask_plan(question, plan, now=NOW)
    assert listed.values == known.ask(question, now=NOW).values == ("Note 3",)
    assert not listed.more_events


def test_a_tree_that_was_run_before_is_as_likely_as_its_plan_says_now(known: KnowledgeGraph) -> None:
    planned = known.plan(QUESTION, now=NOW)
    known.ask_plan(QUESTION, planned, now=NOW)
    doubtful = replace(planned, probability=0.4, doubt=("I am not sure.",))
    answer = known.ask_plan(QUESTION, doubtful, now=NOW)
    assert (answer.probability, answer.doubt) == (0.4, ("I am not sure.",))
