"""The routes of the page, of all its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from logging import Logger
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..api.working import Works
from ..holding import Held
from ..http.guarding import Told
from ..http.problems import Hidden, Problem
from .ask.routes import routes as ask_routes
from .chat import routes as chat_routes
from .data.jobs import changing
from .data.routes import routes as data_routes
from .frame.pages import Pages, asset_routes
from .look.routes import routes as look_routes
from .query.routes import routes as query_routes

_BUSY: Final = 503


def pages_of(
    held: Held,
    now: Callable[[], datetime],
    logger: Logger,
    zone: str = "UTC",
    noticed: Callable[[], None] = lambda: None,
) -> Pages:
    """What makes the pages of a store."""
    return Pages(held, Works(held), Hidden.of(held.directory, held.settings), now, logger, zone, noticed)


def routes(pages: Pages) -> list[BaseRoute]:
    """All that a browser can open."""
    return [
        *asset_routes(),
        Route("/parts/foot", pages.foot, methods=["GET"]),
        *ask_routes(pages),
        *chat_routes(pages),
        *look_routes(pages),
        *query_routes(pages),
        *data_routes(pages),
    ]


def told_by(pages: Pages) -> Told:
    """Tells refusals to browsers as pages, to programs as they are."""

    def told(request: Request, problem: Problem) -> Response:
        is_page = "text/html" in request.headers.get("accept", "") or "HX-Request" in request.headers
        if not is_page:
            return problem.response()
        under_way = changing(pages.held.directory) if problem.status == _BUSY else ""
        return pages.problem(
            request, replace(problem, detail=f"{under_way}: {problem.detail}") if under_way else problem
        )

    return told
