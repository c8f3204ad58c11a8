"""Questions whose words only come near what a store knows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.store.rdf import parse_turtle

NOW = datetime(2025, 1, 1, 12)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("near")
    heard = '{"endTime": "2024-05-0%d 10:00", "artistName": "%s", "trackName": "%s", "msPlayed": 200000}'
    rows = [heard % row for row in ((1, "Radiohead", "Creep"), (2, "Radiohead", "Lucky"), (3, "ABBA", "Waterloo"))]
    (folder / "StreamingHistory0.json").write_text(f"[{', '.join(rows)}]", encoding="utf-8")
    options = IngestOptions(Settings(home_zone="Europe/Oslo"), NOW)
    ingest([folder / "StreamingHistory0.json"], folder / "store", options)
    return folder / "store"


@pytest.fixture
def known(store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(store) as opened:
        yield opened


@pytest.fixture
def modelless(store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(store, Settings(encoder="/no/such/model")) as opened:
        yield opened


def test_misspelt_words_and_values_are_answered_and_told(modelless: KnowledgeGraph) -> None:
    answer = modelless.ask("How many songz by Radiohed did I listen to?", now=NOW)
    assert answer.values == (2,)
    assert {"“songz”: read as “songs”", "“Radiohed”: read as “Radiohead”"} <= set(answer.notes)


def test_the_parse_graph_is_turtle_with_a_drawing(modelless: KnowledgeGraph) -> None:
    text = modelless.parse_graph("songs by Radiohed", now=NOW)
    assert "# songs by Radiohed\n" in text
    assert any("Value “Radiohead”" in line for line in text.splitlines() if line.startswith("#"))
    said = {str(quad.object) for quad in parse_turtle(text)}
    assert "<https://w3id.org/reqap-kg/event#artist>" in said, "the property that has the value"


def test_without_a_model_words_stay_unknown(modelless: KnowledgeGraph) -> None:
    with pytest.raises(NotUnderstood) as caught:
        modelless.plan("list my dwellings", now=NOW)
    assert caught.value.words == ("dwellings",)


@pytest.mark.long
@pytest.mark.model
def test_words_of_like_meaning_are_read_where_nothing_else_is(known: KnowledgeGraph) -> None:
    planned = known.plan("list my dwellings", now=NOW)
    assert planned.notes[0].startswith("“dwellings”: read as “")
    with pytest.raises(NotUnderstood):
        known.plan("compare asdf qwerty", now=NOW)


def test_no_model_is_loaded_where_all_words_are_known(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> object:
        raise AssertionError(f"{name} is loaded")

    monkeypatch.setattr("reqap_kg.models.encoder.load_encoder", refuse)
    with KnowledgeGraph.open(store) as opened:
        assert opened.ask("How many songs did I listen to in 2024?", now=NOW).values == (3,)
        assert opened.plan("How many songz did I listen to in 2024?", now=NOW).notes
