"""The shipped ontology as the vocabulary graph, so that every store explains itself in SPARQL."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from ..ontology.namespaces import EV, VOCABULARY_GRAPH
from .generations import EventGraph
from .rdf import Literal, NamedNode, Quad, Triple, parse_turtle

_DIGEST = NamedNode(EV + "contentDigest")


@cache
def _documents() -> tuple[tuple[str, bytes], ...]:
    """Every Turtle file of the ontology folder but the shapes."""
    found = (entry for entry in files("reqap_kg.ontology").iterdir() if entry.name.endswith(".ttl"))
    kept = (entry for entry in found if not entry.name.endswith("shapes.ttl"))
    return tuple(sorted((entry.name, entry.read_bytes()) for entry in kept))


@cache
def vocabulary_digest() -> str:
    """SHA-256 of the shipped ontology."""
    found = hashlib.sha256()
    for name, text in _documents():
        found.update(name.encode() + b"\0" + text)
    return found.hexdigest()


def ontology_triples() -> Iterator[Triple]:
    """The shipped ontology, and its digest."""
    for name, text in _documents():
        for quad in parse_turtle(text, path=name):
            yield quad.triple
    yield Triple(NamedNode(VOCABULARY_GRAPH), _DIGEST, Literal(vocabulary_digest()))


def ontology_quads() -> Iterator[Quad]:
    """The same, in the vocabulary graph."""
    graph = NamedNode(VOCABULARY_GRAPH)
    return (Quad(t.subject, t.predicate, t.object, graph) for t in ontology_triples())


def refresh_vocabulary(graph: EventGraph) -> bool:
    """Brings the vocabulary of a store that another version wrote up to the shipped one; whether that was needed."""
    known = {"graph": NamedNode(VOCABULARY_GRAPH), "digest": Literal(vocabulary_digest())}
    if graph.ask("ASK { ?graph ev:contentDigest ?digest }", known):
        return False
    graph.replace_graph(VOCABULARY_GRAPH, ontology_triples())
    return True
