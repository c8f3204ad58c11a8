"""SPARQL: rows of a query, as many as one call gives, with no more events in them than it gives of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final, Protocol, runtime_checkable

from ...engine.answers.evidence import plain
from ...engine.knowledge import KnowledgeGraph
from ...errors import UsageError
from ...store.graph import OxigraphGraph, Results
from ...store.rdf import Literal, NamedNode, Term, Triple
from . import models
from .bounds import Bounds, events_among
from .models import Given

_MOST_COLUMNS: Final = 20
_LONGEST_NUMBER: Final = 30
_TRIPLE: Final = ("subject", "predicate", "object")
Row = Sequence[Term | Triple | None]


@runtime_checkable
class _Solutions(Protocol):
    """Results of a SELECT."""

    @property
    def variables(self) -> Sequence[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


@dataclass(frozen=True)
class _Taken:
    """What was taken of the results of a query; `more` says whether there are others."""

    form: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    more: bool = False
    truth: bool | None = None


def sparql(known: KnowledgeGraph, given: models.Sparql, now: datetime, bounds: Bounds) -> Given:
    """What a query gives. Raises UsageError for one with too many columns, and as `KnowledgeGraph.sparql`."""

    def run(over: OxigraphGraph) -> _Taken:
        return over.answered(given.query, lambda found: _taken(found, bounds.most))

    found = known.evaluated(given.query, run, now, None)
    taken = found.value
    some, events = _within(known, taken.rows, bounds)
    content = models.Rows(
        form=taken.form,
        columns=[bounds.said(name) for name in taken.columns],
        rows=[[_cell(term, events, bounds) for term in row] for row in some],
        more=taken.more or len(some) < len(taken.rows),
        truth=taken.truth,
        notes=bounds.sentences(found.notes),
        warnings=bounds.sentences(found.warnings),
    )
    return Given(content, tuple(sorted(events)), 1 if taken.truth is not None else len(some))


def _taken(found: Results, most: int) -> _Taken:
    """The first rows: no more are computed than it takes to know whether there are others."""
    if isinstance(found, _Solutions):
        columns = tuple(variable.value for variable in found.variables)
        if len(columns) > _MOST_COLUMNS:
            raise UsageError(f"the query has {len(columns)} columns; {_MOST_COLUMNS} are given at most")
        rows = [tuple(row) for row in islice(found, most + 1)]
        return _Taken("select", columns, tuple(rows[:most]), len(rows) > most)
    if isinstance(found, Iterable):
        triples = [(one.subject, one.predicate, one.object) for one in islice(found, most + 1)]
        return _Taken("construct", _TRIPLE, tuple(triples[:most]), len(triples) > most)
    return _Taken("ask", truth=bool(found))


def _within(known: KnowledgeGraph, rows: Sequence[Row], bounds: Bounds) -> tuple[Sequence[Row], frozenset[str]]:
    """The first rows, as far as no more events stand in them than one call gives; and these events."""
    named = [[term.value for term in row if isinstance(term, NamedNode | Literal)] for row in rows]
    there = events_among(known.graph, list(dict.fromkeys(iri for iris in named for iri in iris)))
    seen: frozenset[str] = frozenset()
    for number, iris in enumerate(named):
        more = seen | there.intersection(iris)
        if len(more) > bounds.most:
            return rows[:number], seen
        seen = more
    return rows, seen


def _cell(term: Term | Triple | None, events: frozenset[str], bounds: Bounds) -> models.Plain | None:
    """A term as JSON has it: numbers and truths as such, all else as its text; IRIs of events whole."""
    if term is None:
        return None
    if isinstance(term, Triple):
        return bounds.text(str(term))
    if term.value in events:
        return bounds.iri(term.value)
    if isinstance(term, Literal) and term.datatype.value.endswith("#boolean"):
        return term.value in ("true", "1")
    if isinstance(term, Literal) and len(term.value) <= _LONGEST_NUMBER:
        number = _number(term)
        return bounds.text(term.value) if bounds.value(number) != number else number
    return bounds.text(term.value)


def _number(term: Literal) -> models.Plain:
    """A literal as a number where it is one that can be said as such, else its text."""
    try:
        return plain(term)
    except (ValueError, OverflowError):  # INF, NaN, or no number though its datatype says so
        return term.value
