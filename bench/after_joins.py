"""Unbounded joins ("after") by size: 10 times the rows should take about 10 times the time, not 100 times."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError
from ..execution.run import Result
from ..ontology.namespaces import DERIVED
from .answering import Asker
from .life import Life, import_life
from .table import Figure
from .timing import timed

PATIENCE_MS: Final = 120_000.0
"""A size is left out when the one before it, grown by the number of pairs, would take longer."""

Seconds = NDArray[np.int64]


@dataclass(frozen=True)
class _Side:
    """Events of one side of the join, in the order of their starts: seconds since 1970, and an amount and a text."""

    starts: Seconds
    ends: Seconds
    distances: NDArray[np.float64]
    kinds: NDArray[np.str_]


@dataclass(frozen=True)
class _Question:
    """A tree over the join of all streams after all workouts, and what it must answer."""

    name: str
    tree: str
    wanted: Callable[[_Side, _Side], Any]


def _joined(right: str = 'RETRIEVE(query="workouts")') -> str:
    condition = "i1.start_datetime > i2.end_datetime"
    return f'JOIN(l1=RETRIEVE(query="streams"), l2={right}, condition="{condition}")'


def _after(streams: _Side, workouts: _Side) -> Seconds:
    """For each workout, how many streams start after its end."""
    return len(streams.starts) - np.searchsorted(np.sort(streams.starts), workouts.ends, side="right")


def _by_kind(streams: _Side, workouts: _Side) -> dict[str, int]:
    counts = _after(streams, workouts)
    found = {str(kind): int(counts[workouts.kinds == kind].sum()) for kind in np.unique(workouts.kinds)}
    return {kind: count for kind, count in found.items() if count}


_DISTANCES: Final = 'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["distance"], attr_types=[float])'
_KINDS: Final = 'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["workout_type"], attr_types=[str])'

QUESTIONS: Final = (
    _Question("counted", f"APPLY(l={_joined()}, fct=len)", lambda s, w: int(_after(s, w).sum())),
    _Question(
        "least start",
        f'MIN(l={_joined()}, attr_name="start_datetime")',
        lambda s, w: int(s.starts[s.starts > w.ends.min()].min()),
    ),
    _Question(
        "sum of an attribute",
        f'SUM(l={_joined(_DISTANCES)}, attr_name="distance")',
        lambda s, w: round(float((_after(s, w) * w.distances).sum()), 3),
    ),
    _Question(
        "counted by kind of workout",
        f'MAP(l=GROUP_BY(l={_joined(_KINDS)}, attr_names=["workout_type"]), fct=len, res_name="times")',
        _by_kind,
    ),
)


@dataclass(frozen=True)
class _Size:
    """Milliseconds of each question at one size, by the name of the figure, or why there are none."""

    streams: int
    workouts: int
    taken: dict[str, float | str]

    @property
    def pairs(self) -> int:
        return self.streams * self.workouts


def growth(life: Life, rounds: int, seed: int) -> Iterator[Figure]:
    """Each question at a tenth of the life, at a tenth of its streams with all workouts, and at all of it.

    The first run, which reads the columns, and the least of `rounds` more, which have them on disk but compute the
    answer again. Raises AssertionError where an answer is not the one that numpy counts.
    """
    tenth = life.scaled(0.1)
    lives = (tenth, replace(tenth, workouts=life.workouts, runs=life.runs), life)
    sizes: list[_Size] = []
    for chosen in lives:
        sizes.append(_measured(chosen, sizes[-1] if sizes else None, rounds, seed))
        yield from (_figure(name, sizes) for name in sizes[-1].taken)


def _measured(life: Life, before: _Size | None, rounds: int, seed: int) -> _Size:
    size = _Size(life.songs + life.films + life.episodes, life.workouts, {})
    with tempfile.TemporaryDirectory() as folder:
        store = import_life(Path(folder), life, seed)
        with KnowledgeGraph.open(store) as known:
            asker, (streams, workouts) = Asker(known), _sides(known)
            for question in QUESTIONS:
                last = before.taken.get(question.name, 0.0) if before else 0.0
                if before is not None and isinstance(last, float) and last * size.pairs / before.pairs > PATIENCE_MS:
                    size.taken[question.name] = "not tried, it would take minutes"
                else:
                    size.taken.update(_timed(asker, question, streams, workouts, rounds))
    return size


def _timed(asker: Asker, question: _Question, streams: _Side, workouts: _Side, rounds: int) -> dict[str, float | str]:
    for path in asker.known.graph.index_directory.glob("columns-*.npz"):
        path.unlink()
    try:
        first, result = timed(lambda: asker.rows(question.tree))
    except ReqapError as refused:
        return {question.name: f"refused: {refused}"}
    given, wanted = _plain(result), question.wanted(streams, workouts)
    if given != wanted:
        raise AssertionError(f"{question.name}: the tree gives {given}, numpy {wanted}")
    again = [_anew(asker, question.tree) for _ in range(rounds if first < PATIENCE_MS / 10 else 0)]
    return {question.name: first, f"{question.name}, columns kept": min(again, default=first)}


def _anew(asker: Asker, tree: str) -> float:
    """Milliseconds of a tree of which nothing is derived."""
    graph = asker.known.graph
    graph.drop_graphs(iri for iri in graph.graphs() if iri.startswith(DERIVED))
    return timed(lambda: asker.rows(tree))[0]


def _plain(result: Result) -> object:
    """A single number (moments in seconds), or counts by text."""
    if len(result.columns) > 1:
        return {str(row[0]): row[1] for row in result.rows}
    (value,) = result.rows[0]
    if isinstance(value, float | int):
        return value if isinstance(value, int) else round(value, 3)
    return int(np.datetime64(str(value).replace(" ", "T"), "s").astype(np.int64))


def _sides(known: KnowledgeGraph) -> tuple[_Side, _Side]:
    streams = "ev:MusicStream ev:MovieStream ev:EpisodeStream"
    return (
        _side(known, f"VALUES ?class {{ {streams} }} ?e a ?class"),
        _side(known, "?e a ev:Workout ; ev:distance ?d ; ev:workoutType ?k"),
    )


def _side(known: KnowledgeGraph, pattern: str) -> _Side:
    rows = known.graph.select(f"SELECT ?s ?n ?d ?k {{ {pattern} . ?e ev:start ?s ; ev:end ?n }} ORDER BY ?s")
    texts = [[term.value if term is not None else "0" for term in row] for row in rows]
    moments = [np.array([row[at] for row in texts], dtype="datetime64[s]").astype(np.int64) for at in (0, 1)]
    distances = np.array([float(row[2]) for row in texts])
    return _Side(moments[0], moments[1], distances, np.array([row[3] for row in texts], dtype=np.str_))


def _figure(name: str, sizes: list[_Size]) -> Figure:
    """The figure of the last size, and how it grew from the others."""
    *smaller, size = sizes
    taken = size.taken[name]
    value = taken if isinstance(taken, str) else f"{taken:.0f} ms{_grown(name, taken, smaller)}"
    return Figure(f"after-join {name}: {size.streams:,} x {size.workouts:,}", value)


def _grown(name: str, taken: float, smaller: list[_Size]) -> str:
    """How many times longer than each smaller size."""
    known = [(size, size.taken[name]) for size in smaller]
    return "".join(
        f"; {taken / other:.1f} times {size.streams:,} x {size.workouts:,}"
        for size, other in known
        if isinstance(other, float)
    )
