"""RETRIEVE and answers on a folder in the layout of the development personas.

    python -m reqap_kg.bench.personas DIR [DIR ...]

A folder holds observables.jsonl and profile.json, retrieval.jsonl ({query, relevant, ignore}), and questions.jsonl
({question, now, answer, answer_type}). Precision, recall and F1 are means over queries.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..config import NO_CLASSIFIER, Settings
from ..engine.admin.neural import Retrieval
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood
from .table import Figure


def measure(folder: Path) -> list[Figure]:
    """Retrieval quality, and the share of questions whose values are exactly the gold ones (text without case)."""
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    with tempfile.TemporaryDirectory() as work:
        store = Path(work) / "store"
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
        queries = rows_of(folder / "retrieval.jsonl")
        with KnowledgeGraph.open(store, Settings(classifiers=False)) as known:
            without = [retrieval_of(known.retrieve(row["query"], now=now), row) for row in queries]
        with KnowledgeGraph.open(store) as known:
            known.read_ahead(now=now)
            found = [retrieval_of(known.retrieve(row["query"], now=now), row) for row in queries]
            right = [right_answer(known, row) for row in rows_of(folder / "questions.jsonl")]
        with KnowledgeGraph.open(store, Settings(pattern_classifier=NO_CLASSIFIER)) as known:
            every = [retrieval_of(known.retrieve(row["query"], now=now), row) for row in queries]
    name = f"{folder.name}: RETRIEVE, {len(found)} queries"
    return [
        Figure(f"{name}: precision / recall / F1", _means(found)),
        Figure(f"{name}, every candidate event classified, without patterns", _means(every)),
        Figure(f"{name}, classifiers off, nothing read ahead", _means(without)),
        Figure(f"{folder.name}: questions answered exactly", f"{sum(right)} of {len(right)}"),
    ]


def _means(rows: Sequence[tuple[float, float, float]]) -> str:
    return " / ".join(f"{statistics.mean(column):.3f}" for column in zip(*rows, strict=True))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def retrieval_of(retrieved: Retrieval, row: dict[str, Any]) -> tuple[float, float, float]:
    """Precision, recall and F1 of what a query retrieved."""
    ignored, relevant = {str(i) for i in row.get("ignore", ())}, {str(i) for i in row["relevant"]}
    found = {hit.event.source_id for hit in retrieved.hits} - ignored
    shared = len(found & relevant)
    precision = shared / len(found) if found else float(not relevant)
    recall = shared / len(relevant) if relevant else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if shared else float(not relevant)


def right_answer(known: KnowledgeGraph, row: dict[str, Any]) -> bool:
    """Whether a question is answered with exactly the gold values."""
    try:
        given = known.ask(row["question"], now=datetime.fromisoformat(row["now"])).values
    except NotUnderstood:
        given = ()
    return sorted(map(_folded, given)) == sorted(map(_folded, row["answer"]))


def _folded(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else str(value).casefold()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for figure in measure(Path(name)):
            print(figure)
