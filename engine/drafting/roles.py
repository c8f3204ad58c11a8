"""Which tables are facts, when their facts happened, and what each column is: a figure, a group, or only told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .model import Column, Fact, Guess, Kind, Link, Path, Table
from .names import (
    Called,
    called,
    is_averaged,
    is_class,
    is_free,
    is_identifier,
    is_summed,
    local_name,
    of_kind,
    plural,
    singular,
    time_rank,
)

_DEEPEST: Final = 6
"""Joins by which something is looked for."""
_YEARS: Final = (1000, 2200)
_FREE_LENGTH: Final = 45
_UNCOUNTED: Final = ("data", "metadata", "datum", "information", "dataset", "info", "export", "table", "sheet", "csv")
_PREFIXES: Final = ("tbl", "fact", "dim", "fct", "table", "stg", "src")


@dataclass(frozen=True)
class Role:
    """What a column is: `measure`, `dimension`, `attribute` or nothing, and how a measure is taken together."""

    role: str
    aggregate: str = ""
    of_kind: str = ""
    guesses: tuple[Guess, ...] = ()


def fact_words(table: Table) -> str:
    """What one row of a table is called."""
    parts = called(table.name).words.split()
    while len(parts) > 1 and parts[0] in _PREFIXES:
        parts.pop(0)
    words = singular(" ".join(parts))
    told = any(sign.isalpha() for sign in words) and words.split()[-1] not in _UNCOUNTED
    return words if told else "row"


def facts_of(tables: Sequence[Table], links: Sequence[Link]) -> tuple[list[Fact], list[Guess]]:
    """The fact tables: those that no other refers to, and those that are referred to but have a time and figures."""
    targets = {link.target for link in links}
    found: list[Fact] = []
    told: list[Guess] = []
    for table in tables:
        own_links = [link for link in links if link.table == table.name]
        timed = any(time_rank(called(c.name)) > 0 and c.timed for c in table.columns)
        figures = any(figure_role(c, table, links, timed=timed).role == "measure" for c in table.columns)
        if table.name in targets and not (timed and (own_links or figures)):
            told.append(Guess(table.name, f"what facts refer to ({table.rows:,} rows), as another table names its key"))
            continue
        words = fact_words(table)
        time, guesses = _time(table, links, tables)
        other = "only what other facts refer to" if table.name in targets else ""
        told.append(Guess(table.name, f"facts: each of {table.rows:,} rows is one {words}", other))
        found.append(Fact(table.name, local_name(words, "Row", upper=True), words, time, tuple(guesses)))
    return _named_apart(sorted(found, key=lambda fact: fact.table in targets)), told


def _named_apart(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, no two of one name."""
    seen: dict[str, int] = {}
    found: list[Fact] = []
    for fact in facts:
        count = seen[fact.local.lower()] = seen.get(fact.local.lower(), 0) + 1
        suffix = f" {count}" if count > 1 else ""
        found.append(
            Fact(fact.table, f"{fact.local}{suffix.strip()}", f"{fact.label}{suffix}", fact.time, fact.guesses)
        )
    return found


def reached(table: str, links: Sequence[Link]) -> Iterator[tuple[Path, str]]:
    """The tables that a table reaches, itself first, and by which links."""
    left: list[tuple[Path, str]] = [((), table)]
    while left:
        path, at = left.pop(0)
        yield path, at
        if len(path) < _DEEPEST:
            left += [((*path, link), link.target) for link in links if link.table == at]


def _time(
    table: Table, links: Sequence[Link], tables: Sequence[Table]
) -> tuple[tuple[Path, Column] | None, list[Guess]]:
    """The column that says when a fact happened: in the table, or where a header of it has it."""
    by_name = {one.name: one for one in tables}
    ranked: list[tuple[float, Path, Column, str]] = []
    for path, at in reached(table.name, links):
        for column in by_name[at].columns:
            rank = time_rank(called(column.name))
            if column.timed and (not path or rank > 1) and len(path) <= 1:
                held = column.filled / max(1, by_name[at].rows)
                ranked.append((rank + held - 2 * len(path) - column.number / 1000, path, column, at))
    ranked.sort(key=lambda one: -one[0])
    if not ranked or (ranked[0][0] < 0 and len(ranked[0][1]) > 0):
        return None, [Guess(table.name, "no column says when a row happened: no questions of times")]
    _, path, column, at = ranked[0]
    others = ", ".join(f"{place}.{one.name}" for _, way, one, place in ranked[1:] if not way)
    gaps = by_name[at].rows - column.filled
    if ranked[0][0] < 0:
        others = ", ".join(filter(None, (others, "it is the time of something else")))
    why = "says when it happened" + (f"; {gaps:,} rows have none" if gaps else "")
    return (path, column), [Guess(f"{at}.{column.name}", why, others)]


def column_role(column: Column, table: Table, links: Sequence[Link], fact: Fact | None) -> Role:
    """What a column is: of the fact table itself where `fact` is given, else of what facts refer to."""
    at, name = f"{table.name}.{column.name}", called(column.name)
    timed = fact is not None and fact.time is not None
    if not column.filled or (timed and fact and fact.time and fact.time[1] is column and not fact.time[0]):
        return Role("")
    if timed and of_kind(name) == "time" and name.words in ("year", "month", "quarter", "weekday", "week", "day"):
        return Role("", guesses=(Guess(at, "left out: the time tells it"),))
    if column.numeric:
        return figure_role(column, table, links, timed=timed, inside=fact is not None)
    if column.kind is Kind.TEXT:
        return _text_role(column, table, name, at)
    return Role("dimension")


def _text_role(column: Column, table: Table, name: Called, at: str) -> Role:
    many = column.distinct > max(20, table.rows * 0.5)
    if is_free(name) or column.length > _FREE_LENGTH:
        return Role("attribute", guesses=(Guess(at, "texts, kept but not grouped by", "a dimension"),))
    if many and is_identifier(name):
        return Role("", guesses=(Guess(at, "left out: nearly every row has another"),))
    if column.distinct > max(20, table.rows * 0.9) and column.number != table.label and not of_kind(name):
        return Role("attribute", guesses=(Guess(at, "nearly every row has another: not grouped by", "a dimension"),))
    return Role("dimension", of_kind=of_kind(name))


def figure_role(column: Column, table: Table, links: Sequence[Link], *, timed: bool, inside: bool = True) -> Role:
    """What a column of numbers is."""
    name, at = called(column.name), f"{table.name}.{column.name}"
    linked = any(link.table == table.name and link.column == column.number for link in links)
    if not column.numeric or linked or (column.number in table.key and (is_identifier(name) or column.number == 0)):
        return Role("")
    whole = column.kind is Kind.INTEGER
    if is_identifier(name) or name.words in ("row", "index", ""):
        few = whole and column.distinct <= max(2, table.rows * 0.2)
        told = Guess(at, "an identifier: never added up" + ("" if few else ", left out"))
        return Role("dimension" if few and inside else "", guesses=(told,))
    if whole and _is_year(column, name):
        return Role("dimension", of_kind="" if timed or not inside or name.words != "year" else "time")
    if name.last in ("latitude", "longitude"):
        return Role("attribute", guesses=(Guess(at, "a position: kept, neither added up nor grouped by"),))
    if not inside:
        return Role("dimension" if whole else "attribute")
    if whole and (is_class(name) or {column.least, column.most} <= {0.0, 1.0}) and not is_summed(name):
        return Role("dimension", guesses=(Guess(at, f"{column.distinct} classes to group by", "a measure"),))
    return _measure(column, table, links, name, at, timed)


def _is_year(column: Column, name: Called) -> bool:
    low, high = _YEARS
    said = any(
        word in ("year", "born", "founded", "built", "since", "published", "established") for word in name.words.split()
    )
    return said and low <= column.least and column.most <= high


def _measure(column: Column, table: Table, links: Sequence[Link], name: Called, at: str, timed: bool) -> Role:
    said = f" (in {name.unit_words or name.money})" if name.unit_words or name.money else ""
    if is_averaged(name):
        return Role("measure", "avg", guesses=(Guess(at, f"a measure, averaged{said}: its name says so"),))
    if is_summed(name):
        return Role("measure", guesses=(Guess(at, f"a measure, added up{said}"),))
    samples = not timed and not any(link.table == table.name for link in links)
    if samples and (column.kind is Kind.DECIMAL or column.least < 0):
        told = Guess(at, f"a measure, averaged{said}: its rows look like samples", 'wh:aggregate "sum"')
        return Role("measure", "avg", guesses=(told,))
    return Role("measure", guesses=(Guess(at, f"a measure, added up{said}", 'wh:aggregate "avg"'),))


def counted(fact: Fact) -> str:
    """What the number of facts is called."""
    return f"number of {plural(fact.label)}"
