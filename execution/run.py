"""Runs an operator tree over a graph: compiles it, asks the graph, gives rows of Python values with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from decimal import InvalidOperation
from pathlib import Path
from typing import Any, Final

from ..compiler.expressions.items import MISSING, SEPARATOR
from ..compiler.query import CompiledQuery, OutputColumn, Shape
from ..operators.checking.checking import check_tree
from ..operators.checking.types import Kind, Type
from ..operators.derived import original
from ..operators.expressions import Expression
from ..operators.nodes import Apply, Avg, Max, Min, Node, Retrieve, answers, walk
from ..operators.resolution import Resolution
from ..operators.standard import with_own_reads
from ..operators.syntax.printing import format_expression
from ..store.graph import Graph, Rows
from ..store.rdf import Literal, NamedNode, Term
from .computed import Place
from .derivations.derive import DerivationGraph
from .joins.join_sides import Pairs, handed
from .materialise import FEW_PAIRS, Materialiser, Part
from .tables import exact

PythonValue = str | int | float | bool | date | time | datetime | timedelta | tuple[Any, ...]
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
_UNLISTED = f"the pairs of events that were counted are more than {FEW_PAIRS:,}, and not listed as evidence"
NOTHING_MATCHED: Final = "nothing matched: the 0 means that there was nothing to count or to add up"


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
    shape: Shape
    warnings: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    """What was computed beside the query."""


def run(tree: Node, *, graph: DerivationGraph, resolution: Resolution, now: datetime) -> Result:
    """The answer of a closed tree over a graph, to which is written what no query can compute.

    Raises TreeTypeError for a tree that makes no sense, TooLarge for one that would hold too many rows.
    """
    check_tree(original(tree))
    return run_at(with_own_reads(tree), Place(graph, resolution, now, ""))


def run_at(tree: Node, place: Place, folder: Path | None = None, *, most_events: int | None = None) -> Result:
    """As `run`. `folder` keeps columns for later joins; so many events behind a value are looked up (None: all)."""
    return ready_to_run(tree, place, folder).run(place.graph, most_events)


@dataclass(frozen=True)
class Runnable:
    """A tree whose query is compiled, and whose computed parts stand in the graph: it can be run again and again."""

    query: CompiledQuery
    pairs: Pairs | None
    parts: tuple[Part, ...]

    def run(self, graph: Graph, most_events: int | None = None) -> Result:
        """The answer; so many events behind a value are looked up (None: all)."""
        at_hand = handed(self.pairs, self.query) if self.pairs is not None else None
        if at_hand is not None:
            found = _result(
                self.query,
                *at_hand,
                graph=graph,
                warnings=[],
                matched=bool(at_hand[1] if self.query.evidence else at_hand[0]),
            )
        else:
            found = run_compiled(self.query, graph=graph, most_events=most_events)
        warnings = (*found.warnings, _UNLISTED) if any(part.unlisted for part in self.parts) else found.warnings
        return replace(found, parts=self.parts, warnings=warnings)


def ready_to_run(tree: Node, place: Place, folder: Path | None = None) -> Runnable:
    """Computes what no query can, and compiles the rest."""
    materialiser = Materialiser.of(tree, place, folder)
    prepared, query = materialiser.prepared()
    return Runnable(query, materialiser.pairs_of(prepared), tuple(materialiser.parts))


def run_compiled(query: CompiledQuery, *, graph: Graph, most_events: int | None = None) -> Result:
    """The answer of a compiled tree over a graph."""
    found = _apart(query, graph.select(query.sparql))
    warnings: list[str] = []
    places = [found.variables.index(column.variable) for column in query.columns]
    rows = tuple(
        tuple(_python(row[at], column, warnings) for at, column in zip(places, query.columns, strict=True))
        for row in found
    )
    if query.columns and query.columns[0].together:
        rows = tuple(sorted(set(rows), key=lambda row: row[0]))  # type: ignore[arg-type, return-value]
    telling = most_events == 0 and _answer(query, rows) not in ((), (0,))
    events = () if telling else _events(query, found, graph, most_events)
    matched = telling or bool(events if query.evidence else rows)
    return _result(query, rows, events, graph=graph, warnings=warnings, matched=matched)


def _result(
    query: CompiledQuery,
    rows: tuple[tuple[PythonValue | None, ...], ...],
    events: tuple[str, ...],
    *,
    graph: Graph,
    warnings: list[str],
    matched: bool,
) -> Result:
    unit, mixed = _unit(query, graph)
    answer = _answer(query, rows)
    if not matched and query.zero and answer == (0,):
        warnings.append(NOTHING_MATCHED)
    if mixed:
        warnings.append(f"the amounts are in different units: {', '.join(mixed)}")
    kind = _answer_type(query, answer)
    names = tuple(column.name for column in query.columns)
    told = tuple(dict.fromkeys(warnings))
    return Result(names, rows, answer, kind, unit, matched, events, query.sparql, query.shape, told)


def _apart(query: CompiledQuery, found: Rows) -> Rows:
    """Rows with one value each, where the query puts all values into one text."""
    if not query.columns or not query.columns[0].together:
        return found
    name = query.columns[0].variable
    cells = [row[found.variables.index(name)] for row in found]
    texts = [text for cell in cells if cell is not None for text in cell.value.split(SEPARATOR)]
    return Rows((name,), tuple((Literal(text),) for text in texts if text != MISSING))


def _answer(query: CompiledQuery, rows: Sequence[tuple[PythonValue | None, ...]]) -> tuple[PythonValue, ...]:
    if query.focus is not None:
        values = (row[query.focus] for row in rows)
        held = query.columns[query.focus].type
        listed = held.kind is Kind.LIST or (held.kind is Kind.TUPLE and (held.part or "").endswith("*"))
        flat = (item for value in values for item in (value if listed and isinstance(value, tuple) else (value,)))
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
    if kind.kind is Kind.TUPLE and (kind.part or "").endswith("*"):
        return _ANSWER_TYPES[Kind((kind.part or "")[:-1])]
    if kind.kind is Kind.TUPLE:
        return "month" if set((kind.part or "").split(",")) == {"month", "year"} else "text"
    if kind.part in ("month", "weekday", "isoweekday"):
        return "month" if kind.part == "month" else "weekday"
    return _ANSWER_TYPES[kind.kind]


def _events(query: CompiledQuery, found: Rows, graph: Graph, most: int | None) -> tuple[str, ...]:
    """The events behind the answer: beside its rows, or by the query for them."""
    places = [found.variables.index(name) for name in query.events]
    terms = (row[at] for row in found for at in places)
    if not places and query.evidence is not None:
        limit = "" if most is None else f"LIMIT {most}\n"
        terms = (term for row in graph.select(query.evidence + limit) for term in row)
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
    return float(text) if wanted.kind is Kind.FLOAT else exact(text, wanted)


def without_value(tree: Node, place: Place, folder: Path | None = None) -> tuple[str, ...]:
    """The queries of the events that conditions compare with and of which it cannot be told when they were, or which:
    there are none, or several that are meant as one."""
    found: dict[str, None] = {}
    for anchor in dict.fromkeys(_anchors(tree)):
        if ready_to_run(anchor, place, folder).run(place.graph, 0).answer == ():
            found.update((part.query, None) for part in walk(anchor) if isinstance(part, Retrieve))
    return tuple(found)


def _anchors(tree: Node) -> Iterator[Node]:
    """The trees inside conditions that stand for one value, not for a set."""
    for node in walk(tree):
        held = (getattr(node, field.name) for field in fields(node))  # type: ignore[arg-type]
        for value in held:
            if isinstance(value, Expression):
                yield from (anchor for anchor in answers(value) if _is_single(anchor))


def _is_single(anchor: Node) -> bool:
    if isinstance(anchor, Apply):
        return "set(" not in format_expression(anchor.function)
    return isinstance(anchor, Min | Max | Avg)
