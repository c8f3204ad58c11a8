"""What pages read of the data, kept as long as an import leaves it as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ....extraction.coreference.links import Linked
from ....store.generations import EventGraph
from ....texts.words import counted, plural
from .addresses import ask_at, ask_day_at, day_at, event_at, thing_at
from .events import links_of
from .kinds import ThingKind, Things, things_of
from .life import Counts, Life, Looking, counts_of
from .people import Names
from .places import Place, has_places, places_of
from .telling import days_said, joined
from .things import Counted, counted_things


@dataclass(frozen=True)
class Reading:
    """A graph that is read for one page, and what is kept of it."""

    looking: Looking
    graph: EventGraph
    life: Life

    @property
    def things(self) -> Things:
        """The kinds of things."""
        return self.looking.once(self.life, "things", lambda: things_of(self.graph, self.life))

    @property
    def names(self) -> Names:
        """The people of the profile by their names."""
        return self.looking.once(self.life, "names", lambda: Names(self.life.people))

    @property
    def linked(self) -> Linked:
        """Which events tell of one happening; found anew where anything was derived since."""
        settings = self.looking.pages.held.settings
        key = ("links", self.graph.changes)
        return self.looking.once(self.life, key, lambda: links_of(self.graph, self.life, settings))

    @property
    def places(self) -> tuple[Place, ...]:
        """The places of events that have coordinates."""
        return self.looking.once(self.life, "places", lambda: places_of(self.graph, self.life, self.things))

    @property
    def has_places(self) -> bool:
        """Whether there is a map."""
        return has_places(self.life)

    def counts(self, year: int) -> Counts:
        """How many events the days of a year have."""
        return self.looking.once(self.life, ("counts", year), lambda: counts_of(self.graph, self.life, year))

    def counted(self, kind: ThingKind) -> Sequence[Counted]:
        """The things of a kind with how many events they stand in."""
        make = lambda: counted_things(self.graph, self.life, kind, self.names)  # noqa: E731 - one line, said once
        return self.looking.once(self.life, ("counted", kind.slug), make)


def shown(looking: Looking, request: Request, template: str, part: str, **values: Any) -> Response:
    """A whole page."""
    return looking.pages.shown(request, f"look/{template}", part=part, **_COMMON, **values)


def fragment(looking: Looking, template: str, **values: Any) -> Response:
    """A part of a page."""
    return looking.pages.fragment(f"look/{template}", **_COMMON, **values)


_COMMON: dict[str, Any] = {
    "thing_at": thing_at, "event_at": event_at, "day_at": day_at, "ask_at": ask_at, "ask_day_at": ask_day_at,
    "counted": counted, "plural": plural, "joined": joined, "days_said": days_said,
}  # fmt: skip
"""What templates of this part use besides the filters."""
