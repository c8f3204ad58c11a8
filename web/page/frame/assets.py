"""The files that pages load: style sheets, modules, fonts. Each has a digest of them all in its address, and is kept by
browsers for good."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "woff2": "font/woff2",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_DIGEST_SIGNS: Final = 12


def address(name: str) -> str:
    """Where a file is, `ask.css` or `vendor/htmx.min.js`."""
    return f"/static/{_digest()}/{name}"


def routes() -> list[BaseRoute]:
    """The route of all files."""
    return [Route("/static/{digest}/{name:path}", _file, methods=["GET"])]


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    found = _all().get(name)
    if found is None:
        raise HTTPException(404)
    return Response(found, headers={"Content-Type": _TYPES[name.rsplit(".", 1)[-1]], "Cache-Control": _FOR_GOOD})


@cache
def _all() -> dict[str, bytes]:
    """All files by their names; two megabytes at most."""
    return {
        name: file.read_bytes()
        for name, file in _found(files("reqap_kg.web.page").joinpath("static"), "")
        if name.rsplit(".", 1)[-1] in _TYPES
    }


def _found(folder: Traversable, within: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{within}{one.name}"
        found += _found(one, f"{name}/") if one.is_dir() else [(name, one)]
    return found


@cache
def _digest() -> str:
    digest = hashlib.sha256()
    for name, content in _all().items():
        digest.update(name.encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGEST_SIGNS]
