"""Gold answers: SQL over the canonical events, in DuckDB."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import duckdb

from .build import Life

_TEXT, _NUMBER, _LIST = "VARCHAR", "DOUBLE", "VARCHAR[]"
TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "music_stream": {"song_name": _TEXT, "artists": _LIST, "album": _TEXT, "duration_s": _NUMBER},
    "movie_stream": {"movie_title": _TEXT, "duration_s": _NUMBER, "device": _TEXT, "country": _TEXT},
    "tvseries_stream": {
        "tvseries_title": _TEXT, "season": "INTEGER", "episode_number": "INTEGER", "episode_name": _TEXT,
        "duration_s": _NUMBER,
        "device": _TEXT, "country": _TEXT,
    },
    "workout": {
        "workout_type": _TEXT, "duration_min": _NUMBER, "distance_km": _NUMBER, "min_hr": _NUMBER, "max_hr": _NUMBER,
        "avg_hr": _NUMBER,
        "avg_speed_kmh": _NUMBER, "max_speed_kmh": _NUMBER, "calories": _NUMBER, "participants": _LIST,
        "event_name": _TEXT,
    },
    "online_purchase": {
        "shop": _TEXT, "product": _TEXT, "category": _TEXT, "quantity": _NUMBER, "unit_price": _NUMBER,
        "price": _NUMBER,
        "currency": _TEXT, "gift_for": _TEXT,
    },
    "meeting": {
        "participants": _LIST, "activity": _TEXT, "place": _TEXT, "place_type": _TEXT, "city": _TEXT, "cuisine": _TEXT,
        "dish": _TEXT,
    },
    "celebration": {
        "occasion": _TEXT, "honoree": _TEXT, "participants": _LIST, "place": _TEXT, "place_type": _TEXT, "city": _TEXT,
        "food": _LIST,
        "gifts_given": _LIST, "gifts_received": _LIST,
    },
    "doctor_appointment": {
        "kind": _TEXT, "doctor_name": _TEXT, "place": _TEXT, "city": _TEXT, "patient": _TEXT, "reason": _TEXT,
    },
    "milestone": {"kind": _TEXT, "title": _TEXT, "organisation": _TEXT, "person": _TEXT, "city": _TEXT},
    "trip": {
        "destination_city": _TEXT, "country": _TEXT, "purpose": _TEXT, "participants": _LIST, "transport": _TEXT,
        "accommodation": _TEXT,
    },
    "trip_event": {
        "trip_id": _TEXT, "kind": _TEXT, "name": _TEXT, "city": _TEXT, "participants": _LIST, "cuisine": _TEXT,
        "dish": _TEXT,
    },
}  # fmt: skip
"""The tables: each has id, start_ts, end_ts, date and time_observable too."""
_COMMON: Final = {"id": _TEXT, "start": "TIMESTAMP", "end": "TIMESTAMP", "time_observable": "BOOLEAN"}
_FOOD: Final = """CREATE TABLE {0}.food_event AS
SELECT id, date, start_ts, participants, place, city, cuisine, dish FROM {0}.meeting
UNION ALL SELECT id, date, start_ts, participants, name, city, cuisine, dish FROM {0}.trip_event"""


class Gold:
    """The canonical events of a life as tables; `recorded` has those only that a self-describing record tells of."""

    def __init__(self, life: Life, canonical: Path) -> None:
        self._database = duckdb.connect(":memory:", config={"threads": 1})
        columns = _COMMON | {"type": _TEXT} | {key: kind for table in TABLES.values() for key, kind in table.items()}
        self._database.execute(
            "CREATE TABLE raw AS SELECT * FROM read_json(?, format='newline_delimited', columns=?)",
            [str(canonical), columns],
        )
        self._database.execute("CREATE SCHEMA recorded")
        records = {t.row["id"] for a in life.accounts if a.shown["source"] in TABLES for t in a.tells}
        self._database.execute("CREATE TABLE kept AS SELECT unnest(?) AS id", [sorted(records) or [""]])
        for schema, condition in (("main", ""), ("recorded", "AND id IN (SELECT id FROM kept)")):
            for table, keys in TABLES.items():
                named = ", ".join(
                    (
                        *keys,
                        '"start" AS start_ts',
                        '"end" AS end_ts',
                        'CAST("start" AS DATE) AS date',
                        "time_observable",
                    )
                )
                self._database.execute(
                    f"CREATE TABLE {schema}.{table} AS SELECT id, {named} FROM raw WHERE type = '{table}' {condition}"  # noqa: S608
                )
            self._database.execute(_FOOD.format(schema))
        self._texts(life)

    def _texts(self, life: Life) -> None:
        shown = [a.shown for a in life.accounts if a.shown["source"] in ("mail", "social_media", "note", "calendar")]
        rows = [
            (
                s["source"],
                s.get("sender"),
                s.get("recipient"),
                s.get("subject") or s.get("summary") or s.get("title"),
                s["start_date"],
                s["start_time"],
            )
            for s in shown
        ]
        keys = ("source", "sender", "recipient", "subject", "day", "clock")
        columns = [[row[n] for row in rows] for n in range(len(keys))]
        wide = ", ".join(f"unnest(CAST(? AS VARCHAR[])) AS {key}" for key in keys)
        for schema in ("main", "recorded"):
            stamp = "CAST(day || ' ' || clock AS TIMESTAMP) AS start_ts"
            named = f"source, sender, recipient, subject, CAST(day AS DATE) AS date, {stamp}"
            query = f"SELECT {named} FROM (SELECT {wide})"  # noqa: S608
            self._database.execute(f"CREATE TABLE {schema}.text_observable AS {query}", columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._database.close()

    def rows(self, sql: str, *, recorded: bool = False) -> list[tuple[Any, ...]]:
        """The rows of a query as plain values; over records alone if so wanted."""
        self._database.execute(f"SET schema = '{'recorded' if recorded else 'main'}'")
        return [tuple(map(_plain, row)) for row in self._database.execute(sql).fetchall()]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, time):
        return value.strftime("%H:%M")
    if isinstance(value, Decimal | float):
        return int(value) if value == int(value) else float(value)
    return value


def complexity(sql: str, *, top: bool, joins: bool) -> list[str]:
    """The complexity types of the paper's Table 4 that a query shows, but for multi-source."""
    lower = sql.lower()
    tests = {
        "ordering": top or "order by" in lower or bool(re.search(r"\b(min|max)\((date|start_ts)", lower)),
        "grouping": "group by" in lower,
        "temporal": bool(re.search(r"(?<!\.)\b(date|start_ts)\b|between t\.start_ts", lower)),
        "aggregation": bool(re.search(r"\b(count|sum|avg)\(|\b(min|max)\((?!date|start_ts)", lower)),
        "join": joins or " join " in lower or ("date_diff" in lower and lower.count("(select") > 1),
    }
    return [name for name, holds in tests.items() if holds]


_SOURCE: Final = r"(?P<source>\w+(?: \w JOIN .*?)?)(?: WHERE (?P<test>.*?))?"
_AFTER: Final = r"(?: GROUP BY .*| ORDER BY .*)?"
_PLAIN: Final = re.compile(rf"SELECT (?:(?! FROM ).)+ FROM {_SOURCE}{_AFTER}", re.S)  # noqa: S608
_SPREAD: Final = re.compile(
    rf"SELECT (?:(?! FROM ).)+ FROM \(SELECT unnest\(\w+\)[^()]* FROM {_SOURCE}\)(?: WHERE (?P<more>.*?))?{_AFTER}",  # noqa: S608
    re.S,
)


def behind(sql: str) -> str | None:
    """The query for the ids of the events that a query's answer rests on, where that is one table, joined or not."""
    found = _SPREAD.fullmatch(sql) or _PLAIN.fullmatch(sql)
    if found is None or any(table not in TABLES for table in (found["source"].split()[0],)):
        return None
    tests = [f"({test})" for name, test in found.groupdict().items() if name != "source" and test]
    if any(test.count("(") != test.count(")") or re.search(r"\b(val|a|HAVING|SELECT)\b", test) for test in tests):
        return None
    which = "m.id" if " JOIN " in found["source"] else "id"
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return f"SELECT DISTINCT {which} FROM {found['source']}{where}"  # noqa: S608
