"""The pages of people, places and things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .addresses import is_fragment, node_in, number_in, with_query
from .day import Thing
from .drawings import bars_of
from .kinds import PEOPLE, ThingKind
from .life import Looking, short
from .reading import Reading, fragment, shown
from .thing import EAGER, Meant, Page, beside_of, meant_by_iri, meant_by_name, page_of
from .things import MOST, Counted, matching

T = TypeVar("T")
_PART: Final = "things"
_OF_EACH: Final = 8
_AT_ONCE: Final = 100
_LONGEST: Final = 2_000


@dataclass(frozen=True)
class ThingPages:
    """Answers requests for people, places and things."""

    looking: Looking

    async def kinds(self, request: Request) -> Response:
        """All kinds of things, the first of each."""
        found = await self.looking.read(lambda graph, life: _overview(Reading(self.looking, graph, life)))
        if found is None:
            return shown(self.looking, request, "empty.html.j2", _PART)
        return shown(self.looking, request, "things.html.j2", _PART, **found)

    async def kind(self, request: Request) -> Response:
        """All things of a kind, or those in whose names some words are."""
        slug, words = request.path_params["kind"], request.query_params.get("q", "")[:_LONGEST]
        begin = number_in(request, "begin", MOST)

        def read(reading: Reading) -> tuple[ThingKind, list[Counted]] | None:
            kind = reading.things.called(slug)
            return None if kind is None else (kind, matching(reading.counted(kind), words))

        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            raise HTTPException(404)
        kind, things = found
        end = begin + _AT_ONCE
        values: dict[str, Any] = {
            "kind": kind,
            "things": [(one, _thing(kind, one)) for one in things[begin:end]],
            "number": len(things),
            "q": words,
            "begin": begin,
            "next": with_query(f"/things/{kind.slug}", [("q", words), ("begin", str(end))])
            if end < len(things)
            else "",
        }
        if is_fragment(request):
            return fragment(self.looking, "things_part.html.j2", **values)
        return shown(self.looking, request, "kind.html.j2", _PART, **values)

    async def thing(self, request: Request) -> Response:
        """A person, a place or a thing."""
        found = await self._read(request, _told)
        meant, (page, kinds) = found
        return shown(
            self.looking,
            request,
            "thing.html.j2",
            _PART,
            page=page,
            kinds=kinds,
            bars=bars_of(page.years),
            questions=_questions(meant),
            lazy=page.events > EAGER,
            with_at=with_query("/thing/with", _pairs(request)),
        )

    async def beside(self, request: Request) -> Response:
        """What a thing goes with: a part of the page of one that stands in so many events that this takes a while."""
        found = await self._read(
            request, lambda reading, meant: beside_of(reading.graph, reading.life, reading.things, reading.names, meant)
        )
        return fragment(self.looking, "beside.html.j2", beside=found[1])

    async def _read(self, request: Request, does: Callable[[Reading, Meant], T]) -> tuple[Meant, T]:
        """The thing that an address means, with what is read of it. Raises HTTPException 404 where there is none."""
        iri, name, slug = (request.query_params.get(key, "")[:_LONGEST] for key in ("iri", "name", "kind"))

        def read(reading: Reading) -> tuple[Meant, T] | None:
            meant = _meant(reading, iri, name, slug)
            return None if meant is None else (meant, does(reading, meant))

        if iri:
            node_in(iri)
        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            raise HTTPException(404)
        return found


def _told(reading: Reading, meant: Meant) -> tuple[Page, list[tuple[str, str, int]]]:
    """A thing's page, and the kinds of its events in words."""
    page = page_of(reading.graph, reading.life, reading.things, reading.names, meant)
    return page, [(short(iri), reading.life.word(iri), number) for iri, number in page.by_kind]


def _meant(reading: Reading, iri: str, name: str, slug: str) -> Meant | None:
    if iri:
        person = next((one for one in reading.names.people.people if one.iri == iri), None)
        if person is None:
            return meant_by_iri(reading.graph, reading.things, node_in(iri))
        name, slug = person.names[0], PEOPLE
    kinds = [kind for kind in reading.things.kinds if not slug or kind.slug == slug]
    found = (meant_by_name(reading.graph, reading.life, reading.names, kind, name) for kind in kinds if name.strip())
    return next((meant for meant in found if meant is not None), None)


def _overview(reading: Reading) -> dict[str, Any] | None:
    if not reading.life.classes:
        return None
    kinds = [
        (kind, things[:_OF_EACH], len(things))
        for kind in reading.things.kinds
        if not kind.is_minor and (things := reading.counted(kind))
    ]
    listed = [(kind, [(one, _thing(kind, one)) for one in things], number) for kind, things, number in kinds]
    minor = [kind for kind in reading.things.kinds if kind.is_minor and kind.number]
    return {"kinds": listed, "minor": minor, "has_map": reading.has_places}


def _thing(kind: ThingKind, one: Counted) -> Thing:
    return Thing(kind.slug, one.name, one.iri)


def _pairs(request: Request) -> list[tuple[str, str]]:
    return [(name, request.query_params.get(name, "")[:_LONGEST]) for name in ("iri", "kind", "name")]


def _questions(meant: Meant) -> tuple[str, ...]:
    """What may be asked about it; none where no question is sure to be read as it is meant."""
    return (f"When did I last see {meant.name}?",) if meant.person is not None else ()
