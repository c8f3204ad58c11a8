"""The endpoint of the SPARQL 1.1 Protocol: one route, for queries of any client."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from typing import Final
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ...engine.functions.sparql_calls import EXTRACT, MATCHES
from ...errors import QueryError, ReqapError
from ...ontology.namespaces import RDF_TYPE, RDFS, RQ
from ...store.graph import StoreGraph
from ...store.queries.serializing import Serialization, write_triples
from ...store.rdf import BlankNode, Literal, NamedNode, Term, Triple
from ...store.sparql.datasets import Dataset
from ..api.working import unless_gone
from ..holding import Held
from ..http.problems import Hidden, Problem, problem_of
from .running import (
    DESCRIPTION,
    Offer,
    Outcome,
    Pieces,
    Query,
    answer,
    answer_by_engine,
    chosen,
    outcome,
    read_query,
    tags_in,
)

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})
_MOST_PARAMETERS: Final = 1000
_GRAPHS: Final = ("default-graph-uri", "named-graph-uri")
_KNOWN: Final = frozenset({"query", "update", "timeout", *_GRAPHS})

READ_ONLY: Final = Problem(403, "read_only", "this service answers queries; it runs no SPARQL Update")
_NO_TEXT: Final = "the request holds bytes that are no UTF-8"


@dataclass(frozen=True)
class Asked:
    """What a request asks; `dataset` is what it says beside the query, `seconds` is the limit that it sets itself."""

    query: str
    dataset: Dataset | None
    seconds: float | None


async def read_request(request: Request) -> Asked | Problem | None:
    """What a GET, HEAD or POST asks; None for one that asks nothing, so that it is told what there is.

    Raises QueryError unless it is one query."""
    given = _parameters(request.scope["query_string"])
    if request.method != "POST":
        return _asked(given) if given.keys() & _KNOWN else None
    kind, charset = _media_type(request.headers.get("content-type", ""))
    if kind == _UPDATE:
        return READ_ONLY
    if kind not in (FORM, QUERY):
        return Problem(415, "media_type", f"the body is to be {QUERY} or {FORM}", headers={"Accept-Post": accepted()})
    if charset not in _CHARSETS:
        return Problem(415, "media_type", "the body is to be UTF-8")
    body = await request.body()
    more = _parameters(body) if kind == FORM else {"query": [_decoded(body)]}
    return _asked({name: given.get(name, []) + more.get(name, []) for name in (*given, *more)})


def accepted() -> str:
    """The media types of bodies."""
    return f"{QUERY}, {FORM}"


def _asked(given: Mapping[str, list[str]]) -> Asked | Problem:
    if "update" in given:
        return READ_ONLY
    queries = given.get("query", [])
    if len(queries) != 1:
        raise QueryError(f"the request has {len(queries) or 'no'} queries", expected="one parameter query")
    default, named = (given.get(name, []) for name in _GRAPHS)
    return Asked(queries[0], Dataset.of(default, named) if default or named else None, _seconds(given))


def _seconds(given: Mapping[str, list[str]]) -> float | None:
    said = given.get("timeout", [])
    if not said:
        return None
    try:
        seconds = float(said[0]) if len(said) == 1 else 0.0
    except ValueError:
        seconds = 0.0
    if not seconds > 0:  # also what is no number
        raise QueryError("the timeout is wrong", expected="one number of seconds above 0")
    return seconds


def _parameters(text: bytes) -> dict[str, list[str]]:
    """The values of each parameter."""
    found: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(_decoded(text), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS)
    except UnicodeDecodeError as bad:
        raise QueryError(_NO_TEXT) from bad
    except ValueError as bad:
        raise QueryError(f"the request has more than {_MOST_PARAMETERS:,} parameters") from bad
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise QueryError(_NO_TEXT) from bad


def _media_type(header: str) -> tuple[str, str]:
    """Media type and charset, in small letters; without a charset it is UTF-8."""
    message = Message()
    message["content-type"] = header or "/"
    kind = header.partition(";")[0].strip().lower()
    charset = message.get_param("charset", "utf-8")
    return kind, charset.lower() if isinstance(charset, str) else ""


PATH: Final = "/sparql"
NOTE: Final = "Reqap-Note"
_MOST_NOTE: Final = 4_000
_ALLOW: Final = "GET, HEAD, OPTIONS, POST"
_GONE: Final = 499
"""Status of a response that nobody waits for any more."""
_HEADERS: Final = {"Vary": "Accept", "Cache-Control": "private, no-cache"}


def routes(held: Held, now: Callable[[], datetime]) -> list[Route]:
    """The route `/sparql` over a store; `now` is the time of asking for what RETRIEVE finds."""
    return [Route(PATH, _Endpoint(held, now))]


class _Endpoint:
    """Answers queries, whatever the method; a function would be asked by GET alone."""

    def __init__(self, held: Held, now: Callable[[], datetime]) -> None:
        self._held = held
        self._now = now
        self._hidden = Hidden.of(held.directory, held.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        try:
            response = await self._response(request)
        except ReqapError as bad:
            response = self._told(bad)
        response.headers.update(_HEADERS)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": _ALLOW, "Accept-Post": accepted()})
        if request.method not in _ALLOW.split(", "):
            return _plain(Problem(405, "method", "queries come by GET or POST", headers={"Allow": _ALLOW}))
        asked = await read_request(request)
        if isinstance(asked, Problem):
            return _plain(asked)
        if asked is None:
            return await self._description(request)
        query = await run_in_threadpool(read_query, asked.query, asked.dataset)
        offer = chosen(query.offers, _accept(request))
        if offer is None:
            return _not_acceptable(query.offers)
        found = await self._answered(request, query, offer, self._seconds(asked))
        return _of_outcome(request, offer, found) if found is not None else Response(status_code=_GONE)

    async def _answered(self, request: Request, query: Query, offer: Offer, seconds: float) -> Outcome | None:
        """The answer; None where the client is gone before the engine has it."""
        if query.calls:
            doing = answer_by_engine(self._held, query, offer, self._now(), seconds)
            return await unless_gone(request.receive, doing)
        return await run_in_threadpool(answer, self._held, query, offer, _known(request), seconds)

    async def _description(self, request: Request) -> Response:
        offer = chosen(DESCRIPTION, _accept(request))
        if offer is None:
            return _not_acceptable(DESCRIPTION)
        endpoint = _endpoint(request)
        about, known = ("description", endpoint.value, offer.sent), _known(request)

        def read() -> Outcome:
            return self._held.read(
                lambda graph: outcome(self._held, about, known, lambda: described(graph, endpoint, offer.wanted)),
                seconds=self._held.settings.query_seconds,
            )

        return _of_outcome(request, offer, await run_in_threadpool(read))

    def _seconds(self, asked: Asked) -> float:
        """The limit of a query: a client's own may only be a shorter one."""
        most = self._held.settings.query_seconds
        return most if asked.seconds is None else min(most, asked.seconds)

    def _told(self, bad: ReqapError) -> Response:
        """An error as text. Its status is that of the API: a query that took too long is 504, as asking the same again
        takes as long (503 with Retry-After is for a busy store), one that took too much memory is 422."""
        problem = problem_of(bad, self._hidden)
        return _text(problem.status, self._hidden.message(str(bad)), problem)


def _accept(request: Request) -> str:
    return ",".join(request.headers.getlist("accept"))


def _known(request: Request) -> frozenset[str]:
    """The tags of what the client has; of a POST nothing is kept."""
    return frozenset() if request.method == "POST" else tags_in(",".join(request.headers.getlist("if-none-match")))


def _endpoint(request: Request) -> NamedNode:
    try:
        return NamedNode(str(request.url.replace(query="")))
    except ValueError as bad:
        raise QueryError("the request names no host that an IRI can hold") from bad


def _of_outcome(request: Request, offer: Offer, found: Outcome) -> Response:
    """The response of an answer. Its tag is weak: rows come in any order."""
    headers = {"ETag": f"W/{found.tag}"} if found.tag and request.method != "POST" else {}
    if found.pieces is None:
        return Response(status_code=304, headers=headers)
    headers |= {"Content-Length": str(found.pieces.size), "Content-Type": offer.sent, **_notes(found.told)}
    held = found.pieces.held if request.method != "HEAD" else []
    return StreamingResponse(_sent(held), headers=headers)


def _notes(told: Sequence[str]) -> dict[str, str]:
    """What is told of a query beside its answer, which the protocol leaves no room for: a header, if there is any."""
    text = "; ".join(told).encode("ascii", "backslashreplace").decode()
    return {NOTE: re.sub(r"[^ -~]", " ", text)[:_MOST_NOTE]} if told else {}


async def _sent(pieces: list[bytes]) -> AsyncIterator[bytes]:
    """Pieces, each of which is let go once it is sent."""
    pieces.reverse()
    while pieces:
        yield pieces.pop()


def _not_acceptable(offers: Sequence[Offer]) -> Response:
    there = ", ".join(offer.asked_as for offer in offers)
    return _plain(Problem(406, "not_acceptable", f"there is no such format of this; there are {there}"))


def _plain(problem: Problem) -> Response:
    return _text(problem.status, problem.detail, problem)


def _text(status: int, text: str, problem: Problem) -> Response:
    return PlainTextResponse(text + "\n", status, dict(problem.headers))


_SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS: Final = "http://www.w3.org/ns/formats/"
_RESULT_FORMATS: Final = (
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "RDF_XML",
)
_SIMPLE_ENTAILMENT: Final = NamedNode("http://www.w3.org/ns/entailment/Simple")
_FUNCTIONS: Final = {
    MATCHES: 'rq:matches(?event, "phrase"): whether an event is one that the phrase means',
    EXTRACT: 'rq:extract(?event, "key", "type"): the value of a key, from the texts of an event where no record has it',
}


def described(graph: StoreGraph, endpoint: NamedNode, wanted: Serialization) -> Pieces:
    """The description in a format."""
    pieces = Pieces()
    write_triples(_triples(graph, endpoint), wanted, pieces)
    return pieces


def _triples(graph: StoreGraph, endpoint: NamedNode) -> Iterator[Triple]:
    service = BlankNode()
    yield _typed(service, "Service")
    yield _said(service, "endpoint", endpoint)
    yield _said(service, "supportedLanguage", _sd("SPARQL11Query"))
    yield _said(service, "feature", _sd("UnionDefaultGraph"))
    yield _said(service, "defaultEntailmentRegime", _SIMPLE_ENTAILMENT)
    for name in _RESULT_FORMATS:
        yield _said(service, "resultFormat", NamedNode(_FORMATS + name))
    for name in _FUNCTIONS:
        yield _said(service, "extensionFunction", NamedNode(RQ + name))
    for name, comment in _FUNCTIONS.items():
        yield _typed(NamedNode(RQ + name), "Function")
        yield Triple(NamedNode(RQ + name), NamedNode(RDFS + "comment"), Literal(comment, language="en"))
    yield from _default_dataset(graph, service)


def _default_dataset(graph: StoreGraph, service: BlankNode) -> Iterator[Triple]:
    dataset, default = BlankNode(), BlankNode()
    yield _said(service, "defaultDataset", dataset)
    yield _typed(dataset, "Dataset")
    yield _said(dataset, "defaultGraph", default)
    yield _typed(default, "Graph")
    for iri in graph.graphs():
        named = BlankNode()
        yield _said(dataset, "namedGraph", named)
        yield _typed(named, "NamedGraph")
        yield _said(named, "name", NamedNode(iri))


def _typed(node: NamedNode | BlankNode, name: str) -> Triple:
    return Triple(node, NamedNode(RDF_TYPE), _sd(name))


def _said(node: BlankNode, name: str, value: Term) -> Triple:
    return Triple(node, _sd(name), value)


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)
