"""What the columns of a table hold: kinds are told from a sample and held against all rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import duckdb

from ...mappings.rml.functions.numbers import number
from ...mappings.rml.functions.types import Unconvertible
from ...sources.day_order import infer_order
from .inputs import Loaded
from .model import Column, Guess, Kind, Reading, Table
from .names import called, is_free, is_identifier, time_rank

_SAMPLE: Final = 2_000
"""Rows by which it is told what a column may hold."""
_SHOWN: Final = 200
"""Values of a column that are kept, the commonest."""
_MARKERS: Final = ("NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "None", "-", "--", "?", "#N/A", "\\N")
_MARKERS_SET: Final = frozenset(_MARKERS)
"""What stands for no value in columns of numbers and dates."""
_PLAIN: Final = {
    Kind.INTEGER: r"[+-]?(0|[1-9]\d{0,17})",
    Kind.DECIMAL: r"[+-]?(0|[1-9]\d{0,24})?(\.\d{1,24})?",
    Kind.DATE: r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    Kind.MOMENT: r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?",
    Kind.BOOLEAN: r"true|false",
}
_DRESSED: Final = r"([€$£¥]|[A-Z]{3})? ?[+-]?\d[\d.,' ]*([eE][+-]?\d+)? ?([€$£¥%]|[A-Za-z°/²³]{1,5})?"
_DAYS: Final = {
    "DMY": ("%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%y"),
    "MDY": ("%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y"),
    "YMD": ("%Y/%m/%d", "%Y.%m.%d"),
}
_NAMED: Final = ("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%d-%b-%y")
_CLOCKS: Final = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", "T%H:%M:%S")
_EPOCHS: Final = {"epoch-s": (9, 10), "epoch-ms": (12, 13)}


def profiled(loaded: Loaded, database: duckdb.DuckDBPyConnection) -> tuple[Table, list[Guess]]:
    """The table with what its columns hold, and what is to be told of it."""
    teller = _Teller(loaded, database)
    nulls = teller.drop_markers()
    columns = tuple(teller.column(number) for number in range(len(loaded.header)))
    reading = Reading(loaded.reading.path, loaded.reading.iterator, nulls)
    rows = teller.one("SELECT count(*)")
    told = [*loaded.guesses, *teller.guesses]
    if nulls:
        told.append(Guess(loaded.name, f"{', '.join(nulls)} stands for no value"))
    return Table(loaded.name, loaded.relation, rows, columns, reading), told


def house_number(text: str) -> float | None:
    """A number as maps read it (fn:number)."""
    try:
        found = number(text)
    except Unconvertible:
        return None
    return float(found) if isinstance(found, Decimal) else None


class _Teller:
    """What the rows of one table say."""

    def __init__(self, loaded: Loaded, database: duckdb.DuckDBPyConnection) -> None:
        self._loaded = loaded
        self._database = database
        self.guesses: list[Guess] = []
        fields = [f"c{number}" for number in range(len(loaded.header))]
        empty = ", ".join(f"{name} = nullif({name}, '')" for name in fields)
        self._run(f"UPDATE {loaded.relation} SET {empty}")
        self._run(f"DELETE FROM {loaded.relation} WHERE coalesce({', '.join(fields)}) IS NULL")
        self._kinds = self._sampled(fields)

    def _run(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._database.execute(query, list(values)).fetchall()

    def one(self, select: str, *values: object) -> Any:
        """One value of the table."""
        return self._run(f"{select} FROM {self._loaded.relation}", values)[0][0]

    def _sampled(self, fields: Sequence[str]) -> dict[str, list[Kind]]:
        """Which kinds the first rows of each column allow, markers aside."""
        rows = self._run(f"SELECT * FROM {self._loaded.relation} LIMIT {_SAMPLE}")
        columns = zip(*rows, strict=True) if rows else ([] for _ in fields)
        found: dict[str, list[Kind]] = {}
        for field, column in zip(fields, columns, strict=True):
            cells = {cell for cell in column if cell is not None} - _MARKERS_SET
            fit = (kind for kind, pattern in _PLAIN.items() if all(re.fullmatch(pattern, cell) for cell in cells))
            found[field] = list(fit) if cells else []
        return found

    def drop_markers(self) -> tuple[str, ...]:
        """Makes no value of what stands for none in columns that are numbers or dates but for it."""
        found: dict[str, None] = {}
        for field, kinds in self._kinds.items():
            if kinds:
                marked = f"SELECT DISTINCT {field} FROM {self._loaded.relation} WHERE {field} IN {_MARKERS}"
                found.update(dict.fromkeys(value for (value,) in self._run(marked)))
        if found:
            listed = ", ".join("?" for _ in found)
            sets = ", ".join(f"{f} = CASE WHEN {f} IN ({listed}) THEN NULL ELSE {f} END" for f in self._kinds)
            self._run(f"UPDATE {self._loaded.relation} SET {sets}", [*found] * len(self._kinds))
        return tuple(sorted(found))

    def column(self, at: int) -> Column:
        """All that is told of a column."""
        name, field, relation = self._loaded.header[at], f"c{at}", self._loaded.relation
        filled, distinct, length = self._run(
            f"SELECT count({field}), count(DISTINCT {field}), avg(length({field})) FROM {relation}"
        )[0]
        commonest = f"SELECT {field} FROM {relation} WHERE {field} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1"
        values = tuple(value for (value,) in self._run(f"{commonest} LIMIT {_SHOWN}"))
        kind, pattern, dressed = self._kind(name, field, values)
        found = Column(
            name, at, kind, filled, distinct, pattern, dressed, length=length or 0, values=values,
            reference=self._loaded.references[at],
        )  # fmt: skip
        if not (found.numeric or found.timed) or not filled:
            return found
        least, most = self._run(f"SELECT min(x), max(x) FROM (SELECT {value_of(found)} AS x FROM {relation})")[0]
        if found.timed:
            least, most = (float(one.year) if one else 0.0 for one in (least, most))
        return Column(**{**vars(found), "least": float(least or 0), "most": float(most or 0)})

    def _kind(self, name: str, field: str, values: Sequence[str]) -> tuple[Kind, str, str]:
        """The kind, the pattern of dates, and how numbers are dressed."""
        epoch = self._epoch(name, field) if Kind.INTEGER in self._kinds[field] else ""
        if epoch:
            return Kind.MOMENT, epoch, ""
        for kind in self._kinds[field]:
            if self._all(field, "regexp_full_match({}, ?)", _PLAIN[kind]) and self._is_day(field, kind):
                return kind, "", ""
        if not values:
            return Kind.TEXT, "", ""
        for pattern in self._patterns(name, values):
            if self._all(field, "try_strptime({}, ?) IS NOT NULL", pattern):
                return (Kind.DATE if len(pattern) < 10 and ":" not in pattern else Kind.MOMENT), pattern, ""
        return self._number(name, field, values)

    def _is_day(self, field: str, kind: Kind) -> bool:
        if kind not in (Kind.DATE, Kind.MOMENT):
            return True
        return self._all(field, f"try_cast({{}} AS {'DATE' if kind is Kind.DATE else 'TIMESTAMP'}) IS NOT NULL")

    def _all(self, field: str, test: str, *values: object) -> bool:
        test = test.replace("{}", field)
        return not self.one(f"SELECT count(*) FILTER ({field} IS NOT NULL AND NOT coalesce({test}, false))", *values)

    def _epoch(self, name: str, field: str) -> str:
        if time_rank(called(name)) <= 0:
            return ""
        digits = f"length({field})"
        return next(
            (mark for mark, (low, high) in _EPOCHS.items() if self._all(field, f"{digits} BETWEEN {low} AND {high}")),
            "",
        )

    def _patterns(self, name: str, values: Sequence[str]) -> Iterator[str]:
        """The ways in which dates may be written, the likeliest first."""
        if not any(sign.isdigit() for sign in values[0]):
            return
        order = infer_order([value.split()[0] for value in values if value.strip()])
        first = _DAYS[order.order]
        for pattern in (*first, *_NAMED, *(p for o, ps in _DAYS.items() if o != order.order for p in ps)):
            for clock in _CLOCKS:
                if not all(_is_date(value, pattern + clock) for value in values):
                    continue
                if not order.certain and pattern in first:
                    other = "month first" if order.order == "DMY" else "day first"
                    self.guesses.append(
                        Guess(f"{self._loaded.name}.{name}", f"dates such as {values[0]} are read as {pattern}", other)
                    )
                yield pattern + clock

    def _number(self, name: str, field: str, values: Sequence[str]) -> tuple[Kind, str, str]:
        """Numbers with signs around or marks between, as maps read them; else text."""
        codes = any(value[:1] == "0" and value[1:].isdigit() and len(value) > 1 for value in values)
        words = called(name)
        if (
            codes
            or is_identifier(words)
            or is_free(words)
            or not self._all(field, f"regexp_full_match({{}}, '{_quote(_DRESSED)}')")
        ):
            return Kind.TEXT, "", ""
        signs = {"".join(sign for sign in value if not (sign.isdigit() or sign in "+-.,' ")) for value in values}
        if len(signs) > 1 or any(house_number(value) is None for value in values):
            return Kind.TEXT, "", ""
        if not self._all(field, "house_number({}) IS NOT NULL"):
            return Kind.TEXT, "", ""
        self.guesses.append(
            Guess(f"{self._loaded.name}.{name}", f"cells such as {values[0]!r} are read as numbers", "text")
        )
        return Kind.DECIMAL, "", "fn:number"


def _is_date(text: str, pattern: str) -> bool:
    try:
        datetime.strptime(text, pattern)
    except ValueError:
        return False
    return True


def _quote(text: str) -> str:
    return text.replace("'", "''")


def value_of(column: Column, alias: str = "") -> str:
    """The SQL expression of a column's value, of its own type."""
    field = f"{alias}{column.field}"
    if column.pattern.startswith("epoch"):
        return f"make_timestamp({field}::BIGINT * {1_000_000 if column.pattern == 'epoch-s' else 1000})"
    if column.pattern:
        target = "DATE" if column.kind is Kind.DATE else "TIMESTAMP"
        return f"CAST(try_strptime({field}, '{column.pattern}') AS {target})"
    if column.dressed:
        return f"house_number({field})"
    casts = {Kind.INTEGER: "BIGINT", Kind.DECIMAL: "DOUBLE", Kind.DATE: "DATE", Kind.MOMENT: "TIMESTAMP"}
    return f"try_cast({field} AS {casts[column.kind]})" if column.kind in casts else field
