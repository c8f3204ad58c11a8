"""A day in full: its events in order, one happening once, and what else is to say of the day. Runs of the
same kind are one: 21 songs, mostly of one artist, to 08:31."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ....extraction.coreference.links import Linked
from ....store.graph import Graph
from ....store.words import fold, normalise
from ....texts.words import plural
from .events import MOST, Event, Happenings, events_of, happenings_of, iris_of_day
from .kinds import PEOPLE, PLACES, Things
from .life import Chosen, Life
from .people import Names
from .telling import Told, told

LEAST: Final = 3
"""Events that make a run."""
_PAUSE: Final = 45 * 60
"""Seconds without an event after which another run begins."""
_MOSTLY: Final = 0.5
_SOME: Final = 2
SHOWN: Final = 60
"""Events of one run that are there when it unfolds; the rest comes when it is asked for."""
_MOST_MET: Final = 12


@dataclass(frozen=True)
class Run:
    """Events of one kind and source that follow one another: what they are called, what most of them have in common,
    and when the last began."""

    events: tuple[Event, ...]
    called: str
    mostly: str
    until: str

    @property
    def first(self) -> Event:
        """The event by whose time and kind the run stands."""
        return self.events[0]


def runs_of(events: Sequence[Event], life: Life, things: Things) -> list[Event | Run]:
    """Events in their order, runs in the place of their first."""
    begun: dict[tuple[str, str], list[Event]] = {}
    groups: list[list[Event]] = []
    for event in events:
        key = (event.kind, event.source)
        group = begun.get(key)
        if group is None or not event.is_timed or not _follows(group[-1], event):
            group = begun[key] = []
            groups.append(group)
        group.append(event)
    found: list[Event | Run] = []
    for group in groups:
        found += [_run(group, life, things)] if len(group) >= LEAST else group
    return sorted(found, key=_place)


def _place(one: Event | Run) -> tuple[bool, str, str]:
    first = one.first if isinstance(one, Run) else one
    return first.is_timed, (first.start or "")[:19], first.iri


def _follows(one: Event, other: Event) -> bool:
    if not one.is_timed or not one.start or not other.start:
        return False
    ended = max(one.start[:19], (one.end or "")[:19])
    return (datetime.fromisoformat(other.start[:19]) - datetime.fromisoformat(ended)).total_seconds() <= _PAUSE


def _run(group: Sequence[Event], life: Life, things: Things) -> Run:
    first, last = group[0], group[-1]
    return Run(tuple(group), f"{len(group):,} {_noun(first, life)}", _mostly(group, life, things), last.clock)


def _noun(event: Event, life: Life) -> str:
    """What several events are called: what names one of them, where that is a name for the kind too (songs)."""
    info = life.vocabulary.classes.get(event.kind)
    naming = life.vocabulary.properties.get(info.label_property or "") if info is not None else None
    if info is not None and naming is not None:
        said = {normalise(label) for label in info.alt_labels}
        if normalise(naming.label) in said:
            return plural(naming.label)
    return plural(life.word(event.kind))


def _mostly(group: Sequence[Event], life: Life, things: Things) -> str:
    """What most of the events have in common: mostly The National; else the two that are most frequent."""
    info = life.vocabulary.classes.get(group[0].kind)
    for prop in _shared(group, info.label_property if info is not None else None, life, things):
        counts = Counter(text for event in group for text in event.texts(prop))
        named = [text for text, number in counts.most_common(_SOME)]
        if len(counts) == 1:
            return named[0]
        if counts[named[0]] > _MOSTLY * len(group):
            return f"mostly {named[0]}"
        others = len(counts) - len(named)
        return ", ".join(named) + (f" and {others} more" if others else "")
    return ""


def _shared(group: Sequence[Event], naming: str | None, life: Life, things: Things) -> list[str]:
    """Properties that tell the events of a run apart from those of others: of their kind alone, said of nearly all, the
    fewest different values first."""
    found: list[tuple[bool, int, str]] = []
    for kind in things.kinds:
        for prop in kind.properties:
            info = life.vocabulary.properties.get(prop)
            if prop == naming or (info is not None and info.domain != (group[0].kind,)):
                continue
            having = sum(1 for event in group if event.texts(prop))
            if having * 10 >= len(group) * 9:
                found.append((not (info is not None and info.multiple), kind.number, prop))
    return [prop for *_, prop in sorted(found)]


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
