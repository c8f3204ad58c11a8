"""The guard before all routes: it admits requests, adds headers to every response, and reports unexpected errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from ...errors import ReqapError
from ..holding import Held, Stopped
from .access import Access, in_address
from .problems import STOPPED, UNEXPECTED, Hidden, Problem, problem_of, problem_of_status
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
_OWN_PAGES: Final = frozenset({"same-origin", "none"})
"""Sec-Fetch-Site of pages of the service's own, and of what a person typed or opened."""
_METHODS: Final = "GET, HEAD, POST, DELETE"
_HEADERS: Final = "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id"
_SHOWN: Final = "retry-after, www-authenticate, mcp-session-id"
_PREFLIGHT_SECONDS: Final = 600
_WINDOW_SECONDS: Final = 60.0
_NETWORK_BITS: Final = 64
Told = Callable[[Request, Problem], Response]
"""How a refusal is told to whoever sent a request."""


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


async def whole_body(request: Request, receive: Receive, access: Access) -> bytes | Problem | None:
    """The body, or why it is refused; None where the client is gone."""
    said = request.headers.get("content-length", "0")
    if said.isdecimal() and int(said[:20]) > access.request_bytes:
        return _too_long(access)
    try:
        async with asyncio.timeout(access.body_seconds):
            return await _read(receive, access)
    except TimeoutError:
        return Problem(408, "slow", f"the request did not come whole within {access.body_seconds:g} s")


async def _read(receive: Receive, access: Access) -> bytes | Problem | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > access.request_bytes:
            return _too_long(access)
        if not message.get("more_body", False):
            return bytes(body)


def _too_long(access: Access) -> Problem:
    return Problem(413, "size", f"a request has at most {access.request_bytes:,} bytes")


class Replayed:
    """Gives a body that was read to whoever reads it next, then what else is received: that the client is gone."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._message: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._receive = receive

    async def __call__(self) -> Message:
        """The next message."""
        message, self._message = self._message, None
        return message if message is not None else await self._receive()


def foreign_host(request: Request, access: Access) -> Problem | None:
    """Refuses a request that names another host than this: a name that leads here may be anybody's."""
    named = [host.lower() for host in request.headers.getlist("host")]
    if len(named) == 1 and (named[0] in access.hosts or (access.any_address and named[0] == _came_to(request))):
        return None
    return Problem(421, "host", "the service does not answer at the host that the request names")


def foreign_page(request: Request, access: Access) -> Problem | None:
    """Refuses what a browser sends for a page that is neither of this service nor of a configured origin."""
    origins, sites = request.headers.getlist("origin"), request.headers.getlist("sec-fetch-site")
    if len(origins) > 1 or len(sites) > 1:
        return _refused()
    if allowed_origin(request, access) is not None:
        return None
    host = request.headers.get("host", "").lower()
    is_own = not origins or origins[0].lower() in (f"http://{host}", f"https://{host}")
    return None if is_own and (not sites or sites[0] in _OWN_PAGES) else _refused()


def allowed_origin(request: Request, access: Access) -> str | None:
    """The configured origin whose page asks; None for all others."""
    origin = request.headers.get("origin")
    return origin if origin is not None and origin.lower() in access.origins else None


def preflight(request: Request, access: Access) -> Response | None:
    """The answer to a browser that asks beforehand whether a page may; None for another request."""
    if request.method != "OPTIONS" or "access-control-request-method" not in request.headers:
        return None
    if allowed_origin(request, access) is None:
        return _refused().response()
    allowed = {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _HEADERS,
        "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
    }
    return Response(status_code=204, headers=allowed)


def cors_headers(request: Request, access: Access) -> dict[str, str]:
    """What lets a page of a configured origin read the answer; nothing where none is configured."""
    if not access.origins:
        return {}
    origin = allowed_origin(request, access)
    if origin is None:
        return {"Vary": "Origin"}
    return {"Vary": "Origin", "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _SHOWN}


def _refused() -> Problem:
    return Problem(
        403, "origin", "pages of other origins may not ask; the setting service.origins names those that may"
    )


def _came_to(request: Request) -> str | None:
    """The address of this machine that the request came to, as a Host header names it."""
    server = request.scope.get("server")
    if not server or server[1] is None:
        return None
    address, port = server
    return f"{in_address(address)}:{port}"


class Rates:
    """Counts requests by address; a minute begins with an address's first request."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._counts: dict[str, tuple[float, int]] = {}

    def wait(self, address: str) -> int:
        """Counts a request; the seconds after which the next is answered, 0 where this one is."""
        now, who = self._clock(), _network(address)
        self._forget(now)
        begun, count = self._counts.get(who, (now, 0))
        self._counts[who] = (begun, count + 1)
        return max(1, ceil(begun + _WINDOW_SECONDS - now)) if count >= self._most else 0

    def _forget(self, now: float) -> None:
        """Drops minutes that are over; those that began first stand first."""
        while self._counts:
            first = next(iter(self._counts))
            if now - self._counts[first][0] < _WINDOW_SECONDS:
                return
            del self._counts[first]


def _network(address: str) -> str:
    """Who asks: of IPv6 the network, as one machine has all addresses of it."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:  # no address: a client without a socket
        return address
    if isinstance(known, IPv6Address) and not known.is_loopback:
        return str(int(known) >> _NETWORK_BITS)
    return str(known)


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
