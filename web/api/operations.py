"""The table of all that can be asked of the API: what each operation takes, what it gives, how it fails."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ...engine.answers.evidence import COLUMNS, attributes_table, evidence
from ...engine.knowledge import KnowledgeGraph
from ...errors import NotUnderstood, ReqapError
from ...store.generations import EventGraph
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode
from ...store.vocabulary import Vocabulary, load_vocabulary
from ..holding import Held
from ..http.problems import Hidden, Problem
from . import models, responses
from .models import Ask, Find, Plan, Run
from .streaming import Streamed, Tell, step_of
from .working import Works, held_by, unless_gone

M = TypeVar("M", bound=BaseModel)
_JSON: Final = "application/json"
_MOST_TOLD: Final = 5
_INTEGER: Final = re.compile(r"-?[0-9]{1,12}")
_GONE: Final = 499
"""Status of a response that nobody waits for any more."""
Engine = Callable[[KnowledgeGraph, Any, datetime, Tell | None], dict[str, Any]]
_OF_ENGINE: Final = (409, 422, 502, 504)
_SECONDS: Final = 20.0
_IS_EVENT: Final = "ASK { %s a/rdfs:subClassOf* ev:Event }"
_CALLED: Final = "SELECT DISTINCT ?e { ?e ev:sourceId %s ; a/rdfs:subClassOf* ev:Event } ORDER BY ?e LIMIT 20"


async def read_body(request: Request, model: type[M]) -> M | Problem:
    """What the JSON object of a request says."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        return Problem(415, "media_type", f"the body is to be {_JSON}")
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as bad:
        return _wrong(bad)


def read_query(request: Request, model: type[M]) -> M | Problem:
    """What the parameters of an address say."""
    given: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in given:
            return Problem(422, "usage", f"the parameter {name!r} stands twice")
        field = model.model_fields.get(name)
        given[name] = value if field is None else _typed(value, field.annotation)
    try:
        return model.model_validate(given)
    except ValidationError as bad:
        return _wrong(bad)


def wants_steps(request: Request) -> bool:
    """Whether the client wants the steps of the work as they are known."""
    accepted = request.headers.get("accept", "").split(",")
    return any(kind.partition(";")[0].strip().lower() == "text/event-stream" for kind in accepted)


def _typed(value: str, wanted: Any) -> Any:
    """A parameter as JSON would say it; as it is where it cannot."""
    if wanted is bool and value in ("true", "false"):
        return value == "true"
    if wanted is int and _INTEGER.fullmatch(value):
        return int(value)
    return value


def _wrong(bad: ValidationError) -> Problem:
    """What is wrong, without the values that were given."""
    errors = bad.errors(include_url=False, include_input=False, include_context=False)
    told = dict.fromkeys(_told(error["loc"], error["msg"]) for error in errors[:_MOST_TOLD])
    status = 400 if any(error["type"] == "json_invalid" for error in errors) else 422
    return Problem(status, "usage", "; ".join(told))


def _told(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(map(str, place))
    return f"{where}: {message}" if where else message


def answered(known: KnowledgeGraph, given: Find, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The answer of a question; of one that is declined, none with the reason."""
    turns = given.turns if isinstance(given, Ask) else None
    if tell is not None and not turns:
        _tell_plan(known, given.question, now, tell)
    try:
        answer = known.ask(
            given.question, now=now, most_events=given.events or None, explain=given.explain, context=turns
        )
    except NotUnderstood as bad:
        answer = known.refused(given.question, bad, now=now)
    return answer.as_json()


def planned(known: KnowledgeGraph, given: Plan, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The tree that a question becomes, or the `top` that it may become."""
    if tell is not None:
        tell(step_of("planning"))
    made = known.plans(given.question, now=now, top=given.top or 1)
    return made[0].as_json() if given.top is None else {"plans": [plan.as_json() for plan in made]}


def ran(known: KnowledgeGraph, given: Run, now: datetime, tell: Tell | None) -> dict[str, Any]:
    """The answer of a tree."""
    if tell is not None:
        tell(step_of("running"))
    return known.run(given.tree, now=now, most_events=given.events or None, explain=given.explain).as_json()


def _tell_plan(known: KnowledgeGraph, question: str, now: datetime, tell: Tell) -> None:
    """Tells which tree will be run; why there is none, the answer tells."""
    tell(step_of("planning"))
    with suppress(ReqapError):
        tell({**step_of("planned", 1, 1), "tree": known.plan(question, now=now).tree})


@dataclass(frozen=True)
class Served:
    """What operations work with."""

    works: Works
    events: Events
    hidden: Hidden
    now: Callable[[], datetime]
    logger: logging.Logger

    def json(self, value: Any) -> Response:
        """A value as a response."""
        text = json.dumps(self.hidden.value(value), ensure_ascii=False, allow_nan=False)
        return Response(text, media_type="application/json")


Does = Callable[[Served, Request, Any], Awaitable[Response]]


@dataclass(frozen=True)
class Operation:
    """One operation: `takes` is the model of its body (of a GET: of its parameters), `gives` those of its response,
    none where it has no content; `fails` are its own error statuses, besides those of every request. `named` says what
    the id in its path is; `streams`, that its steps can be told; `is_open`, that it needs no token."""

    name: str
    method: str
    path: str
    summary: str
    does: Does
    gives: tuple[type[BaseModel], ...] = ()
    takes: type[BaseModel] | None = None
    fails: tuple[int, ...] = ()
    named: str = ""
    streams: bool = False
    is_open: bool = False


async def _worked(served: Served, request: Request, given: models.AtMoment, *, engine: Engine) -> Response:
    """The response of what the engine does: its result, or its steps as they are known."""
    now = given.moment(served.now())
    if wants_steps(request):
        does = partial(_with_steps, engine, given, now)
        return Streamed(served.works, does, served.hidden, served.logger).response
    found = await unless_gone(request.receive, served.works.done(lambda known: engine(known, given, now, None)))
    return served.json(found) if found is not None else Response(status_code=_GONE)


def _with_steps(engine: Engine, given: Any, now: datetime, known: KnowledgeGraph, tell: Tell) -> dict[str, Any]:
    return engine(known, given, now, tell)


async def _event(served: Served, request: Request, _: object) -> Response:
    found = await run_in_threadpool(served.events.found, request.path_params["id"])
    if not found:
        return Problem(404, "no_such_event", "there is no event of that IRI or identifier").response()
    if len(found) > 1:
        iris = ", ".join(event["iri"] for event in found)
        return Problem(409, "ambiguous", f"several events have that identifier: {iris}").response()
    return served.json(found[0])


async def _status(served: Served, request: Request, _: object) -> Response:
    found = await unless_gone(request.receive, served.works.done(held_by))
    return served.json(found) if found is not None else Response(status_code=_GONE)


async def _health(served: Served, _: Request, __: object) -> Response:
    return served.json({"status": "ok"})


async def _stop(served: Served, request: Request, _: object) -> Response:
    if served.works.stop(request.path_params["id"]):
        return Response(status_code=204)
    return Problem(404, "no_such_work", "no work of that id runs").response()


OPERATIONS: Final = (
    Operation(
        "ask", "POST", "/api/ask", "Answer a question", partial(_worked, engine=answered),
        (responses.Answer,), models.Ask, (400, 415, *_OF_ENGINE), streams=True,
    ),
    Operation(
        "find", "GET", "/api/ask", "Answer a question that stands in the address", partial(_worked, engine=answered),
        (responses.Answer,), models.Find, _OF_ENGINE, streams=True,
    ),
    Operation(
        "plan", "POST", "/api/plan", "Show the operator tree that a question becomes",
        partial(_worked, engine=planned), (responses.Planned, responses.Plans), models.Plan, (400, 415, *_OF_ENGINE),
        streams=True,
    ),
    Operation(
        "run", "POST", "/api/run", "Run an operator tree", partial(_worked, engine=ran),
        (responses.Answer,), models.Run, (400, 415, *_OF_ENGINE), streams=True,
    ),
    Operation(
        "event", "GET", "/api/events/{id}", "Look one event up", _event, (responses.EventRecord,),
        fails=(404, 409, 504),
        named="The IRI of an event, or the identifier that its source gave it; percent-encoded.",
    ),
    Operation(
        "stop", "DELETE", "/api/work/{id}", "Stop a piece of work", _stop, fails=(404,),
        named="The id that the first event of a stream says.",
    ),
    Operation(
        "status", "GET", "/api/status", "Tell what the store holds", _status, (responses.Status,), fails=(409, 504)
    ),
    Operation("health", "GET", "/api/health", "Tell that the service runs", _health, (responses.Health,), is_open=True),
)  # fmt: skip


class Events:
    """Looks events up, beside whatever else is asked; on any thread but the engine's."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._vocabulary: tuple[str, Vocabulary] | None = None

    def found(self, name: str) -> list[dict[str, Any]]:
        """The events of that IRI or identifier: several where sources gave the same one. Raises as `Held.read`."""
        return self._held.read(lambda graph: self._read(graph, name), seconds=_SECONDS)

    def _read(self, graph: EventGraph, name: str) -> list[dict[str, Any]]:
        events = evidence(graph, _named(graph, name))
        table = attributes_table(graph, events, self._words(graph))
        return [
            {
                "iri": event.iri,
                "type": event.type,
                "source": event.source,
                "source_id": event.source_id,
                "start": event.start,
                "end": event.end,
                "label": event.label,
                "values": {
                    column: value
                    for column, value in zip(table.columns[len(COLUMNS) :], row[len(COLUMNS) :], strict=True)
                    if value is not None
                },
            }
            for event, row in zip(events, table.rows, strict=True)
        ]

    def _words(self, graph: EventGraph) -> Vocabulary:
        """The vocabulary of a generation, read once."""
        kept = self._vocabulary
        if kept is None or kept[0] != graph.generation:
            kept = self._vocabulary = graph.generation, load_vocabulary(graph)
        return kept[1]


def _named(graph: Graph, name: str) -> list[str]:
    """IRIs of the events that a name stands for."""
    node = _iri(name)
    if node is not None and graph.ask(_IS_EVENT % node):
        return [name]
    return [event.value for (event,) in graph.select(_CALLED % Literal(name)) if event is not None]


def _iri(name: str) -> NamedNode | None:
    try:
        return NamedNode(name)
    except ValueError:  # an identifier that is no IRI
        return None
