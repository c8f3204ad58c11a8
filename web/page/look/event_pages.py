"""The pages of events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .addresses import node_in
from .life import Looking
from .reading import Reading, fragment, shown
from .record import record_of

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
