"""The routes of looking around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ....errors import UsageError
from ..frame.pages import Pages
from .addresses import day_at, event_at, is_fragment, node_in, number_in, thing_at, with_query, year_at
from .day import Thing
from .kinds import PLACES
from .life import Chosen, Life, Looking
from .places import Place
from .reading import Reading, fragment, shown
from .record import record_of
from .search import LONGEST, MOST, SHOWN, Found, When, found_for
from .thing_pages import ThingPages
from .timeline_pages import TimelinePages


def routes(pages: Pages) -> list[BaseRoute]:
    """What can be opened to look around."""
    looking = Looking(pages)
    timeline, events = TimelinePages(looking), EventPages(looking)
    things, finding = ThingPages(looking), FindingPages(looking)
    return [
        Route("/timeline", timeline.latest, methods=["GET"]),
        Route("/timeline/{year:int}", timeline.year, methods=["GET"]),
        Route("/day/{day}", timeline.day, methods=["GET"]),
        Route("/day/{day}/run", timeline.run, methods=["GET"]),
        Route("/event", events.event, methods=["GET"]),
        Route("/event/related", events.related, methods=["GET"]),
        Route("/things", things.kinds, methods=["GET"]),
        Route("/things/{kind:path}", things.kind, methods=["GET"]),
        Route("/thing", things.thing, methods=["GET"]),
        Route("/thing/with", things.beside, methods=["GET"]),
        Route("/search", finding.search, methods=["GET"]),
        Route("/map", finding.map, methods=["GET"]),
    ]


_PART: Final = "timeline"
_RELATED: Final = 8


@dataclass(frozen=True)
class EventPages:
    """Answers requests for events."""

    looking: Looking

    async def event(self, request: Request) -> Response:
        """An event in full."""
        node = node_in(request.query_params.get("iri", ""))

        def read(reading: Reading) -> object:
            known = reading.things, reading.names, reading.linked
            return record_of(reading.graph, reading.life, *known, node)

        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            raise HTTPException(404)
        return shown(self.looking, request, "event.html.j2", _PART, record=found)

    async def related(self, request: Request) -> Response:
        """What is related to an event: a part of its page, for whoever unfolds it."""
        node = node_in(request.query_params.get("iri", ""))
        now = self.looking.pages.now()
        found = await self.looking.pages.do(request, lambda known: known.related(node.value, now=now, top=_RELATED))
        return fragment(self.looking, "related.html.j2", found=found)


_FINDING_PART: Final = "timeline"


@dataclass(frozen=True)
class FindingPages:
    """Answers requests for what is looked for."""

    looking: Looking

    async def search(self, request: Request) -> Response:
        """What some words find."""
        words = " ".join(request.query_params.get("q", "").split())
        if len(words) > LONGEST:
            raise UsageError(f"look for {LONGEST} characters at most")
        begin, now = number_in(request, "begin", MOST), self.looking.pages.now()

        def read(reading: Reading) -> tuple[Life, Found | None] | None:
            if not reading.life.classes:
                return None
            if not words:
                return reading.life, None
            return reading.life, found_for(
                reading.graph, reading.life, reading.things, reading.counted, words, now, begin
            )

        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            return shown(self.looking, request, "empty.html.j2", _FINDING_PART)
        life, result = found
        end = begin + SHOWN
        more = with_query("/search", [("q", words), ("begin", str(end))]) if result and end < result.number else ""
        if is_fragment(request) and result is not None and begin:
            return fragment(self.looking, "found_part.html.j2", found=result, more=more)
        when_at = _when_at(result.when, life) if result is not None and result.when is not None else ""
        return shown(
            self.looking, request, "search.html.j2", _FINDING_PART, found=result, q=words, more=more, when_at=when_at
        )

    async def map(self, request: Request) -> Response:
        """Where events were."""
        found = await self.looking.read(lambda graph, life: Reading(self.looking, graph, life).places)
        places = [(place, _place_at(place)) for place in found or ()]
        return shown(self.looking, request, "map.html.j2", "things", places=places)


def _when_at(when: When, life: Life) -> str:
    """The page of a day, or of the year with the first day of a period."""
    if when.first == when.last:
        return day_at(when.first)
    year = int(when.first[:4])
    day = next((day for day in life.days if when.first <= day <= when.last), "")
    is_year = when.first[5:] == "01-01" and when.last == f"{year}-12-31"
    return year_at(year, Chosen(), "" if is_year else day)


def _place_at(place: Place) -> str:
    """The page of a place; of one that has no name, an event there."""
    return thing_at(Thing(PLACES, place.name)) if place.name else event_at(place.event)
