"""The routes of the API, made from the table of operations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ..holding import Held
from ..http.problems import Hidden, Problem
from .document import PATH, document
from .operations import OPERATIONS, Events, Operation, Served, read_body, read_query
from .working import Works


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
