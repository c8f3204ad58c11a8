"""The addresses of own rules and maps: written and checked, tried, and those that ship."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ....config import Settings
from ....engine.authoring.domain import own_documents
from ....errors import RuleError
from ....planner.rules.rulebook import shipped_documents
from ....sources.registry import formats
from ..frame.pages import Pages
from .checking import Checked, RulesDesk, check_map, try_map
from .sources import short_path

_LONGEST: Final = 500_000
_LONGEST_NAME: Final = 200
_IN_NO_NAME: Final = frozenset("\"\\/<>&'")
_EXAMPLE: Final = "birds.csv"
_STARTS: Final = {"rules": "data/start_rules.ttl.j2", "maps": "data/start_map.ttl.j2"}


@dataclass
class AuthoringPages:
    """Answers requests about rules and maps."""

    pages: Pages
    desk: RulesDesk = field(init=False)

    def __post_init__(self) -> None:
        self.desk = RulesDesk(self.pages.held.settings)

    async def page(self, request: Request) -> Response:
        """An editor for rules or for a map, with what ships beside it."""
        kind = _kind(request)
        documents = await run_in_threadpool(documents_of, kind, self.pages.held.settings)
        start = request.query_params.get("start")
        file = _file(request)
        text = _named(documents, start).text if start else self.pages.rendered(_STARTS[kind], file=file)
        return self.pages.shown(
            request, "data/rules.html.j2", part="data", kind=kind, documents=documents, text=text, start=start or "",
            checked=None, file=file,
        )  # fmt: skip

    async def shipped(self, request: Request) -> Response:
        """One document to read."""
        kind = _kind(request)
        documents = await run_in_threadpool(documents_of, kind, self.pages.held.settings)
        document = _named(documents, request.query_params.get("name", ""))
        return self.pages.shown(request, "data/shipped.html.j2", part="data", kind=kind, document=document)

    async def check(self, request: Request) -> Response:
        """What is wrong with a text, and where; of a map with a sample, what it makes of it."""
        given = await _form(request)
        kind, text = given.get("kind", "rules"), given.get("text", "")
        if kind == "rules":
            found = await run_in_threadpool(self.desk.check, text, self._instead(given))
        elif given.get("sample", "").strip():
            found = await run_in_threadpool(self._tried, given)
        else:
            found = await run_in_threadpool(check_map, text, self._zone)
        return self._checked(request, kind, found)

    async def cases(self, request: Request) -> Response:
        """What the cases of rules give."""
        given = await _form(request)
        text, instead = given.get("text", ""), self._instead(given)
        found = await run_in_threadpool(self.desk.check, text, instead)
        if found.is_wrong:
            return self._checked(request, "rules", found)
        try:
            results = await run_in_threadpool(self.desk.results, text, instead)
        except RuleError:
            return self._checked(request, "rules", found)
        return self.pages.fragment("data/cases.html.j2", results=results, marks=_json(found))

    def routes(self) -> list[BaseRoute]:
        """What can be opened."""
        return [
            Route("/data/rules", self.page, methods=["GET"]),
            Route("/data/rules/shipped", self.shipped, methods=["GET"]),
            Route("/data/rules/check", self.check, methods=["POST"]),
            Route("/data/rules/cases", self.cases, methods=["POST"]),
        ]

    @property
    def _zone(self) -> str:
        return self.pages.held.settings.home_zone or self.pages.zone

    def _instead(self, given: dict[str, str]) -> str:
        """The path of the file of the settings in whose place a text is written; empty where it is a new one."""
        documents = documents_of("rules", self.pages.held.settings)
        return next((one.path for one in documents if one.own and one.name == given.get("start")), "")

    def _tried(self, given: dict[str, str]) -> Checked:
        now = self.pages.now().isoformat(timespec="seconds")
        sample, name = given["sample"], given.get("name", "").strip()[:200]
        return try_map(given.get("text", ""), self._zone, sample, name, now, self.pages.held.settings)

    def _checked(self, request: Request, kind: str, found: Checked) -> Response:
        hidden = self.pages.hidden
        marks = [(mark, hidden.message(mark.message)) for mark in found.marks]
        values: dict[str, Any] = {"kind": kind, "checked": found, "marks": _json(found), "said": marks}
        if "HX-Request" in request.headers:
            return self.pages.fragment("data/checked.html.j2", **values)
        return self.pages.shown(request, "data/checked_page.html.j2", part="data", **values)


def _json(found: Checked) -> str:
    return json.dumps([mark.as_json() for mark in found.marks])


def _kind(request: Request) -> Kind:
    said = request.query_params.get("kind", "rules")
    if said == "rules":
        return "rules"
    if said == "maps":
        return "maps"
    raise HTTPException(404)


def _file(request: Request) -> str:
    """The name of the file that a map is written for; "birds.csv" without one, or with one that no map can name."""
    said = request.query_params.get("file", "")[:_LONGEST_NAME]
    return said if said.isprintable() and said and not _IN_NO_NAME.intersection(said) else _EXAMPLE


def _named(documents: tuple[Document, ...], name: str) -> Document:
    found = next((one for one in documents if one.name == name), None)
    if found is None:
        raise HTTPException(404)
    return found


async def _form(request: Request) -> dict[str, str]:
    body = await request.body()
    if len(body) > _LONGEST:
        raise HTTPException(413)
    given = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    return {name: value.replace("\r\n", "\n") for name, value in given.items()}


Kind = Literal["rules", "maps"]
_PLANNER: Final = "mappings/planner/"


@dataclass(frozen=True)
class Document:
    """A text in Turtle: `name` says which, `about` what it is for; `path` is that of one that the settings name."""

    name: str
    about: str
    text: str
    path: str = ""

    @property
    def own(self) -> bool:
        """Whether it is a person's own."""
        return bool(self.path)


def documents_of(kind: Kind, settings: Settings) -> tuple[Document, ...]:
    """The documents of a kind, a person's own first."""
    if kind == "maps":
        return _maps()
    return (*_own(settings), *_rules())


def _own(settings: Settings) -> tuple[Document, ...]:
    return tuple(
        Document(f"own {number}", short_path(path), text, path)
        for number, (path, text) in enumerate(own_documents(settings.rules))
    )


@cache
def _rules() -> tuple[Document, ...]:
    return tuple(
        Document(path.removeprefix(_PLANNER).removesuffix(".ttl"), _about(text), text)
        for path, text in shipped_documents()
    )


@cache
def _maps() -> tuple[Document, ...]:
    labels: dict[str, list[str]] = {}
    for form in formats():
        labels.setdefault(form.map_file, []).append(form.label)
    folder = files("reqap_kg.mappings")
    return tuple(
        Document(name.removesuffix(".ttl"), ", ".join(said), folder.joinpath(name).read_text(encoding="utf-8"))
        for name, said in sorted(labels.items())
    )


def _about(text: str) -> str:
    """What a document says of itself: the comment that it begins with."""
    said: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        said.append(line.lstrip("# ").rstrip("- "))
    return " ".join(said).split(". ")[0].rstrip(".")
