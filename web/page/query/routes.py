"""The addresses of the query page: the page, a query run, what came of it further on, and what completes what is
typed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from ....engine.answers.answer import Plain, Table
from ....engine.answers.charts.choose import Chart, chart_of_data
from ....engine.answers.charts.roles import Asked, data_of_table
from ....engine.answers.charts.rules import Kind
from ....engine.functions.sparql_calls import EXTRACT, MATCHES
from ....errors import QueryError, QueryStopped, StoreError
from ....ontology.namespaces import RQ, XSD
from ....store.generations import exists
from ....store.graph import MemoryGraph
from ....store.queries.deadline import within
from ....store.queries.results import short
from ....store.rdf import Literal, NamedNode, Term
from ...http.problems import problem_of
from ...sparql.running import SOLUTIONS, TRIPLES, Offer, answer, answer_by_engine, read_query
from ..frame.pages import Pages
from .cells import MOST_ROWS, MOST_WRITTEN, Found, events_among, is_number, lines_of, names_in, numeric, run
from .examples import Example, examples_of
from .terms import Known, read_known, values_of

_MOST: Final = 8
_NAME_BYTES: Final = 12


class Kept:
    """Results by names that nobody guesses; the oldest go."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Found] = OrderedDict()

    def keep(self, found: Found) -> str:
        """Keeps a result; its name."""
        name = token_urlsafe(_NAME_BYTES)
        self._held[name] = found
        while len(self._held) > _MOST:
            self._held.popitem(last=False)
        return name

    def found(self, name: str) -> Found:
        """The result of that name. Raises HTTPException where it is gone."""
        if name not in self._held:
            raise HTTPException(404)
        self._held.move_to_end(name)
        return self._held[name]


ROWS: Final = 100
"""Rows that are shown at once."""
_LONGEST: Final = 100_000
_CHECK_SECONDS: Final = 2.0
_LONGEST_PART: Final = 200
_FILES: Final = {"csv": "text/csv", "json": "application/sparql-results+json", "ttl": "text/turtle"}
_FUNCTIONS: Final = {RQ + name: lambda *_: None for name in (MATCHES, EXTRACT)}


@dataclass
class QueryPages:
    """Answers requests of the query page."""

    pages: Pages
    kept: Kept = field(default_factory=Kept)
    _known: Known | None = field(default=None, init=False)

    async def page(self, request: Request) -> Response:
        """The editor; without scripts, what the query of the address gives, too."""
        query = _query_in(request.query_params.get("q", ""))
        known, is_empty = await self._read_known()
        examples: list[Example] = examples_of(known) if known is not None else []
        is_plain = "plain" in request.query_params
        shown = await self._shown(request, query) if is_plain else {"wrong": None, "found": None, "status": 200}
        seconds = self.pages.held.settings.query_seconds
        return self.pages.shown(
            request, "query/page.html.j2", part="query", query=query, examples=examples, seconds=seconds,
            is_empty=is_empty, is_plain=is_plain, **shown,
        )  # fmt: skip

    async def results(self, request: Request) -> Response:
        """What a query gives, or what is wrong with it, where."""
        given = dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))
        query = _query_in(given.get("q", ""))
        shown = await self._shown(request, query)
        return self.pages.fragment("query/results.html.j2", is_plain=False, **shown)

    async def rows(self, request: Request) -> Response:
        """Further rows of a result."""
        found = self.kept.found(request.path_params["name"])
        begin = _number(request.query_params.get("from", "0"))
        shown = await self._page_of(found, begin)
        return self.pages.fragment("query/rows.html.j2", name=request.path_params["name"], is_plain=False, **shown)

    async def chart(self, request: Request) -> Response:
        """The chart of a result."""
        found = self.kept.found(request.path_params["name"])
        chart = await run_in_threadpool(chart_of, found)
        if chart is None:
            raise HTTPException(404)
        spec = {key: value for key, value in chart.spec.items() if key != "title"}
        told, note = str(spec.get("description", "")), chart.data.note
        is_map = chart.kind is Kind.MAP
        return self.pages.fragment("query/chart.html.j2", spec=spec, is_map=is_map, told=told, note=note)

    async def turtle(self, request: Request) -> Response:
        """The triples of a result as a text."""
        found = self.kept.found(request.path_params["name"])
        if not found.is_triples:
            raise HTTPException(404)
        text = await run_in_threadpool(lambda: found.turtle)
        more = len(found.rows) > MOST_WRITTEN or found.more
        return self.pages.fragment("query/turtle.html.j2", text=text, most=MOST_WRITTEN if more else 0)

    async def file(self, request: Request) -> Response:
        """A result as a file, all of it: the query is put to the endpoint again."""
        found = self.kept.found(request.path_params["name"])
        ending = request.path_params["ending"]
        query = await run_in_threadpool(read_query, found.query, None)
        offer = _offer(query.offers, ending)
        held, seconds = self.pages.held, self.pages.held.settings.query_seconds
        if query.calls:
            made = await answer_by_engine(held, query, offer, self.pages.now(), seconds)
        else:
            made = await run_in_threadpool(answer, held, query, offer, (), seconds)
        pieces = made.pieces.held if made.pieces is not None else []
        named = f'attachment; filename="results.{ending}"'
        return StreamingResponse(iter(pieces), headers={"Content-Type": offer.sent, "Content-Disposition": named})

    async def check(self, request: Request) -> Response:
        """Where a query is wrong, without running it."""
        query = _query_in((await request.body()).decode("utf-8", "replace"))
        wrong = await run_in_threadpool(_wrong_in, query)
        return JSONResponse(wrong)

    async def terms(self, _: Request) -> Response:
        """What completes names."""
        known = (await self._read_known())[0]
        return JSONResponse(known.as_json() if known is not None else {"prefixes": {}, "terms": []})

    async def values(self, request: Request) -> Response:
        """What completes a value of a property."""
        prop, part = request.query_params.get("p", ""), request.query_params.get("part", "")[:_LONGEST_PART]
        try:
            node = NamedNode(prop)
        except ValueError as bad:
            raise HTTPException(422) from bad
        return JSONResponse(await self.pages.read(lambda graph: values_of(graph, node, part), seconds=5))

    async def _read_known(self) -> tuple[Known | None, bool]:
        """What the store has, read once a generation; and whether there is no store."""
        try:
            known = await self.pages.read(lambda graph: graph.generation)
            if self._known is None or self._known.generation != known:
                self._known = await self.pages.read(read_known)
        except StoreError:
            if exists(self.pages.held.directory):
                raise
            return None, True
        return self._known, not self._known.has_events

    async def _shown(self, request: Request, query: str) -> dict[str, Any]:
        """The values of the template of results."""
        if not query.strip():
            return {"wrong": None, "found": None, "status": 200}
        try:
            found = await run(self.pages, request, query)
        except (QueryError, QueryStopped) as bad:
            wrong = problem_of(bad, self.pages.hidden)
            return {"wrong": wrong, "timed_out": isinstance(bad, QueryStopped), "found": None, "status": wrong.status}
        has_chart = await run_in_threadpool(chart_of, found) is not None
        page = await self._page_of(found, 0)
        return {
            "wrong": None, "found": found, "name": self.kept.keep(found), "has_chart": has_chart, "status": 200,
            "most": MOST_ROWS, **page,
        }  # fmt: skip

    async def _page_of(self, found: Found, begin: int) -> dict[str, Any]:
        """The rows of a result from a place on, as cells."""
        rows = found.rows[begin : begin + ROWS]
        names = names_in(rows)
        events = await self.pages.read(lambda graph: events_among(graph, names)) if names else frozenset[str]()
        left = len(found.rows) - begin - len(rows)
        return {
            "lines": lines_of(rows, events), "columns": found.columns, "next": begin + len(rows), "left": max(left, 0),
            "numbers": numeric(len(found.columns), found.rows), "at_once": ROWS,
            "is_triples": found.is_triples,
        }  # fmt: skip


def routes(pages: Pages) -> list[BaseRoute]:
    """What can be opened to query."""
    query = QueryPages(pages)
    return [
        Route("/query", query.page, methods=["GET"]),
        Route("/query/results", query.results, methods=["POST"]),
        Route("/query/results/{name}", query.rows, methods=["GET"]),
        Route("/query/results/{name}/chart", query.chart, methods=["GET"]),
        Route("/query/results/{name}/turtle", query.turtle, methods=["GET"]),
        Route("/query/results/{name}/results.{ending}", query.file, methods=["GET"]),
        Route("/query/check", query.check, methods=["POST"]),
        Route("/query/terms", query.terms, methods=["GET"]),
        Route("/query/values", query.values, methods=["GET"]),
    ]


def _query_in(text: str) -> str:
    if len(text) > _LONGEST:
        raise HTTPException(413)
    return text.replace("\r\n", "\n")


def _number(said: str) -> int:
    if not (said.isascii() and said.isdecimal()) or len(said) > len(str(MOST_ROWS)):
        raise HTTPException(422)
    return int(said)


def _offer(offers: tuple[Offer, ...], ending: str) -> Offer:
    """The endpoint's format of a file. Raises HTTPException where the result has none of that ending."""
    kind = _FILES.get(ending)
    found = next((offer for offer in offers if offer.asked_as == kind), None)
    if found is None or offers not in (SOLUTIONS, TRIPLES):
        raise HTTPException(404)
    return found


def _wrong_in(query: str) -> dict[str, Any]:
    """What is wrong with a query, and where; nothing where it is right, or nothing stands there."""
    if not query.strip():
        return {}
    try:
        within(_CHECK_SECONDS, lambda: MemoryGraph(functions=_FUNCTIONS).answered(query, lambda _: None))
    except QueryError as bad:
        place = bad.place
        told = {"message": bad.message, "line": place.line if place else 1, "column": place.column if place else 1}
        return {**told, "expected": bad.expected, "nearest": bad.nearest}
    except QueryStopped:  # it is tried where there is nothing: it will pass its limit over data, and say so
        return {}
    return {}


_ASKED: Final = Asked("", "table", None, "")
_BOOLEAN: Final = XSD + "boolean"


def chart_of(found: Found) -> Chart | None:
    """The chart that shows rows best; None where no column has numbers, or nothing can be drawn."""
    if found.truth is not None or found.is_triples or len(found.rows) < 2 or not _has_numbers(found):
        return None
    rows = tuple(tuple(_plain(term) for term in row) for row in found.rows)
    data = data_of_table(Table(found.columns, rows), _ASKED)
    chart = chart_of_data(data) if data is not None else None
    return None if chart is None or chart.kind is Kind.TABLE else chart


def _has_numbers(found: Found) -> bool:
    columns = list(zip(*found.rows, strict=True))
    return any(any(term is not None and is_number(term) for term in column) for column in columns)


def _plain(term: Term | None) -> Plain | None:
    """A value as charts have it."""
    if term is None or isinstance(term, NamedNode):
        return None if term is None else short(term)
    if not isinstance(term, Literal):
        return short(term)
    if term.datatype.value == _BOOLEAN:
        return term.value in ("true", "1")
    if not is_number(term):
        return term.value
    try:
        number = float(term.value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and "." not in term.value else number
