"""Kinds of people, places and things: found in the vocabulary and in how the data use it, so that other domains have
theirs.

A property is about things where its values name what an event is about (the song of a music stream) or stand again and
again (an artist, a sender); what its ontology calls a text, a title or an identifier is none. Links to resources that
are no events are things by the class of what they lead to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ....ontology.namespaces import EV, FOAF, SCHEMA, WH
from ....store.graph import Graph
from ....store.rdf import NamedNode
from ....store.words import normalise
from ....texts.words import plural
from .life import Life, is_own_key, short

PEOPLE, PLACES = "people", "places"
_OF_PEOPLE: Final = frozenset(SCHEMA + name for name in ("participant", "sender", "recipient", "attendee", "author"))
_TO_READ: Final = frozenset(SCHEMA + name for name in ("text", "description"))
_OF_TEXTS: Final = _TO_READ | {SCHEMA + "name"}
_PERSONS: Final = (EV + "Person", FOAF + "Person", SCHEMA + "Person", FOAF + "Agent")
_SAYS_PLACE: Final = ("place", "where", "venue", "place name")
"""Labels of properties whose values are places."""
_SAMPLE: Final = 60
_LONGEST: Final = 60
"""Characters of the usual name."""
_AGAIN: Final = 1.3
"""Events that a value has at least, on the average, where values stand again and again."""
_NAMED_PEOPLE: Final = 0.2
"""Share of the values that are people of the profile, from which on a property is about people."""
_MANY: Final = 25
_FEW: Final = 3
"""Up to so many things of a kind tell little: they are named, not listed."""
_SUPER: Final = "SELECT DISTINCT ?p ?s { ?p rdfs:subPropertyOf ?s }"
_DIMENSIONS: Final = f"SELECT DISTINCT ?p ?k {{ ?p {NamedNode(WH + 'kind')} ?k }}"


@dataclass(frozen=True)
class ThingKind:
    """A kind of things: `slug` names it in addresses; its things are the texts of `properties`, and what `links` lead
    to. `events` have one, `number` is how many there are about."""

    slug: str
    one: str
    many: str
    properties: tuple[str, ...]
    links: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    events: int = 0
    number: int = 0

    @property
    def is_minor(self) -> bool:
        """Whether there are too few to be of interest by themselves."""
        return self.slug not in (PEOPLE, PLACES) and self.number <= _FEW


@dataclass(frozen=True)
class _Used:
    """How a property is used: by so many events, with so many distinct texts, by events of these kinds."""

    events: int
    texts: int
    kinds: frozenset[str]


@dataclass(frozen=True)
class Things:
    """The kinds of things that data have, and the properties whose values are texts to be read."""

    kinds: tuple[ThingKind, ...]
    texts: frozenset[str]

    def called(self, slug: str) -> ThingKind | None:
        """The kind of that name in addresses."""
        return next((kind for kind in self.kinds if kind.slug == slug), None)

    def of(self, prop: str) -> ThingKind | None:
        """The kind whose things a property has, as texts or as links."""
        return next((kind for kind in self.kinds if prop in kind.properties or prop in kind.links), None)


def things_of(graph: Graph, life: Life) -> Things:
    """The kinds that these data have: people, places, then the most varied and frequent first."""
    above = _pairs(graph, _SUPER)
    texts = {prop for prop in above if not _TO_READ.isdisjoint(_ancestors(prop, above))}
    return Things(_kinds(graph, life, above), frozenset({*texts, *_TO_READ}))


def _kinds(graph: Graph, life: Life, above: Mapping[str, list[str]]) -> tuple[ThingKind, ...]:
    said = {prop: kind for prop, kinds in _pairs(graph, _DIMENSIONS).items() for kind in kinds}
    names = frozenset(normalise(name) for person in life.people.people for name in person.names)
    groups: dict[str, list[str]] = defaultdict(list)
    used = _used(life)
    for prop, use in used.items():
        if is_own_key(prop) or life.kinds.is_internal(prop) or not _OF_TEXTS.isdisjoint(above.get(prop, ())):
            continue
        sample = _sampled(graph, prop)
        role = said.get(prop) or _role(prop, above, sample, names, life)
        if not _are_names(sample) or not (role or _is_about_things(prop, use, life)):
            continue
        groups[{"person": PEOPLE, "place": PLACES}.get(role, prop)].append(prop)
    linked = _linked(graph, life)
    if life.people.people:
        groups.setdefault(PEOPLE, [])
    texts = [_of_texts(key, props, used, life) for key, props in groups.items()]
    taken = {normalise(kind.one) for kind in linked}
    found = [*linked, *(kind for kind in texts if normalise(kind.one) not in taken)]
    return _ordered(_with_own_slugs(found))


def _used(life: Life) -> dict[str, _Used]:
    found: dict[str, _Used] = {}
    for prop, kind, events, texts in life.properties:
        before = found.get(prop, _Used(0, 0, frozenset()))
        found[prop] = _Used(before.events + events, max(before.texts, texts), before.kinds | {kind})
    return found


def _is_about_things(prop: str, use: _Used, life: Life) -> bool:
    info = life.vocabulary.properties.get(prop)
    naming = [life.vocabulary.classes[kind] for kind in use.kinds if kind in life.vocabulary.classes]
    if any(prop in (kind.label_property, kind.kind_property) and kind.self_describing for kind in naming):
        return True
    titles = any(prop == kind.label_property for kind in naming)
    tells = info is not None and info.topical and not info.multiple
    return not titles and not tells and use.events >= _AGAIN * use.texts


def _are_names(sample: list[str]) -> bool:
    """Whether texts are short and in words: no addresses, numbers, identifiers or lines of text."""
    plain = [text for text in sample if any(sign.isalpha() for sign in text) and "@" not in text and "://" not in text]
    lines = any("\n" in text for text in sample)
    return (
        bool(sample) and not lines and len(plain) * 2 > len(sample) and sum(map(len, sample)) < _LONGEST * len(sample)
    )


def _role(prop: str, above: Mapping[str, list[str]], sample: list[str], names: frozenset[str], life: Life) -> str:
    ancestors = _ancestors(prop, above)
    known = sum(normalise(text) in names for text in sample)
    if not _OF_PEOPLE.isdisjoint(ancestors) or known >= max(1, _NAMED_PEOPLE * len(sample)):
        return "person"
    info = life.vocabulary.properties.get(prop)
    is_place = info is not None and not {normalise(word) for word in _SAYS_PLACE}.isdisjoint(
        map(normalise, info.labels)
    )
    return "place" if is_place else ""


def _ancestors(prop: str, above: Mapping[str, list[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [prop]
    while waiting:
        more = [one for one in above.get(waiting.pop(), ()) if one not in found]
        found.update(more)
        waiting += more
    return found


def _of_texts(key: str, props: list[str], used: Mapping[str, _Used], life: Life) -> ThingKind:
    events = sum(used[prop].events for prop in props)
    number = max((used[prop].texts for prop in props), default=0)
    if key == PEOPLE:
        classes = tuple(iri for iri in _PERSONS if iri in life.vocabulary.classes)
        return ThingKind(PEOPLE, "person", PEOPLE, tuple(props), (), classes, events, number)
    if key == PLACES:
        return ThingKind(PLACES, "place", PLACES, tuple(props), (), (), events, number)
    label = life.label(key)
    return ThingKind(short(key), label, _several(label), tuple(props), (), (), events, number)


def _linked(graph: Graph, life: Life) -> list[ThingKind]:
    """Kinds by the class of what events link to."""
    links: dict[str, list[str]] = defaultdict(list)
    numbers = Counter[str]()
    for prop in life.links:
        rows = graph.select(
            f"SELECT ?c (COUNT(DISTINCT ?o) AS ?n) {{ ?e {NamedNode(prop)} ?o . ?o a ?c }} GROUP BY ?c ORDER BY ?c"
        )
        for kind, number in rows:
            if isinstance(kind, NamedNode) and number is not None and life.kinds.rank(kind.value) is None:
                links[kind.value].append(prop)
                numbers[kind.value] = max(numbers[kind.value], int(number.value))
    used = life.statistics.properties
    return [
        ThingKind(
            short(kind), life.word(kind), _several(life.word(kind)), (), tuple(props), (kind,),
            sum(used[prop].triples for prop in props), numbers[kind],
        )
        for kind, props in links.items()
    ]  # fmt: skip


def _ordered(kinds: Iterable[ThingKind]) -> tuple[ThingKind, ...]:
    first = (PEOPLE, PLACES)

    def rank(kind: ThingKind) -> tuple[int, int, int, str]:
        place = first.index(kind.slug) if kind.slug in first else len(first)
        return place, -min(kind.number, _MANY), -kind.events, kind.slug

    return tuple(sorted(kinds, key=rank))


def _with_own_slugs(kinds: list[ThingKind]) -> list[ThingKind]:
    """Kinds whose names in addresses are their own: one that another has, too, gets a number."""
    seen = Counter[str]()
    found: list[ThingKind] = []
    for kind in kinds:
        seen[kind.slug] += 1
        again = seen[kind.slug] > 1
        slug = f"{kind.slug}-{seen[kind.slug]}" if again else kind.slug
        found.append(kind if not again else ThingKind(slug, *_rest(kind)))
    return found


def _rest(kind: ThingKind) -> tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...], int, int]:
    return kind.one, kind.many, kind.properties, kind.links, kind.classes, kind.events, kind.number


def _several(word: str) -> str:
    """A noun for several: kinds of meal; series and people stay as they are."""
    head, of, rest = word.partition(" of ")
    if head.endswith(("series", "people")):
        return word
    return f"{plural(head)}{of}{rest}"


def _sampled(graph: Graph, prop: str) -> list[str]:
    rows = graph.select(f"SELECT DISTINCT ?v {{ ?e {NamedNode(prop)} ?v }} LIMIT {_SAMPLE}")
    return [value.value for (value,) in rows if value is not None]


def _pairs(graph: Graph, query: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one, other in graph.select(query):
        if one is not None and other is not None:
            found[one.value].append(other.value)
    return found
