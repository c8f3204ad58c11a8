"""The resident service over a life of 45,000 events: questions through it, and without it; its start, memory, crowds.

    python -m reqap_kg.bench.served [--events N] [--keep DIR]

Wall-clock times, with the processor time of the service beside them. Every question is asked for the first time, but
where it says so. `--keep` leaves the store there, and takes up one that is there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Final

import httpx

from ...config import Settings
from ...engine.importing.ingest import ingest
from ...engine.importing.loading import IngestOptions
from ...engine.knowledge import KnowledgeGraph
from ..life import NOW
from ..retrieving import write_life
from ..table import Figure

_MONTHS: Final = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
STRUCTURED: Final = [
    template.format(month, year)
    for template, month, year in product(
        ("How many songs did I listen to in {} {}?", "How many workouts did I do in {} {}?",
         "Which artist did I listen to most in {} {}?", "What was my longest run in {} {}?"),
        _MONTHS,
        (2021, 2022),
    )
]  # fmt: skip
_TEXTS: Final = (
    "When did I last go skiing?", "How often did I have sushi?", "Did I see a play at the theatre?",
    "When did I miss a flight?", "How often did I make jam?", "When did I last repair my bicycle?",
    "How often did I visit my grandmother?", "Did I ever lose my keys?", "When did I adopt a cat?",
    "How often did I bake bread?", "When did I last play chess?", "Did I paint the kitchen?",
    "How often did I go swimming with friends?", "When did I last see a doctor?", "Did I buy a tent?",
    "How often did I go to a museum?", "When did I move house?", "How often did I plant tomatoes?",
    "Did I sing in a choir?", "When did I last fly to Lisbon?",
)  # fmt: skip
LETS_IN: Final = "a token of the benchmark"
_CLIENTS: Final = 20


@dataclass(frozen=True)
class Service:
    """A running service: its process, and where it answers."""

    pid: int
    address: str

    def ask(self, question: str) -> float:
        """Seconds of a question, over a new connection."""
        begin = perf_counter()
        answered = httpx.post(
            f"{self.address}api/ask",
            json={"question": question, "now": NOW.isoformat(timespec="seconds")},
            headers={"Authorization": f"Bearer {LETS_IN}"},
            timeout=120,
        )
        answered.raise_for_status()
        return perf_counter() - begin

    @property
    def processor_seconds(self) -> float:
        """Processor time that it took so far."""
        told = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Memory that it holds."""
        told = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()
        return int(told[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def measure(store: Path) -> Iterator[Figure]:
    """All figures of a store."""
    yield from _alone(store)
    begin = perf_counter()
    with served(store) as service:
        yield Figure("service: ready after start (wanted 3 s)", f"{perf_counter() - begin:.1f} s")
        yield Figure("memory once it is ready (wanted 700 MB)", f"{service.megabytes:.0f} MB")
        service.ask("How many songs did I listen to in 2020?")
        yield _asked("structured question, p50 / p95 (wanted 60 / 250 ms)", service, STRUCTURED[:40])
        yield _asked("a new phrase over text, p50 / p95 (wanted 700 / 2,500 ms)", service, _TEXTS)
        again = [*STRUCTURED[:10], *_TEXTS]
        yield _asked("the same questions again, p50 / p95 (wanted 40 ms)", service, again)
        yield _command(store, "`reqap-kg ask` through it, whole process, p50 (wanted 200 ms)", STRUCTURED[40:55])
        yield _crowd(service)
        yield Figure("memory after all of it", f"{service.megabytes:.0f} MB")


def _alone(store: Path) -> Iterator[Figure]:
    """Questions in processes of their own."""
    yield _command(store, "`ask` without a service, structured, p50 (wanted 800 ms)", STRUCTURED[75:80])
    texts = ["How often did I go bowling?", "When did I last go camping?", "Did I visit a zoo?"]
    yield _command(store, "`ask` without a service, over text, p50 (wanted 4,000 ms)", texts)


def _command(store: Path, what: str, questions: Sequence[str]) -> Figure:
    begin = os.times()
    taken = [
        _seconds(lambda said=said: _reqap("ask", said, "--now", NOW.isoformat(), store=store)) for said in questions
    ]
    end = os.times()
    own = end.children_user - begin.children_user + end.children_system - begin.children_system
    used = f"{own / len(questions) * 1000:,.0f} ms of processor"
    return Figure(what, f"{statistics.median(taken) * 1000:,.0f} ms ({used} of its own)")


def _asked(what: str, service: Service, questions: Sequence[str]) -> Figure:
    begin = service.processor_seconds
    taken = sorted(service.ask(question) for question in questions)
    used = (service.processor_seconds - begin) / len(questions)
    told = f"{statistics.median(taken) * 1000:,.0f} / {p95(taken) * 1000:,.0f} ms"
    return Figure(what, f"{told} ({len(questions)} questions, {used * 1000:,.0f} ms of processor each)")


def _crowd(service: Service) -> Figure:
    """Many clients at once, each with a question of its own."""
    with ThreadPoolExecutor(_CLIENTS) as pool:
        taken = sorted(pool.map(service.ask, STRUCTURED[55 : 55 + _CLIENTS]))
    return Figure(f"{_CLIENTS} clients at once, structured, p95 (wanted 1 s)", f"{p95(taken) * 1000:,.0f} ms, no error")


def p95(taken: Sequence[float]) -> float:
    return taken[min(len(taken) - 1, round(0.95 * len(taken)))]


def _seconds(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


@contextmanager
def served(store: Path) -> Iterator[Service]:
    _reqap("serve", "--background", "--port", "0", store=store)
    told = json.loads((store / "service.json").read_text(encoding="utf-8"))
    try:
        yield Service(told["pid"], told["address"])
    finally:
        _reqap("serve", "--stop", store=store)


def _reqap(*arguments: str, store: Path) -> None:
    program = Path(sys.executable).with_name("reqap-kg")
    done = subprocess.run(
        [program, *arguments, "--store", str(store)],
        capture_output=True,
        env={**os.environ, "REQAP_KG_TOKEN": LETS_IN, "PYTHONDONTWRITEBYTECODE": ""},  # as an installed program
        check=False,
    )
    if done.returncode not in (0, 3, 4):
        raise SystemExit(done.stderr.decode())


def made(folder: Path, events: int) -> Path:
    """A store of so many events in the folder, with its texts read ahead."""
    store = folder / "store"
    if not store.is_dir():
        write_life(folder / "life.jsonl", events, seed=1)
        ingest([folder / "life.jsonl"], store, IngestOptions(Settings(), NOW))
        with KnowledgeGraph.open(store) as known:
            known.read_ahead(now=NOW)
    return store


def run(measure: Callable[[Path], Iterator[Figure]]) -> None:
    """Prints the figures of a store, made or kept as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=45_000)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = arguments.keep or Path(work)
        folder.mkdir(parents=True, exist_ok=True)
        for figure in measure(made(folder, arguments.events)):
            print(figure, flush=True)


if __name__ == "__main__":
    run(measure)
