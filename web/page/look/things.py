"""The things of a kind: how many events each stands in, the most first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....ontology.namespaces import FOAF
from ....store.generations import EventGraph
from ....store.graph import Graph
from ....store.rdf import NamedNode
from ....store.words import fold
from .kinds import PEOPLE, ThingKind
from .life import Life, opened_index, source_nodes
from .people import Names

MOST = 20_000
"""Things of a kind that are counted."""


@dataclass(frozen=True)
class Counted:
    """A thing with the number of its events; one that has an `iri` is known by it."""

    name: str
    events: int
    iri: str = ""
    note: str = ""


def counted_things(graph: EventGraph, life: Life, kind: ThingKind, names: Names) -> tuple[Counted, ...]:
    """All things of a kind, those of most events first."""
    found = [*_linked(graph, kind), *_valued(graph, life, kind.properties)]
    if kind.slug == PEOPLE:
        found = _with_profile(found, graph, life, names)
    return tuple(sorted(found, key=lambda thing: (-thing.events, fold(thing.name), thing.iri)))


def matching(things: Iterable[Counted], words: str) -> list[Counted]:
    """Those in whose names all of the words are."""
    wanted = fold(words).split()
    return [thing for thing in things if all(word in fold(thing.name) for word in wanted)]


def value_pattern(properties: Sequence[str], value: str) -> str:
    """The pattern in which ?e has a value, by one of some properties."""
    return " UNION ".join(f"{{ ?e {NamedNode(prop)} {value} }}" for prop in properties)


def _valued(graph: Graph, life: Life, properties: Sequence[str]) -> list[Counted]:
    """Texts of properties, those that differ in case only as one."""
    if not properties:
        return []
    rows = graph.select(
        f"SELECT ?v (COUNT(DISTINCT ?e) AS ?n) {{ VALUES ?g {{ {source_nodes(life.sources)} }} "
        f"GRAPH ?g {{ {value_pattern(properties, '?v')} }} }} GROUP BY ?v ORDER BY DESC(?n) LIMIT {MOST}"
    )
    groups: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for value, number in rows:
        if value is not None and number is not None and value.value.strip():
            groups[fold(value.value)].append((value.value, int(number.value)))
    return [Counted(some[0][0], sum(number for _, number in some)) for some in groups.values()]


def _linked(graph: Graph, kind: ThingKind) -> list[Counted]:
    if not kind.links:
        return []
    classes = " ".join(str(NamedNode(iri)) for iri in kind.classes)
    name = NamedNode(FOAF + "name")
    rows = graph.select(
        f"SELECT ?o (SAMPLE(?l) AS ?label) (COUNT(DISTINCT ?e) AS ?n) {{ VALUES ?c {{ {classes} }} "
        f"{value_pattern(kind.links, '?o')} ?o a ?c OPTIONAL {{ ?o rdfs:label|{name} ?l }} }} "
        f"GROUP BY ?o ORDER BY DESC(?n) LIMIT {MOST}"
    )
    return [
        Counted(label.value if label is not None else node.value, int(number.value), node.value)
        for node, label, number in rows
        if isinstance(node, NamedNode) and number is not None
    ]


def _with_profile(found: list[Counted], graph: EventGraph, life: Life, names: Names) -> list[Counted]:
    """People of the profile with all events that name them, instead of what they are called in values."""
    classes = [iri for iri, _ in life.classes]
    told: list[Counted] = []
    with opened_index(graph) as index:
        for person in names.people.people:
            if not person.owner:
                number = len(names.events_with(person, index, classes))
                told.append(Counted(person.names[0], number, note=person.relation or ""))
    return [*told, *(thing for thing in found if names.called(thing.name) is None)]
