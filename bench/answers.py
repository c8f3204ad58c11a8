"""Answers and imports written down before a change of the code, and compared after it.

    python -m reqap_kg.bench.answers record DATA OUT [--limit N]
    python -m reqap_kg.bench.answers compare BEFORE AFTER

DATA is a folder with `personas`, `timelineqa`, `temporal-memory` and `export-samples`; the life of `personas/p3` is
left alone. OUT gets a file of answers for each suite, N questions of each life at most, and `imports.jsonl`: per export
its events, its triples and a digest of these. `compare` prints what differs, and ends with 1 if anything does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError
from ..evaluation.running import RunOptions, run_suite
from ..store.generations import exists

SUITES = (("personas", "personas/p1"), ("personas", "personas/p2"), ("timelineqa", "timelineqa"),
          ("temporal-memory", "temporal-memory"))  # fmt: skip
"""Suites with the folders of their data."""
_NOW = datetime(2025, 3, 1, 12)
_IMPORTS = "imports.jsonl"
_TRIPLES = "SELECT ?s ?p ?o WHERE { GRAPH ?g { ?s ?p ?o FILTER(CONTAINS(STR(?g), 'source') && !ISBLANK(?s)) } }"


def record(data: Path, out: Path, limit: int | None) -> None:
    """Answers everything and imports everything with the code as it is."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, ExitStack() as stack:
        for suite, folder in SUITES:
            name = folder.replace("/", "-")
            options = RunOptions(stores=Path(work) / name, limit=limit, fresh=True)
            options = replace(options, suite=replace(options.suite, work=Path(work)))
            run_suite(suite, data / folder, out / f"{name}.jsonl", options)
            print(f"{name}: {len(_rows(out / f'{name}.jsonl'))} questions", flush=True)
        demo = stack.enter_context(as_file(files("reqap_kg.examples").joinpath("demo")))
        _write(out / "demo.jsonl", _demo(demo, Path(work)))
        exports = [demo / "exports", *(data / "personas" / life / "exports" for life in ("p1", "p2"))]
        exports += sorted(path for path in (data / "export-samples").iterdir() if path.is_dir())
        _write(out / _IMPORTS, (_import(path, Path(work)) for path in exports))


def _demo(demo: Path, work: Path) -> Iterator[Mapping[str, Any]]:
    """The demo's questions, each asked alone and each as the second turn after the one before."""
    ingest([demo / "exports"], work / "demo", IngestOptions(Settings(), _NOW))
    asked = [row["question"] for row in _rows(demo / "questions.jsonl")]
    with KnowledgeGraph.open(work / "demo", Settings()) as known:
        for number, question in enumerate(asked):
            for context in ([], [asked[number - 1]]):
                try:
                    found: Any = known.ask(question, now=_NOW, context=context or None).as_json()["answer"]
                except ReqapError as bad:
                    found = [f"{type(bad).__name__}: {bad}"]
                yield {"id": f"{number}{' after another' * bool(context)}", "answer": found}


def _import(export: Path, work: Path) -> Mapping[str, Any]:
    store = work / "imports" / f"{export.parent.name}-{export.name}"
    try:
        report = ingest([export], store, IngestOptions(Settings(), _NOW))
    except ReqapError as bad:
        return {"id": store.name, "answer": [f"{type(bad).__name__}: {str(bad).replace(str(export), '…')}"]}
    if not exists(store):
        return {"id": store.name, "answer": [refused.reason for refused in report.refused]}
    with KnowledgeGraph.open(store, Settings()) as known:
        query = (
            "SELECT ?s ?p ?o WHERE { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?g), 'source')) FILTER(!ISBLANK(?s)) }"
        )
        rows = sorted(" ".join(map(str, row)) for row in known.graph.select(query).rows)
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    counts = {source.name: [source.events, source.triples] for source in report.sources}
    return {"id": store.name, "answer": [counts, len(rows), digest]}


def compare(before: Path, after: Path) -> int:
    """How many answers differ between two records; says which."""
    changed = 0
    for path in sorted(path for path in before.glob("*.jsonl") if not path.name.endswith(".trace.jsonl")):
        old, new = ({row["id"]: row for row in _rows(folder / path.name)} for folder in (before, after))
        differ = [key for key in old | new if old.get(key) != new.get(key)]
        changed += len(differ)
        print(f"{path.name}: {len(old)} before, {len(new)} after, {len(differ)} differ")
        for key in differ:
            print(f"  {key}\n    before {_told(old.get(key))}\n    after  {_told(new.get(key))}")
    return changed


def _told(row: Mapping[str, Any] | None) -> str:
    return "-" if row is None else json.dumps(row.get("answer", row.get("events")), ensure_ascii=False)[:300]


def _rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def _write(path: Path, rows: Iterator[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str]) -> int:
    """Records or compares."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.answers")
    kinds = parser.add_subparsers(required=True, dest="kind")
    recording = kinds.add_parser("record")
    recording.add_argument("data", type=Path)
    recording.add_argument("out", type=Path)
    recording.add_argument("--limit", type=int, default=200)
    comparing = kinds.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args(arguments)
    if given.kind == "compare":
        return min(compare(given.before, given.after), 1)
    record(given.data, given.out, given.limit or None)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
