"""The routes of looking around."""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from ..frame.pages import Pages
from .event_pages import EventPages
from .finding_pages import FindingPages
from .life import Looking
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
