"""The Model Context Protocol by HTTP (streamable HTTP): a route, and what an application enters for it.

Starlette(routes=routes(held, now), lifespan=lifespan)
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ..holding import Held
from .server import server

PATH: Final = "/mcp"
_MOST_SESSIONS: Final = 100


def routes(held: Held, now: Callable[[], datetime]) -> list[BaseRoute]:
    """The route over a store; `now` is the time of asking. Who is let in is decided before. It answers while the
    application's `lifespan` is entered."""
    return [Route(PATH, _Sessions(server(held, now), held.settings.service.request_bytes))]


@asynccontextmanager
async def lifespan(application: Starlette) -> AsyncIterator[None]:
    """Keeps sessions of assistants for the routes of an application."""
    async with AsyncExitStack() as entered:
        for route in application.routes:
            if isinstance(route, Route) and isinstance(route.endpoint, _Sessions):
                await entered.enter_async_context(route.endpoint.kept())
        yield


class _Sessions:
    """Sessions of assistants, for as long as they are kept."""

    def __init__(self, served: Server[Any], most_bytes: int) -> None:
        self._served = served
        self._most_bytes = most_bytes
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Keeps them."""
        manager = StreamableHTTPSessionManager(
            self._served, max_request_body_size=self._most_bytes, max_sessions=_MOST_SESSIONS
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if self._manager is None:
            await PlainTextResponse("the service ends, or has not begun", 503)(scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)
