"""RETRIEVE against a persona's gold, so that a change which loses events is seen."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reqap_kg.models.encoder import encoder_factory
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.people import load_people
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.retrieval.retrieved import matched_events
from reqap_kg.store.generations import open_graph
from reqap_kg.store.index.index import open_index
from reqap_kg.store.index.vectors import VectorCache
from reqap_kg.store.vocabulary import load_vocabulary


@pytest.mark.model
@pytest.mark.shared_data
def test_recall_and_precision_on_a_persona(shared_data: Path, tmp_path: Path):
    persona, store = shared_data / "personas" / "p1", tmp_path / "store"
    files = [str(persona / "observables.jsonl"), str(persona / "profile.json")]
    subprocess.run([sys.executable, "-m", "reqap_kg.cli", "ingest", *files, "--store", str(store)], check=True)
    with open_graph(store, write=True) as graph:
        vocabulary = load_vocabulary(graph)
        context = RetrieveContext(
            graph=graph,
            generation=graph.generation,
            vocabulary=vocabulary,
            index=open_index(graph.index_directory, graph, vocabulary, generation=graph.generation),
            people=load_people(graph, vocabulary),
            encoder_factory=encoder_factory(),
            cache=VectorCache(graph.cache_directory),
            now="2025-01-01T00:00:00",
            index_folder=graph.index_directory,
        )
        numbers = graph.select("SELECT ?e ?id WHERE { ?e ev:sourceId ?id ; ev:start ?start }")
        ids = {event.value: int(number.value) for event, number in numbers if event and number}
        scores = [_score(json.loads(line), context, ids) for line in (persona / "retrieval.jsonl").open()]
    precision, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
    assert precision > 0.86
    assert recall > 0.87


def _score(gold, context, ids) -> tuple[float, float]:
    retrieved = resolve_retrieve(gold["query"], context)
    found = {ids[hit.event] for hit in matched_events(retrieved.match, context.graph)} - set(gold["ignore"])
    relevant = set(gold["relevant"]) - set(gold["ignore"])
    right = len(found & relevant)
    return right / len(found) if found else 0.0, right / len(relevant)
