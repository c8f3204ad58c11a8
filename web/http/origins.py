"""Which hosts a request may name, and which pages may send one: walls against DNS rebinding and foreign pages."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from .access import Access, in_address
from .problems import Problem

_OWN_PAGES: Final = frozenset({"same-origin", "none"})
"""Sec-Fetch-Site of pages of the service's own, and of what a person typed or opened."""
_METHODS: Final = "GET, HEAD, POST, DELETE"
_HEADERS: Final = "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id"
_SHOWN: Final = "retry-after, www-authenticate, mcp-session-id"
_PREFLIGHT_SECONDS: Final = 600


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
