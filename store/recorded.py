"""The vocabulary that questions to a store are read by: without kinds of events that are only known where a store has
them (`ev:ifRecorded`), the properties of these alone, and the words of the lexicon for values of these."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from ..ontology.namespaces import EV
from .graph import Graph
from .rdf import NamedNode
from .vocabulary import Vocabulary, load_vocabulary

_ASKED = f"SELECT DISTINCT ?class WHERE {{ ?class {NamedNode(EV + 'ifRecorded')} true }}"
_HELD = "SELECT ?event WHERE { ?event a %s } LIMIT 1"


def recorded_vocabulary(graph: Graph) -> Vocabulary:
    """The graph's vocabulary without what is only known where the graph has events of it, and has none."""
    vocabulary = load_vocabulary(graph)
    asked = [row[0].value for row in graph.select(_ASKED) if row[0] is not None]
    held = {iri for iri in asked if any(True for _ in graph.select(_HELD % NamedNode(iri)))}
    left_out = {iri for iri in asked if vocabulary.descendants(iri).isdisjoint(held)}
    return _without(vocabulary, left_out) if left_out else vocabulary


def _without(vocabulary: Vocabulary, left_out: Collection[str]) -> Vocabulary:
    classes = {
        iri: replace(info, descendants=info.descendants - frozenset(left_out))
        for iri, info in vocabulary.classes.items()
        if iri not in left_out
    }
    properties = {
        iri: replace(info, domain=tuple(one for one in info.domain if one not in left_out))
        for iri, info in vocabulary.properties.items()
        if not info.domain or not set(info.domain) <= set(left_out)
    }
    concepts = {
        iri: info
        for iri, info in vocabulary.concepts.items()
        if info.property is None or info.property in properties or info.property not in vocabulary.properties
    }
    return replace(
        vocabulary,
        classes=MappingProxyType(classes),
        properties=MappingProxyType(properties),
        concepts=MappingProxyType(concepts),
        _class_labels=_kept(vocabulary._class_labels, classes),
        _class_verbs=_kept(vocabulary._class_verbs, classes),
        _property_labels=_kept(vocabulary._property_labels, properties),
        _concept_labels=_kept(vocabulary._concept_labels, concepts),
    )


def _kept(labels: Mapping[str, tuple[str, ...]], known: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Labels of what is known."""
    found = {label: tuple(iri for iri in iris if iri in known) for label, iris in labels.items()}
    return MappingProxyType({label: iris for label, iris in found.items() if iris})
