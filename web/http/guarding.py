"""The guard before all routes: it lets requests in, heads every response, and tells what nobody foresaw as a fault."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..holding import Stopped
from .access import Access
from .bodies import Replayed, whole_body
from .origins import cors_headers, foreign_host, foreign_page, preflight
from .problems import STOPPED, UNEXPECTED, Problem
from .rates import Rates
from .tokens import without_token

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""Headers of every response."""
_UNLESS_SAID: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Headers of a response that does not say them itself: it is not cached, and loads nothing."""


class Guard:
    """Stands before an application. `noticed` is called when a request is let in, and when it is answered."""

    def __init__(self, app: ASGIApp, access: Access, logger: logging.Logger, noticed: Callable[[], None]) -> None:
        self._app = app
        self._access = access
        self._logger = logger
        self._noticed = noticed
        self._rates = {known: Rates(access.requests_per_minute) for known in (True, False)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope)
        headed = _Headed(send, HEADERS | cors_headers(request, self._access))
        refusal = next(self._refusals(request), None)
        if refusal is not None:
            await _refuse(refusal, scope, receive, headed)
            return
        body = await whole_body(request, receive, self._access)
        if isinstance(body, Problem):
            await _refuse(body.response(), scope, receive, headed)
        elif body is not None:
            self._noticed()
            await self._answer(scope, Replayed(body, receive), headed)
            self._noticed()

    def _refusals(self, request: Request) -> Iterator[Response]:
        """What is answered instead of letting a request in: the first counts."""
        for check in (self._too_long, foreign_host, self._too_often, foreign_page):
            problem = check(request, self._access)
            if problem is not None:
                yield problem.response()
        for answered in (preflight, without_token):
            response = answered(request, self._access)
            if response is not None:
                yield response

    def _too_long(self, request: Request, access: Access) -> Problem | None:
        raw = request.scope.get("raw_path") or request.scope["path"].encode()
        if len(raw) + len(request.scope.get("query_string", b"")) <= access.address_characters:
            return None
        return Problem(414, "address", f"an address has at most {access.address_characters:,} characters; use POST")

    def _too_often(self, request: Request, access: Access) -> Problem | None:
        has_token = without_token(request, access) is None  # others of the same address take nothing from those
        seconds = self._rates[has_token].wait(request.client.host if request.client is not None else "")
        if not seconds:
            return None
        detail = f"no more than {access.requests_per_minute:,} requests a minute; ask again in {seconds} s"
        return Problem(429, "rate", detail, headers={"Retry-After": str(seconds)})

    async def _answer(self, scope: Scope, receive: Receive, send: _Headed) -> None:
        """Lets the application answer. What it raises is logged, and told without its words: they may tell of files and
        of data."""
        try:
            await self._app(scope, receive, send)
        except Stopped:
            problem = STOPPED
        except Exception as bad:
            self._logger.error("%s failed unexpectedly", scope["method"], exc_info=bad)
            problem = UNEXPECTED
        else:
            return
        if not send.has_begun:  # else the server cuts the response off
            await problem.response()(scope, receive, send)


class _Headed:
    """Sends a response with headers that every one has."""

    def __init__(self, send: Send, headers: dict[str, str]) -> None:
        self._send = send
        self._headers = headers
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        """Sends a message."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            told = dict(self._headers)
            if "Vary" in told:
                headers.add_vary_header(told.pop("Vary"))
            headers.update(told)
            for name, value in _UNLESS_SAID.items():
                headers.setdefault(name, value)
            message = {**message, "headers": headers.raw}
        await self._send(message)


async def _refuse(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Sends a refusal and ends the connection: what else comes by it goes unread."""
    response.headers["Connection"] = "close"
    await response(scope, receive, send)
