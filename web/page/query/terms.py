"""What may be typed in a query: prefixes, classes and properties by name and label, values of properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ....engine.functions.sparql_calls import EXTRACT, MATCHES
from ....ontology.namespaces import OWL, PREFIXES, RDF, RDFS, RQ, XSD
from ....store.database import open_database
from ....store.generations import EventGraph
from ....store.index.index import ValueIndex
from ....store.index.statistics import Statistics
from ....store.queries.results import short_iri
from ....store.rdf import Literal, NamedNode, Term
from ....store.vocabulary import Vocabulary, load_vocabulary
from ....store.words import key_words

SHOWN: Final = 40
"""Values that are offered at once."""
_INDEX: Final = "values.sqlite"
_LOCAL: Final = re.compile(r"[A-Za-z_][\w-]*+(?:\.[\w-]++)*+", re.ASCII)
_BARE: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "boolean"))
_OF_ALL: Final = (
    (RDF + "type", "a kind of"), (RDFS + "label", "what it is called"), (RDFS + "comment", "comment"),
    (RDFS + "subClassOf", "a narrower kind than"), (OWL + "sameAs", "the same as"),
)  # fmt: skip
_FUNCTIONS: Final = (
    (MATCHES, '?event, "phrase"', "whether an event is one that the phrase means"),
    (EXTRACT, '?event, "key"', "a value of an event, from its texts where no record has it"),
)
_USED: Final = (
    "SELECT ?v (COUNT(*) AS ?n) (SAMPLE(?named) AS ?label) {{ {{ SELECT ?e ?v {{ ?e {prop} ?v }} LIMIT 200000 }} "
    "OPTIONAL {{ ?v rdfs:label ?named }} }} GROUP BY ?v ORDER BY DESC(?n) LIMIT 2000"
)


@dataclass(frozen=True)
class Known:
    """What the store's vocabulary and data have; `generation` is that of the store."""

    generation: str
    vocabulary: Vocabulary
    statistics: Statistics

    @property
    def has_events(self) -> bool:
        """Whether there are events."""
        counts = self.statistics.classes
        return any(kind.iri in counts and counts[kind.iri].events for kind in self.vocabulary.event_classes())

    def as_json(self) -> dict[str, Any]:
        """What completes names: prefixes, and names with what each is, is called, and how often it is used."""
        return {"prefixes": dict(PREFIXES), "terms": [*_functions(), *self._classes(), *self._properties()]}

    def _classes(self) -> Iterator[dict[str, Any]]:
        counts = self.statistics.classes
        for iri, known in self.vocabulary.classes.items():
            events = counts[iri].events if iri in counts else 0
            yield _term(iri, "class", known.label, events, known.comment)
        for iri in counts.keys() - self.vocabulary.classes.keys():
            yield _term(iri, "class", key_words(short_iri(NamedNode(iri)).rpartition(":")[2]), counts[iri].events, None)

    def _properties(self) -> Iterator[dict[str, Any]]:
        used = self.statistics.properties
        for iri, said in _OF_ALL:
            yield _term(iri, "property", said, used[iri].triples if iri in used else 0, None)
        for iri in sorted({*used, *self.vocabulary.properties} - {iri for iri, _ in _OF_ALL}):
            info = self.vocabulary.properties.get(iri)
            label = self.vocabulary.property_label(iri) or key_words(short_iri(NamedNode(iri)).rpartition(":")[2])
            unit = f" ({info.unit})" if info is not None and info.unit else ""
            triples = used[iri].triples if iri in used else 0
            yield _term(iri, "property", label + unit, triples, info.comment if info is not None else None)


def read_known(graph: EventGraph) -> Known:
    """What a graph has."""
    with _opened_index(graph) as index:
        return Known(graph.generation, load_vocabulary(graph), index.statistics)


def values_of(graph: EventGraph, prop: NamedNode, part: str) -> list[dict[str, Any]]:
    """Values of a property with `part` in them, as a query writes them; those of most events first."""
    with _opened_index(graph) as index:
        texts = index.of_property(prop.value, part, SHOWN) if part else ()
        texts = texts or index.of_property(prop.value, part or "", SHOWN)
    if texts:
        return [{"text": str(Literal(text)), "label": text, "count": events} for text, events in texts]
    found: list[dict[str, Any]] = []
    for value, number, label in graph.select(_USED.format(prop=prop)):
        if value is None or not isinstance(value, NamedNode | Literal):
            continue
        called = label.value if label is not None else value.value
        if part.casefold() in called.casefold() or part.casefold() in value.value.casefold():
            found.append({"text": written(value), "label": called, "count": int(number.value) if number else 0})
    return found[:SHOWN]


def written(term: Term) -> str:
    """A term as a query has it: with a prefix where there is one."""
    if isinstance(term, Literal):
        kind = term.datatype.value
        if kind in _BARE:
            return term.value
        plain = kind == XSD + "string" or term.language
        return str(term) if plain else f"{Literal(term.value)}^^{written(NamedNode(kind))}"
    if not isinstance(term, NamedNode):
        return str(term)
    prefix, colon, local = short_iri(term).partition(":")
    return f"{prefix}:{local}" if colon and prefix in PREFIXES and _LOCAL.fullmatch(local) else str(term)


def _functions() -> Iterator[dict[str, Any]]:
    for name, takes, does in _FUNCTIONS:
        yield {**_term(RQ + name, "function", does, 0, None), "takes": takes}


def _term(iri: str, kind: str, label: str, count: int, comment: str | None) -> dict[str, Any]:
    return {"name": written(NamedNode(iri)), "kind": kind, "label": label, "count": count, "about": comment or ""}


def _opened_index(graph: EventGraph) -> ValueIndex:
    """The index that the engine keeps of the graph's generation, opened for this thread."""
    return ValueIndex(open_database(graph.index_directory / _INDEX, "read"))
