"""The pages of people, places and things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ....ontology.namespaces import EV, RDF_TYPE, RDFS
from ....retrieval.people import Person
from ....store.generations import EventGraph
from ....store.graph import Graph
from ....store.rdf import Literal, NamedNode, Term
from ....store.words import fold
from .addresses import is_fragment, node_in, number_in, with_query
from .day import Thing
from .drawings import bars_of
from .events import Event, events_of
from .kinds import PEOPLE, PLACES, ThingKind, Things
from .life import SOURCES, Life, Looking, is_day, is_own_key, opened_index, short
from .people import Names
from .reading import Reading, fragment, shown
from .telling import moment_said
from .things import MOST, Counted, matching, value_pattern

LATEST: Final = 12
_MOST_YEARS: Final = 60
EAGER: Final = 8_000
"""Events up to which what a thing goes with is there at once."""
_MOST_LISTED: Final = 5_000
_WITH_EACH: Final = 6
_MOST_WITH: Final = 5
_BY_YEAR: Final = """SELECT ?c ?y (COUNT(DISTINCT ?e) AS ?n) (MIN(?s) AS ?a) (MAX(?s) AS ?b) { %s ?e a ?c
  OPTIONAL { ?e ev:start ?t } BIND(STR(?t) AS ?s) BIND(SUBSTR(?s, 1, 4) AS ?y) } GROUP BY ?c ?y"""
_LATEST: Final = "SELECT DISTINCT ?e ?t { %s ?e ev:start ?t } ORDER BY DESC(?t) ?e LIMIT %d"
_SOME: Final = "SELECT DISTINCT ?e { %s ?e a ?c } ORDER BY ?e LIMIT %d"
_WITH: Final = "SELECT ?p ?o (COUNT(DISTINCT ?e) AS ?n) { %s %s } GROUP BY ?p ?o ORDER BY DESC(?n) ?o LIMIT 2000"
_APART: Final = 5
"""Up to so many properties are looked up one by one, which is quicker than going through all of each event."""
_HIDDEN: Final = frozenset({RDF_TYPE, RDFS + "label", EV + "source", EV + "sourceId", EV + "relation"})


@dataclass(frozen=True)
class Meant:
    """A thing that an address names: its kind, its name, and the pattern in which ?e are its events."""

    kind: ThingKind
    name: str
    pattern: str
    iri: str = ""
    person: Person | None = None


@dataclass(frozen=True)
class Fact:
    """Something known of a thing: what, and the values."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class With:
    """Things of a kind that stand in the same events, with how many."""

    kind: ThingKind
    things: tuple[tuple[Thing, int], ...]


@dataclass(frozen=True)
class Page:
    """All that is told of a thing: events by year and by kind, the first and last day, the latest events."""

    meant: Meant
    facts: tuple[Fact, ...]
    events: int
    years: tuple[tuple[int, int], ...]
    by_kind: tuple[tuple[str, int], ...]
    first: str
    last: str
    beside: tuple[With, ...]
    latest: tuple[Event, ...]


def meant_by_name(graph: EventGraph, life: Life, names: Names, kind: ThingKind, name: str) -> Meant | None:
    """The thing of a kind that is called so; None where nothing is."""
    person = names.called(name) if kind.slug == PEOPLE else None
    if person is not None:
        with opened_index(graph) as index:
            events = names.events_with(person, index, [iri for iri, _ in life.classes])[:_MOST_LISTED]
        nodes = " ".join(str(NamedNode(iri)) for iri in events)
        return Meant(kind, person.names[0], f"VALUES ?e {{ {nodes} }}", person.iri, person)
    if not kind.properties:
        return None
    pattern = value_pattern(kind.properties, str(Literal(name)))
    if not graph.ask(f"ASK {{ {pattern} }}"):
        pattern = f"{value_pattern(kind.properties, '?v')} FILTER(LCASE(STR(?v)) = LCASE({Literal(name)}))"
        if not graph.ask(f"ASK {{ {pattern} }}"):
            return None
    return Meant(kind, name, pattern)


def meant_by_iri(graph: Graph, things: Things, iri: NamedNode) -> Meant | None:
    """The thing of an IRI: a person of the profile, or what events link to."""
    types = [kind.value for (kind,) in graph.select(f"SELECT DISTINCT ?c {{ {iri} a ?c }}") if kind is not None]
    kind = next((one for one in things.kinds if not frozenset(one.classes).isdisjoint(types)), None)
    if kind is None:
        return None
    label = next(iter(graph.select(f"SELECT ?l {{ {iri} rdfs:label ?l }} LIMIT 1")), (None,))[0]
    return Meant(
        kind, label.value if label is not None else short(iri.value), value_pattern(kind.links, str(iri)), iri.value
    )


def page_of(graph: Graph, life: Life, things: Things, names: Names, meant: Meant) -> Page:
    """All that is told of a thing."""
    years, kinds = Counter[int](), Counter[str]()
    first, last = "", ""
    for kind, year, number, begin, end in graph.select(_BY_YEAR % meant.pattern):
        if kind is None or number is None or life.kinds.rank(kind.value) is None:
            continue
        kinds[kind.value] += int(number.value)
        if year is not None and begin is not None and end is not None and is_day(begin.value[:10]):
            years[int(year.value)] += int(number.value)
            first, last = min(first or begin.value, begin.value), max(last, end.value, key=_known_day)
    latest = graph.select((_LATEST if first else _SOME) % (meant.pattern, LATEST))
    shown = events_of(graph, life, [event.value for event, *_ in latest if event is not None])
    events = sum(kinds.values())
    return Page(
        meant,
        _facts(graph, life, meant),
        events,
        tuple((year, years[year]) for year in _from_to(years)),
        tuple(kinds.most_common()),
        first,
        last,
        beside_of(graph, life, things, names, meant, kinds) if events <= EAGER else (),
        tuple(reversed(shown)),
    )


def _from_to(years: Counter[int]) -> Sequence[int]:
    return range(max(min(years), max(years) - _MOST_YEARS + 1), max(years) + 1) if years else ()


def _known_day(moment: str) -> str:
    return moment if is_day(moment[:10]) else ""


def _facts(graph: Graph, life: Life, meant: Meant) -> tuple[Fact, ...]:
    """What the profile, or what an event links to, says."""
    if not meant.iri:
        return ()
    found: dict[str, list[str]] = defaultdict(list)
    person = meant.person
    if person is not None and len(person.names) > 1:
        found["also called"] = list(person.names[1:])
    for source, prop, value in graph.select(
        f"SELECT ?g ?p ?o {{ GRAPH ?g {{ {NamedNode(meant.iri)} ?p ?o }} }} ORDER BY ?p ?o"
    ):
        if source is None or prop is None or not isinstance(value, Literal) or not source.value.startswith(SOURCES):
            continue
        hidden = prop.value in _HIDDEN or is_own_key(prop.value) or life.kinds.is_internal(prop.value)
        if not hidden and value.value not in (meant.name, *(person.names if person is not None else ())):
            found[life.label(prop.value)].append(moment_said(value.value) if _is_day(value) else value.value)
    return tuple(Fact(label, tuple(values)) for label, values in found.items())


def _is_day(value: Literal) -> bool:
    return short(value.datatype.value) in ("date", "dateTime")


def beside_of(
    graph: Graph, life: Life, things: Things, names: Names, meant: Meant, kinds: Iterable[str] = ()
) -> tuple[With, ...]:
    """The things of each kind in most of its events, which are of some kinds (none: any)."""
    had = {prop for prop, kind, *_ in life.properties if not kinds or kind in kinds} | {*life.links}
    props = {
        prop: kind
        for kind in things.kinds
        if not kind.is_minor
        for prop in (*kind.properties, *kind.links)
        if prop in had and (kind.slug in (PEOPLE, PLACES) or _tells(prop, life))
    }
    if not props:
        return ()
    rows = graph.select(_WITH % (meant.pattern, _values_of([str(NamedNode(prop)) for prop in props])))
    found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    labels = _labels(graph, [value for _, value, _ in rows if isinstance(value, NamedNode)])
    for prop, value, number in rows:
        if prop is None or value is None or number is None:
            continue
        kind = props[prop.value]
        name = labels.get(value.value) or _called(value, kind, names)
        if name and fold(name) != fold(meant.name):
            iri = value.value if isinstance(value, NamedNode) else ""
            found[kind.slug][name, iri] += int(number.value)
    return tuple(
        With(kind, tuple((Thing(kind.slug, name, iri), number) for (name, iri), number in some.most_common(_WITH_EACH)))
        for kind in things.kinds
        if (some := found.get(kind.slug))
    )[:_MOST_WITH]


def _values_of(nodes: Sequence[str]) -> str:
    """The pattern in which ?o is a value of ?e by one of some properties, ?p."""
    if len(nodes) > _APART:
        return f"?e ?p ?o FILTER(?p IN ({', '.join(nodes)}))"
    return " UNION ".join(f"{{ ?e {node} ?o BIND({node} AS ?p) }}" for node in nodes)


def _tells(prop: str, life: Life) -> bool:
    """Whether a property tells of kinds of events that there are; what all streams have (a country) tells little."""
    info = life.vocabulary.properties.get(prop)
    held = {kind for kind, _ in life.classes}
    return info is None or held.issuperset(info.domain)


def _labels(graph: Graph, nodes: Sequence[NamedNode]) -> dict[str, str]:
    """What resources are called."""
    if not nodes:
        return {}
    listed = " ".join(map(str, dict.fromkeys(nodes)))
    rows = graph.select(f"SELECT ?o (MIN(?l) AS ?label) {{ VALUES ?o {{ {listed} }} ?o rdfs:label ?l }} GROUP BY ?o")
    return {node.value: label.value for node, label in rows if node is not None and label is not None}


def _called(value: Term, kind: ThingKind, names: Names) -> str:
    """What a thing is called; nothing for whose life it is."""
    if kind.slug != PEOPLE:
        return value.value
    person = names.called(value.value)
    if person is None:
        return value.value
    return "" if person.owner else person.names[0]


T = TypeVar("T")
_PART: Final = "things"
_OF_EACH: Final = 8
_AT_ONCE: Final = 100
_LONGEST: Final = 2_000


@dataclass(frozen=True)
class ThingPages:
    """Answers requests for people, places and things."""

    looking: Looking

    async def kinds(self, request: Request) -> Response:
        """All kinds of things, the first of each."""
        found = await self.looking.read(lambda graph, life: _overview(Reading(self.looking, graph, life)))
        if found is None:
            return shown(self.looking, request, "empty.html.j2", _PART)
        return shown(self.looking, request, "things.html.j2", _PART, **found)

    async def kind(self, request: Request) -> Response:
        """All things of a kind, or those in whose names some words are."""
        slug, words = request.path_params["kind"], request.query_params.get("q", "")[:_LONGEST]
        begin = number_in(request, "begin", MOST)

        def read(reading: Reading) -> tuple[ThingKind, list[Counted]] | None:
            kind = reading.things.called(slug)
            return None if kind is None else (kind, matching(reading.counted(kind), words))

        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            raise HTTPException(404)
        kind, things = found
        end = begin + _AT_ONCE
        values: dict[str, Any] = {
            "kind": kind,
            "things": [(one, _thing(kind, one)) for one in things[begin:end]],
            "number": len(things),
            "q": words,
            "begin": begin,
            "next": with_query(f"/things/{kind.slug}", [("q", words), ("begin", str(end))])
            if end < len(things)
            else "",
        }
        if is_fragment(request):
            return fragment(self.looking, "things_part.html.j2", **values)
        return shown(self.looking, request, "kind.html.j2", _PART, **values)

    async def thing(self, request: Request) -> Response:
        """A person, a place or a thing."""
        found = await self._read(request, _told)
        meant, (page, kinds) = found
        return shown(
            self.looking,
            request,
            "thing.html.j2",
            _PART,
            page=page,
            kinds=kinds,
            bars=bars_of(page.years),
            questions=_questions(meant),
            lazy=page.events > EAGER,
            with_at=with_query("/thing/with", _pairs(request)),
        )

    async def beside(self, request: Request) -> Response:
        """What a thing goes with: a part of the page of one that stands in so many events that this takes a while."""
        found = await self._read(
            request, lambda reading, meant: beside_of(reading.graph, reading.life, reading.things, reading.names, meant)
        )
        return fragment(self.looking, "beside.html.j2", beside=found[1])

    async def _read(self, request: Request, does: Callable[[Reading, Meant], T]) -> tuple[Meant, T]:
        """The thing that an address means, with what is read of it. Raises HTTPException 404 where there is none."""
        iri, name, slug = (request.query_params.get(key, "")[:_LONGEST] for key in ("iri", "name", "kind"))

        def read(reading: Reading) -> tuple[Meant, T] | None:
            meant = _meant(reading, iri, name, slug)
            return None if meant is None else (meant, does(reading, meant))

        if iri:
            node_in(iri)
        found = await self.looking.read(lambda graph, life: read(Reading(self.looking, graph, life)))
        if found is None:
            raise HTTPException(404)
        return found


def _told(reading: Reading, meant: Meant) -> tuple[Page, list[tuple[str, str, int]]]:
    """A thing's page, and the kinds of its events in words."""
    page = page_of(reading.graph, reading.life, reading.things, reading.names, meant)
    return page, [(short(iri), reading.life.word(iri), number) for iri, number in page.by_kind]


def _meant(reading: Reading, iri: str, name: str, slug: str) -> Meant | None:
    if iri:
        person = next((one for one in reading.names.people.people if one.iri == iri), None)
        if person is None:
            return meant_by_iri(reading.graph, reading.things, node_in(iri))
        name, slug = person.names[0], PEOPLE
    kinds = [kind for kind in reading.things.kinds if not slug or kind.slug == slug]
    found = (meant_by_name(reading.graph, reading.life, reading.names, kind, name) for kind in kinds if name.strip())
    return next((meant for meant in found if meant is not None), None)


def _overview(reading: Reading) -> dict[str, Any] | None:
    if not reading.life.classes:
        return None
    kinds = [
        (kind, things[:_OF_EACH], len(things))
        for kind in reading.things.kinds
        if not kind.is_minor and (things := reading.counted(kind))
    ]
    listed = [(kind, [(one, _thing(kind, one)) for one in things], number) for kind, things, number in kinds]
    minor = [kind for kind in reading.things.kinds if kind.is_minor and kind.number]
    return {"kinds": listed, "minor": minor, "has_map": reading.has_places}


def _thing(kind: ThingKind, one: Counted) -> Thing:
    return Thing(kind.slug, one.name, one.iri)


def _pairs(request: Request) -> list[tuple[str, str]]:
    return [(name, request.query_params.get(name, "")[:_LONGEST]) for name in ("iri", "kind", "name")]


def _questions(meant: Meant) -> tuple[str, ...]:
    """What may be asked about it; none where no question is sure to be read as it is meant."""
    return (f"When did I last see {meant.name}?",) if meant.person is not None else ()
