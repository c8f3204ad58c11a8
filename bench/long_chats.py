"""A million messages: their import by a process of its own, its peak of memory, and questions afterwards.

python -m reqap_kg.bench.long_chats [MESSAGES]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

from ..engine.knowledge import KnowledgeGraph
from .rml_memory import IN_BETWEEN
from .table import Figure

MESSAGES = 1_000_000
BEGIN = datetime(2012, 1, 3, 8)
PEOPLE = ("Ines", "Tomas", "Leila", "Marek", "Sun-Hee", "Oscar", "Priya", "Hugo")
CHATS = ("Allotment", "Book club", "Family", "Flat 12", "Cycling on Sundays", "Choir")
OPENINGS = (
    "I think",
    "Do you know whether",
    "Yesterday",
    "Honestly,",
    "Guess what:",
    "As I said,",
    "Maybe",
    "By the way,",
)
SUBJECTS = (
    "my sister",
    "the landlord",
    "our choir",
    "the new neighbour",
    "Hugo's dog",
    "the bakery",
    "the dentist",
    "my boss",
)
VERBS = ("repaired", "forgot", "cancelled", "bought", "painted", "recommended", "lost", "borrowed", "cooked", "sold")
OBJECTS = (
    "the blue bicycle", "a sourdough loaf", "two theatre tickets", "the old piano", "a bag of seed potatoes",
    "the ferry booking", "a jar of honey", "the spare keys", "a novel about lighthouses", "the lemon cake",
)  # fmt: skip
ENDS = ("before the storm", "for the party", "in Porto", "on the way home", "again", "with Leila", "at the market", "")
_IMPORT = """
import sys
from datetime import datetime
from pathlib import Path
from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
ingest([Path(sys.argv[1])], Path(sys.argv[2]), IngestOptions(Settings(), datetime(2025, 3, 1, 12)))
"""
"""The import alone; the index is built when the store is first opened."""
QUESTIONS = (
    "How many messages were there on 14 March 2015?",
    "How many chat messages were there in the first week of June 2018?",
    "How many chat messages were there in May 2016?",
    "What did Leila write on 3 June 2014?",
    "What did we talk about in session 3 of Choir?",
    "How many messages did Hugo send in 2013?",
    "What did we talk about in our last session?",
    "What did Hugo say about the landlord in 2013?",
)


def write_log(path: Path, count: int, seed: int) -> datetime:
    """Writes so many messages of several chats, in sessions of a dozen; the time of the last one."""
    rng = random.Random(seed)
    at = BEGIN
    with path.open("w", encoding="utf-8") as out:
        for row in _messages(rng, count):
            at = row[0]
            told = {"id": row[1], "chat": row[2], "sender": row[3], "time": at.isoformat(), "text": row[4]}
            out.write(json.dumps(told) + "\n")
    return at


def _messages(rng: random.Random, count: int) -> Iterator[tuple[datetime, int, str, str, str]]:
    at, number = BEGIN, 0
    while number < count:
        at += timedelta(minutes=rng.randint(25, 160))
        chat = rng.choice(CHATS)
        who = rng.sample(PEOPLE, rng.randint(2, 4))
        for _ in range(min(rng.randint(4, 20), count - number)):
            at += timedelta(seconds=rng.randint(5, 200))
            words = (rng.choice(part) for part in (OPENINGS, SUBJECTS, VERBS, OBJECTS, ENDS))
            yield at, number, chat, rng.choice(who), " ".join(words).strip() + f", number {rng.randint(1, 5000)}."
            number += 1


def measure(count: int = MESSAGES, seed: int = 7, store: Path | None = None) -> list[Figure]:
    """Seconds and peak memory of the import; then seconds of the first opening, and of questions, cold and warm."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        now = write_log(root / "log.jsonl", count, seed) + timedelta(days=1)
        directory = store or root / "store"
        begin = time.perf_counter()
        peak = _imported(root, directory)
        imported = time.perf_counter() - begin
        return [
            Figure(f"import of {count:,} messages", f"{imported:.0f} s"),
            Figure("peak memory of the import", f"{peak:,.0f} MiB"),
            *_asked(directory, now),
        ]


def _imported(root: Path, store: Path) -> float:
    """The most memory, in MiB, that an import needed."""
    peak = root / "peak"
    between = [sys.executable, "-I", "-S", "-c", IN_BETWEEN, str(peak)]
    command = [sys.executable, "-c", _IMPORT, str(root / "log.jsonl"), str(store)]
    subprocess.run([*between, *command], check=True, stdout=subprocess.DEVNULL, cwd=root)
    return int(peak.read_text()) * (1 if sys.platform == "darwin" else 1024) / 2**20


def _asked(store: Path, now: datetime) -> Iterator[Figure]:
    for what in ("first opening (the index is built)", "opening again"):
        begin = time.perf_counter()
        with KnowledgeGraph.open(store):
            yield Figure(what, f"{time.perf_counter() - begin:.1f} s")
    with KnowledgeGraph.open(store) as known:
        for question in QUESTIONS:
            cold, warm = _times(known, question, now)
            yield Figure(question, f"{cold:.0f} ms, again {warm:.0f} ms")


def _times(known: KnowledgeGraph, question: str, now: datetime) -> Sequence[float]:
    found: list[float] = []
    for _ in range(4):
        begin = time.perf_counter()
        known.ask(question, now=now)
        found.append((time.perf_counter() - begin) * 1000)
    return found[0], median(found[1:])


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES):
        print(figure)
