"""Addresses of pages, and what a request's address asks for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ....errors import UsageError
from ....operators.conditions import on_or_across
from ....operators.expressions import Lambda
from ....operators.nodes import AttributeType, Extract, Filter, Retrieve
from ....operators.syntax.printing import format_tree
from ....store.rdf import NamedNode
from ..frame.formats import day as in_words
from .day import Thing
from .life import Chosen, is_day

_MOST_CHOSEN: Final = 50
_LONGEST_IRI: Final = 4_000


def with_query(path: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A path with what follows the question mark."""
    query = urlencode([(name, value) for name, value in pairs if value])
    return f"{path}?{query}" if query else path


def event_at(iri: str) -> str:
    """The page of an event."""
    return with_query("/event", [("iri", iri)])


def day_at(day: str) -> str:
    """The page of a day."""
    return f"/day/{day[:10]}"


def thing_at(thing: Thing) -> str:
    """The page of a person, a place or a thing."""
    if thing.iri:
        return with_query("/thing", [("iri", thing.iri)])
    return with_query("/thing", [("kind", thing.kind), ("name", thing.name)])


def ask_at(question: str) -> str:
    """Where a question is asked."""
    return with_query("/", [("q", question)])


def ask_day_at(day: str) -> str:
    """Where it is asked what was done on a day; also what began before it and lasted until then."""
    body = on_or_across("attr", date.fromisoformat(day))
    kinds = (AttributeType.DATE, AttributeType.DATE)
    events = Extract(Retrieve("events"), ("start_date", "end_date"), kinds)
    tree = format_tree(Filter(events, Lambda("attr", body)))
    return with_query("/", [("q", f"What did I do on {in_words(day)}?"), ("tree", tree)])


def chosen_pairs(chosen: Chosen) -> list[tuple[str, str]]:
    """Kinds and sources as an address has them."""
    return [*(("kind", kind) for kind in sorted(chosen.kinds)), *(("source", one) for one in sorted(chosen.sources))]


def year_at(year: int, chosen: Chosen, day: str = "") -> str:
    """A year narrowed to some kinds and sources, with the day that is shown in full."""
    return with_query(f"/timeline/{year}", [*chosen_pairs(chosen), ("day", day)])


def chosen_in(request: Request) -> Chosen:
    """The kinds and sources that an address names."""
    kinds, sources = (request.query_params.getlist(name)[:_MOST_CHOSEN] for name in ("kind", "source"))
    return Chosen(frozenset(filter(None, kinds)), frozenset(filter(None, sources)))


def day_in(text: str) -> str:
    """An ISO day. Raises HTTPException 404 for what is none."""
    if not is_day(text):  # other forms of ISO 8601 would be second addresses of the page
        raise HTTPException(404)
    return text


def node_in(text: str) -> NamedNode:
    """An IRI. Raises HTTPException 404 for what is none."""
    try:
        if not text or len(text) > _LONGEST_IRI:
            raise HTTPException(404)
        return NamedNode(text)
    except ValueError as bad:
        raise HTTPException(404) from bad


def number_in(request: Request, name: str, most: int) -> int:
    """A whole number of an address; 0 where it has none. Raises UsageError for what is none."""
    text = request.query_params.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        raise UsageError(f"{name} is no whole number up to {most}")
    return int(text)


def is_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of the page; on the way back it asks for the whole."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
