"""Pages as responses: a template with its values in the frame that all pages have, under a strict policy of what it may
load.

    return await pages.shown(request, "look/day.html.j2", day=day, events=events)

A template that another asks for by htmx is a fragment, `pages.fragment`. Work of the engine goes through `pages.do`,
reading in the graph beside it through `pages.read`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from logging import Logger
from secrets import token_urlsafe
from typing import Any, Final, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ....store.generations import EventGraph
from ...api.working import Works, held_by, unless_gone
from ...holding import Held
from ...http.problems import Hidden, Problem
from .formats import FILTERS

T = TypeVar("T")
_READ_SECONDS: Final = 20.0
_NONCE_BYTES: Final = 16
_GONE: Final = 408
_LONGEST_QUESTION: Final = 2_000
"""Letters of a question that was refused which its box has again."""
_PARTS: Final = (
    ("ask", "/", "Ask"),
    ("timeline", "/timeline", "Timeline"),
    ("things", "/things", "People, places"),
    ("query", "/query", "SPARQL"),
    ("data", "/data", "Data"),
)
"""The navigation: name of the part, address, label."""


class Gone(HTTPException):
    """Whoever asked is gone; nobody waits for the response."""

    def __init__(self) -> None:
        super().__init__(_GONE)


@dataclass
class Pages:
    """What makes pages over a store; `now` is the time of asking, `zone` that of this machine. `noticed` says that the
    service is in use, though nobody asks."""

    held: Held
    works: Works
    hidden: Hidden
    now: Callable[[], datetime]
    logger: Logger
    zone: str = "UTC"
    noticed: Callable[[], None] = lambda: None
    _foot: tuple[str, dict[str, Any]] | None = field(default=None, init=False)
    _templates: Environment = field(init=False)

    def __post_init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("reqap_kg", "templates/page"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(FILTERS)
        self._templates.globals.update(asset=address, parts=_PARTS)

    def shown(self, request: Request, template: str, *, part: str, status: int = 200, **values: Any) -> Response:
        """A whole page of a part of the navigation ("" for none of them)."""
        nonce = token_urlsafe(_NONCE_BYTES)
        kept = self._foot
        foot = kept[1] if kept is not None and kept[0] == self.held.state else None
        text = self.rendered(template, part=part, nonce=nonce, foot=foot, path=request.url.path, **values)
        return HTMLResponse(text, status, {"Content-Security-Policy": _policy(nonce)})

    def fragment(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """A part of a page, without the frame."""
        return HTMLResponse(self.rendered(template, **values), status, {"Content-Security-Policy": _policy("")})

    def rendered(self, template: str, **values: Any) -> str:
        """A template with its values as text; paths of this machine are left out of them."""
        return self._templates.get_template(template).render(values)

    def problem(self, request: Request, problem: Problem) -> Response:
        """What a browser shows of a refusal: a page, or the fragment that htmx puts where it is wanted."""
        if "HX-Request" in request.headers:
            return self.fragment("problem.html.j2", problem=problem, status=problem.status)
        question = request.query_params.get("q", "")[:_LONGEST_QUESTION] if request.url.path == "/" else ""
        return self.shown(request, "error.html.j2", part="", status=problem.status, problem=problem, question=question)

    async def do(self, request: Request, does: Callable[[KnowledgeGraph], T]) -> T:
        """What work on the engine's thread gives; it is stopped where the client goes away. Raises Gone then, and what
        the work raises."""
        found = await unless_gone(request.receive, self.works.done(lambda known: (does(known),)))
        if found is None:
            raise Gone
        return found[0]

    async def read(self, does: Callable[[EventGraph], T], *, seconds: float = _READ_SECONDS) -> T:
        """What reading in the graph gives, beside the engine's work. Raises QueryTimeout."""
        return await run_in_threadpool(self.held.read, does, seconds=seconds)

    async def foot(self, _: Request) -> Response:
        """The fragment that says how much there is."""
        with suppress(ReqapError):  # a store that cannot be opened says so where it is asked
            told = await self.works.done(held_by)
            self._foot = self.held.state, told
            return self.fragment("foot.html.j2", foot=told)
        return self.fragment("foot.html.j2", foot=None)


def _policy(nonce: str) -> str:
    """What a page may load and do: its own files, nothing inline, no other host."""
    style = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


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


def asset_routes() -> list[BaseRoute]:
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
