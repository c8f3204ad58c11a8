"""What the ontology says, frozen for fast look-up: classes, properties, units, lexicon, by the labels questions use.

Built from any graph that holds the vocabulary (every store does), so a user's own ontology counts as the shipped one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from types import MappingProxyType

from ..errors import DomainError
from ..ontology.namespaces import EV, KEY, OWL, QUDT, RDFS, SKOS
from .graph import Graph, MemoryGraph
from .ontology_graph import ontology_quads
from .rdf import NamedNode
from .words import fold, key_words, normalise

EVENT = EV + "Event"
_NONE: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassInfo:
    """A class: `verbs` are the verb forms by which questions name its events ("listened to"); `label_property` names an
    event of it in a list; `ancestors` and `descendants` are transitive, both with the class itself.

    `weak_names` are labels and verbs that are used loosely, `homonyms` those that also say quite other things.
    `containers` hold its events ("calendar"); `authoring_verbs`, `outgoing_verbs` and `incoming_verbs` go with its
    nouns ("wrote" a post, "sent" or "got" a mail) and are inherited, as is `not_authored`, the flag of others' work.
    `self_describing`: the class says what happened (an entry of another class, a calendar's or a mail, may tell of
    anything); `kind_property` has values that name events by themselves ("running"). Both are inherited. `told_as`: how
    a text says that such an event happened, where texts alone may tell of some. `any_verb`: of a user's own map, which
    lists no verbs, so that any that names nothing else may be said of its events. `apart`: words that name it and
    another class name either, not both (ev:ifRecorded).
    """

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    label_property: str | None = None
    comment: str | None = None
    weak_names: tuple[str, ...] = ()
    homonyms: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    authoring_verbs: tuple[str, ...] = ()
    outgoing_verbs: tuple[str, ...] = ()
    incoming_verbs: tuple[str, ...] = ()
    not_authored: str | None = None
    self_describing: bool = False
    kind_property: str | None = None
    told_as: str | None = None
    any_verb: bool = False
    apart: bool = False
    ancestors: frozenset[str] = frozenset()
    descendants: frozenset[str] = frozenset()

    @property
    def labels(self) -> tuple[str, ...]:
        """Preferred label first."""
        return (self.label, *self.alt_labels)


@dataclass(frozen=True, slots=True)
class PropertyInfo:
    """A property: `domain` is empty when any event may have it; `unit` is the short name for people (km, kcal, s, bpm);
    `unit_property` gives the unit per event (a price's currency); `range` the datatype or class IRI; `topical` values
    tell what an event is about; `cue_words` are small words that stand before a value ("from" before a sender)."""

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    range: str | None = None
    unit: str | None = None
    unit_property: str | None = None
    multiple: bool = False
    internal: bool = False
    descriptive: bool = False
    topical: bool = False
    cue_words: tuple[str, ...] = ()
    comment: str | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """Preferred label first."""
        return (self.label, *self.alt_labels)


@dataclass(frozen=True, slots=True)
class UnitInfo:
    """A unit: `symbol` is what answers show, `kind` the IRI of its quantity kind, `factor` the base units in one.

    `offset` is added before a number is multiplied (degrees Celsius to kelvin); `written` is used by exports only.
    """

    iri: str
    symbol: str
    labels: tuple[str, ...]
    kind: str
    factor: float
    offset: float = 0.0
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptInfo:
    """A lexicon entry: words that say the same ("run", "ran", "running", "jog"); the first is the preferred one.

    `hints` are words that tell of it in a text (a dish tells of its cuisine); `narrower` are the IRIs of all kinds of
    it, transitively. `property` restricts it to values of that property (a sport's synonyms count for ev:workoutType).
    """

    iri: str
    labels: tuple[str, ...]
    hints: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    property: str | None = None


@dataclass(frozen=True)
class Vocabulary:
    """Look-up by IRI and by label; labels are compared folded and stemmed, so 'Songs' finds 'song'."""

    classes: Mapping[str, ClassInfo]
    properties: Mapping[str, PropertyInfo]
    units: Mapping[str, UnitInfo]
    concepts: Mapping[str, ConceptInfo]
    function_words: frozenset[str]
    """Folded words that say nothing about which events are meant."""
    topic_cues: frozenset[str]
    """Stemmed words after which comes what a text is about ("about", "mentioning")."""
    container_cues: frozenset[str]
    """Folded words before a container ("in" my calendar)."""
    _class_labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    _class_verbs: Mapping[str, tuple[str, ...]] = field(repr=False)
    _property_labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    _unit_labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    _concept_labels: Mapping[str, tuple[str, ...]] = field(repr=False)

    def classes_named(self, phrase: str) -> tuple[ClassInfo, ...]:
        """Classes one of whose labels is `phrase`, those whose preferred label it is first."""
        return tuple(self.classes[iri] for iri in self._class_labels.get(normalise(phrase), _NONE))

    def classes_with_verb(self, phrase: str) -> tuple[ClassInfo, ...]:
        """Classes one of whose verb forms is `phrase`."""
        return tuple(self.classes[iri] for iri in self._class_verbs.get(normalise(phrase), _NONE))

    def properties_named(self, phrase: str, domain: str | None = None) -> tuple[PropertyInfo, ...]:
        """Properties one of whose labels is `phrase`, preferred labels first; with `domain`, only those it may have."""
        named = [self.properties[iri] for iri in self._property_labels.get(normalise(phrase), _NONE)]
        return tuple(p for p in named if domain is None or self.may_have(domain, p))

    def unit_named(self, phrase: str) -> UnitInfo | None:
        """The unit of that symbol or label."""
        found = self._unit_labels.get(phrase.casefold()) or self._unit_labels.get(normalise(phrase), _NONE)
        return self.units[found[0]] if found else None

    def concepts_named(self, phrase: str) -> tuple[ConceptInfo, ...]:
        """Lexicon entries that have `phrase` among their labels."""
        return tuple(self.concepts[iri] for iri in self._concept_labels.get(normalise(phrase), _NONE))

    def synonyms(self, phrase: str, property_iri: str | None = None) -> tuple[str, ...]:
        """Words for `phrase` and its kinds in the lexicon, for values of `property_iri` or of any property."""
        named = [c for c in self.concepts_named(phrase) if c.property in (None, property_iri)]
        kinds = [self.concepts[iri] for c in named for iri in c.narrower]
        return tuple(dict.fromkeys(label for c in (*named, *kinds) for label in c.labels))

    def descendants(self, iri: str) -> frozenset[str]:
        """The class and all its subclasses, transitively."""
        found = self.classes.get(iri)
        return found.descendants if found else frozenset({iri})

    def closed(self, iris: Iterable[str]) -> tuple[str, ...]:
        """The classes closed under subclass, sorted."""
        return tuple(sorted({d for iri in iris for d in self.descendants(iri)}))

    def is_a(self, iri: str, ancestor: str) -> bool:
        """Whether class `iri` is `ancestor` or one of its subclasses."""
        return iri in self.descendants(ancestor)

    def event_classes(self) -> tuple[ClassInfo, ...]:
        """Classes of events (not those of the profile)."""
        return tuple(self.classes[iri] for iri in sorted(self.descendants(EVENT)) if iri in self.classes)

    def property_label(self, iri: str) -> str | None:
        """What a property is called: by its label, or by the words of a source's key; None for another one."""
        info = self.properties.get(iri)
        return info.label if info is not None else key_label(iri)

    def may_have(self, class_iri: str, prop: PropertyInfo) -> bool:
        """Whether events of the class may have the property: no domain, or one above or below the class."""
        return not prop.domain or any(self.is_a(class_iri, d) or self.is_a(d, class_iri) for d in prop.domain)

    def properties_of(self, class_iri: str) -> tuple[PropertyInfo, ...]:
        """Properties that events of the class may have."""
        return tuple(p for p in self.properties.values() if self.may_have(class_iri, p))


def key_label(iri: str) -> str | None:
    """The words of a source key's IRI ('key:song_artist' → 'song artist'); None for another IRI."""
    return key_words(iri.removeprefix(KEY)) if iri.startswith(KEY) else None


@lru_cache(maxsize=1)
def packaged_vocabulary() -> Vocabulary:
    """The shipped vocabulary, read once."""
    return load_vocabulary(MemoryGraph(ontology_quads()))


def load_vocabulary(graph: Graph) -> Vocabulary:
    """The vocabulary that a graph holds (graph:vocabulary of a store, and ontologies that users added)."""
    units = _units(graph)
    classes = _classes(graph)
    properties = _properties(graph, units)
    concepts = _concepts(graph)
    return Vocabulary(
        classes=MappingProxyType(classes),
        properties=MappingProxyType(properties),
        units=MappingProxyType(units),
        concepts=MappingProxyType(concepts),
        function_words=frozenset(map(fold, _said(graph, "functionWord"))),
        topic_cues=frozenset(map(normalise, _said(graph, "topicCue"))),
        container_cues=frozenset(map(fold, _said(graph, "containerCue"))),
        _class_labels=_by_label({c.iri: c.labels for c in classes.values()}),
        _class_verbs=_by_label({c.iri: c.verbs for c in classes.values()}),
        _property_labels=_by_label({p.iri: p.labels for p in properties.values()}),
        _unit_labels=_by_label({u.iri: u.labels for u in units.values()}, {u.symbol: u.iri for u in units.values()}),
        _concept_labels=_by_label({c.iri: c.labels for c in concepts.values()}),
    )


def _by_label(
    labels: Mapping[str, tuple[str, ...]], exact: Mapping[str, str] | None = None
) -> Mapping[str, tuple[str, ...]]:
    """IRIs by normalised label, ordered by the label's place, so that a preferred label wins over an alternative."""
    ranked: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for iri, names in labels.items():
        for rank, name in enumerate(names):
            ranked[normalise(name)].append((min(rank, 1), iri))
    found = {
        label: tuple(dict.fromkeys(iri for _, iri in sorted(entries))) for label, entries in ranked.items() if label
    }
    for symbol, iri in (exact or {}).items():
        found[symbol.casefold()] = (iri,)
    return MappingProxyType(found)


_DETAILS = """SELECT DISTINCT ?s ?p ?o WHERE {
  ?s a ?kind . ?s ?p ?o . VALUES ?kind { %s } FILTER(isIRI(?s))
  FILTER(!isLiteral(?o) || lang(?o) = "" || langMatches(lang(?o), "en")) }"""


def _details(graph: Graph, *kinds: str) -> dict[str, dict[str, list[str]]]:
    """Values by subject and predicate of everything that is of one of the kinds."""
    return graph.select(_DETAILS % " ".join(f"<{kind}>" for kind in kinds)).by_subject()


def _first(values: Mapping[str, list[str]], predicate: str) -> str | None:
    return next(iter(values.get(predicate, ())), None)


def _is_true(values: Mapping[str, list[str]], name: str) -> bool:
    return _first(values, name) in ("true", "1")


def _label(iri: str, values: Mapping[str, list[str]]) -> str:
    return _first(values, RDFS + "label") or key_words(iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1])


def _classes(graph: Graph) -> dict[str, ClassInfo]:
    details = _details(graph, OWL + "Class", RDFS + "Class")
    parents = {iri: frozenset(values.get(RDFS + "subClassOf", ())) for iri, values in details.items()}
    above = {iri: _reach(iri, parents) for iri in details}
    below: dict[str, set[str]] = defaultdict(set)
    for iri, ancestors in above.items():
        for ancestor in ancestors:
            below[ancestor].add(iri)
    kinds = {iri: _first(values, EV + "kindProperty") for iri, values in details.items()}
    telling = {iri for iri, values in details.items() if _is_true(values, EV + "selfDescribing")}
    return {
        iri: ClassInfo(
            iri=iri,
            label=_label(iri, values),
            alt_labels=tuple(values.get(SKOS + "altLabel", ())),
            verbs=tuple(values.get(EV + "verb", ())),
            label_property=_first(values, EV + "labelProperty"),
            comment=_first(values, RDFS + "comment"),
            weak_names=tuple(values.get(EV + "weakName", ())),
            homonyms=tuple(values.get(EV + "homonym", ())),
            containers=tuple(values.get(EV + "container", ())),
            authoring_verbs=_inherited(EV + "authoringVerb", above[iri], details),
            outgoing_verbs=_inherited(EV + "outgoingVerb", above[iri], details),
            incoming_verbs=_inherited(EV + "incomingVerb", above[iri], details),
            not_authored=next(iter(_inherited(EV + "notAuthored", above[iri], details)), None),
            self_describing=not telling.isdisjoint(above[iri]),
            kind_property=kinds[iri] or next((kinds[a] for a in sorted(above[iri]) if kinds.get(a)), None),
            told_as=_first(values, EV + "toldAs"),
            any_verb=_is_true(values, EV + "anyVerb"),
            apart=_is_true(values, EV + "ifRecorded"),
            ancestors=above[iri],
            descendants=frozenset(below[iri]),
        )
        for iri, values in details.items()
    }


def _inherited(
    predicate: str, ancestors: frozenset[str], details: Mapping[str, Mapping[str, list[str]]]
) -> tuple[str, ...]:
    """What the class or a class above it says."""
    return tuple(value for a in sorted(ancestors) if a in details for value in details[a].get(predicate, ()))


def _reach(iri: str, parents: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The class and everything above it; a cycle of subclasses ends by itself."""
    seen: set[str] = set()
    open_ = [iri]
    while open_:
        current = open_.pop()
        if current not in seen:
            seen.add(current)
            open_.extend(parents.get(current, ()))
    return frozenset(seen)


def _properties(graph: Graph, units: Mapping[str, UnitInfo]) -> dict[str, PropertyInfo]:
    kinds = (OWL + "DatatypeProperty", OWL + "ObjectProperty")
    return {
        iri: PropertyInfo(
            iri=iri,
            label=_label(iri, values),
            alt_labels=tuple(values.get(SKOS + "altLabel", ())),
            domain=tuple(values.get(RDFS + "domain", ())),
            range=_first(values, RDFS + "range"),
            unit=_unit_symbol(_first(values, QUDT + "unit"), units),
            unit_property=_first(values, EV + "unitProperty"),
            multiple=_is_true(values, EV + "multiple"),
            internal=_is_true(values, EV + "internal"),
            descriptive=_is_true(values, EV + "descriptive"),
            topical=_is_true(values, EV + "topical"),
            cue_words=tuple(values.get(EV + "cueWord", ())),
            comment=_first(values, RDFS + "comment"),
        )
        for iri, values in _details(graph, *kinds).items()
    }


def _unit_symbol(iri: str | None, units: Mapping[str, UnitInfo]) -> str | None:
    return None if iri is None else units[iri].symbol if iri in units else iri.rsplit("/", 1)[-1]


def _units(graph: Graph) -> dict[str, UnitInfo]:
    return {
        iri: UnitInfo(
            iri=iri,
            symbol=_first(values, QUDT + "symbol") or iri.rsplit("/", 1)[-1],
            labels=(_label(iri, values), *values.get(SKOS + "altLabel", ())),
            kind=_first(values, QUDT + "hasQuantityKind") or "",
            factor=_number(iri, "qudt:conversionMultiplier", values, 1.0),
            offset=_number(iri, "qudt:conversionOffset", values, 0.0),
            written=tuple(values.get(SKOS + "hiddenLabel", ())),
        )
        for iri, values in _details(graph, QUDT + "Unit").items()
    }


def _number(iri: str, name: str, values: Mapping[str, list[str]], default: float) -> float:
    """The number that a unit's property says. Raises DomainError where it says none."""
    said = _first(values, QUDT + name.removeprefix("qudt:"))
    with suppress(ValueError):
        if isfinite(found := default if said is None else float(said)):
            return found
    raise DomainError(f"{iri}: {name} is {said!r}; expected a number")


def _concepts(graph: Graph) -> dict[str, ConceptInfo]:
    details = _details(graph, SKOS + "Concept")
    kinds = {iri: frozenset(values.get(SKOS + "narrower", ())) for iri, values in details.items()}
    return {
        iri: ConceptInfo(
            iri=iri,
            labels=(*values.get(SKOS + "prefLabel", ()), *values.get(SKOS + "altLabel", ())),
            hints=tuple(values.get(SKOS + "hiddenLabel", ())),
            narrower=tuple(sorted(_reach(iri, kinds) & details.keys() - {iri})),
            property=_first(values, EV + "ofProperty"),
        )
        for iri, values in details.items()
    }


def _said(graph: Graph, predicate: str) -> tuple[str, ...]:
    """What the vocabulary itself says under a predicate."""
    rows = graph.select(f"SELECT DISTINCT ?word WHERE {{ ?list {NamedNode(EV + predicate)} ?word }}")
    return tuple(row[0].value for row in rows if row[0] is not None)
