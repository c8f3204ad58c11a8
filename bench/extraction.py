"""EXTRACT on folders in the layout of the development personas, per key and in all.

    python -m reqap_kg.bench.extraction DIR [DIR ...]

A folder holds observables.jsonl, profile.json and extraction.jsonl ({event, key, type, value, also_accept,
nicknames}). A value is right if it is the gold one or one that is also accepted: texts without case, numbers to a
thousandth, lists as sets, in which a nickname stands for its name.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from ..config import Settings
from ..engine.admin.extraction import ExtractedValue, ExtractionRequest
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from .table import Figure


def measure(folder: Path) -> list[Figure]:
    """Exact match over all cases, then per key with its number of cases, and how long one batch takes."""
    rows = [json.loads(line) for line in (folder / "extraction.jsonl").read_text(encoding="utf-8").splitlines()]
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    with tempfile.TemporaryDirectory() as work:
        store = Path(work) / "store"
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
        with KnowledgeGraph.open(store) as known:
            begin = perf_counter()
            readings = known.extract_many(
                [ExtractionRequest(str(r["event"]), r["key"], r["type"]) for r in rows], now=now
            )
            seconds = perf_counter() - begin
    return [*_figures(folder.name, rows, readings), Figure(f"{folder.name}: seconds", f"{seconds:.1f}")]


def is_right(row: Mapping[str, Any], value: Any) -> bool:
    """Whether a value is what the gold row accepts."""
    if value is None:
        return False
    if row["type"] == "list":
        return _same_names(row["value"], value if isinstance(value, list) else [value], row.get("nicknames") or {})
    accepted = (row["value"], *(row.get("also_accept") or ()))
    return any(_same(value, gold) for gold in accepted)


def _same(value: Any, gold: Any) -> bool:
    if isinstance(gold, int | float) and isinstance(value, int | float):
        return abs(value - gold) < 0.001
    return str(value).strip().casefold() == str(gold).strip().casefold()


def _same_names(gold: Sequence[str], value: Iterable[str], nicknames: Mapping[str, str]) -> bool:
    wanted = [{name.casefold(), nicknames.get(name, name).casefold()} for name in gold]
    given = {str(name).casefold() for name in value}
    return len(given) == len(wanted) and all(given & names for names in wanted)


def _figures(name: str, rows: Sequence[Mapping[str, Any]], readings: Sequence[ExtractedValue]) -> list[Figure]:
    asked, right, silent = Counter[str](), Counter[str](), 0
    for row, reading in zip(rows, readings, strict=True):
        asked[row["key"]] += 1
        right[row["key"]] += is_right(row, reading.value)
        silent += reading.value is None
    total = sum(asked.values())
    figures = [
        Figure(f"{name}: EXTRACT, {total} cases: exact match", f"{sum(right.values()) / total:.3f}"),
        Figure(f"{name}: without a value", f"{silent / total:.3f}"),
    ]
    for key, count in asked.most_common():
        figures.append(Figure(f"{name}: {key} ({count})", f"{right[key] / count:.3f}"))
    return figures


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        for figure in measure(Path(folder)):
            print(figure)
