"""The pages of search and of the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ....errors import UsageError
from .addresses import day_at, event_at, is_fragment, number_in, thing_at, with_query, year_at
from .counts import Chosen
from .day import Thing
from .kinds import PLACES
from .life import Life, Looking
from .places import Place
from .reading import Reading, fragment, shown
from .search import LONGEST, MOST, SHOWN, Found, When, found_for

_PART: Final = "timeline"


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
            return shown(self.looking, request, "empty.html.j2", _PART)
        life, result = found
        end = begin + SHOWN
        more = with_query("/search", [("q", words), ("begin", str(end))]) if result and end < result.number else ""
        if is_fragment(request) and result is not None and begin:
            return fragment(self.looking, "found_part.html.j2", found=result, more=more)
        when_at = _when_at(result.when, life) if result is not None and result.when is not None else ""
        return shown(self.looking, request, "search.html.j2", _PART, found=result, q=words, more=more, when_at=when_at)

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
