"""A day in full: its events in order, one happening once, and what else is to say of the day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ....extraction.coreference.links import Linked
from ....store.graph import Graph
from ....store.words import fold
from .events import MOST, Event, Happenings, events_of, happenings_of, iris_of_day
from .kinds import PEOPLE, PLACES, Things
from .life import Chosen, Life
from .people import Names
from .runs import Run, runs_of
from .telling import Told, told

SHOWN: Final = 60
"""Events of one run that are there when it unfolds; the rest comes when it is asked for."""
_MOST_MET: Final = 12


@dataclass(frozen=True)
class Thing:
    """Somebody or something met: of which kind, and called what; by its `iri` where it has one."""

    kind: str
    name: str
    iri: str = ""


@dataclass(frozen=True)
class Entry:
    """One line of a day: an event or a run of them, when it began that day (or `since` which day before), and who else
    tells of it."""

    when: str
    since: str
    told: Told | None
    run: Run | None
    told_by: tuple[Event, ...] = ()
    tells_of: Event | None = None


@dataclass(frozen=True)
class Day:
    """A day as it is shown. `kinds` and `sources` are how many its events are of; `more`: not all of them are read."""

    date: str
    before: str | None
    after: str | None
    entries: tuple[Entry, ...]
    events: int
    kinds: int
    sources: int
    met: tuple[Thing, ...]
    later: tuple[Event, ...]
    more: bool


def day_of(graph: Graph, life: Life, things: Things, names: Names, linked: Linked, date: str, chosen: Chosen) -> Day:
    """What happened on a day, of the chosen kinds and sources."""
    iris = iris_of_day(graph, life, date)
    events = [event for event in events_of(graph, life, iris) if chosen.has(event.local, event.source)]
    happenings = happenings_of(graph, life, linked, events)
    shown = [event for event in _on(events, date) if event.iri not in happenings.within]
    entries = tuple(_entry(one, date, happenings, life, things, names) for one in runs_of(shown, life, things))
    told_by = (event for others in happenings.told_by.values() for event in others)
    later = {event.iri: event for event in told_by if event.day != date}
    return Day(
        date,
        life.before(date),
        life.after(date),
        entries,
        len(events),
        len({event.kind for event in events}),
        len({event.source for event in events}),
        tuple(met(events, things, names)),
        tuple(later.values()),
        len(iris) >= MOST,
    )


def met(events: Iterable[Event], things: Things, names: Names) -> list[Thing]:
    """The people and places of some events, in the order in which they come."""
    found: dict[tuple[str, str], Thing] = {}
    for event in events:
        for thing in _met_in(event, things, names):
            found.setdefault((thing.kind, fold(thing.name)), thing)
    people = [thing for thing in found.values() if thing.kind == PEOPLE]
    places = [thing for thing in found.values() if thing.kind == PLACES]
    return [*people[:_MOST_MET], *places[:_MOST_MET]]


def _met_in(event: Event, things: Things, names: Names) -> Iterable[Thing]:
    for kind in things.kinds:
        for prop in kind.properties if kind.slug in (PEOPLE, PLACES) else ():
            for name in event.texts(prop):
                person = names.called(name) if kind.slug == PEOPLE else None
                if person is None or not person.owner:
                    yield Thing(kind.slug, person.names[0] if person is not None else name)
    texts = [event.label, *(value.value for values in event.values.values() for value in values)]
    yield from (Thing(PEOPLE, person.names[0]) for person in names.in_texts(texts))


def _on(events: Sequence[Event], date: str) -> list[Event]:
    """Events in the order of one of their days: first those that began before it or have no time of day."""
    return sorted(events, key=lambda event: (event.is_timed and event.day == date, event.start or "", event.iri))


def _entry(one: Event | Run, date: str, happenings: Happenings, life: Life, things: Things, names: Names) -> Entry:
    first = one.first if isinstance(one, Run) else one
    clock = first.clock if first.day == date else ""
    since = first.day or "" if first.is_timed and first.day != date else ""
    if isinstance(one, Run):
        return Entry(clock, since, None, one)
    return Entry(
        clock,
        since,
        told(one, life, things, names.owner),
        None,
        happenings.told_by.get(one.iri, ()),
        happenings.tells_of.get(one.iri),
    )
