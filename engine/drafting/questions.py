"""Questions that a domain should answer, each with its answer by a direct computation over the tables."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import zip_longest
from typing import Any, Final

import duckdb

from ...store.words import fold
from .model import Draft, Fact, Kind, Property, Question
from .names import plural
from .rows import rows_of

_MEASURES: Final = 5
_DIMENSIONS: Final = 5
_MOST_MEMBERS: Final = 300
_LONGEST: Final = 30


@dataclass(frozen=True)
class _Subject:
    """What is asked about: a fact table, with one of its measures and one of its dimensions."""

    fact: Fact
    rows: str
    measures: tuple[Property, ...]
    dimensions: tuple[Property, ...]
    years: tuple[int, ...]
    members: Mapping[str, str]
    """Queries for all members of dimensions that are tables of their own, with or without facts."""

    def turned(self, by: int) -> _Subject:
        """The same with other dimensions first, so that different sorts of questions have different ones."""
        at = by % max(1, len(self.dimensions))
        return replace(self, dimensions=(*self.dimensions[at:], *self.dimensions[:at]))


def candidates(draft: Draft, database: duckdb.DuckDBPyConnection) -> Iterator[Question]:
    """Questions of all sorts, those of different sorts and fact tables in turn."""
    asker = _Asker(database)
    by_fact: list[list[Iterator[Question]]] = []
    for at, fact in enumerate(draft.facts):
        subject = _subject(draft, fact, database)
        made = [make(asker, subject.turned(number)) for number, make in enumerate(_SORTS)]
        by_fact.append([*made[at % len(made) :], *made[: at % len(made)]])
    sorts = [one for several in zip(*by_fact, strict=True) for one in several]
    seen: set[str] = set()
    for several in zip_longest(*sorts):
        for one in several:
            if one is not None and one.expected and fold(one.text) not in seen:
                seen.add(fold(one.text))
                yield one


def _subject(draft: Draft, fact: Fact, database: duckdb.DuckDBPyConnection) -> _Subject:
    rows = rows_of(draft, fact)
    mine = sorted((p for p in draft.properties if fact.table in dict(p.paths)), key=lambda p: -p.preference)
    measures = [p for p in mine if p.role == "measure" and p.aggregate != "count"][:_MEASURES]
    dimensions: list[Property] = []
    for one in (p for p in mine if p.role == "dimension" and p.kind in (Kind.TEXT, Kind.INTEGER)):
        members = database.execute(f'SELECT count(DISTINCT "{one.local}") FROM {rows}').fetchone()
        if members and 2 <= members[0] <= _MOST_MEMBERS:
            dimensions.append(one)
    years: list[int] = []
    if fact.time:
        query = f"SELECT year(start_) AS y FROM {rows} WHERE start_ IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1"
        years = [row[0] for row in database.execute(query).fetchall()]
    named = {one.local: _members_of(draft, one.column) for one in dimensions if one.named and one.column}
    return _Subject(fact, rows, tuple(measures), tuple(dimensions[:_DIMENSIONS]), tuple(years), named)


def _members_of(draft: Draft, at: tuple[str, int]) -> str:
    table = draft.table(at[0])
    fields = ", ".join(f"c{number}" for number in (table.first_name, table.label) if number is not None)
    return f"SELECT count(*) FROM (SELECT DISTINCT {fields} FROM {table.relation})"


class _Asker:
    """Makes questions with the rows that a query of the working database gives."""

    def __init__(self, database: duckdb.DuckDBPyConnection) -> None:
        self._database = database

    def all(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self._database.execute(query, list(values)).fetchall()

    def ask(
        self,
        sort: str,
        text: str,
        about: tuple[str, ...],
        query: str,
        values: tuple[object, ...] = (),
        *,
        ordered: bool = False,
    ) -> Question:
        """The question; without rows where the computation gives none."""
        found = tuple(tuple(_plain(cell) for cell in row) for row in self.all(query, values))
        empty = any(row[-1] is None for row in found)
        return Question(text, sort, about, () if empty else found, ordered)

    def first(self, sort: str, text: str, about: tuple[str, ...], query: str, most: int) -> Question | None:
        """The question for the first rows in an order; None where equals would make the order a matter of chance."""
        rows = self.all(f"{query} LIMIT {most + 1}")
        figures = [row[-1] for row in rows]
        if len(rows) <= most or len(set(figures)) < len(figures) or None in figures:
            return None
        return Question(text, sort, about, tuple((_plain(row[0]),) for row in rows[:most]), ordered=True)


def _plain(cell: Any) -> object:
    if isinstance(cell, datetime | date):
        return cell.isoformat()[:10]
    return (
        float(cell)
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else cell
        if cell is None
        else str(cell)
    )


def _taken(one: Property) -> str:
    return f'{"avg" if one.aggregate == "avg" else "sum"}("{one.local}")'


def _year(year: int) -> str:
    return f"year(start_) = {year}"


def _grouped(subject: _Subject, by: Property, figure: str, where: str = "true") -> str:
    return f'SELECT "{by.local}", {figure} FROM {subject.rows} WHERE "{by.local}" IS NOT NULL AND {where} GROUP BY 1'


Made = Iterator[Question]


def _totals(asker: _Asker, subject: _Subject) -> Made:
    for one in subject.measures:
        said = "average" if one.aggregate == "avg" else "total"
        query = f"SELECT {_taken(one)} FROM {subject.rows}"
        yield asker.ask("total", f"What is the {said} {one.label}?", (one.local,), query)


def _counts(asker: _Asker, subject: _Subject) -> Made:
    many = plural(subject.fact.label)
    yield asker.ask("count", f"How many {many} are there?", (), f"SELECT count(*) FROM {subject.rows}")
    for by in subject.dimensions[:2]:
        yield asker.ask("count", f"number of {many} by {by.label}", (by.local,), _grouped(subject, by, "count(*)"))
    for year in subject.years[:2]:
        query = f"SELECT count(*) FROM {subject.rows} WHERE {_year(year)}"
        yield asker.ask("count, time", f"How many {many} were there in {year}?", (), query)


def _by(asker: _Asker, subject: _Subject) -> Made:
    for by in subject.dimensions:
        for one in subject.measures[:2]:
            yield asker.ask(
                "by", f"{one.label} by {by.label}", (one.local, by.local), _grouped(subject, by, _taken(one))
            )


def _averages(asker: _Asker, subject: _Subject) -> Made:
    for one, by in zip_longest(subject.measures, subject.dimensions[: len(subject.measures)]):
        if one is None:
            return
        figure = f'avg("{one.local}")'
        if by is not None:
            text = f"average {one.label} by {by.label}"
            yield asker.ask("average", text, (one.local, by.local), _grouped(subject, by, figure))
        if one.aggregate != "avg":
            query = f"SELECT {figure} FROM {subject.rows}"
            yield asker.ask("average", f"What is the average {one.label}?", (one.local,), query)


def _tops(asker: _Asker, subject: _Subject) -> Made:
    for by in subject.dimensions:
        for one in subject.measures[:2]:
            for word, order, most in (("top", "DESC", 3), ("bottom", "ASC", 2), ("which", "DESC", 1)):
                query = f"{_grouped(subject, by, _taken(one))} ORDER BY 2 {order} NULLS LAST"
                text = f"{word} {most} {plural(by.label)} by {one.label}"
                text = f"Which {by.label} has the highest {one.label}?" if word == "which" else text
                found = asker.first("top", text, (one.local, by.local), query, most)
                if found is not None:
                    yield found


def _most(asker: _Asker, subject: _Subject) -> Made:
    many = plural(subject.fact.label)
    for by in subject.dimensions:
        query = f"{_grouped(subject, by, 'count(*)')} ORDER BY 2 DESC NULLS LAST"
        for text, most in (
            (f"Which {by.label} has the most {many}?", 1),
            (f"top 3 {plural(by.label)} by number of {many}", 3),
        ):
            found = asker.first("most", text, (by.local,), query, most)
            if found is not None:
                yield found


def _extremes(asker: _Asker, subject: _Subject) -> Made:
    for one in subject.measures:
        for word, function in (("highest", "max"), ("lowest", "min")):
            query = f'SELECT {function}("{one.local}") FROM {subject.rows}'
            yield asker.ask("extreme", f"What is the {word} {one.label}?", (one.local,), query)


def _filters(asker: _Asker, subject: _Subject) -> Made:
    many = plural(subject.fact.label)
    for by in (one for one in subject.dimensions if one.kind is Kind.TEXT):
        query = f"{_grouped(subject, by, 'count(*)')} ORDER BY 2 DESC, 1 LIMIT 4"
        members = [row[0] for row in asker.all(query) if _is_word(row[0])]
        preposition = "in" if by.of_kind == "place" else "for"
        for one, member in zip(subject.measures, members, strict=False):
            said = "average" if one.aggregate == "avg" else "total"
            query = f'SELECT {_taken(one)} FROM {subject.rows} WHERE "{by.local}" = ?'
            yield asker.ask(
                "filter", f"{said} {one.label} {preposition} {member}", (one.local, by.local), query, (member,)
            )
        for member in members[::-1] if not subject.measures else members[-1:]:
            query = f'SELECT count(*) FROM {subject.rows} WHERE "{by.local}" = ?'
            text = f"number of {many} {preposition} {member}"
            yield asker.ask("filter, count", text, (by.local,), query, (member,))
        other = next((d for d in subject.dimensions if d is not by and d.rolls_up_to != by.local), None)
        if other and members and subject.measures:
            one, where = subject.measures[0], f'"{by.local}" = ?'
            text = f"{one.label} by {other.label} {preposition} {members[0]}"
            yield asker.ask(
                "filter, by",
                text,
                (one.local, by.local, other.local),
                _grouped(subject, other, _taken(one), where),
                (members[0],),
            )


def _is_word(member: str) -> bool:
    letters = sum(sign.isalpha() for sign in member)
    return (
        2 < len(member) <= _LONGEST
        and letters > len(member) * 0.6
        and member.isprintable()
        and not set(member) & set('"\\{}<>?')
    )


def _times(asker: _Asker, subject: _Subject) -> Made:
    for one, year in ((m, y) for m in subject.measures for y in subject.years[:2]):
        said = "average" if one.aggregate == "avg" else "total"
        query = f"SELECT {_taken(one)} FROM {subject.rows} WHERE {_year(year)}"
        yield asker.ask("time", f"{said} {one.label} in {year}", (one.local,), query)
        query = (
            f"SELECT date_trunc('month', start_), {_taken(one)} FROM {subject.rows} WHERE {_year(year)}"
            f' AND "{one.local}" IS NOT NULL GROUP BY 1'
        )
        yield asker.ask("time, trend", f"{one.label} per month in {year}", (one.local,), query)
        for by in subject.dimensions[:1]:
            query = _grouped(subject, by, _taken(one), f'{_year(year)} AND "{one.local}" IS NOT NULL')
            yield asker.ask("time, by", f"{one.label} by {by.label} in {year}", (one.local, by.local), query)
        month = asker.all(
            f"SELECT month(start_) FROM {subject.rows} WHERE {_year(year)} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
        )
        name = calendar.month_name[month[0][0]]
        query = f"SELECT {_taken(one)} FROM {subject.rows} WHERE {_year(year)} AND month(start_) = {month[0][0]}"
        yield asker.ask("time", f"{said} {one.label} in {name} {year}", (one.local,), query)


def _members(asker: _Asker, subject: _Subject) -> Made:
    for by in subject.dimensions:
        query = subject.members.get(by.local, f'SELECT count(DISTINCT "{by.local}") FROM {subject.rows}')
        yield asker.ask("members", f"How many {plural(by.label)} are there?", (by.local,), query)


def _over(asker: _Asker, subject: _Subject) -> Made:
    for one in subject.measures:
        middle = asker.all(f'SELECT quantile_cont("{one.local}", 0.7) FROM {subject.rows}')[0][0]
        if middle is None:
            continue
        limit = float(f"{float(middle):.2g}")
        query = f'SELECT count(*) FROM {subject.rows} WHERE "{one.local}" > {limit!r}'
        text = f"How many {plural(subject.fact.label)} have {one.label} over {limit:g}?"
        if "e" not in f"{limit:g}":
            yield asker.ask("comparison", text, (one.local,), query)


_SORTS: Final = (_totals, _by, _tops, _counts, _filters, _averages, _times, _extremes, _members, _over, _most)
