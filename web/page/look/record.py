"""One event in full: all its record says, what else tells of it, what was read in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ....extraction.coreference.links import Linked
from ....ontology.namespaces import EV, PREFIXES, RDF_TYPE, RDFS
from ....store.graph import Graph
from ....store.rdf import Literal, NamedNode, Term, Triple, serialize_turtle
from ....store.words import fold, key_words
from .day import Thing, met
from .events import Event, Happenings, events_of, happenings_of, iris_of_day, number_in
from .kinds import Things
from .life import SOURCES, Life, is_own_key, short
from .marking import Part, with_words
from .people import Names
from .telling import measured, moment_said, unit_of

_BESIDE: Final = 2
_ABOVE: Final = frozenset(
    {RDF_TYPE, RDFS + "label", *(EV + name for name in ("start", "end", "day", "startInstant", "endInstant"))}
    | {EV + name for name in ("source", "sourceId", "allDay", "text", "description")}
)
"""What a page says elsewhere than among the values."""
_READ: Final = """SELECT DISTINCT ?query ?value ?words ?sure { ?r ev:event %s ; ev:readingOf ?a ; ev:value ?value .
  ?a ev:query ?query OPTIONAL { ?r ev:evidence ?words } OPTIONAL { ?r ev:confidence ?sure } }"""
_FOUND: Final = "SELECT DISTINCT ?query { %s ev:retrievedBy ?a . ?a ev:query ?query } ORDER BY ?query LIMIT 12"
_RECORD: Final = "SELECT ?g ?p ?o { GRAPH ?g { %s ?p ?o } } ORDER BY ?p ?o LIMIT 2000"
_KEY_ENDS: Final = " as "
"""Behind the key in what an EXTRACT was asked: cuisine as str in texts of …"""


@dataclass(frozen=True)
class Shown:
    """A value as a page shows it; of a thing, with that."""

    text: str
    thing: Thing | None = None
    iri: str = ""


@dataclass(frozen=True)
class ReadValue:
    """A value that was read in the event's texts, and the words that told it."""

    key: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """All that is told of one event. `source_id` is the identifier in its source, `own` what its record says under keys
    that no map names."""

    event: Event
    source_id: str
    values: tuple[tuple[str, tuple[Shown, ...]], ...]
    texts: tuple[tuple[str, tuple[Part, ...]], ...]
    own: tuple[tuple[str, str], ...]
    readings: tuple[ReadValue, ...]
    found_for: tuple[str, ...]
    happenings: Happenings
    met: tuple[Thing, ...]
    before: tuple[Event, ...]
    after: tuple[Event, ...]
    turtle: str


def record_of(graph: Graph, life: Life, things: Things, names: Names, linked: Linked, node: NamedNode) -> Record | None:
    """What there is to say of an event; None where there is none of that IRI."""
    found = events_of(graph, life, [node.value])
    if not found:
        return None
    event = found[0]
    rows = _said(graph, node)
    readings = _readings(graph, node)
    words = [word for reading in readings for word in reading.words]
    before, after = _neighbours(graph, life, event)
    texts = {prop: event.texts(prop) for prop in sorted(things.texts) if event.texts(prop)}
    return Record(
        event,
        next(iter(event.texts(EV + "sourceId")), ""),
        _values(event, life, things),
        tuple((life.label(prop), with_words("\n\n".join(said), words)) for prop, said in texts.items()),
        tuple((key_words(short(prop.value)), value.value) for prop, value in rows if is_own_key(prop.value)),
        readings,
        tuple(query.value for (query,) in graph.select(_FOUND % node) if query is not None),
        happenings_of(graph, life, linked, [event]),
        tuple(met([event], things, names)),
        before,
        after,
        _turtle(node, rows),
    )


def _said(graph: Graph, node: NamedNode) -> list[tuple[NamedNode, Term]]:
    """What the event's own source says of it."""
    return [
        (prop, value)
        for source, prop, value in graph.select(_RECORD % node)
        if source is not None and source.value.startswith(SOURCES) and isinstance(prop, NamedNode) and value is not None
    ]


def _values(event: Event, life: Life, things: Things) -> tuple[tuple[str, tuple[Shown, ...]], ...]:
    """The values by what their attributes are called: people, places and things first."""
    found: list[tuple[int, str, tuple[Shown, ...]]] = []
    for prop, values in event.values.items():
        titles = fold(event.label) in {fold(value.value) for value in values}
        if prop in _ABOVE or prop in things.texts or titles or life.kinds.is_internal(prop):
            continue
        kind = things.of(prop)
        place = things.kinds.index(kind) if kind is not None else len(things.kinds)
        found.append((place, life.label(prop), tuple(_shown(value, prop, event, life, things) for value in values)))
    return tuple((label, shown) for _, label, shown in sorted(found, key=lambda entry: entry[:2]))


def _shown(value: Term, prop: str, event: Event, life: Life, things: Things) -> Shown:
    kind = things.of(prop)
    if isinstance(value, NamedNode):
        return Shown(short(value.value), None, value.value)
    if kind is not None and prop in kind.properties and not kind.is_minor:
        return Shown(value.value, Thing(kind.slug, value.value))
    info = life.vocabulary.properties.get(prop)
    number = number_in(value)
    if number is not None:
        return Shown(measured(number, unit_of(event, info) if info is not None else None))
    datatype = short(value.datatype.value) if isinstance(value, Literal) else ""
    if datatype == "boolean":
        return Shown("yes" if value.value in ("true", "1") else "no")
    if datatype in ("date", "dateTime") and len(value.value) >= len("2024-01-01"):
        return Shown(moment_said(value.value))
    return Shown(value.value)


def _readings(graph: Graph, node: NamedNode) -> tuple[ReadValue, ...]:
    """What was read in the event's texts, the surest first; what several questions read, once."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    rows = [row for row in graph.select(_READ % node) if row[0] is not None and row[1] is not None]
    for query, value, words, _ in sorted(rows, key=lambda row: (-float(row[3].value) if row[3] else 0.0, str(row))):
        if query is None or value is None:
            continue
        key = key_words(query.value.split(_KEY_ENDS, 1)[0])
        held = found.setdefault((key, value.value), {})
        if words is not None and words.value:
            held[words.value] = None
    return tuple(ReadValue(key, value, tuple(words)) for (key, value), words in found.items())


def _neighbours(graph: Graph, life: Life, event: Event) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The events before and after, on the day on which this one began."""
    if event.day is None:
        return (), ()
    same = [one for one in events_of(graph, life, iris_of_day(graph, life, event.day)) if one.day == event.day]
    at = next((number for number, one in enumerate(same) if one.iri == event.iri), len(same))
    return tuple(same[max(0, at - _BESIDE) : at]), tuple(same[at + 1 : at + 1 + _BESIDE])


def _turtle(node: NamedNode, rows: Sequence[tuple[NamedNode, Term]]) -> str:
    """The record's triples, with the prefixes that they need."""
    used = {node.value, *(prop.value for prop, _ in rows), *(value.value for _, value in rows)}
    used |= {value.datatype.value for _, value in rows if isinstance(value, Literal)}
    prefixes = {name: iri for name, iri in PREFIXES.items() if any(one.startswith(iri) for one in used)}
    return serialize_turtle((Triple(node, prop, value) for prop, value in rows), prefixes)
