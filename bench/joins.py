"""Joins over a life of 45,000 events: against DuckDB's joins of the same tables, and how they grow.

    python -m reqap_kg.bench.joins [SCALE]

Both sides hand every pair back as Python values. DuckDB's tables lie in memory beforehand; ours is timed from the text
of the tree on, in four states: asked for the first time after the import (nothing is derived, but earlier joins have
read their columns), the store just opened (what lies on disk may be used), the same tree again (what was derived may
be used), and the same join with other constants (only the columns may be used). Needs duckdb, of the `dev` extra.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import duckdb

from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError
from ..store.graph import Graph
from .after_joins import growth
from .answering import Asker, plain_rows, plain_tuples
from .life import NOW, Life, import_life
from .table import Figure
from .timing import alternating, timed


def measure(life: Life | None = None, rounds: int = 7, seed: int = 7) -> Iterator[Figure]:
    """Interval, day and nearest joins against DuckDB; after-joins by size.

    Raises AssertionError where the pairs differ.
    """
    chosen = life or Life()
    with tempfile.TemporaryDirectory() as folder:
        store = import_life(Path(folder), chosen, seed)
        opening, never_asked = timed(lambda: _never_asked(store))
        opening -= sum(taken for taken in never_asked.values() if isinstance(taken, float))
        what = "opening the store for the first time after the import, with a first question"
        yield Figure(what, f"{opening / 1000:.1f} s")
        for case in CASES:
            yield from _compared(store, case, never_asked[case.name], rounds)
    yield from growth(chosen, rounds=max(1, rounds // 2), seed=seed)


def _never_asked(store: Path) -> dict[str, float | str]:
    """Opens the store as the first after its import and asks a first thing, which builds indexes; then every join."""
    with KnowledgeGraph.open(store) as known:
        asker = Asker(known)
        asker.rows('APPLY(l=RETRIEVE(query="workouts"), fct=len)')
        return {case.name: _milliseconds(asker, case.tree()) for case in CASES}


def _milliseconds(asker: Asker, tree: str) -> float | str:
    """Time of a tree, or why it was refused."""
    try:
        return timed(lambda: asker.rows(tree))[0]
    except ReqapError as refused:
        return str(refused)


def _compared(store: Path, case: JoinCase, never_asked: float | str, rounds: int) -> list[Figure]:
    if isinstance(never_asked, str):
        return [Figure(case.name, f"refused: {never_asked}")]
    with KnowledgeGraph.open(store) as known:
        asker = Asker(known)
        opened, result = timed(lambda: asker.rows(case.tree()))
        duck = tables(known.graph)
        _agree(case, plain_rows(result, case.columns), duck)
        shifts = itertools.count(1)
        works = {
            "duckdb": lambda: duck.execute(case.sql).fetchall(),
            "again": lambda: asker.rows(case.tree()),
        }
        if case.shifts:
            works["other"] = lambda: asker.rows(case.tree(next(shifts)))
        taken = alternating(works, rounds)
        whole = timed(lambda: known.run(case.tree(), now=NOW))[0]
    theirs = taken.pop("duckdb")
    told = {
        "asked for the first time after the import": never_asked,
        "first after opening the store": opened,
        "asked again": taken["again"],
        **({"with other constants": taken["other"]} if "other" in taken else {}),
        "`run` again, with every event behind it named": whole,
    }
    return [
        Figure(f"{case.name}: DuckDB, {len(result.rows):,} pairs", f"{theirs:.0f} ms"),
        *(Figure(f"{case.name}: {name} / ratio", f"{ms:.0f} ms / {ms / theirs:.1f}") for name, ms in told.items()),
    ]


def _agree(case: JoinCase, ours: object, duck: duckdb.DuckDBPyConnection) -> None:
    theirs = plain_tuples(row[2:] for row in duck.execute(case.sql).fetchall())
    if ours != theirs:
        raise AssertionError(f"{case.name}: the pairs are not those of DuckDB ({len(theirs):,})")


@dataclass(frozen=True)
class JoinCase:
    """A join: its condition, and what it is in SQL over `left` and `right` (id, start, "end").

    `columns` of the tree's rows are the last columns of the SQL, in this order; before them come the two ids.
    """

    name: str
    right: str
    condition: str
    sql: str
    columns: tuple[str, ...]

    def tree(self, shift: int = 0) -> str:
        """The tree; a `shift` of so many seconds makes it another one with nearly the same rows."""
        moved = f"i1.start_datetime + timedelta(seconds={shift})" if shift else "i1.start_datetime"
        condition = self.condition.replace("{start}", moved)
        return f'JOIN(l1=RETRIEVE(query="music streams"), l2=RETRIEVE(query="{self.right}"), condition="{condition}")'

    @property
    def shifts(self) -> bool:
        """Whether there are such other trees."""
        return "{start}" in self.condition


_SPANS: Final = ("start_datetime", "end_datetime", "start_datetime_2", "end_datetime_2")
_SELECT: Final = 'SELECT l.id, r.id, l.start, l."end", r.start, r."end" FROM songs l JOIN {right} r ON '

CASES: Final = (
    JoinCase(
        "songs while running",
        "runs",
        "{start} >= i2.start_datetime and i1.end_datetime <= i2.end_datetime",
        _SELECT.format(right="runs")
        + 'l.start >= r.start AND l."end" <= r."end"',
        _SPANS,
    ),
    JoinCase(
        "songs that overlap a workout",
        "workouts",
        "{start} < i2.end_datetime and i1.end_datetime > i2.start_datetime",
        _SELECT.format(right="workouts")
        + 'l.start < r."end" AND l."end" > r.start',
        _SPANS,
    ),
    JoinCase(
        "songs on the day of a run",
        "runs",
        "i1.start_date == i2.start_date",
        "SELECT l.id, r.id, l.start::DATE, r.start::DATE FROM songs l JOIN runs r ON l.start::DATE = r.start::DATE",
        ("start_date", "start_date_2"),
    ),
    JoinCase(
        "songs with the workout that ended last before them",
        "workouts",
        "{start} >= i2.end_datetime and nearest(i1.start_datetime, i2.end_datetime)",
        'SELECT l.id, r.id, l.start, r."end" FROM songs l ASOF JOIN workouts r ON l.start >= r."end"',
        ("start_datetime", "end_datetime_2"),
    ),
)  # fmt: skip
_PATTERNS: Final = {
    "songs": "?e a ev:MusicStream",
    "workouts": "?e a ev:Workout",
    "runs": '?e a ev:Workout ; ev:workoutType "running"',
}


def tables(graph: Graph) -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB with the songs, workouts and runs of the graph, their times as TIMESTAMP."""
    made = duckdb.connect()
    for name, pattern in _PATTERNS.items():
        rows = graph.select(f"SELECT ?e ?s ?n {{ {pattern} ; ev:start ?s ; ev:end ?n }}")
        made.execute(f'CREATE TABLE {name} (id VARCHAR, start TIMESTAMP, "end" TIMESTAMP)')
        columns: list[list[Any]] = [[], [], []]
        for event, start, end in rows:
            assert event is not None
            assert start is not None
            assert end is not None
            columns[0].append(event.value)
            columns[1].append(datetime.fromisoformat(start.value))
            columns[2].append(datetime.fromisoformat(end.value))
        made.execute(f"INSERT INTO {name} SELECT unnest(?), unnest(?), unnest(?)", columns)
    return made


if __name__ == "__main__":
    for figure in measure(Life().scaled(float(sys.argv[1])) if len(sys.argv) > 1 else None):
        print(figure, flush=True)
