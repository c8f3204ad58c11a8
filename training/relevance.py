"""Fits the weights of the relevance score (`retrieval/relevance_score.py`) on lives whose meant events are known.

    python -m reqap_kg.training.relevance LIFE LIFE... [--folds N] [--seed N]

A life is a folder with `observables.jsonl`, `profile.json` and `retrieval.jsonl` (as of the development personas, or of
`bench.lives.annotated`). Each query that is searched goes through stages 1 to 3 of RETRIEVE; the texts that stay open
are the examples. Printed are precision, recall and F1 of the texts that stage 4 keeps, as means over queries: with the
weights in force, with weights fitted on the other lives, and with weights fitted on all queries but those of the own
fold (`--seed` draws the folds). Last come the weights fitted on all, to be put into
`relevance_score.py` where they are better. The same data and seed give the same output.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..extraction.documents import TEXT_CLASSES
from ..retrieval.candidate_set import Search, find_models
from ..retrieval.candidates import find_candidates
from ..retrieval.classify_events import classifier_opinions, meant_texts, text_evidence
from ..retrieval.context import RetrieveContext
from ..retrieval.patterns import classify_patterns, find_patterns
from ..retrieval.phrases.named import entries_on_topic, named_events, read_query
from ..retrieval.relevance_score import FEATURES, INTERCEPT, WEIGHTS, weighed
from .coreference import fit


@dataclass(frozen=True)
class Example:
    """A query of a life: what stage 4 knows of its texts, and which texts are meant; `kept` were kept before stage 4,
    of `ignored` nobody can say."""

    life: str
    evidence: Mapping[str, Sequence[float]]
    meant: frozenset[str]
    kept: frozenset[str]
    ignored: frozenset[str]


@dataclass(frozen=True)
class Regression:
    """Weights in the order of FEATURES, and the intercept."""

    weights: tuple[float, ...] = WEIGHTS
    intercept: float = INTERCEPT


def read_life(folder: Path) -> list[Example]:
    """Imports a life, reads its texts, and gives its examples."""
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    with tempfile.TemporaryDirectory() as work:
        store = Path(work) / "store"
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
        with KnowledgeGraph.open(store) as known:
            known.read_ahead(now=now)
            return list(examples(folder, known._context(now)))


def examples(folder: Path, context: RetrieveContext) -> Iterator[Example]:
    """The queries of a life that are searched, as examples; `context` is of a store of this life."""
    rows = context.graph.select("SELECT ?id ?e WHERE { ?e ev:sourceId ?id ; a ?class }")
    texts = {event.iri for event in context.index.events_of(tuple(TEXT_CLASSES))}
    named = {number.value: event.value for number, event in rows if number and event and event.value in texts}

    def events(numbers: Iterable[Any]) -> frozenset[str]:
        return frozenset(named[str(number)] for number in numbers if str(number) in named)

    for row in map(json.loads, (folder / "retrieval.jsonl").read_text(encoding="utf-8").splitlines()):
        read = read_query(row["query"], context)
        told = entries_on_topic(read, context)
        if named_events(read, told, context) is not None:
            continue
        search = Search(read.query, read.scope, find_models(context), told)
        found = classify_patterns(find_patterns(find_candidates(search, context), context), context)
        evidence = text_evidence(found, classifier_opinions(found, context)[0], context)
        kept = frozenset(hit.event for hit in found.kept) & texts
        yield Example(folder.name, evidence, events(row["relevant"]), kept, events(row.get("ignore", ())))


def fitted(known: Sequence[Example]) -> Regression:
    """The weights that tell meant texts from others."""
    rows, meant = list[Sequence[float]](), list[float]()
    for one in known:
        own = [event for event in one.evidence if event not in one.ignored]
        rows += [one.evidence[event] for event in own]
        meant += [float(event in one.meant) for event in own]
    found = fit(np.array(rows), np.array(meant), np.ones(len(rows)))
    return Regression(tuple(round(float(weight), 2) for weight in found[1:]), round(float(found[0]), 2))


def quality(one: Example, by: Regression) -> tuple[float, float, float]:
    """Precision, recall and F1 of the texts that stage 4 keeps."""
    chances = weighed([*one.evidence.values()], by.weights, by.intercept).tolist()
    found = (one.kept | meant_texts(dict(zip(one.evidence, chances, strict=True))).keys()) - one.ignored
    meant = one.meant - one.ignored
    shared = len(found & meant)
    precision = shared / len(found) if found else float(not meant)
    recall = shared / len(meant) if meant else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if shared else float(not meant)


def measure(known: Sequence[Example], folds: int, seed: int) -> Iterator[str]:
    """The figures of each life, and of all."""
    order = list(range(len(known)))
    random.Random(seed).shuffle(order)
    fold = {id(known[at]): place % folds for place, at in enumerate(order)}
    without_fold = [fitted([one for one in known if fold[id(one)] != number]) for number in range(folds)]
    lives = sorted({one.life for one in known})
    others = {life: fitted([one for one in known if one.life != life]) for life in lives if len(lives) > 1}
    every = fitted(known)
    ways: dict[str, Callable[[Example], Regression]] = {
        "in force": lambda _: Regression(),
        "fitted on the other lives": lambda one: others.get(one.life, every),
        f"fitted without the own one of {folds} folds": lambda one: without_fold[fold[id(one)]],
        "fitted on these": lambda _: every,
    }
    for life in (*lives, "all"):
        own = [one for one in known if life in (one.life, "all")]
        for way, weights in ways.items():
            rows = [quality(one, weights(one)) for one in own]
            means = " / ".join(f"{statistics.mean(column):.3f}" for column in zip(*rows, strict=True))
            yield f"{life}, {len(own)} queries, weights {way}: precision / recall / F1 {means}"
    yield f"weights fitted on all: {every.weights}, intercept {every.intercept}"
    yield f"of {', '.join(FEATURES)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lives", type=Path, nargs="+")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for line in measure([one for life in given.lives for one in read_life(life)], given.folds, given.seed):
        print(line, flush=True)
