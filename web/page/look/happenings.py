"""Which events tell of one happening: as the store has found it out, nothing is read for it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from ....config import Settings
from ....engine.authoring.domain import ontology_of
from ....execution.derivations.dependencies import dependencies
from ....extraction.coreference.links import NO_LINKS, SAME, TOLD_IN, Linked, kept_links, parted, reads
from ....models.coreference.model import Link
from ....store.generations import EventGraph
from ....store.graph import Graph
from ....store.rdf import NamedNode
from .events import Event, events_of
from .life import Life

_SURE = 1.0
_TOLD = f"SELECT DISTINCT ?text ?e {{ ?t {NamedNode(TOLD_IN)} ?text ; {NamedNode(SAME)} ?e }}"


@dataclass(frozen=True)
class Happenings:
    """Of the events of a day: which others tell of what one of them stands for, which of them need not be shown beside
    it, and what one tells of that stands on another day."""

    told_by: dict[str, tuple[Event, ...]] = field(default_factory=dict[str, tuple[Event, ...]])
    tells_of: dict[str, Event] = field(default_factory=dict[str, Event])
    within: frozenset[str] = frozenset()


def links_of(graph: EventGraph, life: Life, settings: Settings) -> Linked:
    """The links between events that were found, and what texts were read to tell of."""
    state = dependencies(
        graph,
        life.vocabulary,
        graph.generation,
        settings.lexicons,
        ontology_of(settings.domain),
        life.statistics.classes,
    ).digest(reads(life.vocabulary))
    kept = kept_links(graph.index_directory, state) or NO_LINKS
    rows = graph.select(_TOLD)
    told = [Link(text.value, event.value, _SURE) for text, event in rows if text is not None and event is not None]
    return Linked((*kept.links, *told), kept.mention_sources) if told else kept


def happenings_of(graph: Graph, life: Life, linked: Linked, events: Sequence[Event]) -> Happenings:
    """What the links say of some events."""
    mine = {event.iri: event for event in events}
    reached = _reached(mine, linked)
    if not reached:
        return Happenings()
    groups = [group for group in parted((*mine, *sorted(reached - mine.keys())), linked) if len(group) > 1]
    others = {iri for group in groups for iri in group} - mine.keys()
    known = {**mine, **{event.iri: event for event in events_of(graph, life, others)}}
    told_by: dict[str, tuple[Event, ...]] = {}
    tells_of: dict[str, Event] = {}
    within: set[str] = set()
    for group in groups:
        first, *rest = (known[iri] for iri in group if iri in known)
        if first.iri in mine:
            told_by[first.iri] = tuple(sorted(rest, key=lambda event: event.start or ""))
            within |= {event.iri for event in rest if event.iri in mine and _is_one_day(first)}
        for event in rest:
            if event.iri in mine and event.iri not in within:
                tells_of[event.iri] = first
    return Happenings(told_by, tells_of, frozenset(within))


def _reached(mine: Iterable[str], linked: Linked) -> set[str]:
    """All events that links lead to from some, these with them; nothing where no link begins at them."""
    found: set[str] = set()
    waiting = [event for event in mine if event in linked.by_event]
    while waiting:
        event = waiting.pop()
        if event not in found:
            found.add(event)
            waiting += [one for link in linked.by_event.get(event, ()) for one in (link.one, link.other)]
    return found


def _is_one_day(event: Event) -> bool:
    """Whether an event is of one day or night: what is written on a trip is shown beside it."""
    if not event.day or not event.last_day:
        return True
    return date.fromisoformat(event.last_day) - date.fromisoformat(event.day) <= timedelta(days=1)
