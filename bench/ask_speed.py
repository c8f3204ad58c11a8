"""`ask` against the bare SPARQL of the same answer, over the demo life, in one process.

python -m reqap_kg.bench.ask_speed
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from .table import Figure


def measure(rounds: int = 5) -> list[Figure]:
    """Median milliseconds over the structured demo questions, each the best of `rounds`, and the median ratio."""
    with as_file(files("reqap_kg.examples").joinpath("demo")) as demo, tempfile.TemporaryDirectory() as folder:
        lines = (demo / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["level"] == "structured"]
        store = Path(folder) / "store"
        ingest([demo / "exports"], store, IngestOptions(Settings(), datetime.fromisoformat(rows[0]["now"])))
        with KnowledgeGraph.open(store) as known:
            asked, bare = zip(*(_question(known, row, rounds) for row in rows), strict=True)
    ratios = [a / b for a, b in zip(asked, bare, strict=True)]
    return [
        Figure(f"`ask`, median of {len(rows)} questions, store open", f"{statistics.median(asked):.0f} ms"),
        Figure("the SPARQL of the same answers alone", f"{statistics.median(bare):.0f} ms"),
        Figure("median ratio", f"{statistics.median(ratios):.1f}"),
    ]


def _question(known: KnowledgeGraph, row: dict[str, str], rounds: int) -> tuple[float, float]:
    now = datetime.fromisoformat(row["now"])
    sparql = known.ask(row["question"], now=now).sparql
    return (
        _best(lambda: known.ask(row["question"], now=now), rounds),
        _best(lambda: known.graph.select(sparql), rounds),
    )


def _best(work: Callable[[], object], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        found.append((time.perf_counter() - begin) * 1000)
    return min(found)


if __name__ == "__main__":
    for figure in measure():
        print(figure)
