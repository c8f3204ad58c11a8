"""A source is forgotten, a few rows come: what texts tell stays in answers, and no text that stays is read twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from reqap_kg.cli.app import run
from reqap_kg.config import Settings
from reqap_kg.engine.admin.forgetting import Forgotten, forget_and_read
from reqap_kg.engine.admin.manage import forget, status
from reqap_kg.engine.derivations import derivations
from reqap_kg.engine.importing.catalog import SourceEntry
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.precompute import ahead
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.models.encoder import LightEncoder
from reqap_kg.models.reading.light_network import LightNetwork

pytestmark = pytest.mark.long
NOW = datetime(2025, 1, 1, 12)
RUNS = "How many runs did I do in 2024?"
SETTINGS = Settings(home_zone="Europe/Oslo")
LIFE = {
    "watch": [
        {"source": "workout", "workout_type": "running", "start_datetime": "2024-03-02T09:00:00"},
        {"source": "workout", "workout_type": "running", "start_datetime": "2024-04-06T09:00:00"},
    ],
    "letters": [
        {
            "source": "note", "title": "Run", "start_datetime": "2024-05-11T19:00:00",
            "text": "I went for a 7 km run along the canal this morning, in 41 minutes.",
        },
        {"source": "note", "title": "Roof", "start_datetime": "2024-05-12T19:00:00", "text": "The gutter leaks."},
    ],
    "scraps": [
        {"source": "note", "title": "Zither", "start_datetime": "2024-06-01T08:00:00", "text": "Tune the old zither."}
    ],
}  # fmt: skip


def bring(folder: Path, name: str, records: list[dict[str, str]]) -> None:
    path = folder / f"{name}.json"
    path.write_text(json.dumps([{"id": f"{name}-{n}", **row} for n, row in enumerate(records)]), encoding="utf-8")
    ingest([path], folder / "store", IngestOptions(SETTINGS, NOW, source=name))


def read(folder: Path) -> None:
    with KnowledgeGraph.open(folder / "store", SETTINGS) as known:
        known.read_ahead(now=NOW)


def forgotten(name: str, store: Path) -> Forgotten[SourceEntry]:
    return forget_and_read(partial(forget, name, store, SETTINGS), store, SETTINGS, now=NOW)


def asked(folder: Path) -> tuple[str, tuple[str, ...]]:
    with KnowledgeGraph.open(folder / "store", SETTINGS) as known:
        answer = known.ask(RUNS, now=NOW)
        return answer.text, answer.notes


@pytest.fixture(autouse=True, scope="module")
def _texts_are_read() -> Iterator[None]:
    """As outside of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KnowledgeGraph, "read_ahead", lambda self, *, now: ahead(self._context(now)))
        yield


@pytest.fixture(scope="module")
def read_life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("life")
    for name, records in LIFE.items():
        bring(folder, name, records)
    read(folder)
    return folder


@pytest.fixture
def life(read_life: Path, tmp_path: Path) -> Path:
    copytree(read_life, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The texts that models are given, as they come."""
    found: set[str] = set()
    for model, method in ((LightNetwork, "read"), (LightEncoder, "encode")):
        given = getattr(model, method)

        def spied(self, lines, given=given):
            found.update(lines)
            return given(self, lines)

        monkeypatch.setattr(model, method, spied)
    return found


def test_what_other_texts_tell_is_told_after_a_source_was_forgotten(life: Path, seen: set[str]) -> None:
    assert asked(life)[0].startswith("3 runs")
    seen.clear()
    gone = forgotten("scraps", life / "store")
    assert gone.ahead is not None
    assert gone.ahead.texts == 2
    assert not [text for text in seen if "canal" in text or "gutter" in text], "no text that stays is read twice"
    assert asked(life)[0].startswith("3 runs")


def test_a_forgotten_text_leaves_nothing_in_the_caches(life: Path) -> None:
    with sqlite3.connect(life / "store" / "cache" / "notes.sqlite") as notes:
        before = {key for (key,) in notes.execute("SELECT key FROM notes")}
    forgotten("letters", life / "store")
    with sqlite3.connect(life / "store" / "cache" / "notes.sqlite") as notes:
        after = {key for (key,) in notes.execute("SELECT key FROM notes")}
    assert after < before, "what is kept was read of the texts that stay"
    again = life / "other"
    again.mkdir()
    bring(again, "scraps", LIFE["scraps"])
    bring(again, "watch", LIFE["watch"])
    read(again)
    with sqlite3.connect(again / "store" / "cache" / "notes.sqlite") as notes:
        assert after == {key for (key,) in notes.execute("SELECT key FROM notes")}


def test_nothing_is_read_where_nothing_was(tmp_path: Path, seen: set[str]) -> None:
    for name, records in LIFE.items():
        bring(tmp_path, name, records)
    assert forgotten("scraps", tmp_path / "store").ahead is None
    assert not seen


def test_a_few_rows_cost_a_few_rows(life: Path, seen: set[str]) -> None:
    bring(life, "more", [{**LIFE["scraps"][0], "text": "Oil the hinges of the shed.", "title": "Shed"}])
    read(life)
    told = [text for text in seen if any(word in text for word in ("canal", "gutter", "zither"))]
    assert any("hinges" in text for text in seen)
    assert not told
    assert asked(life)[0].startswith("3 runs")


def test_rows_without_texts_change_nothing_that_was_read(life: Path, seen: set[str]) -> None:
    made = {d.info.graph: d.info.ended for d in status(life / "store", SETTINGS).derivations}
    bring(life, "birds", [{"source": "sighting", "species": "Chough", "start_datetime": "2024-06-02T08:00:00"}])
    facts = (life / "store" / "gen-000004" / "index" / "facts.json").read_bytes()
    with KnowledgeGraph.open(life / "store", SETTINGS) as known:
        assert {d.info.graph: d.info.ended for d in status_of(known)} == made
        known.read_ahead(now=datetime(2026, 1, 1))
        assert {d.info.graph: d.info.ended for d in status_of(known)} == made
    assert (life / "store" / "gen-000004" / "index" / "facts.json").read_bytes() == facts
    assert not [text for text in seen if any(word in text for word in ("canal", "gutter", "zither"))]


def status_of(known: KnowledgeGraph):
    return derivations(known.graph)


def test_what_is_not_read_is_said_with_the_command_that_helps(life: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(life / "store")
    assert run(["forget", "--derived", "--store", store]) == 0
    assert "reqap-kg index" in capsys.readouterr().out
    text, notes = asked(life)
    assert text.startswith("2 runs")
    assert any("reqap-kg index" in note for note in notes)
    assert run(["index", "--store", store]) == 0
    assert asked(life)[0].startswith("3 runs")


def test_the_command_forgets_and_reads(life: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["forget", "scraps", "--store", str(life / "store"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["forgotten"] == "scraps"
    assert told["index"]["texts"] == 2
