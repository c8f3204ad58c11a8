"""The routes of the API, made from the table of operations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ..holding import Held
from ..http.problems import MEDIA_TYPE, Hidden, Problem
from ..http.tokens import COOKIE
from .operations import OPERATIONS, Events, Operation, Served, read_body, read_query
from .responses import ProblemDetails
from .working import Works

PATH: Final = "/api/openapi.json"
_REFERENCE: Final = "#/components/schemas/{model}"
_OF_ALL: Final = (403, 405, 408, 413, 414, 421, 429, 500, 503)
"""Statuses of refusals that every operation knows."""
_STREAM: Final = (
    "Server-Sent Events: `begun` {id}, `step` {step, done, total, tree?} as often as there is one, then `answer` with "
    "the object that JSON would give, or `error` with problem details."
)
_SECURITY: Final = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The token of the service."},
    "basic": {"type": "http", "scheme": "basic", "description": "Any name, and the token as the password."},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "What a browser gets that opened the service with ?token=TOKEN.",
    },
}


@cache
def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of all operations, and of itself."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _told(operation)
    paths[PATH] = {"get": _of_itself()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "reqap-kg",
            "version": version("reqap-kg"),
            "description": "Questions about a person's own life, answered with evidence.",
        },
        "servers": [{"url": "/"}],
        "security": [{name: []} for name in _SECURITY],
        "paths": paths,
        "components": {"schemas": _schemas(), "securitySchemes": _SECURITY},
    }


def _schemas() -> dict[str, Any]:
    models = {model for one in OPERATIONS for model in (*one.gives, one.takes, ProblemDetails) if model is not None}
    ordered = sorted(models, key=lambda model: model.__name__)
    _, found = models_json_schema([(model, "validation") for model in ordered], ref_template=_REFERENCE)
    return found["$defs"]


def _told(operation: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {"operationId": operation.name, "summary": operation.summary}
    parameters = _parameters(operation)
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None and operation.method != "GET":
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(operation.takes)}}}
    if operation.is_open:
        told["security"] = []
    told["responses"] = {**_given(operation), **_failures(operation.fails, operation.is_open)}
    return told


def _of_itself() -> dict[str, Any]:
    content = {"application/json": {"schema": {"type": "object"}}}
    return {
        "operationId": "document",
        "summary": "This document",
        "responses": {"200": {"description": "OpenAPI 3.1", "content": content}, **_failures((), False)},
    }


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if operation.named:
        schema = {"type": "string", "minLength": 1}
        found.append({"name": "id", "in": "path", "required": True, "description": operation.named, "schema": schema})
    if operation.takes is not None and operation.method == "GET":
        held = operation.takes.model_json_schema(ref_template=_REFERENCE)
        for name, schema in held["properties"].items():
            is_required = name in held.get("required", ())
            found.append({"name": name, "in": "query", "required": is_required, "schema": _without_null(schema)})
    return found


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter, which is left out where it is null."""
    kinds: Sequence[dict[str, Any]] = schema.get("anyOf", ())
    rest = [kind for kind in kinds if kind != {"type": "null"}]
    if len(rest) != 1:
        return schema
    return {**{name: held for name, held in schema.items() if name not in ("anyOf", "default")}, **rest[0]}


def _given(operation: Operation) -> dict[str, Any]:
    if not operation.gives:
        return {"204": {"description": "Done."}}
    refs = [_ref(model) for model in operation.gives]
    content: dict[str, Any] = {"application/json": {"schema": refs[0] if len(refs) == 1 else {"oneOf": refs}}}
    if operation.streams:
        content["text/event-stream"] = {"schema": {"type": "string", "description": _STREAM}}
    return {"200": {"description": "What was asked for.", "content": content}}


def _failures(own: Sequence[int], is_open: bool) -> dict[str, Any]:
    statuses = sorted({*own, *_OF_ALL, *(() if is_open else (401,))})
    content = {MEDIA_TYPE: {"schema": _ref(ProblemDetails)}}
    return {str(status): {"description": HTTPStatus(status).phrase, "content": content} for status in statuses}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REFERENCE.format(model=model.__name__)}


def routes(held: Held, now: Callable[[], datetime], logger: logging.Logger | None = None) -> list[BaseRoute]:
    """All operations over a store; `now` is the time of asking where a request says none. What fails unexpectedly while
    its steps are told goes to the logger."""
    hidden = Hidden.of(held.directory, held.settings)
    served = Served(Works(held), Events(held), hidden, now, logger or logging.getLogger(__name__))
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    made: list[BaseRoute] = [_route(path, of_path, served) for path, of_path in by_path.items()]
    return [*made, Route(PATH, _document, methods=["GET"])]


def _route(path: str, operations: Mapping[str, Operation], served: Served) -> Route:
    async def answer(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        given = await _read(request, operation)
        return given.response() if isinstance(given, Problem) else await operation.does(served, request, given)

    return Route(path.replace("{id}", "{id:path}"), answer, methods=list(operations))


async def _read(request: Request, operation: Operation) -> Any:
    """What the request says, as a model; a problem where it is wrong, None where nothing is taken."""
    if operation.takes is None:
        return None
    if operation.method == "GET":
        return read_query(request, operation.takes)
    return await read_body(request, operation.takes)


async def _document(_: Request) -> Response:
    return JSONResponse(document())
