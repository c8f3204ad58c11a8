"""A tree as one SQL query over the tables, as somebody writes it who sees the tables: no RETRIEVE, no EXTRACT.

RETRIEVE is the choice of a table and of words, EXTRACT the choice of a column; all other operators are SQL. Attributes
for which there is no column can only be tested for, by words; a tree that needs their values is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import singledispatchmethod
from typing import Final

from ...errors import TreeTypeError
from ...operators.checking.types import INT, LIST, STR, Kind
from ...operators.expressions import Attribute, Builtin, Expression, Lambda, Name
from ...operators.names import parts
from ...operators.nodes import (
    Apply,
    ArgMax,
    ArgMin,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Retrieve,
    Sum,
    Unnest,
    queries,
    walk,
)
from .choosing import Choice, choose
from .expressions import Translator
from .said import Said, column_of, read_as
from .tables import EVENT, LABEL, TEXT, Column, Table, Tables, quoted

VALUE: Final = "value"
"""The column of a query that answers one value, or one list."""
_ROWS: Final = "_rows"
_OWN: Final = {EVENT: Column(STR), LABEL: Column(STR), TEXT: Column(STR)}
_AGGREGATES: Final = {Min: "min", Max: "max", Sum: "sum", Avg: "avg"}


@dataclass(frozen=True)
class Relation:
    """A query. `columns` are those of its rows; `focus` the one that was added last, which answers if nothing is said.

    `value`: it answers one value or list, in the column VALUE. `members`: the rows are groups, of rows with these
    columns."""

    sql: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    focus: str | None = None
    value: Said | None = None
    members: Mapping[str, Column] | None = None


class Relations:
    """Says trees in SQL."""

    def __init__(self, tables: Tables, now: datetime) -> None:
        self._tables = tables
        self._translator = Translator(now, tables.vocabulary, {}, self._answer)
        self._wanted: dict[str, frozenset[str]] = {}

    def query(self, tree: Node) -> Relation:
        """The query of a whole tree. Raises TreeTypeError as `of` does."""
        for node in walk(tree):
            if isinstance(node, Extract):
                for asked in queries(node):
                    self._wanted[asked] = self._wanted.get(asked, frozenset()).union(node.names)
        return self.of(tree)

    @singledispatchmethod
    def of(self, node: Node) -> Relation:
        """The query of a tree. Raises TreeTypeError for what SQL over the tables cannot say."""
        raise TreeTypeError(f"SQL has no {type(node).__name__}")

    @of.register
    def _(self, node: Retrieve) -> Relation:
        choice = choose(node.query, self._tables, self._wanted.get(node.query, ()))
        if node.source is None:
            return self._chosen(choice)
        below = self.of(node.source)
        return replace(below, sql=f"SELECT * FROM ({below.sql}) t{_where(choice.condition)}")  # noqa: S608

    def _chosen(self, choice: Choice) -> Relation:
        tables = choice.tables or self._tables.tables
        columns: dict[str, Column] = {}
        for table in tables:
            columns |= {name: held for name, held in table.columns.items() if name not in columns}
        where = _where(choice.condition)
        parts = [f"SELECT {_shown(table, columns)} FROM {quoted(table.name)}{where}" for table in tables]  # noqa: S608
        return Relation(" UNION ALL BY NAME ".join(parts), {**columns, **_OWN})

    @of.register
    def _(self, node: Extract) -> Relation:
        below, focus = self.of(node.input), None
        for name, kind in zip(node.names, node.types, strict=True):
            column = column_of(name, below.columns, self._tables.vocabulary)
            if column is None:
                focus = name
                continue
            said = read_as(f"t.{quoted(column)}", below.columns[column].type, kind)
            held = Column(said.type, below.columns[column].iri)
            below, focus = _with(below, name, said.sql, held), name
        return replace(below, focus=focus if len(node.names) == 1 else None)

    @of.register
    def _(self, node: Filter) -> Relation:
        below = self.of(node.input)
        test = self._translator.function(node.condition, _row(below))
        return replace(below, sql=f"SELECT * FROM ({below.sql}) t WHERE {test.sql}")  # noqa: S608

    @of.register
    def _(self, node: Map) -> Relation:
        below = self.of(node.input)
        given = _group(below) if below.members is not None and _of_group(node) else _row(below)
        said = self._translator.function(node.function, given)
        if said.missing or said.row:
            raise TreeTypeError("no table has a column for what the question asks of")
        return replace(_with(below, node.name, said.sql, Column(said.type)), focus=node.name)

    @of.register
    def _(self, node: GroupBy) -> Relation:
        below = self.of(node.input)
        names = [quoted(self._column(name, below)) for name in node.names]
        known = " AND ".join(f"t.{name} IS NOT NULL" for name in names)
        kept = ", ".join(f"t.{name} AS {quoted(asked)}" for name, asked in zip(names, node.names, strict=True))
        members = f"list(t{_ordered(below)}) AS {_ROWS}"
        sql = f"SELECT {kept}, {members} FROM ({below.sql}) t WHERE {known} GROUP BY ALL ORDER BY ALL"  # noqa: S608
        keys = {name: below.columns[self._column(name, below)] for name in node.names}
        return Relation(sql, keys, node.names[0] if len(node.names) == 1 else None, members=below.columns)

    @of.register
    def _(self, node: Unnest) -> Relation:
        below = self.of(node.input)
        column = self._column(node.name, below)
        if below.columns[column].type.kind is not Kind.LIST:
            return replace(below, focus=column)
        name = node.item_name or node.name
        return replace(_with(below, name, f"unnest(t.{quoted(column)})", Column(STR)), focus=name)

    @of.register
    def _(self, node: Join) -> Relation:
        left, right = self.of(node.left), self.of(node.right)
        renamed: dict[str, str] = {}
        for name in right.columns:
            number = 2
            while (called := name if number == 2 and name not in left.columns else f"{name}_{number}") in left.columns:
                number += 1
            renamed[name] = called
        sides = {"i1": Said("i1", row=left.columns), "i2": Said("i2", row=right.columns)}
        test = self._translator.binding(**sides).said(node.condition)
        shown = ", ".join(f"i2.{quoted(name)} AS {quoted(called)}" for name, called in renamed.items())
        sql = f"SELECT i1.*, {shown} FROM ({left.sql}) i1 JOIN ({right.sql}) i2 ON {test.sql}"  # noqa: S608
        columns = {**left.columns, **{called: right.columns[name] for name, called in renamed.items()}}
        return Relation(sql, columns, left.focus)

    @of.register
    def _(self, node: Apply) -> Relation:
        below = self.of(node.input)
        if below.value is not None:
            given = replace(below.value, sql=f"t.{VALUE}")
            said = self._translator.function(node.function, given)
            return Relation(f"SELECT {said.sql} AS {VALUE} FROM ({below.sql}) t", value=replace(said, sql=VALUE))  # noqa: S608
        if isinstance(node.function, Builtin) and node.function.name == "len":
            return Relation(f"SELECT count(*) AS {VALUE} FROM ({below.sql}) t", value=Said(VALUE, INT))  # noqa: S608
        columns = below.columns if below.members is None else {**below.columns, **below.members}
        said = self._translator.function(node.function, Said(f"t.{_ROWS}", row=columns, many=True))
        whole = f"SELECT coalesce(list(u{_ordered(below)}), []) AS {_ROWS} FROM ({below.sql}) u"  # noqa: S608
        return Relation(f"SELECT {said.sql} AS {VALUE} FROM ({whole}) t", value=replace(said, sql=VALUE))  # noqa: S608

    @of.register(Min)
    @of.register(Max)
    @of.register(Sum)
    @of.register(Avg)
    def _(self, node: Min | Max | Sum | Avg) -> Relation:
        below = self.of(node.input)
        column = self._column(node.name, below)
        held, function = below.columns[column].type, _AGGREGATES[type(node)]
        if function in ("sum", "avg") and held.kind not in (Kind.INT, Kind.FLOAT, Kind.DURATION):
            raise TreeTypeError(f"SQL has no {function} of {held}")
        said = f"{function}(t.{quoted(column)})"
        kind = replace(held, kind=Kind.FLOAT) if function == "avg" and held.kind is Kind.INT else held
        filled = f"coalesce({said}, 0)" if function == "sum" else said
        return Relation(f"SELECT {filled} AS {VALUE} FROM ({below.sql}) t", value=Said(VALUE, kind))  # noqa: S608

    @of.register(ArgMin)
    @of.register(ArgMax)
    def _(self, node: ArgMin | ArgMax) -> Relation:
        below = self.of(node.input)
        by, shown = self._column(node.arg_name, below), self._column(node.value_name, below)
        best = f"(SELECT {'min' if isinstance(node, ArgMin) else 'max'}({quoted(by)}) FROM b)"  # noqa: S608
        sql = f"WITH b AS ({below.sql}) SELECT * FROM b WHERE {quoted(by)} = {best}"  # noqa: S608
        return Relation(sql, below.columns, shown, members=below.members)

    def _column(self, name: str, below: Relation) -> str:
        found = column_of(name, below.columns, self._tables.vocabulary)
        if found is None:
            raise TreeTypeError(f"no table has a column for {name!r}")
        return found

    def _answer(self, tree: Node) -> Said:
        """A tree inside an expression: one value, or all values of what its rows answer, as a list."""
        found = self.of(tree)
        if found.value is not None:
            return replace(found.value, sql=f"(SELECT {VALUE} FROM ({found.sql}) a)")  # noqa: S608
        if found.focus is None or found.focus not in found.columns:
            raise TreeTypeError("a tree in a condition must answer values")
        held = found.columns[found.focus].type
        return Said(f"(SELECT list({quoted(found.focus)}) FROM ({found.sql}) a)", LIST, held)  # noqa: S608


def _where(condition: str) -> str:
    return f" WHERE {condition}" if condition else ""


def _shown(table: Table, columns: Mapping[str, Column]) -> str:
    """The columns of a table that hold the same in all tables that are read together."""
    same = [name for name, held in table.columns.items() if held.type.kind is columns[name].type.kind]
    return ", ".join(map(quoted, (*same, *_OWN)))


def _with(below: Relation, name: str, sql: str, held: Column) -> Relation:
    """A relation with one more column, or with another in its place."""
    place = quoted(name)
    shown = f"* REPLACE ({sql} AS {place})" if name in below.columns else f"*, {sql} AS {place}"
    return replace(below, sql=f"SELECT {shown} FROM ({below.sql}) t", columns={**below.columns, name: held})  # noqa: S608


def _row(below: Relation) -> Said:
    return Said("t", row=below.columns)


def _group(below: Relation) -> Said:
    return Said(f"t.{_ROWS}", row=below.members or {}, many=True)


def _of_group(node: Map) -> bool:
    """Whether a MAP over groups computes something of their rows, not of their keys."""
    function = node.function
    if not isinstance(function, Lambda):
        return True
    return not any(
        isinstance(part, Attribute) and part.base == Name(function.parameter) for part in _parts(function.body)
    )


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    for part in parts(expression):
        yield from _parts(part)


def _ordered(below: Relation) -> str:
    """The order of a list of rows: of events by their start."""
    return " ORDER BY start_datetime" if "start_datetime" in below.columns else ""
