"""Opening a store for questions: derivations are reused, and the vocabulary is that of the package."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import StoreError
from reqap_kg.ontology.namespaces import EV, PROV, RDF_TYPE, VOCABULARY_GRAPH, derivation_graph
from reqap_kg.store.generations import open_graph
from reqap_kg.store.rdf import Literal, NamedNode, Triple

NOW = datetime(2025, 1, 1, 12)
NOTE = "---\ndate: 2024-05-01\ntitle: Leaking tap\n---\n# Leaking tap\n\nThe plumber came and changed the washer.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "tap.md").write_text(NOTE, encoding="utf-8")
    ingest([tmp_path / "tap.md"], tmp_path / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    return tmp_path / "store"


def test_the_vocabulary_of_another_version_is_brought_up_to_date(store: Path) -> None:
    with open_graph(store, write=True) as graph:
        graph.replace_graph(VOCABULARY_GRAPH, [])
    with KnowledgeGraph.open(store) as known:
        assert known.ask("How many notes did I write in 2024?", now=NOW).values == (1,)
        assert known.graph.count(VOCABULARY_GRAPH) > 500


def test_derivations_of_another_vocabulary_go(store: Path) -> None:
    activity = NamedNode(derivation_graph("old") + "#activity")
    stated = {"operator": "RETRIEVE", "query": "x", "model": "m", "dependsOn": "gen-000001-old"}
    triples = [Triple(activity, NamedNode(RDF_TYPE), NamedNode(EV + "Derivation"))]
    triples += [Triple(activity, NamedNode(EV + name), Literal(value)) for name, value in stated.items()]
    triples.append(Triple(activity, NamedNode(PROV + "endedAtTime"), Literal("2024-01-01T00:00:00")))
    with open_graph(store, write=True) as graph:
        graph.replace_graph(derivation_graph("old"), triples)
        graph.replace_graph(VOCABULARY_GRAPH, [])
    with KnowledgeGraph.open(store) as known:
        assert derivation_graph("old") not in known.graph.graphs()


def test_a_plain_answer_writes_no_derivation(store: Path) -> None:
    with KnowledgeGraph.open(store) as known:
        before = known.graph.graphs()
        answer = known.ask("How many notes did I write in 2024?", now=NOW)
        assert [event.label for event in answer.events] == ["Leaking tap"]
        assert known.graph.graphs() == before


@pytest.mark.model
def test_a_searched_answer_is_derived_once(store: Path) -> None:
    with KnowledgeGraph.open(store) as known:
        first = known.retrieve("the plumber fixed something", now=NOW)
        graphs = known.graph.graphs()
        again = known.retrieve("the plumber fixed something", now=datetime(2025, 2, 2))
        assert [hit.event.label for hit in first.hits] == ["Leaking tap"]
        assert again.hits == first.hits
        assert known.graph.graphs() == graphs
        assert any("/derived/" in iri for iri in graphs)


def test_no_store_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"), KnowledgeGraph.open(tmp_path):
        pass


@pytest.mark.parametrize(
    ("operator", "anchor", "is_told"),
    [
        ("<", 'MIN(l=FILTER(l=NOTES, filter=lambda e: e["start_date"].year == 1900), attr_name="start_date")', False),
        ("<", 'MIN(l=NOTES, attr_name="start_date")', True),
        ("not in", 'APPLY(l=NOTES, fct=lambda events: set(e["start_date"] for e in events))', True),
    ],
)
def test_a_count_beside_something_that_never_was_is_no_zero(
    store: Path, operator: str, anchor: str, is_told: bool
) -> None:
    condition = f'attr["start_date"] {operator} {anchor}.result'
    tree = f"APPLY(l=FILTER(l=NOTES, filter=lambda attr: {condition}), fct=len)"
    with KnowledgeGraph.open(store) as known:
        answer = known.run(tree.replace("NOTES", 'RETRIEVE(query="notes")'), now=NOW)
    assert answer.values == ((0,) if is_told else ())
    assert any("cannot be told which" in warning for warning in answer.warnings) is not is_told
