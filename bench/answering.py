"""Operator trees over an opened store as the benchmarks time them: the engine's way, step by step, with every row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cached_property

from ..compiler.facts import Spellings, spellings_in, with_facts
from ..compiler.rewrites import rewrite
from ..engine.asking.resolving import resolved
from ..engine.knowledge import KnowledgeGraph
from ..execution.computed import Place
from ..execution.materialise import Materialiser
from ..execution.run import Result, run_at, run_compiled
from ..operators.checking.checking import check_tree
from ..operators.nodes import Node
from ..operators.resolution import Resolution
from ..operators.syntax.text import parse_tree
from ..store.graph import Rows
from ..store.rdf import Literal, Term
from .life import NOW
from .timing import timed

Row = tuple[float | str | bool | None, ...]


@dataclass(frozen=True)
class Answered:
    """A tree's answer, and the milliseconds of its steps: checking and rewriting, resolving, compiling, asking."""

    result: Result
    rewrite_ms: float
    resolve_ms: float
    compile_ms: float
    query_ms: float


@dataclass(frozen=True)
class Asker:
    """Asks one opened store."""

    known: KnowledgeGraph

    def answered(self, tree: Node) -> Answered:
        """The answer without the query for the events behind it."""
        rewriting, rewritten = timed(lambda: _ready(tree))
        resolving, resolution = timed(lambda: self.resolution(rewritten))
        place = Place(self.known.graph, resolution, NOW, self.known._state)
        compiling, (_, query) = timed(Materialiser.of(rewritten, place, self.known.graph.index_directory).prepared)
        bare = replace(query, evidence=None)
        asking, result = timed(lambda: run_compiled(bare, graph=self.known.graph))
        return Answered(result, rewriting, resolving, compiling, asking)

    def rows(self, tree: str) -> Result:
        """All rows of a tree in text form, and the events behind them."""
        node = _ready(parse_tree(tree))
        place = Place(self.known.graph, self.resolution(node), NOW, self.known._state)
        return run_at(node, place, self.known.graph.index_directory)

    def resolution(self, tree: Node) -> Resolution:
        """What the tree's queries and keys stand for in this store."""
        context, statistics = self.known._context(NOW), self.known.index.statistics
        found, _ = resolved(tree, context, lambda one: with_facts(one, statistics, self._spellings), [], strict=True)
        return found

    @cached_property
    def _spellings(self) -> Spellings:
        return spellings_in(self.known.graph)


def plain_rows(result: Result, columns: Sequence[str] | None = None) -> list[Row]:
    """The rows, or some of their columns, in a form that compares with other engines' rows, in no order."""
    places = [result.columns.index(name) for name in columns or result.columns]
    return plain_tuples([row[at] for at in places] for row in result.rows)


def plain_tuples(found: Iterable[Sequence[object]]) -> list[Row]:
    """Rows of Python values in the same form."""
    return sorted((tuple(_plain(value) for value in row) for row in found), key=repr)


def sparql_rows(found: Rows) -> list[Row]:
    """Rows of a hand-written query in the same form: numbers as floats, everything else as text."""
    return sorted((tuple(_term(term) for term in row) for row in found), key=repr)


def _ready(tree: Node) -> Node:
    check_tree(tree)
    return rewrite(tree, NOW).tree


def _plain(value: object) -> float | str | bool | None:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6)
    if isinstance(value, timedelta):
        return round(value.total_seconds(), 6)
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _term(term: Term | None) -> float | str | None:
    if not isinstance(term, Literal):
        return None if term is None else term.value
    numeric = term.datatype.value.rsplit("#", 1)[-1] in ("integer", "decimal", "double", "float")
    return round(float(term.value), 6) if numeric else term.value
