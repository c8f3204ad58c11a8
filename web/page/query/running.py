"""Runs a query for a page: so many rows at most, within the limit, beside the engine's work where that can be."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from starlette.requests import Request

from ....engine.functions.sparql_calls import find_calls
from ....engine.knowledge import KnowledgeGraph
from ....errors import QueryTimeout
from ....store.graph import OxigraphGraph, Rows
from ....store.queries.results import plain_answer
from ....store.queries.serializing import Serialization, write_triples
from ....store.queries.unknown_terms import unknown_terms
from ....store.rdf import Term, Triple
from ...sparql.running import Pieces
from ..frame.pages import Pages

MOST_ROWS: Final = 10_000
"""Rows that a page shows; a download has all of them."""
MOST_WRITTEN: Final = 1_000
"""Triples that are shown as a text."""
_OF_TRIPLES: Final = ("subject", "property", "value")
_Answer = Rows | bool | tuple[Triple, ...]


@dataclass(frozen=True)
class Found:
    """What a query gave: rows with their columns, the truth of an ASK, or triples as rows of three. `more` says that
    there are further ones, `notes` how its phrases were read."""

    query: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    seconds: float
    truth: bool | None = None
    is_triples: bool = False
    more: bool = False
    notes: tuple[str, ...] = ()
    held: tuple[Triple, ...] = field(default=(), repr=False)

    @property
    def turtle(self) -> str:
        """The first of its triples as Turtle."""
        pieces = Pieces()
        write_triples(self.held[:MOST_WRITTEN], Serialization.TURTLE, pieces)
        return b"".join(pieces.held).decode()


async def run(pages: Pages, request: Request, query: str) -> Found:
    """What a query gives. Raises QueryError where it is wrong or not allowed, QueryTimeout and QueryTooLarge."""
    begin = perf_counter()
    seconds = pages.held.settings.query_seconds
    if find_calls(query):
        answer, notes = await _by_engine(pages, request, query, seconds)
    else:
        answer, notes = await pages.read(lambda graph: _noted(graph, query), seconds=seconds)
    return _found(query, answer, perf_counter() - begin, notes)


def _answer(graph: OxigraphGraph, query: str) -> _Answer:
    return plain_answer(graph, query, most=MOST_ROWS + 1)


def _noted(graph: OxigraphGraph, query: str) -> tuple[_Answer, tuple[str, ...]]:
    """The answer, and which terms of ours there are not."""
    return _answer(graph, query), tuple(f"{one}." for one in unknown_terms(query, graph))


async def _by_engine(pages: Pages, request: Request, query: str, seconds: float) -> tuple[_Answer, tuple[str, ...]]:
    """The answer of a query that retrieves and extracts; its time counts from when the engine comes to it."""
    loop = asyncio.get_running_loop()

    def begun() -> None:
        with suppress(RuntimeError):  # nobody waits any more
            limit.reschedule(loop.time() + seconds)

    def work(known: KnowledgeGraph) -> tuple[_Answer, tuple[str, ...]]:
        loop.call_soon_threadsafe(begun)
        told = known.evaluated(query, lambda graph: _noted(graph, query), pages.now(), seconds)
        found, notes = told.value
        return found, (*told.notes, *told.warnings, *notes)

    try:
        async with asyncio.timeout(None) as limit:
            return await pages.do(request, work)
    except (QueryTimeout, TimeoutError) as bad:  # its words are those of the command line
        raise QueryTimeout(f"the query passed its limit of {seconds:g} s") from bad


def _found(query: str, answer: _Answer, seconds: float, notes: tuple[str, ...]) -> Found:
    if isinstance(answer, bool):
        return Found(query, (), (), seconds, truth=answer, notes=notes)
    if isinstance(answer, Rows):
        rows = answer.rows[:MOST_ROWS]
        return Found(query, answer.variables, rows, seconds, more=len(answer.rows) > MOST_ROWS, notes=notes)
    held, more = answer[:MOST_ROWS], len(answer) > MOST_ROWS
    rows = tuple((_subject(one), one.predicate, _object(one)) for one in held)
    return Found(query, _OF_TRIPLES, rows, seconds, is_triples=True, more=more, notes=notes, held=held)


def _subject(triple: Triple) -> Term | None:
    return None if isinstance(triple.subject, Triple) else triple.subject


def _object(triple: Triple) -> Term | None:
    return None if isinstance(triple.object, Triple) else triple.object
