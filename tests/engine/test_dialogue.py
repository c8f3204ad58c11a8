"""Dialogues that are stored: journal, import, what a killed process leaves, and what they must not change."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.dialogue import Dialogue, keep_dialogue
from reqap_kg.engine.ingest import IngestOptions, ingest
from reqap_kg.engine.journal import Journal
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.engine.manage import forget

NOW = datetime(2024, 6, 1, 12)
SETTINGS = Settings(encoder="/no/such/model")
TURNS = """SELECT ?session ?position ?sender ?text { ?e a ev:DialogueTurn ; ev:session ?session ;
  ev:positionInSession ?position ; ev:sender ?sender ; ev:text ?text } ORDER BY ?session ?position"""
QUESTION = "How many workouts did I do in 2024?"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    runs = [
        {"source": "workout", "workout_type": "running", "start_date": f"2024-03-0{day}", "start_time": "08:00:00"}
        for day in range(1, 6)
    ]
    (tmp_path / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    ingest([tmp_path / "runs.json"], tmp_path / "store", IngestOptions(SETTINGS, NOW))
    return tmp_path / "store"


def told(store: Path) -> list[tuple[str, ...]]:
    with KnowledgeGraph.open(store, SETTINGS) as known:
        rows = known.graph.select(TURNS)
        return [tuple(term.value if term else "" for term in row) for row in rows]


def test_a_dialogue_is_in_the_store_afterwards(store: Path) -> None:
    with Dialogue.open(store, SETTINGS, now=NOW) as dialogue:
        assert dialogue.ask(QUESTION, now=NOW).answer is not None
        dialogue.ask("And in 2023?", now=NOW + timedelta(minutes=2))
        dialogue.ask("Xyzzy frobnicates?", now=NOW + timedelta(hours=2))
    found = told(store)
    assert [row[:3] for row in found] == [
        ("1", "1", "me"),
        ("1", "2", "reqap-kg"),
        ("1", "3", "me"),
        ("1", "4", "reqap-kg"),
        ("2", "1", "me"),
        ("2", "2", "reqap-kg"),
    ]
    assert found[0][3] == QUESTION
    assert "5" in found[1][3]


def test_what_was_asked_changes_no_answer(store: Path) -> None:
    for _ in range(2):
        with Dialogue.open(store, SETTINGS, now=NOW) as dialogue:
            turn = dialogue.ask(QUESTION, now=NOW)
            assert turn.answer is not None
            assert turn.answer.values == (5,)
    with KnowledgeGraph.open(store, SETTINGS) as known:
        assert known.retrieve("workouts", now=NOW).hits
        assert not any(
            "dialogue" in hit.event.type.lower() for hit in known.retrieve("how many workouts", now=NOW).hits
        )


def test_a_killed_dialogue_is_kept_by_the_next(store: Path) -> None:
    code = f"""
import os, signal
from datetime import datetime
from pathlib import Path
from reqap_kg.config import Settings
from reqap_kg.engine.dialogue import Dialogue
now = datetime(2024, 6, 1, 12)
with Dialogue.open(Path({str(store)!r}), Settings(encoder="/no/such/model"), now=now) as dialogue:
    dialogue.ask({QUESTION!r}, now=now)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert not told(store)
    with (store / "dialogue.jsonl").open("ab") as journal:
        journal.write(b'{"reqap_kg_turn": 9, "ti')  # and it was killed while it wrote
    with Dialogue.open(store, SETTINGS, now=NOW) as dialogue:
        dialogue.ask("How many workouts did I do in 2023?", now=NOW + timedelta(minutes=1))
    assert [row[2] for row in told(store)] == ["me", "reqap-kg", "me", "reqap-kg"]


def test_nothing_is_imported_twice_or_without_need(store: Path) -> None:
    assert not keep_dialogue(store, SETTINGS, now=NOW)
    Journal(store).add("me", "Hello", NOW)
    assert keep_dialogue(store, SETTINGS, now=NOW)
    before = (store / "CURRENT").read_text(encoding="ascii")
    assert not keep_dialogue(store, SETTINGS, now=NOW)
    os.remove(store / "dialogue.kept")
    assert keep_dialogue(store, SETTINGS, now=NOW)
    assert (store / "CURRENT").read_text(encoding="ascii") == before


def test_a_dialogue_can_be_forgotten_or_not_be_kept_at_all(store: Path) -> None:
    with Dialogue.open(store, SETTINGS, now=NOW) as dialogue:
        dialogue.ask(QUESTION, now=NOW)
    forget("reqap-kg", store, SETTINGS)
    assert not told(store)
    assert not keep_dialogue(store, SETTINGS, now=NOW)
    with Dialogue.open(store, SETTINGS.model_copy(update={"keep_dialogue": False}), now=NOW) as dialogue:
        dialogue.ask(QUESTION, now=NOW)
    assert not (store / "dialogue.jsonl").exists()
