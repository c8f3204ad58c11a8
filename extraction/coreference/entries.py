"""The calendar entry of what a text tells of: who took part may stand there, and not in the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..page import Found
from .links import CALENDAR, SURE, TEXT, Linked


def entries_of(events: Iterable[str], linked: Linked) -> dict[str, str]:
    """The calendar entry that each text surely speaks of, for those of the events that are texts and speak of one."""
    found: dict[str, str] = {}
    for event in events:
        links = linked.by_event.get(event, ())
        if not links or linked.teller(event).rank != TEXT:
            continue
        surest = max(links, key=lambda link: (link.score, link.one, link.other))
        other = surest.other if surest.one == event else surest.one
        if surest.score >= SURE and linked.teller(other).rank == CALENDAR:
            found[event] = other
    return found


def with_entries(
    found: Mapping[str, tuple[Found, ...]], entries: Mapping[str, str], told: Mapping[str, tuple[Found, ...]]
) -> dict[str, tuple[Found, ...]]:
    """The values of events with those that were `told` by the entries of theirs, each once."""
    joined = dict(found)
    for event, entry in entries.items():
        own = found.get(event, ())
        known = {str(one.value) for one in own}
        more = tuple(
            Found(one.value, 0, 0, one.confidence, "") for one in told.get(entry, ()) if str(one.value) not in known
        )
        if own or more:
            joined[event] = (*own, *more)
    return joined
