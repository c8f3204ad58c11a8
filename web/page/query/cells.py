"""Runs a query for a page, so many rows at most and within the limit, beside the engine's work where that can be; and
shows them as cells: prefixed names, numbers to the right, events and other names as links."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request

from ....engine.functions.sparql_calls import find_calls
from ....engine.knowledge import KnowledgeGraph
from ....errors import QueryTimeout
from ....ontology.namespaces import PREFIXES, XSD
from ....store.graph import Rows, StoreGraph
from ....store.queries.results import plain_answer, short, unknown_terms
from ....store.queries.serializing import Serialization, write_triples
from ....store.rdf import Literal, NamedNode, Term, Triple
from ...sparql.running import Pieces
from ..frame.pages import Pages

LONGEST: Final = 1_000
"""Characters of a text that a cell shows; a download has all of them."""
_NUMBERS: Final = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong",
    )
)  # fmt: skip
_WORDS: Final = frozenset(PREFIXES.values()) - {PREFIXES["data"]}
"""Where names of vocabularies are: none of an event."""
_EVENTS: Final = "SELECT DISTINCT ?e {{ VALUES ?e {{ {names} }} {{ ?e ev:source ?s }} UNION {{ ?e ev:start ?t }} }}"
MOST_ROWS: Final = 10_000
"""Rows that a page shows; a download has all of them."""
MOST_WRITTEN: Final = 1_000
"""Triples that are shown as a text."""
_OF_TRIPLES: Final = ("subject", "property", "value")
_Answer = Rows | bool | tuple[Triple, ...]


@dataclass(frozen=True)
class Cell:
    """One value: its text, where it leads to, and what it is in full where the text does not say."""

    text: str
    href: str = ""
    title: str = ""
    is_number: bool = False
    is_name: bool = False


Line = tuple[Cell | None, ...]


def lines_of(rows: Sequence[Sequence[Term | None]], events: frozenset[str]) -> list[Line]:
    """Rows as cells; `events` are the IRIs that have a page."""
    return [tuple(None if term is None else _cell(term, events) for term in row) for row in rows]


def numeric(columns: int, rows: Iterable[Sequence[Term | None]]) -> list[bool]:
    """Which columns have numbers alone."""
    some, others = set[int](), set[int]()
    for row in rows:
        for at, term in enumerate(row):
            if term is not None:
                (some if is_number(term) else others).add(at)
    return [at in some and at not in others for at in range(columns)]


def is_number(term: Term) -> bool:
    """Whether a value is a number."""
    return isinstance(term, Literal) and term.datatype.value in _NUMBERS


def names_in(rows: Iterable[Sequence[Term | None]]) -> list[NamedNode]:
    """The names among values that may be those of events, each once."""
    found = (term for row in rows for term in row if isinstance(term, NamedNode))
    return list(dict.fromkeys(node for node in found if not node.value.startswith(tuple(_WORDS))))


def events_among(graph: StoreGraph, names: Sequence[NamedNode]) -> frozenset[str]:
    """Those of the names that events have."""
    if not names:
        return frozenset()
    rows = graph.select(_EVENTS.format(names=" ".join(map(str, names))))
    return frozenset(event.value for (event,) in rows if event is not None)


def _cell(term: Term, events: frozenset[str]) -> Cell:
    if isinstance(term, NamedNode):
        is_event = term.value in events
        href = f"/event?{urlencode({'iri': term.value})}" if is_event else described(term)
        return Cell(_cut(short(term)), href, term.value, is_name=True)
    if isinstance(term, Literal):
        kind = f"in {term.language}" if term.language else short(NamedNode(term.datatype.value))
        return Cell(_cut(term.value), title="" if kind == "xsd:string" else kind, is_number=is_number(term))
    return Cell(_cut(short(term)), title="a node without a name", is_name=True)


def described(node: NamedNode) -> str:
    """Where all that is said of a name is shown."""
    return f"/query?{urlencode({'q': f'DESCRIBE {node}'})}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


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


def _answer(graph: StoreGraph, query: str) -> _Answer:
    return plain_answer(graph, query, most=MOST_ROWS + 1)


def _noted(graph: StoreGraph, query: str) -> tuple[_Answer, tuple[str, ...]]:
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
