"""Time of what comes before a query: reading, checking, rewriting and compiling trees; planning questions by rules.

python -m reqap_kg.bench.planning
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path

from ..compiler.compile import compile_tree
from ..compiler.rewrites import rewrite
from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..errors import TreeTypeError
from ..operators.checking.checking import check_tree
from ..operators.nodes import Node
from ..operators.resolution import Resolution
from ..operators.syntax.text import format_tree, parse_tree
from . import many_rules
from .after_joins import QUESTIONS
from .answering import Asker
from .joins import CASES
from .life import NOW
from .structured_trees import PAIRS
from .table import Figure
from .timing import timed

STEPS = ("parse", "check", "rewrite", "compile", "all four")


def measure(rounds: int = 5, events: int = many_rules.EVENTS) -> list[Figure]:
    """Medians and worst over the benchmarks' trees and those of the demo's structured questions, each the median of
    `rounds`; then the same of planning the questions, and of planning each for the first time; then of planning with
    many rules over the values of so many `events`."""
    with _demo() as (known, questions):
        trees = [*(pair.tree for pair in PAIRS), *(case.tree() for case in CASES), *(asked.tree for asked in QUESTIONS)]
        planned = [timed(lambda q=q: known.plan(q[0], now=q[1])) for q in questions]
        again = [
            statistics.median(timed(lambda q=q: known.plan(q[0], now=q[1]))[0] for _ in range(rounds))
            for q in questions
        ]
        trees += [format_tree(found.node) for _, found in planned]
        asker = Asker(known)
        steps = [_steps(asker, tree, rounds) for tree in trees]
    columns = list(zip(*steps, strict=True))
    return [
        *(
            _figure(f"{name}, {len(trees)} trees" + (" (wanted: under 20 ms)" if name == STEPS[-1] else ""), found)
            for name, found in zip(STEPS, columns, strict=True)
        ),
        _figure(f"planning, {len(questions)} questions, each for the first time", [taken for taken, _ in planned]),
        _figure(f"planning, {len(questions)} questions, again", again),
        *many_rules.measure(events),
    ]


@contextmanager
def _demo() -> Iterator[tuple[KnowledgeGraph, list[tuple[str, datetime]]]]:
    """The demo life opened, and its structured questions with their moments of asking."""
    with as_file(files("reqap_kg.examples").joinpath("demo")) as demo, tempfile.TemporaryDirectory() as folder:
        rows = map(json.loads, (demo / "questions.jsonl").read_text(encoding="utf-8").splitlines())
        questions = [
            (row["question"], datetime.fromisoformat(row["now"])) for row in rows if row["level"] == "structured"
        ]
        store = Path(folder) / "store"
        ingest([demo / "exports"], store, IngestOptions(Settings(), NOW))
        with KnowledgeGraph.open(store) as known:
            yield known, questions


def _steps(asker: Asker, text: str, rounds: int) -> tuple[float, ...]:
    """Milliseconds of each step of one tree, and of all of them."""
    resolution = asker.resolution(parse_tree(text))
    taken: list[tuple[float, ...]] = []
    for _ in range(rounds):
        parsing, tree = timed(lambda: parse_tree(text))
        checking, _ = timed(lambda tree=tree: check_tree(tree))
        rewriting, rewritten = timed(lambda tree=tree: rewrite(tree, NOW).tree)
        compiling, _ = timed(lambda tree=rewritten: _compile(tree, resolution))
        taken.append((parsing, checking, rewriting, compiling, parsing + checking + rewriting + compiling))
    return tuple(statistics.median(column) for column in zip(*taken, strict=True))


def _compile(tree: Node, resolution: Resolution) -> None:
    """Compiles, or learns that a part must be computed beside the query."""
    with suppress(TreeTypeError):
        compile_tree(tree, resolution, NOW)


def _figure(what: str, taken: Sequence[float]) -> Figure:
    return Figure(f"{what}: median / worst", f"{statistics.median(taken):.1f} ms / {max(taken):.1f} ms")


if __name__ == "__main__":
    for figure in measure():
        print(figure)
