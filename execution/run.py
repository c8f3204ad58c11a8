"""Runs an operator tree over a graph: compiles it, asks the graph, gives rows of Python values with their evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation

from ..operators.nodes import Node
from ..operators.resolution import Resolution
from ..operators.types import Kind, Type
from ..planner.compile import CompiledQuery, compile_tree
from ..planner.compile_query import OutputColumn
from ..store.graph import Graph, Rows
from ..store.rdf import Literal, NamedNode, Term

PythonValue = str | int | float | bool | date | time | datetime | timedelta | tuple[str, ...]
"""What a column holds; a length of time is a timedelta, a list attribute a tuple, an event its IRI."""

_ANSWER_TYPES = {
    Kind.INT: "number",
    Kind.FLOAT: "number",
    Kind.STR: "text",
    Kind.LIST: "text",
    Kind.BOOL: "boolean",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.DATETIME: "datetime",
    Kind.DURATION: "duration",
    Kind.EVENT: "events",
}
_ITEM_SEPARATOR = "\x1f"


@dataclass(frozen=True)
class Result:
    """What a tree answers.

    `rows` are aligned with `columns`, None where a value is missing. `answer` are the plain values, best first, without
    repetition; empty where there is none, and where the rows as a whole are the answer (`answer_type` events).
    `answer_type` is one of number, text, boolean, date, time, datetime, duration, month, weekday, events, none; months
    are 1 to 12, weekdays 0 (Monday) to 6. `unit` is the unit's short name where the answer has one. `matched`: whether
    any event matched at all. `events` are the IRIs of the events behind the answer.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[PythonValue | None, ...], ...]
    answer: tuple[PythonValue, ...]
    answer_type: str
    unit: str | None
    matched: bool
    events: tuple[str, ...]
    sparql: str
    warnings: tuple[str, ...] = ()


def run(tree: Node, *, graph: Graph, resolution: Resolution, now: datetime) -> Result:
    """The answer of a closed tree over a graph. Raises TreeTypeError for a tree that makes no sense."""
    return run_compiled(compile_tree(tree, resolution, now), graph=graph)


def run_compiled(query: CompiledQuery, *, graph: Graph) -> Result:
    """The answer of a compiled tree over a graph."""
    found = graph.select(query.sparql)
    warnings: list[str] = []
    places = [found.variables.index(column.variable) for column in query.columns]
    rows = tuple(
        tuple(_python(row[at], column, warnings) for at, column in zip(places, query.columns, strict=True))
        for row in found
    )
    events = _events(query, found, graph)
    unit, mixed = _unit(query, graph)
    answer = _answer(query, rows)
    matched = bool(events) if query.evidence else bool(rows)
    if not matched and query.zero:
        warnings.append("nothing matched: the 0 means that no event was found")
    if mixed:
        warnings.append(f"the amounts are in different units: {', '.join(mixed)}")
    kind = _answer_type(query, answer)
    names = tuple(column.name for column in query.columns)
    return Result(names, rows, answer, kind, unit, matched, events, query.sparql, tuple(dict.fromkeys(warnings)))


def _answer(query: CompiledQuery, rows: Sequence[tuple[PythonValue | None, ...]]) -> tuple[PythonValue, ...]:
    if query.focus is not None:
        values = (row[query.focus] for row in rows)
        flat = (item for value in values for item in (value if isinstance(value, tuple) else (value,)))
        first = 1 if query.columns[query.focus].type.part == "isoweekday" else 0
        counted = (item - first if first and isinstance(item, int) else item for item in flat)
        return tuple(_distinct(item for item in counted if item is not None))
    return ()


def _distinct(values: object) -> list[PythonValue]:
    """In order, each once; 1, 1.0 and True are different."""
    return list({(type(value), value): value for value in values}.values())  # type: ignore[attr-defined]


def _answer_type(query: CompiledQuery, answer: Sequence[PythonValue]) -> str:
    focus = query.focus
    if focus is None:
        return "events"
    if not answer:
        return "none"
    kind: Type = query.columns[focus].type
    if kind.part in ("month", "weekday", "isoweekday"):
        return "month" if kind.part == "month" else "weekday"
    return _ANSWER_TYPES[kind.kind]


def _events(query: CompiledQuery, found: Rows, graph: Graph) -> tuple[str, ...]:
    """The events behind the answer: beside its rows, or by the query for them."""
    places = [found.variables.index(name) for name in query.events]
    terms = (row[at] for row in found for at in places)
    if not places and query.evidence is not None:
        terms = (term for row in graph.select(query.evidence) for term in row)
    return tuple(dict.fromkeys(term.value for term in terms if isinstance(term, NamedNode)))


def _unit(query: CompiledQuery, graph: Graph) -> tuple[str | None, tuple[str, ...]]:
    """The unit of the answer, and the units that stand in it where they differ."""
    if query.units is not None:
        units = tuple(term.value for row in graph.select(query.units) for term in row if isinstance(term, Literal))
        if units:
            return (units[0], ()) if len(units) == 1 else (None, units)
    return (query.columns[query.focus].type.unit, ()) if query.focus is not None else (None, ())


def _python(term: Term | None, column: OutputColumn, warnings: list[str]) -> PythonValue | None:
    """A term as the Python value of its column's type."""
    kind = column.type.kind
    if term is None:
        return () if kind is Kind.LIST else None
    text = term.value
    try:
        return _read(text, column.type)
    except (ValueError, InvalidOperation):
        warnings.append(f"{column.name}: {text!r} is not a {kind}")
        return None


def _read(text: str, wanted: Type) -> PythonValue:
    kind = wanted.kind
    if kind is Kind.INT:
        return int(Decimal(text))
    if kind is Kind.FLOAT:
        return float(text)
    if kind is Kind.BOOL:
        return text in ("true", "1")
    if kind is Kind.DATE:
        return date.fromisoformat(text)
    if kind is Kind.TIME:
        return time.fromisoformat(text)
    if kind is Kind.DATETIME:
        return datetime.fromisoformat(_to_microseconds(text)).replace(tzinfo=None)
    if kind is Kind.DURATION:
        return timedelta(microseconds=int(Decimal(text) * 1_000_000))
    if kind is Kind.LIST:
        return tuple(sorted(text.split(_ITEM_SEPARATOR)))
    return text


def _to_microseconds(text: str) -> str:
    return re.sub(r"(\.\d{6})\d+", r"\1", text)
