"""One event as pages show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from ....config import Settings
from ....engine.authoring.domain import ontology_of
from ....execution.derivations.dependencies import dependencies
from ....extraction.coreference.links import NO_LINKS, SAME, TOLD_IN, Linked, kept_links, parted, reads
from ....models.coreference.model import Link
from ....ontology.namespaces import EV, RDF_TYPE, RDFS
from ....store.generations import EventGraph
from ....store.graph import Graph
from ....store.rdf import Literal, NamedNode, Term
from .life import SOURCES, Life, is_day, is_own_key, short, source_nodes

_AT_ONCE: Final = 500
_LABEL: Final = RDFS + "label"
_MIDNIGHT: Final = "00:00:00"
MOST: Final = 2_000
"""Events of one day that are read."""
UNNAMED: Final = "(without a title)"
_SURE = 1.0
_TOLD = f"SELECT DISTINCT ?text ?e {{ ?t {NamedNode(TOLD_IN)} ?text ; {NamedNode(SAME)} ?e }}"


@dataclass(frozen=True)
class Event:
    """An event of a source: `kind` is the IRI of its class and `word` what that is called, `values` are by property,
    without what a map does not name."""

    iri: str
    kind: str
    word: str
    label: str
    source: str
    start: str | None
    end: str | None
    is_timed: bool
    values: Mapping[str, tuple[Term, ...]]

    @property
    def local(self) -> str:
        """The short name of its kind."""
        return short(self.kind)

    @property
    def day(self) -> str | None:
        """The day on which it began."""
        return self.start[:10] if self.start else None

    @property
    def clock(self) -> str:
        """When on its day it began, 06:48; nothing where that is not known."""
        return self.start[11:16] if self.start and self.is_timed else ""

    @property
    def last_day(self) -> str | None:
        """The last day that it touches; of what ends at midnight, the day before."""
        if not self.end or not self.start:
            return self.day
        ended = self.end[:10]
        if self.end[11:19] in ("00:00:00", "00:00") and ended > self.start[:10]:
            ended = (date.fromisoformat(ended) - timedelta(days=1)).isoformat()
        return max(ended, self.start[:10])

    def texts(self, prop: str) -> tuple[str, ...]:
        """The values of a property as texts."""
        return tuple(value.value for value in self.values.get(prop, ()))


def events_of(graph: Graph, life: Life, iris: Iterable[str]) -> list[Event]:
    """Those of the IRIs that are events, in the order of time: first those without a time of day."""
    wanted = list(dict.fromkeys(iris))
    found: list[Event] = []
    for begin in range(0, len(wanted), _AT_ONCE):
        nodes = " ".join(str(NamedNode(iri)) for iri in wanted[begin : begin + _AT_ONCE])
        found += _read(graph, life, nodes)
    return sorted(found, key=in_time)


def in_time(event: Event) -> tuple[str, bool, str, str]:
    """The order of events: by day, within one first those without a time of day."""
    return event.day or "", event.is_timed, event.start or "", event.iri


def iris_of_day(graph: Graph, life: Life, day: str) -> list[str]:
    """The events that touch a day, MOST at most."""
    literal = f'"{day}"^^xsd:date'
    plain = "UNION" not in life.on_days
    pattern = life.on_days.replace("?d", literal) if plain else f"{life.on_days} FILTER(?d = {literal})"
    rows = graph.select(
        f"SELECT DISTINCT ?e {{ VALUES ?g {{ {source_nodes(life.sources)} }} GRAPH ?g {{ {pattern} }} }} LIMIT {MOST}"
    )
    return sorted(event.value for (event,) in rows if isinstance(event, NamedNode))


def _read(graph: Graph, life: Life, nodes: str) -> list[Event]:
    said: dict[str, dict[str, list[Term]]] = {}
    sources: dict[str, str] = {}
    rows = graph.select(f"SELECT ?g ?e ?p ?o {{ VALUES ?e {{ {nodes} }} GRAPH ?g {{ ?e ?p ?o }} }}")
    for source, event, prop, value in rows:
        if source is None or event is None or prop is None or value is None or is_own_key(prop.value):
            continue
        if source.value.startswith(SOURCES):
            sources.setdefault(event.value, short(source.value))
            held = said.setdefault(event.value, {}).setdefault(prop.value, [])
            if value not in held:
                held.append(value)
    found = (_event(life, iri, sources[iri], held) for iri, held in said.items())
    return [event for event in found if event is not None]


def _event(life: Life, iri: str, source: str, held: Mapping[str, Sequence[Term]]) -> Event | None:
    kind = life.kinds.narrowest(value.value for value in held.get(RDF_TYPE, ()))
    if kind is None:
        return None
    start, end = (_moment(held, EV + name) for name in ("start", "end"))
    precision = _first(held, EV + "timePrecision")
    clock = (start or "")[11:19]
    is_timed = bool(clock) and precision != "day" and (precision is not None or clock != _MIDNIGHT)
    label = _titled(" ".join((_first(held, _LABEL) or _named(life, kind, held)).split()) or UNNAMED, life, kind, held)
    values = {prop: tuple(sorted(some, key=str)) for prop, some in held.items() if prop not in (RDF_TYPE, _LABEL)}
    return Event(iri, kind, life.word(kind), label, source, start, end, is_timed, values)


def _named(life: Life, kind: str, held: Mapping[str, Sequence[Term]]) -> str:
    """What an event without a label is called: by what its class is named by, else by its kind."""
    known = life.vocabulary.classes.get(kind)
    said = _first(held, known.label_property) if known is not None and known.label_property else None
    return said or life.word(kind).capitalize()


def _moment(held: Mapping[str, Sequence[Term]], prop: str) -> str | None:
    found = _first(held, prop)
    return found if found is not None and is_day(found[:10]) else None


def _titled(label: str, life: Life, kind: str, held: Mapping[str, Sequence[Term]]) -> str:
    """A label as a title: what sort of its kind an event is (running) is a word of its own there."""
    known = life.vocabulary.classes.get(kind)
    sorts = held.get(known.kind_property, ()) if known is not None and known.kind_property else ()
    return label[:1].upper() + label[1:] if any(value.value == label for value in sorts) else label


def _first(held: Mapping[str, Sequence[Term]], prop: str) -> str | None:
    values = held.get(prop)
    return min(value.value for value in values) if values else None


def number_in(value: Term) -> float | None:
    """The number that a value is; None for any other."""
    if isinstance(value, Literal) and short(value.datatype.value) in ("integer", "decimal", "double", "float", "int"):
        try:
            return float(value.value)
        except ValueError:
            return None
    return None


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
