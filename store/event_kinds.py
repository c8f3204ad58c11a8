"""Which of a subject's classes make it an event, and which of its properties tell of the record instead."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from ..ontology.namespaces import DERIVED, EV, OWL, PG, PROV, QUD, QUDT, RDF, RDFS, RML, SH, SKOS
from .graph import Graph
from .rdf import NamedNode
from .vocabulary import EVENT, Vocabulary

_NOT_EVENTS: Final = (OWL, RDF, RDFS, SKOS, QUDT, PROV, SH, RML, PG, QUD)
_NOT_TEXT: Final = (RDFS, RDF, OWL, DERIVED)


class EventKinds:
    """What a vocabulary says of events: classes under ev:Event are some, and those that no ontology names."""

    def __init__(self, vocabulary: Vocabulary, hidden: frozenset[str]) -> None:
        self._vocabulary = vocabulary
        self._events = vocabulary.descendants(EVENT)
        self._hidden = hidden
        self._ranks: dict[str, tuple[int, str] | None] = {}
        self._texts: dict[str, bool] = {}

    def narrowest(self, types: Iterable[str]) -> str | None:
        """The class of an event of these types; None for what is none."""
        ranked = [rank for iri in types if (rank := self.rank(iri)) is not None]
        return min(ranked)[1] if ranked else None

    def is_internal(self, prop: str) -> bool:
        """Whether a property tells of the record rather than of what happened."""
        return prop in self._hidden

    def is_text(self, prop: str) -> bool:
        """Whether a property's texts are values that are searched."""
        found = self._texts.get(prop)
        if found is None:
            found = self._texts[prop] = prop not in self._hidden and not prop.startswith(_NOT_TEXT)
        return found

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all that decides which events, classes and texts there are."""
        classes = self._vocabulary.classes
        depths = sorted((iri, len(classes[iri].ancestors) if iri in classes else 0) for iri in self._events)
        told = repr((depths, sorted(classes), sorted(self._hidden)))
        return hashlib.sha256(told.encode()).hexdigest()

    def rank(self, iri: str) -> tuple[int, str] | None:
        """What classes of events are ordered by, narrower first; None for a class of other things."""
        if iri not in self._ranks:
            held = self._vocabulary.classes.get(iri)
            other = held is None and not iri.startswith(EV)
            is_event = not iri.startswith(_NOT_EVENTS) and (iri in self._events or other)
            self._ranks[iri] = (-len(held.ancestors) if held is not None else 0, iri) if is_event else None
        return self._ranks[iri]


def event_kinds(graph: Graph, vocabulary: Vocabulary) -> EventKinds:
    """The same for the vocabulary of a graph."""
    return EventKinds(vocabulary, internal_properties(graph))


def event_classes(types: Iterable[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Those classes that events have, narrower first: those under ev:Event, and those that no ontology names."""
    kinds = EventKinds(vocabulary, frozenset())
    return tuple(sorted((iri for iri in types if kinds.rank(iri) is not None), key=lambda iri: kinds.rank(iri) or ()))


def types_in(graph: Graph) -> tuple[str, ...]:
    """All classes that things of a graph have."""
    rows = graph.select("SELECT DISTINCT ?c WHERE { ?e a ?c }")
    return tuple(klass.value for (klass,) in rows if isinstance(klass, NamedNode))


def internal_properties(graph: Graph) -> frozenset[str]:
    """Properties about the record rather than the event (ev:internal): never searched, never a value's place."""
    rows = graph.select("SELECT DISTINCT ?p WHERE { ?p ev:internal true }")
    return frozenset(row[0].value for row in rows if row[0] is not None)
