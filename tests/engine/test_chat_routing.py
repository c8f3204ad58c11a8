"""Questions about chats that rules do not read, or are unsure of: what the bundled model decides, and shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import MODEL, RULES, Settings
from reqap_kg.engine.asking.chat_routing import is_unsure
from reqap_kg.engine.asking.planned import Planned
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.models.planning.chat_router import ChatRouter

pytestmark = pytest.mark.model
NOW = datetime(2024, 3, 10, 12)
SAID = (
    ("2024-02-12T18:00", "Ada", "I adopted a puppy, her name is Biscuit."),
    ("2024-02-12T18:01", "Ben", "That is lovely! Does she bark at the postman?"),
    ("2024-03-04T10:00", "Ada", "The landlord wants 650 euros of rent for the shop."),
    ("2024-03-04T10:01", "Ben", "Too much. My bakery paid 400 last year."),
    ("2024-03-09T19:00", "Ben", "I quit the choir. Wednesdays are for pottery now."),
    ("2024-03-09T19:01", "Ada", "What did they say at the choir about last week?"),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("routing")
    log = folder / "conversation_1.json"
    rows = [{"number": n, "speaker": who, "time": f"{at}:00", "text": said} for n, (at, who, said) in enumerate(SAID)]
    log.write_text(json.dumps({"speaker_a": "Ada", "speaker_b": "Ben", "responses": rows}), encoding="utf-8")
    note = folder / "tap.md"  # what is not in chats: there a question may be about other events, too
    note.write_text(
        "---\ndate: 2024-03-01\ntitle: Tap\n---\n# Tap\n\nThe tap in the kitchen leaks.\n", encoding="utf-8"
    )
    ingest((log, note), folder / "store", IngestOptions(Settings(), NOW, "UTC"))
    return folder / "store"


@pytest.fixture(scope="module")
def known(store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(store) as graph:
        yield graph


def by_rules(known: KnowledgeGraph, question: str) -> Planned:
    return Planned.by_rules(known._planner.plan(question, now=NOW))  # pyright: ignore[reportPrivateUsage]


def core(known: KnowledgeGraph, question: str) -> str:
    return known.readings(question, now=NOW)[0].core.text


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("question", "numbers", "notes"),
    [
        ("What was the rent asked for the shop, as told on 4 March?", {2}, "by content and time"),
        ("everything from 4 March please", {2, 3}, "by time, session and speaker"),
        ("February recap", {0, 1}, "by time, session and speaker"),
        ("What's the puppy called?", {0}, "by content"),
    ],
)
def test_what_rules_do_not_read(known: KnowledgeGraph, question: str, numbers: set[int], notes: str) -> None:
    answer = known.ask(question, now=NOW)
    assert answer.planner == MODEL
    assert numbers <= {int(event.source_id) for event in answer.events if event.type == "ChatMessage"}
    assert any(notes in note for note in answer.notes)
    assert any("guess of the model" in doubt for doubt in answer.doubt)


def test_more_plans_begin_with_it_where_rules_have_none(known: KnowledgeGraph) -> None:
    found = known.plans("What was the rent asked for the shop, as told on 4 March?", now=NOW, top=5)
    assert found[0].planner == MODEL
    assert "chat messages about" in found[0].tree


def test_rules_alone_decline_them(known: KnowledgeGraph) -> None:
    with pytest.raises(NotUnderstood):
        by_rules(known, "What was the rent asked for the shop, as told on 4 March?")


def test_a_time_may_be_what_is_looked_for(known: KnowledgeGraph) -> None:
    asked = known.plan("What did Ada say about last week?", now=NOW)
    assert asked.planner == MODEL
    assert "start_date" not in asked.tree
    assert any("“last week” is taken for what is looked for" in note for note in asked.notes)
    told = known.plan("What did Ada talk about last week?", now=NOW)
    assert "start_date" in told.tree


def test_what_rules_are_sure_of_is_not_shown_to_the_model(
    known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the model was asked")

    monkeypatch.setattr(ChatRouter, "read", read)
    for question in ("What did we talk about yesterday?", "What did Ben say in the second session?"):
        assert known.plan(question, now=NOW).planner == RULES


def test_a_store_without_chats_has_no_such_model(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_text("---\ndate: 2024-05-01\ntitle: Tap\n---\n# Tap\n\nIt leaks.\n", encoding="utf-8")
    ingest((note,), tmp_path / "store", IngestOptions(Settings(), NOW, "UTC"))
    with KnowledgeGraph.open(tmp_path / "store") as known:
        with pytest.raises(NotUnderstood):
            known.ask("everything said from 4 March please, whatever", now=NOW)
        assert known.proposals.talk() is None


@pytest.mark.parametrize(
    ("question", "unsure"),
    [
        ("What did Ada say about last week?", True),
        ("What did Ada say last week?", False),
        ("What did we talk about last week?", False),
    ],
)
def test_where_rules_are_unsure(known: KnowledgeGraph, question: str, unsure: bool) -> None:
    assert is_unsure(question, by_rules(known, question), lambda: core(known, question), alone=False) is unsure
