"""Names that a question may use, for whoever completes what is typed: labels, people, and short values of the data."""

from __future__ import annotations

from collections.abc import Iterator

from ...ontology.namespaces import EV
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary

LONGEST = 40
"""Letters of the longest name: what is longer is a text."""
MOST_OF_EACH = 500
"""Names of one property."""
_SOME = "SELECT ?v { ?e %s ?v } LIMIT 20000"
_TEXTS = frozenset({EV + name for name in ("text", "description", "note", "url")})


def names_in(graph: Graph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Labels of the vocabulary, then people of the profile, then the values of properties that hold names.

    Looks at MOST_OF_EACH values of each property, so that it takes no longer over a million events.
    """
    found = dict.fromkeys(_labels(vocabulary))
    for name in (*_people(graph), *_values(graph, vocabulary)):
        found.setdefault(name)
    return tuple(found)


def _labels(vocabulary: Vocabulary) -> Iterator[str]:
    for info in vocabulary.classes.values():
        yield from info.labels
        yield from info.verbs
    for concept in vocabulary.concepts.values():
        yield from concept.labels


def _people(graph: Graph) -> Iterator[str]:
    rows = graph.select("SELECT DISTINCT ?name { ?p a ev:Person ; ev:name|ev:nickname|rdfs:label ?name } LIMIT 500")
    return (row[0].value for row in rows if row[0] is not None)


def _values(graph: Graph, vocabulary: Vocabulary) -> Iterator[str]:
    for prop in vocabulary.properties.values():
        if prop.internal or prop.iri in _TEXTS or not (prop.range or "").endswith("#string"):
            continue
        query = f"SELECT DISTINCT ?v {{ {{ {_SOME % NamedNode(prop.iri)} }} }} LIMIT {MOST_OF_EACH}"
        for row in graph.select(query):
            if row[0] is not None and len(row[0].value) <= LONGEST and "\n" not in row[0].value:
                yield row[0].value
