"""The token that lets one in: how a request shows it, and how a browser is given a cookie in its place.

The cookie holds no token but what is derived from it, so that whoever reads a cookie has no more than the cookie. It is
the same at each start with the same token.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode
from binascii import Error as NoBase64
from typing import Final
from urllib.parse import quote, unquote_plus

from starlette.requests import Request
from starlette.responses import Response

from .access import OPEN_PATHS, Access
from .problems import Problem

COOKIE: Final = "reqap-kg"
PARAMETER: Final = "token"
_SALT: Final = b"reqap-kg cookie"
_PATH_SIGNS: Final = "/:@!$&'()*+,;=~"


def without_token(request: Request, access: Access) -> Response | None:
    """What is answered to a request that does not have the token, or that a browser is to send again without it; None
    for one that has it."""
    if access.token is None or request.url.path in OPEN_PATHS:
        return None
    if any(_is_token(part) for part in _parts(request)):
        return _opened(request, access.token)
    return None if _has_token(request, access.token) else _refused()


def cookie_value(token: str) -> str:
    """What a browser shows in the token's place."""
    return hmac.new(token.encode(), _SALT, hashlib.sha256).hexdigest()


def _has_token(request: Request, token: str) -> bool:
    shown = request.headers.getlist("authorization")
    if shown:
        return len(shown) == 1 and _is_same(_credential(shown[0]), token)
    return _is_same(request.cookies.get(COOKIE, "").encode("latin-1", "replace"), cookie_value(token))


def _credential(shown: str) -> bytes:
    """The token of a Bearer header, or the password of a Basic one; empty where there is none."""
    scheme, _, value = shown.partition(" ")
    raw = value.strip().encode("latin-1", "replace")
    if scheme.lower() == "bearer":
        return raw
    if scheme.lower() != "basic":
        return b""
    try:
        return b64decode(raw, validate=True).partition(b":")[2]
    except (NoBase64, ValueError):
        return b""


def _is_same(shown: bytes, wanted: str) -> bool:
    """Whether they are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(shown, wanted.encode())


def _opened(request: Request, token: str) -> Response:
    """Lets a browser in that opens an address with the token: it gets a cookie, and the address without the token."""
    parts = _parts(request)
    shown = [unquote_plus(part.partition("=")[2]) for part in parts if _is_token(part)]
    if not _is_navigation(request) or len(shown) != 1 or not _is_same(shown[0].encode(), token):
        return _refused()
    path = "/" + quote(request.url.path.lstrip("/\\"), safe=_PATH_SIGNS)  # "//name" would lead to another host
    query = "&".join(part for part in parts if part and not _is_token(part))
    response = Response(status_code=303, headers={"Location": f"{path}?{query}" if query else path})
    response.set_cookie(
        COOKIE, cookie_value(token), path="/", secure=_is_secure(request), httponly=True, samesite="strict"
    )
    return response


def _parts(request: Request) -> list[str]:
    return request.scope.get("query_string", b"").decode("latin-1").split("&")


def _is_token(part: str) -> bool:
    return unquote_plus(part.partition("=")[0]) == PARAMETER


def _is_navigation(request: Request) -> bool:
    """Whether a browser opens a page, as far as it says so."""
    mode = request.headers.get("sec-fetch-mode")
    is_page = "text/html" in request.headers.get("accept", "") if mode is None else mode == "navigate"
    return request.method == "GET" and is_page


def _is_secure(request: Request) -> bool:
    """Whether the browser speaks TLS, to this service or to a proxy before it. Who says so wrongly gets a cookie that
    is shown less often."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", "").lower())


def _refused() -> Response:
    detail = "the service answers whoever has its token: Authorization: Bearer TOKEN, or the token as a password"
    response = Problem(401, "token", detail).response()
    response.headers.append("WWW-Authenticate", 'Bearer realm="reqap-kg"')
    response.headers.append("WWW-Authenticate", 'Basic realm="reqap-kg", charset="UTF-8"')
    return response
