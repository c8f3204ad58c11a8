"""Keys, foreign keys and functional dependencies: what all rows say, and names that speak for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import duckdb

from ...store.words import normalise
from .model import Column, Dependency, Guess, Kind, Link, Table
from .names import called, is_free, is_identifier, is_key, singular, without_key

_FEW: Final = 5
_MOST_COLUMNS: Final = 60
"""Columns of one table between which dependencies are looked for."""
_MISSING: Final = 0.05
"""The share of rows that may name what is not there."""
_MOST_PARTS: Final = 8
_SAME: Final = 9
_NAME: Final = ("name", "title", "label", "description", "full name")
Database = duckdb.DuckDBPyConnection


def _name(table: Table) -> str:
    return singular(called(table.name).words)


def with_key(table: Table, database: Database) -> tuple[Table, list[Guess]]:
    """The table with its key: one column, or two or three of its keys together. Without one, the rows need numbers."""
    unique = [c for c in table.columns if c.filled == c.distinct == table.rows and c.kind in (Kind.INTEGER, Kind.TEXT)]
    ranked = sorted(unique, key=lambda column: -_key_rank(column, table))
    if ranked and _key_rank(ranked[0], table) > 0:
        key = ranked[0]
        others = [column.name for column in ranked[1:] if _key_rank(column, table) > 1]
        why = f"key: all {table.rows:,} rows have another"
        return replace(table, key=(key.number,)), [Guess(f"{table.name}.{key.name}", why, ", ".join(others))]
    dated = next((c for c in table.columns if c.filled == c.distinct == table.rows and c.timed), None)
    if dated is not None:
        return replace(table, key=(dated.number,)), [Guess(f"{table.name}.{dated.name}", "key: one row for each time")]
    parts = [column for column in table.columns if column.filled == table.rows and _is_part(column)]
    for size in (2, 3):
        for several in combinations(parts[:_MOST_PARTS], size):
            if all(c.distinct < table.rows for c in several) and _are_unique(table, several, database):
                names = " and ".join(column.name for column in several)
                told = Guess(f"{table.name}: {names}", "together the key: no two rows have the same")
                return replace(table, key=tuple(column.number for column in several)), [told]
    return table, []


def _is_part(column: Column) -> bool:
    name = called(column.name)
    return is_key(name.words) or is_identifier(name) or column.timed


def _key_rank(column: Column, table: Table) -> int:
    """How much a unique column looks like the key."""
    words, own = called(column.name).words, _name(table)
    if words in ("id", "key", "uuid", f"{own} id", f"{own} key", f"{own} code", f"{own} no", "row"):
        return 9
    if is_key(words) or is_identifier(called(column.name)):
        return 8 if column.number == 0 else 6
    if words == own:
        return 4
    if column.number == 0 and (column.kind is Kind.TEXT or words in ("index", "")):
        return 3 if column.length < 40 else 0
    return 1 if words in _NAME and column.kind is Kind.TEXT and table.rows > _FEW else 0


def _are_unique(table: Table, columns: Sequence[Column], database: Database) -> bool:
    fields = ", ".join(column.field for column in columns)
    query = f"SELECT count(*) FROM (SELECT DISTINCT {fields} FROM {table.relation})"
    return bool((database.execute(query).fetchone() or (0,))[0] == table.rows)


# ---------------------------------------------------------------- foreign keys
def links_of(tables: Sequence[Table], database: Database) -> tuple[list[Link], list[Guess]]:
    """Which columns name rows of other tables."""
    links: list[Link] = []
    told: list[Guess] = []
    for table in tables:
        for column in table.columns:
            found = list(_targets(table, column, tables, database))
            if found:
                links.append(_apart(found[0], column, links))
                told.append(_told(found, table, column))
    return _without_rounds(_by_one_name(links)), told


def _apart(link: Link, column: Column, links: Sequence[Link]) -> Link:
    """The link, called by its column where another of the table is called as it is."""
    same = any((one.table, one.words) == (link.table, link.words) for one in links)
    return replace(link, words=called(column.name).words) if same else link


def _targets(table: Table, column: Column, tables: Sequence[Table], database: Database) -> Iterator[Link]:
    """The links that a column may be, the best first."""
    if column.kind not in (Kind.INTEGER, Kind.TEXT) or not column.filled or is_free(called(column.name)):
        return
    own_key = table.key == (column.number,)
    ranked: list[tuple[int, Link]] = []
    for target in tables:
        if target.name == table.name:
            continue
        for key in _unique_columns(target):
            rank = _speaks(column, key, target)
            if (
                rank <= 0
                or key.kind is not column.kind
                or (
                    own_key
                    and (rank < 9 or target.rows < table.rows or _key_rank(column, table) >= _key_rank(key, target))
                )
            ):
                continue
            missing = _missing(table, column, target, key, database)
            if missing <= table.rows * _MISSING:
                words = _link_words(column, target, rank)
                ranked.append((rank, Link(table.name, column.number, target.name, key.number, words, missing)))
    yield from (link for _, link in sorted(ranked, key=lambda one: -one[0]))


def _link_words(column: Column, target: Table, rank: int) -> str:
    """What a link is called: by the role that its column names, or as the table that it leads to."""
    words = without_key(called(column.name).words)
    as_target = rank == _SAME or words in ("", "id") or _are_addresses(column)
    return _name(target) if as_target else singular(words)


def _are_addresses(column: Column) -> bool:
    return bool(column.values) and all(value.startswith(("http://", "https://")) for value in column.values[:9])


def _unique_columns(table: Table) -> list[Column]:
    """The key, and other columns that tell rows apart."""
    found = [table.columns[number] for number in table.key] if len(table.key) == 1 else []
    return found + [c for c in table.columns if c.number not in table.key and _is_name(c, table)]


def _is_name(column: Column, table: Table) -> bool:
    unique = column.filled == column.distinct == table.rows and column.kind in (Kind.INTEGER, Kind.TEXT)
    return unique and (is_identifier(called(column.name)) or called(column.name).words in _NAME)


def _speaks(column: Column, key: Column, target: Table) -> int:
    """How much the names speak for a link: 0 for not at all."""
    words, stated, own = called(column.name).words, called(key.name).words, _name(target)
    bare, keyed = without_key(words), without_key(stated)
    if normalise(words) == normalise(stated) and stated not in ("id", "key", "code", "number", "name", "nr", "no"):
        return 9
    short = normalise(own).endswith(" " + normalise(bare)) and column.kind is Kind.TEXT and column.distinct > 2
    same, tail = normalise(bare) == normalise(own), normalise(bare).endswith(" " + normalise(own))
    if (same or normalise(bare) == normalise(keyed)) and (
        is_key(words) or column.kind is key.kind is Kind.TEXT or is_key(stated)
    ):
        return 8 if is_key(words) else 6
    if tail and is_key(words):
        return 7
    return 3 if _are_addresses(column) or short or (tail and column.kind is Kind.TEXT) else 0


def _missing(table: Table, column: Column, target: Table, key: Column, database: Database) -> int:
    query = (
        f"SELECT count(*) FROM {table.relation} WHERE {column.field} IS NOT NULL"
        f" AND {column.field} NOT IN (SELECT {key.field} FROM {target.relation} WHERE {key.field} IS NOT NULL)"
    )
    return int((database.execute(query).fetchone() or (0,))[0])


def _told(found: Sequence[Link], table: Table, column: Column) -> Guess:
    link = found[0]
    gone = f", but for {link.missing:,} rows" if link.missing else ""
    why = f"refers to {link.target}: every value is there{gone} ({column.distinct:,} values)"
    other = f"{found[1].target}" if len(found) > 1 else "values without a row are left out" if link.missing else ""
    return Guess(f"{table.name}.{column.name} → {link.target}", why, other)


def _by_one_name(links: Sequence[Link]) -> list[Link]:
    """The links, without those that name rows of a table by another column than others do, or than its key."""
    first = {link.target: link.target_column for link in sorted(links, key=lambda one: -one.target_column)}
    return [link for link in links if link.target_column == first[link.target]]


def _without_rounds(links: Sequence[Link]) -> list[Link]:
    """The links, without those by which one would come back to the table where one began."""
    kept: list[Link] = []
    for link in links:
        reached, left = {link.target}, [link.target]
        while left:
            at = left.pop()
            new = {one.target for one in kept if one.table == at} - reached
            reached |= new
            left += new
        if link.table not in reached:
            kept.append(link)
    return kept


def _is_long(column: Column) -> bool:
    return is_identifier(called(column.name)) and column.length > 12


# ---------------------------------------------------------------- dependencies
def dependencies_of(table: Table, candidates: Sequence[Column], database: Database) -> list[Dependency]:
    """Which columns go with one value of another: of every pair the direct ones, not those by way of a third."""
    columns = [c for c in candidates if c.distinct > 1][:_MOST_COLUMNS]
    pairs = [(a, b) for a in columns for b in columns if a is not b and b.distinct < a.distinct <= table.rows * 0.5]
    if not pairs:
        return []
    tests = ", ".join(
        f"count(DISTINCT CASE WHEN {a.field} IS NOT NULL THEN {a.field} || chr(31) || coalesce({b.field}, '') END)"
        for a, b in pairs
    )
    found = database.execute(f"SELECT {tests} FROM {table.relation}").fetchone() or ()
    held = {(a.number, b.number) for (a, b), count in zip(pairs, found, strict=True) if count == a.distinct}
    return [
        Dependency(table.name, a.number, b.number, a.distinct)
        for a, b in pairs
        if (a.number, b.number) in held and not _by_chance(table, a, b)
    ]


def _by_chance(table: Table, column: Column, on: Column) -> bool:
    """Whether so few rows a member say little, or another column has nearly one value."""
    return table.rows < 2 * column.distinct or on.filled < table.rows * 0.5 or column.distinct < 3


def with_label(table: Table) -> Table:
    """The table with the column that its members are called by: its name, a title, the first text that is unique."""
    own = _name(table)
    texts = [
        c for c in table.columns if c.kind is Kind.TEXT and c.filled > table.rows * 0.9 and not is_free(called(c.name))
    ]
    for words in (own, f"{own} name", *_NAME, "last name"):
        found = next((c for c in texts if singular(called(c.name).words) == words and c.distinct > 1), None)
        if found is not None:
            first = next((c.number for c in texts if called(c.name).words == "first name"), None)
            return replace(table, label=found.number, first_name=first if words == "last name" else None)
    tail = next((c for c in texts if called(c.name).last in ("name", "title") and c.number not in table.key), None)
    unique = next((c for c in texts if c.distinct == table.rows and c.number not in table.key), None)
    key = table.columns[table.key[0]] if len(table.key) == 1 else None
    found = tail or unique or (key if key and key.kind is Kind.TEXT and not _is_long(key) else None)
    return replace(table, label=found.number if found else None)
