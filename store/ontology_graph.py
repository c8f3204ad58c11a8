"""The shipped ontology as quads of the vocabulary graph, so that every store explains itself in SPARQL."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from ..ontology.namespaces import VOCABULARY_GRAPH
from .rdf import NamedNode, Quad, parse_turtle


def ontology_quads() -> Iterator[Quad]:
    """Every Turtle file of the ontology folder but the shapes, in the vocabulary graph."""
    graph = NamedNode(VOCABULARY_GRAPH)
    for entry in sorted(files("reqap_kg.ontology").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".ttl") and not entry.name.endswith("shapes.ttl"):
            for quad in parse_turtle(entry.read_bytes(), path=entry.name):
                yield Quad(quad.subject, quad.predicate, quad.object, graph)
