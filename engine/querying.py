"""The store asked in SPARQL, with RETRIEVE and EXTRACT as functions of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from ..config import Settings
from ..retrieval.context import RetrieveContext
from ..store.generations import EventGraph
from ..store.graph import Rows, StoreGraph
from ..store.queries.results import ResultFormat, plain_answer, run_query
from ..store.rdf import Triple
from .functions.sparql_functions import Evaluated, evaluate

T = TypeVar("T")


class Querying:
    """Answers queries over a store."""

    graph: EventGraph
    settings: Settings
    _context: Callable[[datetime], RetrieveContext]

    def sparql(
        self, query: str, *, now: datetime, seconds: float | None = None
    ) -> Evaluated[Rows | bool | tuple[Triple, ...]]:
        """What a SPARQL query gives: rows of a SELECT, truth of an ASK, triples of a CONSTRUCT or DESCRIBE.

        It may call `rq:matches` and `rq:extract` (docs/derivations.md); the notes say how their texts were read.
        Raises QueryError for a query that is wrong or not allowed, QueryTimeout after `seconds` (None: as in the
        settings)."""
        return self.evaluated(query, lambda graph: plain_answer(graph, query), now, seconds)

    def sparql_text(
        self, query: str, wanted: ResultFormat, *, now: datetime, seconds: float | None = None
    ) -> Evaluated[str | list[tuple[str, ...]]]:
        """The same as text in a format; for a table, a header and rows."""
        return self.evaluated(query, lambda graph: run_query(graph, query, wanted), now, seconds)

    def evaluated(
        self, query: str, run: Callable[[StoreGraph], T], now: datetime, seconds: float | None
    ) -> Evaluated[T]:
        """What `run` makes of a query over the graph with what the functions that it calls have found. Raises as
        `sparql`."""
        limit = self.settings.query_seconds if seconds is None else seconds
        return evaluate(query, lambda: self._context(now), self.graph, run, seconds=limit)
