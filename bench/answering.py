"""The answer of an operator tree without its evidence, as the benchmarks time it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal

from ..engine.knowledge import KnowledgeGraph
from ..execution.resolve import resolve
from ..execution.run import Result, run, run_compiled
from ..operators.nodes import Node
from ..operators.resolution import Resolution
from ..operators.text import parse_tree
from ..planner.compile import compile_tree
from ..store.graph import Rows
from ..store.rdf import Literal, Term
from .life import NOW
from .timing import timed

Row = tuple[float | str | bool | None, ...]


@dataclass(frozen=True)
class Answered:
    """A tree's answer, and the milliseconds of its steps."""

    result: Result
    resolve_ms: float
    compile_ms: float
    query_ms: float


def answered(known: KnowledgeGraph, tree: Node) -> Answered:
    """Resolves, compiles and asks; the query for the events behind the answer is not asked."""
    resolving, resolution = timed(lambda: resolution_of(known, tree))
    compiling, query = timed(lambda: compile_tree(tree, resolution, NOW))
    bare = replace(query, evidence=None)
    asking, result = timed(lambda: run_compiled(bare, graph=known.graph))
    return Answered(result, resolving, compiling, asking)


def answer(known: KnowledgeGraph, tree: str) -> Result:
    """The answer of a tree in text form."""
    return answered(known, parse_tree(tree)).result


def resolution_of(known: KnowledgeGraph, tree: Node) -> Resolution:
    """What the tree's queries and keys stand for in this store."""
    return resolve(tree, known._context(NOW)).resolution


def plain_rows(result: Result) -> list[Row]:
    """The rows in a form that compares with `sparql_rows`, in no order."""
    return sorted((tuple(_plain(value) for value in row) for row in result.rows), key=repr)


def sparql_rows(found: Rows) -> list[Row]:
    """Rows of a hand-written query: numbers as floats, everything else as text, in no order."""
    return sorted((tuple(_term(term) for term in row) for row in found), key=repr)


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


def paired(known: KnowledgeGraph, tree: str) -> Result:
    """What a tree answers by the way that every question goes, with all its rows and the events behind them."""
    node = parse_tree(tree)
    return run(node, graph=known.graph, resolution=resolution_of(known, node), now=NOW)


def rows_of(result: Result, columns: Sequence[str]) -> list[Row]:
    """The named columns of a result, in no order."""
    places = [result.columns.index(name) for name in columns]
    return sorted((tuple(_plain(row[at]) for at in places) for row in result.rows), key=repr)


def plain_tuples(found: Iterable[Sequence[object]]) -> list[Row]:
    """Rows of another engine in the same form."""
    return sorted((tuple(_plain(value) for value in row) for row in found), key=repr)
