"""Joins of songs with workouts as operator trees, and the same in SQL for DuckDB."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import duckdb

from ..store.graph import Graph


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
