"""Rows of part of a tree as plain Python values, exact: what operators over rows and joins by sorting compute with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from ..compiler.expressions.items import MISSING, SEPARATOR
from ..compiler.query import CompiledQuery
from ..compiler.table import TableColumn, TableQuery
from ..errors import TreeTypeError
from ..ontology.namespaces import XSD
from ..operators.checking.types import Kind, Type
from ..operators.evaluation.plain_values import text_of
from ..store.graph import Graph, Rows
from ..store.rdf import Literal, NamedNode, Term
from .row_operators import Row

_PLAIN = 26
"""Signs of a moment without a zone, to the microsecond; longer ones may have more digits than can be held."""
PARTS = frozenset({"year", "month", "weekday", "isoweekday", "hour"})
"""Parts of a calendar that an item of a tuple may be; all are integers."""


def exact(text: str, kind: Type) -> Any:
    """A lexical form as the value of a type. Raises ValueError, InvalidOperation where it is none."""
    if kind.kind is Kind.LIST:
        return tuple(sorted(text.split(SEPARATOR)))
    if kind.kind is Kind.TUPLE:
        return _items(text, kind.part or "")
    return _READ.get(kind.kind, str)(text)


def literal(value: Any, kind: Type) -> Literal:
    """A value as a literal of its type; a length of time as its seconds, a tuple as the texts of its items."""
    if kind.kind is Kind.TUPLE:
        return Literal(SEPARATOR.join("" if item is None else _text(item) for item in value))
    if kind.kind is Kind.DATETIME and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    datatype = _DATATYPES.get(kind.kind)
    return Literal(_text(value), datatype=NamedNode(XSD + datatype)) if datatype else Literal(str(value))


def _items(text: str, kinds: str) -> tuple[Any, ...]:
    texts = text.split(SEPARATOR) if text or "," in kinds else []
    named = [kinds[:-1]] * len(texts) if kinds.endswith("*") else kinds.split(",")
    return tuple(
        exact(item, Type(Kind.INT if kind in PARTS else Kind(kind))) if item or kind == Kind.STR else None
        for item, kind in zip(texts, named, strict=False)
    )


def _text(value: Any) -> str:
    if isinstance(value, timedelta):
        value = Decimal(value // timedelta(microseconds=1)) / 1_000_000
    return text_of(value)


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text if len(text) <= _PLAIN else re.sub(r"(\.\d{6})\d+", r"\1", text))
    return found if found.tzinfo is None else found.replace(tzinfo=None)


def _length(text: str) -> timedelta:
    return timedelta(microseconds=int(Decimal(text) * 1_000_000))


def _truth(text: str) -> bool:
    return text in ("true", "1")


_READ: Mapping[Kind, Callable[[str], Any]] = {
    Kind.INT: lambda text: int(Decimal(text)),
    Kind.FLOAT: Decimal,
    Kind.BOOL: _truth,
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.DATETIME: _moment,
    Kind.DURATION: _length,
}
_DATATYPES: Mapping[Kind, str] = {
    Kind.INT: "integer",
    Kind.FLOAT: "decimal",
    Kind.BOOL: "boolean",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.DATETIME: "dateTime",
    Kind.DURATION: "decimal",
}


_PYTHON: tuple[tuple[type, Kind], ...] = (
    (bool, Kind.BOOL),
    (int, Kind.INT),
    (Decimal, Kind.FLOAT),
    (str, Kind.STR),
    (datetime, Kind.DATETIME),
    (date, Kind.DATE),
    (time, Kind.TIME),
    (timedelta, Kind.DURATION),
    (tuple, Kind.TUPLE),
)


@dataclass(frozen=True)
class RowTable:
    """Rows with their attributes and the IRIs of their events; `queries` as in TableQuery."""

    columns: tuple[TableColumn, ...]
    rows: tuple[Row, ...]
    queries: tuple[tuple[str, ...], ...] = ()
    focus: str | None = None


@dataclass(frozen=True)
class Found:
    """The rows of a table query as the graph gives them; as Python values only where these are needed."""

    query: TableQuery
    rows: Rows

    @cached_property
    def table(self) -> RowTable:
        """The rows as Python values."""
        query, found = self.query, self.rows
        columns = [column for column in query.query.columns if column.type.kind is not Kind.EVENT]
        places = [(c.name, found.variables.index(c.variable), c.type) for c in columns]
        events = [found.variables.index(name) for name in query.events]
        rows = tuple(
            Row({name: _value(row[at], kind) for name, at, kind in places}, tuple(_iri(row[at]) for at in events))
            for row in found
        )
        return RowTable(query.columns, rows, query.queries, _focus(query.query))

    @cached_property
    def events(self) -> list[bytes]:
        """IRIs of each row's events, with new lines between."""
        places = [self.rows.variables.index(name) for name in self.query.events]
        return ["\n".join(_iri(row[at]) for at in places).encode() for row in self.rows]

    def texts(self, name: str) -> tuple[Kind, list[str | None]] | None:
        """An attribute's type, and how its values are written; None where the rows do not have it."""
        column = next((column for column in self.query.query.columns if column.name == name), None)
        if column is None:
            return None
        at = self.rows.variables.index(column.variable)
        return column.type.kind, [term.value if (term := row[at]) is not None else None for row in self.rows]


def read_table(query: TableQuery, graph: Graph) -> RowTable:
    """The rows of a table query."""
    return Found(query, graph.select(query.query.sparql)).table


def read_values(query: CompiledQuery, graph: Graph) -> tuple[Any, ...]:
    """The values that a query answers, exact, those that are missing left out. Raises TreeTypeError for rows.

    Values that the query puts into one text are taken apart; like those of every ARGMIN and ARGMAX they are in order.
    """
    if query.focus is None:
        raise TreeTypeError("a tree in an expression must answer one value")
    column, found = query.columns[query.focus], graph.select(query.sparql)
    at = found.variables.index(column.variable)
    texts = [term.value for row in found if (term := row[at]) is not None]
    if not column.together:
        return tuple(exact(text, column.type) for text in texts)
    items = {exact(item, column.type) for text in texts for item in text.split(SEPARATOR) if item != MISSING}
    return tuple(sorted(items))


def _focus(query: CompiledQuery) -> str | None:
    return query.columns[query.focus].name if query.focus is not None else None


def _value(term: Term | None, kind: Type) -> Any:
    if term is None:
        return () if kind.kind is Kind.LIST else None
    return exact(term.value, kind)


def _iri(term: Term | None) -> str:
    return term.value if isinstance(term, NamedNode) else ""


def type_of(values: Sequence[Any]) -> Type:
    """The type of values that were computed; missing ones have any. Raises TreeTypeError for what has none."""
    kinds = {_kind(value) for value in values if value is not None}
    if not kinds:
        return Type(Kind.STR)
    if kinds == {Kind.INT, Kind.FLOAT}:
        return Type(Kind.FLOAT)
    if kinds == {Kind.DATE, Kind.DATETIME}:
        return Type(Kind.DATETIME)
    if len(kinds) > 1:
        raise TreeTypeError(f"a function gave values of several types: {', '.join(sorted(kinds))}")
    kind = kinds.pop()
    return Type(kind, _parts(values)) if kind is Kind.TUPLE else Type(kind)


def _kind(value: Any) -> Kind:
    found = next((kind for python, kind in _PYTHON if isinstance(value, python)), None)
    if found is None:
        raise TreeTypeError(f"a function gave {'events' if isinstance(value, Row) else 'a value'} where values stand")
    return found


def _parts(values: Sequence[Any]) -> str:
    """Kinds of the items of tuples by position; one kind with a star where tuples are of several lengths."""
    tuples = [value for value in values if value is not None]
    if any(isinstance(item, tuple) for value in tuples for item in value):
        raise TreeTypeError("a function gave lists inside lists")
    lengths = {len(value) for value in tuples}
    if len(lengths) == 1:
        places = range(lengths.pop())
        return ",".join(type_of([value[at] for value in tuples]).kind for at in places)
    return f"{type_of([item for value in tuples for item in value]).kind}*"
