"""Structured trees against hand-written SPARQL of the same rows, over a life of 45,000 events, in one process.

python -m reqap_kg.bench.structured [SCALE]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..engine.knowledge import KnowledgeGraph
from ..operators.syntax.text import parse_tree
from .answering import Answered, Asker, plain_rows, sparql_rows
from .life import NOW, Life, import_life
from .structured_trees import PAIRS, Pair
from .table import Figure
from .timing import alternating, timed


@dataclass(frozen=True)
class Measured:
    """Milliseconds of one pair; `tree` is all of its steps, among them `resolve`, `compile` and `query`."""

    name: str
    tree: float
    hand: float
    other: tuple[str, float] | None
    resolve: float
    compile: float
    query: float
    evidence: float

    @property
    def ratio(self) -> float:
        """How many times the hand-written query's time the compiled one takes, its rows handed back as values."""
        return self.query / self.hand

    @property
    def whole(self) -> float:
        """The same with resolving and compiling the tree."""
        return self.tree / self.hand


def measure(life: Life | None = None, rounds: int = 7, seed: int = 7) -> Iterator[Figure]:
    """Medians of alternating runs. A tree's time holds resolving, compiling and asking; its evidence is apart.

    Raises AssertionError where a tree and its query give different rows.
    """
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        store = import_life(Path(folder), life or Life(), seed)
        with KnowledgeGraph.open(store) as known:
            asker = Asker(known)
            for pair in PAIRS:
                found.append(_measured(asker, _named(known, pair), rounds))
                yield from _figures(found[-1])
    yield from _summary(found)


def _named(known: KnowledgeGraph, pair: Pair) -> Pair:
    """The pair with the titles of a film and a song of this life."""
    values = {"%FILM%": "ev:movieTitle", "%SONG%": "ev:songName"}
    tree, sparql = pair.tree, pair.sparql
    for mark, name in values.items():
        if mark in tree:
            (row,) = known.graph.select(f"SELECT ?v {{ ?e {name} ?v }} GROUP BY ?v ORDER BY DESC(COUNT(?e)) ?v LIMIT 1")
            assert row[0] is not None
            tree, sparql = tree.replace(mark, row[0].value), sparql.replace(mark, row[0].value)
    return Pair(pair.name, tree, sparql, pair.other)


def _measured(asker: Asker, pair: Pair, rounds: int) -> Measured:
    tree, graph = parse_tree(pair.tree), asker.known.graph
    given, wanted = plain_rows(asker.answered(tree).result), sparql_rows(graph.select(pair.sparql))
    if given != wanted:
        raise AssertionError(f"{pair.name}: the tree gives {given[:5]}, the query {wanted[:5]}")
    steps: list[Answered] = []
    works = {
        "tree": lambda: steps.append(asker.answered(tree)),
        "hand": lambda: graph.select(pair.sparql),
    }
    if pair.other is not None:
        other = pair.other[1]
        works["other"] = lambda: graph.select(other)
    taken = alternating(works, rounds)
    return Measured(
        pair.name,
        taken["tree"],
        taken["hand"],
        (pair.other[0], taken["other"]) if pair.other else None,
        statistics.median(step.resolve_ms for step in steps),
        statistics.median(step.compile_ms for step in steps),
        statistics.median(step.query_ms for step in steps),
        timed(lambda: asker.known.run(pair.tree, now=NOW))[0],
    )


def _figures(one: Measured) -> list[Figure]:
    told = [
        Figure(
            f"{one.name}: its query / by hand / ratio; with resolving and compiling",
            f"{one.query:.1f} ms / {one.hand:.1f} ms / {one.ratio:.2f}; {one.tree:.1f} ms, {one.whole:.2f}",
        )
    ]
    if one.other is not None:
        name, taken = one.other
        told.append(Figure(f"{one.name}: by hand with {name} / ratio", f"{taken:.1f} ms / {one.query / taken:.2f}"))
    return told


def _summary(found: Sequence[Measured]) -> list[Figure]:
    ratios, wholes = [one.ratio for one in found], [one.whole for one in found]
    return [
        _ratios("ratio of the queries: median / worst / within 1.3 (wanted: all)", ratios),
        _ratios("ratio with resolving and compiling: median / worst / within 1.3", wholes),
        _spread("resolving a tree", [one.resolve for one in found]),
        _spread("compiling a tree (wanted: under 20 ms)", [one.compile for one in found]),
        _spread("`run` of a tree with its evidence, once", [one.evidence for one in found]),
    ]


def _ratios(what: str, ratios: Sequence[float]) -> Figure:
    met = sum(ratio <= 1.3 for ratio in ratios)
    return Figure(what, f"{statistics.median(ratios):.2f} / {max(ratios):.2f} / {met} of {len(ratios)}")


def _spread(what: str, taken: Sequence[float]) -> Figure:
    return Figure(f"{what}: median / worst", f"{statistics.median(taken):.1f} ms / {max(taken):.1f} ms")


if __name__ == "__main__":
    for figure in measure(Life().scaled(float(sys.argv[1])) if len(sys.argv) > 1 else None):
        print(figure, flush=True)
