"""Exports of invented lives: read by the importers as the same events, at the same wall-clock times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.bench.lives.exports import ZONES, zone_of
from reqap_kg.bench.lives.generate import Wanted, generate
from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.store.graph import Graph

NOW = datetime(2025, 10, 1, 12)
KINDS = (
    "MusicStream",
    "MovieStream",
    "EpisodeStream",
    "Workout",
    "Purchase",
    "CalendarEntry",
    "Mail",
    "SocialPost",
    "Note",
)
VALUES = (
    *(("Workout", "workoutType"), ("Workout", "distance"), ("Purchase", "price")),
    *(("EpisodeStream", "seriesTitle"), ("MovieStream", "movieTitle")),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exports") / "lives"
    generate(made, Wanted(personas=1, seed=3, events=1500, questions=0))
    return made / "test" / "p1"


@pytest.fixture(scope="module")
def both(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Graph, Graph]]:
    stores = tmp_path_factory.mktemp("stores")
    ingest([folder / "observables.jsonl"], stores / "a", IngestOptions(Settings(), NOW))
    ingest([folder / "exports"], stores / "b", IngestOptions(Settings(), NOW))
    with KnowledgeGraph.open(stores / "a") as observables, KnowledgeGraph.open(stores / "b") as exports:
        yield observables.graph, exports.graph


def moments(graph: Graph, kind: str) -> Counter[str]:
    rows = graph.select(f"SELECT ?e (MIN(?s) AS ?start) WHERE {{ ?e a ev:{kind} ; ev:start ?s }} GROUP BY ?e")
    return Counter(start.value[:16] for _, start in rows if start is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_each_event_is_exported_at_its_time(kind: str, both: tuple[Graph, Graph]) -> None:
    shown, exported = (moments(graph, kind) for graph in both)
    assert sum(shown.values()) > 0
    missing, added = shown - exported, exported - shown
    # An hour that the clocks skip, or a film on the edge of a minute, is the only difference.
    assert sum((missing | added).values()) <= 0.01 * sum(shown.values()) + (kind == "MusicStream")


def test_texts_stay_as_they_are(both: tuple[Graph, Graph]) -> None:
    for kind, key in (("Mail", "text"), ("SocialPost", "text"), ("Note", "text"), ("CalendarEntry", "title")):
        said = [
            Counter(
                " ".join(v.value.split()) for (v,) in graph.select(f"SELECT ?v {{ ?e a ev:{kind} ; ev:{key} ?v }}") if v
            )
            for graph in both
        ]
        assert said[0] == said[1]


def test_values_of_records_stay_as_they_are(both: tuple[Graph, Graph]) -> None:
    for kind, key in VALUES:
        said = [
            Counter(_plain(v.value) for (v,) in graph.select(f"SELECT ?v {{ ?e a ev:{kind} ; ev:{key} ?v }}") if v)
            for graph in both
        ]
        assert said[0] == said[1], key


def _plain(text: str) -> str:
    try:
        return f"{float(text):.2f}"
    except ValueError:
        return text


def test_the_same_seed_exports_the_same(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "again", Wanted(personas=1, seed=3, events=1500, questions=0))
    again = tmp_path / "again" / "test" / "p1" / "exports"
    files = sorted(path.relative_to(folder) for path in (folder / "exports").rglob("*") if path.is_file())
    assert len(files) > 8
    for path in files:
        assert (folder / path).read_bytes() == (again.parent / path).read_bytes(), path


def test_homes_have_zones_and_exports_can_be_left_out(tmp_path: Path) -> None:
    assert zone_of({"lives_in": "Cork, Ireland"}) == ZONES["Cork"] == "Europe/Dublin"
    assert zone_of({}) == "UTC"
    generate(tmp_path / "bare", Wanted(personas=1, seed=3, events=300, questions=0, exports=False))
    assert not (tmp_path / "bare" / "test" / "p1" / "exports").exists()
