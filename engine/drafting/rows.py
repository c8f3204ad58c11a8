"""The rows of the fact tables with all their measures and dimensions, joined in the working database: from these a
question is answered without map, store and planner."""

from __future__ import annotations

import re
from typing import Final

import duckdb

from .model import Draft, Fact, Path, Property, Table
from .profile import value_of

MOST_ROWS: Final = 20_000
"""Rows of one fact table over which the questions are tried."""
_VARIABLE: Final = re.compile(r"\?(\w+)")


def lay_rows(draft: Draft, database: duckdb.DuckDBPyConnection) -> None:
    """One table for each fact table, called as `rows_of` says, with a column for each property."""
    for number, fact in enumerate(draft.facts):
        mine = [one for one in draft.properties if any(table == fact.table for table, _ in one.paths)]
        joins = _Joins(draft)
        selected = [f'{_of_column(draft, one, fact, joins)} AS "{one.local}"' for one in mine if one.column]
        selected.append("1 AS rows_")
        if fact.time:
            path, column = fact.time
            selected.append(f"{value_of(column, joins.alias(path) + '.')} AS start_")
        base = draft.table(fact.table).relation
        query = f"SELECT {', '.join(selected)} FROM (SELECT * FROM {base} LIMIT {MOST_ROWS}) f {joins.said()}"
        computed = [f'{_computed(one)} AS "{one.local}"' for one in mine if one.formula]
        every = ", ".join(("*", *computed))
        database.execute(f"CREATE OR REPLACE TABLE facts{number} AS SELECT {every} FROM ({query})")


def rows_of(draft: Draft, fact: Fact) -> str:
    """What the rows of a fact table are called in the working database."""
    return f"facts{draft.facts.index(fact)}"


def _computed(one: Property) -> str:
    return _VARIABLE.sub(r'"\1"', one.formula)


def _of_column(draft: Draft, one: Property, fact: Fact, joins: _Joins) -> str:
    place = one.column_of(fact.table)
    assert place is not None
    path = next(path for table, path in one.paths if table == fact.table)
    table = draft.table(place[0])
    alias = joins.alias(path)
    if one.named and table.first_name is not None:
        return f"concat_ws(' ', {alias}.c{table.first_name}, {alias}.c{table.label})"
    return value_of(table.columns[place[1]], f"{alias}.")


class _Joins:
    """The joins by which a fact reaches what it refers to, each once."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._aliases: dict[Path, str] = {(): "f"}
        self._said: list[str] = []

    def alias(self, path: Path) -> str:
        """What the table at the end of a path is called."""
        if path not in self._aliases:
            before = self.alias(path[:-1])
            alias = f"j{len(self._aliases)}"
            target: Table = self._draft.table(path[-1].target)
            on = f"{before}.c{path[-1].column} = {alias}.c{path[-1].target_column}"
            self._said.append(f"LEFT JOIN {target.relation} {alias} ON {on}")
            self._aliases[path] = alias
        return self._aliases[path]

    def said(self) -> str:
        """All joins."""
        return " ".join(self._said)
