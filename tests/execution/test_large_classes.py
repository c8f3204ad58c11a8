"""Chats with more messages than can be read ahead: found by words, and only the best of them read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.extraction import documents
from reqap_kg.ontology.namespaces import EV
from reqap_kg.retrieval import candidates

NOW = datetime(2024, 6, 1, 12)
WORDS = ("bread", "rain", "trains", "football", "paint", "exams", "tulips", "soup", "shoes", "the dentist")
SETTINGS = Settings(encoder="/no/such/model")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeGraph]:
    monkeypatch.setattr(documents, "MANY", 50)
    log = [
        {
            "sender": "Ann" if number % 2 else "Bo",
            "time": (NOW + timedelta(hours=number - 300)).isoformat(),
            "text": "We bought a harpsichord in Ghent"
            if number == 77
            else f"I thought about {WORDS[number % 10]}, day {number}",
        }
        for number in range(200)
    ]
    (tmp_path / "talk.json").write_text(json.dumps(log), encoding="utf-8")
    ingest([tmp_path / "talk.json"], tmp_path / "store", IngestOptions(SETTINGS, NOW))
    with KnowledgeGraph.open(tmp_path / "store", SETTINGS) as opened:
        yield opened


def test_a_search_takes_only_what_has_its_words(known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    whole = candidates.found_in_large
    monkeypatch.setattr(
        candidates, "found_in_large", lambda *asked: (found := whole(*asked), taken.append(len(found)))[0]
    )
    found = known.retrieve("we got a harpsichord", now=NOW)
    assert [hit.event.label for hit in found.hits] == ["We bought a harpsichord in Ghent"]
    assert taken == [1]


def test_a_class_is_large_by_its_number_of_texts(known: KnowledgeGraph) -> None:
    assert documents.large_classes((EV + "ChatMessage", EV + "ChatSession"), known.index) == (EV + "ChatMessage",)
    assert documents.text_events(known.graph) == ()


def test_common_values_bring_no_candidates(known: KnowledgeGraph) -> None:
    sender = next(value.id for value in known.index.equal_to("Ann"))
    assert known.index.rare([sender], (EV + "ChatMessage",), most=50) == []
    rain = [value for value, _ in known.index.with_any(["rain"])]
    events = list(known.index.events_with(rain, (EV + "ChatMessage",), limit=12))
    assert len(rain) == 20
    assert len(events) == 12
    assert all(any("rain" in text for _, _, text in event.values) for event in events)
