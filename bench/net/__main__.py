"""How well and how fast each way of planning answers each suite, in one table.

    python -m reqap_kg.bench.net DATA OUT --today 2026-11-28 [--only p1 ...] [--ways rules parser both] [--every N]
    python -m reqap_kg.bench.net DATA OUT --today 2026-11-28 --only LIFE LIFE/dialogues.jsonl

DATA is a folder with `personas`, `timelineqa` and `temporal-memory`. Of these and of the checkout's own questions
(`questions`), a row for each suite and way: Hit@1 (of temporal-memory recall and F2), the share of questions answered,
the precision among these, silent errors (answered wrongly without a sign of doubt, of all questions; of recall, what is
missed so), and the processor time of a question. Questions about domains are those of TimelineQA, right by their
answers, and of the census, right by what the first answer shows: the corpus has data for none of its domains.

Each life is imported and read ahead once, into OUT/stores, and copied for each way, so that all begin with the same
store, in which no question was asked; each way of a suite runs in a process of its own. What a process loads once is
paid by the first question that needs it, and hardly moves the median or the 95th of 100. Models compute in one thread:
several that wait for one another on a busy machine use up processor time by waiting.

Predictions go to OUT/<way>/<suite>.jsonl; a run that was cut off goes on there. OUT/corpus has the gold of the corpus:
to compare code with later code, copy it into the other OUT.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from ...evaluation.metrics import Cell, System
from .measuring import EVERY, ROWS, WAYS, measured_apart

PROGRAM: Final = "python -m reqap_kg.bench.net"
_LIFE: Final = "or a folder of a life in the personas' layout; or a file of dialogues in such a folder"
FIGURES: Final = ("p1", "p2", "p3")
"""Suites whose figures documents quote."""
HEADER: Final = ("suite", "way", "questions", "Hit@1", "answered", "precision", "silent", "ms, median", "ms, 95 %")


def lines(name: str, way: str, system: System) -> Iterator[tuple[str, ...]]:
    """The lines of the table: of all questions, and of dialogues those that are right at every turn."""
    cell, cpu = system.whole, system.stages.get("cpu")
    hit = f"{cell.hit:.3f} / {cell.relaxed:.3f}" if name == "temporal-memory" else f"{cell.hit:.3f}"
    shares = (f"{share:.3f}" for share in (cell.answered, cell.precision, cell.silent))
    times = (f"{cpu.median:,.0f}", f"{cpu.p95:,.0f}") if cpu else ("–", "–")
    yield name, way, f"{cell.count:,}", hit, *shares, *times
    later = system.groups.get("turn", {}).get("later")
    if later is not None:
        shares = (f"{share:.3f}" for share in (later.hit, later.answered, later.precision, later.silent))
        yield f"{name}, later turns", way, f"{later.count:,}", *shares, "–", "–"
    whole = [one.hit == 1 for one in system.groups.get("dialogue", {}).values()]
    if whole:
        share = f"{sum(whole) / len(whole):.3f}"
        yield f"{name}, right at every turn", way, f"{len(whole):,}", share, *["–"] * 5


def figures(name: str, cell: Cell) -> Iterator[tuple[str, str]]:
    """What documents quote of a suite, `0.79<!-- figure p1.hit1 -->`: names and values, to two decimals."""
    for what, value in (("hit1", cell.hit), ("answered", cell.answered), ("precision", cell.precision)):
        yield f"{name}.{what}", f"{value:.2f}"


def _keep(path: Path, found: Mapping[str, str], about: Mapping[str, str]) -> None:
    """Puts figures into the file; others that stand there stay."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    kept |= {name: {"value": value, **about} for name, value in found.items()}
    path.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _suite(said: str) -> str:
    """A suite's name, or the place of a life or of dialogues."""
    if said in ROWS or Path(said).exists():
        return said
    raise argparse.ArgumentTypeError(f"{said}: expected {', '.join(ROWS)}; {_LIFE}")


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=PROGRAM)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument(
        "--only", nargs="+", type=_suite, default=ROWS, metavar="SUITE", help=f"{', '.join(ROWS)}; {_LIFE}"
    )
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=tuple(WAYS), metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--every", type=int, help="ask every Nth question; temporal-memory: 8, all others: 1")
    parser.add_argument("--today", type=date.fromisoformat, required=True, help="the date to write down")
    parser.add_argument("--figures", type=Path, help="put what documents quote, of both together, into this file")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    """Asks, and prints the table line by line."""
    given = _parsed(arguments)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of the processes that measure
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, {given.today}: `{PROGRAM} {' '.join(arguments)}`\n")
    print(f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}", flush=True)
    about = {"measured": given.today.isoformat(), "machine": machine, "by": PROGRAM}
    for name in given.only:
        every = given.every or EVERY.get(name, 1)
        for way in given.ways:
            system = measured_apart(name, way, given.data, given.out, every)
            for line in lines(name, way, system):
                print(f"| {' | '.join(line)} |", flush=True)
            if given.figures and name in FIGURES and way == "both" and every == 1:
                _keep(given.figures, dict(figures(name, system.whole)), about)


if __name__ == "__main__":
    main(sys.argv[1:])
