"""De-duplication on a folder in the layout of the development personas.

    python -m reqap_kg.bench.coreference DIR [DIR ...]

A folder holds observables.jsonl, profile.json, and occurrences.jsonl ({observables}: the source ids of events that
speak of the same happening). Pairs are compared over all events of the store. Of the relevant events of each query in
retrieval.jsonl ({query, relevant, occurrences}) the happenings are counted.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..extraction.coreference.links import Linked, find_links, parted
from ..store.generations import EventGraph, open_graph
from ..store.vocabulary import load_vocabulary
from ..texts.lexicon.lexicon import load_lexicon
from .table import Figure

Pair = frozenset[str]


def measure(folder: Path) -> list[Figure]:
    """Pairwise precision and recall of the links, time, and how well happenings are counted."""
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    with tempfile.TemporaryDirectory() as work:
        store = Path(work) / "store"
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
        with open_graph(store, write=False) as graph:
            begin = perf_counter()
            linked = find_links(graph, load_vocabulary(graph), load_lexicon())
            seconds = perf_counter() - begin
            ids = source_ids(graph)
    name = folder.name
    return [
        *_pairs(name, linked, ids, folder),
        Figure(f"{name}: linking all events of the store", f"{seconds:.1f} s"),
        *_counts(name, linked, ids, folder),
    ]


def source_ids(graph: EventGraph) -> dict[str, str]:
    """The source's own id of each event."""
    rows = graph.select("SELECT ?e ?id { ?e ev:sourceId ?id ; ev:start ?start }")
    return {event.value: number.value for event, number in rows if event is not None and number is not None}


def gold_pairs(folder: Path) -> frozenset[Pair]:
    """The pairs of source ids that speak of the same happening."""
    rows = _lines(folder / "occurrences.jsonl")
    return frozenset(frozenset(pair) for row in rows for pair in combinations(map(str, row["observables"]), 2))


def _pairs(name: str, linked: Linked, ids: dict[str, str], folder: Path) -> Iterator[Figure]:
    gold = gold_pairs(folder)
    direct = {frozenset((ids[link.one], ids[link.other])) for link in linked.links}
    named = list(linked.mention_sources or ())
    joined = {frozenset(pair) for group in parted(named, linked) for pair in combinations((ids[e] for e in group), 2)}
    for what, found in (("links", direct), ("events joined", joined)):
        yield Figure(f"{name}: {what}, {len(found)} pairs of {len(gold)}: precision / recall", _quality(found, gold))


def _quality(found: Iterable[Pair], gold: frozenset[Pair]) -> str:
    pairs = set(found)
    right = len(pairs & gold)
    return f"{right / max(len(pairs), 1):.3f} / {right / max(len(gold), 1):.3f}"


def _counts(name: str, linked: Linked, ids: dict[str, str], folder: Path) -> Iterator[Figure]:
    """Of each query's relevant events, as many happenings as there are, or how many more or fewer."""
    iris = {number: iri for iri, number in ids.items()}
    rows = list(_lines(folder / "retrieval.jsonl"))
    off = [len(parted([iris[str(number)] for number in row["relevant"]], linked)) - _happenings(row) for row in rows]
    exact, missed = sum(not one for one in off), sum(map(abs, off))
    yield Figure(f"{name}: queries whose relevant events are the right number of happenings", f"{exact} of {len(rows)}")
    yield Figure(f"{name}: happenings off in all of them", f"{missed} of {sum(map(_happenings, rows))}")


def _happenings(row: dict[str, Any]) -> int:
    told = row["occurrences"]
    return told if isinstance(told, int) else len(told)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    for given in sys.argv[1:]:
        for figure in measure(Path(given)):
            print(figure)
