"""RETRIEVE over a life of 45,000 events: what patterns save, what asking again costs, how long a first question waits.

    python -m reqap_kg.bench.retrieving [--events N]

All in one run, as ratios. The life's texts are the hand-written ones of corpus/texts, each several times, on
other days and with other people's names, so that few are the same.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..models.reading.reader import load_reader
from ..models.reading.relevance import bundled_classifiers
from ..retrieval.candidate_set import CandidateSet, Search, SearchModels, find_models, lines_of
from ..retrieval.candidates import find_candidates
from ..retrieval.classify_events import classify_events
from ..retrieval.context import RetrieveContext
from ..retrieval.patterns import classify_patterns, find_patterns
from ..retrieval.phrases.named import read_query
from ..store.index.vectors import VectorCache
from ..texts.document import TextKind
from ..training.texts import Annotated, read_texts
from .events import write_lines
from .life import NOW, Life, life
from .table import Figure

QUERIES: Final = (
    *("I ate Italian food", "I went to the dentist", "I met a friend for coffee", "I flew somewhere"),
    *("I went to a concert", "I celebrated a birthday", "I took my pet to the vet", "I started a new job"),
)
_NAMES: Final = (
    "Ada",
    "Bram",
    "Chidi",
    "Dara",
    "Elif",
    "Faiz",
    "Gwen",
    "Hiro",
    "Ilse",
    "Juno",
    "Kofi",
    "Lena",
    "Milo",
    "Noor",
)
_SOURCES: Final = {TextKind.CALENDAR: "calendar", TextKind.MAIL: "mail", TextKind.POST: "social_media"}
_TEXT_SHARE: Final = 3_300 / 45_000
_AT_ONCE: Final = 256
"""Candidate events classified at once where what others read is not shared."""


def measure(events: int) -> Iterator[Figure]:
    """All figures; `events` in the life."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        write_life(folder / "life.jsonl", events, seed=1)
        ingest([folder / "life.jsonl"], folder / "store", IngestOptions(Settings(), NOW))
        yield from _ahead(folder, events)
        with KnowledgeGraph.open(folder / "store") as known:
            yield from _patterns(known, known.graph.cache_directory or folder)
            yield from _asking(known)
        yield _first_in_a_new_process(folder / "store")


def write_life(path: Path, events: int, seed: int) -> None:
    """Writes a life of so many events as JSON lines, with hand-written texts among them."""
    write_lines(path, ({**record, "id": n} for n, record in enumerate(lived(events, seed))))


def lived(events: int, seed: int, days: int | None = None) -> Iterator[dict[str, Any]]:
    """The records of such a life, first those without texts; over so many days where that is said."""
    texts = round(events * _TEXT_SHARE)
    wanted = replace(Life().scaled((events - texts) / 41_700), appointments=0, mails=0, posts=0)
    yield from life(replace(wanted, days=days or wanted.days), seed)
    yield from _texts(texts, random.Random(seed), days or 1_800)


def _texts(count: int, rng: random.Random, days: int) -> Iterator[dict[str, Any]]:
    for text in islice(cycle(read_texts("train")), count):
        at = datetime(2019, 1, 1) + timedelta(minutes=rng.randrange(days * 24 * 60))
        yield _record(text, at, rng)


def _record(text: Annotated, at: datetime, rng: random.Random) -> dict[str, Any]:
    """A text as a source shows it, on another day, with other first names."""
    called = {name.split()[0]: rng.choice(_NAMES) for name in text.people}

    def renamed(said: str) -> str:
        return re.sub(r"\w+", lambda word: called.get(word.group(), word.group()), said)

    document = text.document
    source = _SOURCES.get(document.kind, "note")
    day, clock = at.date().isoformat(), at.time().isoformat(timespec="seconds")
    record = {"source": source, "start_date": day, "start_time": clock}
    if source == "calendar":
        record |= {"end_date": day, "summary": renamed(document.title), "location": document.location}
        return record | {"description": renamed(document.body)}
    if source == "mail":
        record |= {"sender": renamed(document.sender or text.profile.owner.name if text.profile.owner else "")}
        record |= {"recipient": "me", "subject": renamed(document.title)}
    return record | {"text": renamed(document.body)}


def _ahead(folder: Path, events: int) -> Iterator[Figure]:
    """Reading ahead after an import, and again after one that adds a little."""
    with KnowledgeGraph.open(folder / "store") as known:
        begin = perf_counter()
        ahead = known.read_ahead(now=NOW)
        seconds = perf_counter() - begin
    yield Figure("reading ahead: events a second", f"{events / seconds:,.0f} ({seconds:.0f} s, {ahead.texts:,} texts)")
    more = {
        "id": "more",
        "source": "note",
        "start_date": "2024-05-01",
        "start_time": "10:00:00",
        "text": "Ate gnocchi.",
    }
    (folder / "more.jsonl").write_text(json.dumps(more) + "\n", encoding="utf-8")
    ingest([folder / "more.jsonl"], folder / "store", IngestOptions(Settings(), NOW, source="more"))
    with KnowledgeGraph.open(folder / "store") as known:
        begin = perf_counter()
        known.read_ahead(now=NOW)
        again = perf_counter() - begin
    yield Figure("reading ahead again after one more note, against the first time", f"{again / seconds:.2f}×")


def _patterns(known: KnowledgeGraph, folder: Path) -> Iterator[Figure]:
    """Patterns first, against every candidate event classified; both as a new query finds the store: its texts read,
    its records not. Then, for one query, against a pass of the reader for each candidate event."""
    context = known._context(NOW)
    fast = slow = found = lost = 0.0
    for query in QUERIES:
        candidates = _candidates(query, context)
        seconds, kept = _classified(candidates, context, folder, patterns=True)
        fast += seconds
        seconds, every = _classified(candidates, context, folder, patterns=False)
        slow += seconds
        found += len(every)
        lost += len(every - kept)
    yield Figure("classifying with patterns, against every distinct candidate", f"{slow / fast:.1f}× faster")
    yield Figure("events that patterns lose", f"{lost / max(1, found):.4f} of {found:.0f}")
    candidates = _candidates(QUERIES[0], context)
    seconds, _ = _classified(candidates, context, folder, patterns=True)
    what = f"the same against a pass for each of {candidates.candidates:,} candidate events"
    yield Figure(f"{what} (one query)", f"{_one_by_one(candidates, context) / seconds:.0f}× faster")


def _candidates(query: str, context: RetrieveContext) -> CandidateSet:
    return find_candidates(Search(query, read_query(query, context).scope, find_models(context)), context)


def _classified(
    candidates: CandidateSet, context: RetrieveContext, folder: Path, *, patterns: bool
) -> tuple[float, set[str]]:
    """Seconds and events, with what was read ahead: what is read now is not kept for the next query."""
    with tempfile.TemporaryDirectory() as work:
        copy = Path(shutil.copytree(folder, Path(work) / "cache"))
        remembered = VectorCache(copy)
        fresh = bundled_classifiers(load_reader(), remembered.vectors, context.lexicon)
        fresh.relevance([("warm", "up")])
        models = SearchModels(candidates.search.models.encoder, fresh, fresh if patterns else None)
        begin = perf_counter()
        found = find_patterns(replace(candidates, search=replace(candidates.search, models=models)), context)
        found = classify_events(classify_patterns(found, context), context)
        seconds = perf_counter() - begin
        remembered.close()
    return seconds, {hit.event for hit in found.kept}


def _one_by_one(candidates: CandidateSet, context: RetrieveContext) -> float:
    """Seconds to read and classify every candidate event, though others read the same."""
    lines = [*lines_of(candidates.open, context).values()]
    reader, seconds = load_reader(), 0.0
    for start in range(0, len(lines), _AT_ONCE):
        fresh = bundled_classifiers(reader, lexicon=context.lexicon)
        fresh.relevance([("warm", "up")])
        begin = perf_counter()
        fresh.relevance([(candidates.search.query, line) for line in lines[start : start + _AT_ONCE]])
        seconds += perf_counter() - begin
    return seconds


def _asking(known: KnowledgeGraph) -> Iterator[Figure]:
    """A first question over text, the same again, and its bare SPARQL."""
    first, ratios = [], []
    for query in QUERIES:
        tree = f'APPLY(l=RETRIEVE(query="{query}"), fct=len)'
        begin = perf_counter()
        answer = known.run(tree, now=NOW)
        first.append(perf_counter() - begin)
        again = min(_seconds(lambda tree=tree: known.run(tree, now=NOW, most_events=0)) for _ in range(40))
        bare = min(_seconds(lambda sparql=answer.sparql: known.graph.select(sparql)) for _ in range(40))
        ratios.append(again / bare)
    yield Figure(
        "first question over text, store open: median / longest", f"{statistics.median(first):.1f} / {max(first):.1f} s"
    )
    yield Figure("the same question again, against its bare SPARQL: median", f"{statistics.median(ratios):.2f}×")


def _first_in_a_new_process(store: Path) -> Figure:
    """`reqap-kg run` on questions that were never asked, each in a process of its own."""
    seconds = []
    for query in ("I went skiing", "I had sushi", "I saw a play at the theatre", "I missed a flight", "I made jam"):
        command = [
            sys.executable,
            "-m",
            "reqap_kg.cli",
            "run",
            f'APPLY(l=RETRIEVE(query="{query}"), fct=len)',
            "--store",
            str(store),
        ]
        begin = perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        seconds.append(perf_counter() - begin)
    told = f"{statistics.median(seconds):.1f} / {max(seconds):.1f} s"
    return Figure("first question over text, new process: median / longest", told)


def _seconds(run: Any) -> float:
    begin = perf_counter()
    run()
    return perf_counter() - begin


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=45_000)
    for figure in measure(parser.parse_args().events):
        print(figure, flush=True)
