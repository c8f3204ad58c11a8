"""The one application that answers by HTTP: routes behind a guard, and errors told as problems."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from ...errors import ReqapError
from ..holding import Held
from .access import Access
from .guarding import Guard
from .paths import Hidden
from .problems import UNEXPECTED, Problem, problem_of, problem_of_status

Told = Callable[[Request, Problem], Response]
"""How a refusal is told to whoever sent a request."""


def application(
    held: Held,
    access: Access,
    routes: Sequence[BaseRoute],
    *,
    logger: logging.Logger,
    noticed: Callable[[], None] = lambda: None,
    told: Told = lambda _, problem: problem.response(),
    lifespan: Lifespan[Starlette] | None = None,
) -> Starlette:
    """Routes over a store, for those that `access` lets in. `noticed` hears of every request that is let in; what
    fails unexpectedly goes to the logger."""
    hidden = Hidden.of(held.directory, held.settings)

    async def failed(request: Request, bad: Exception) -> Response:
        return told(request, problem_of(bad, hidden) if isinstance(bad, ReqapError) else UNEXPECTED)

    async def not_there(request: Request, bad: Exception) -> Response:
        return told(request, problem_of_status(bad) if isinstance(bad, HTTPException) else UNEXPECTED)

    made = Starlette(
        routes=list(routes),
        middleware=[Middleware(Guard, access=access, logger=logger, noticed=noticed)],
        exception_handlers={ReqapError: failed, HTTPException: not_there},
        lifespan=lifespan,
    )
    made.router.redirect_slashes = False
    return made
