"""The ontology as the vocabulary graph, so that every store explains itself in SPARQL: what is shipped, and what a
domain brings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from ..ontology.namespaces import EV, VOCABULARY_GRAPH
from .graph import WritableGraph
from .rdf import Literal, NamedNode, Quad, Triple, parse_turtle

Documents = tuple[tuple[str, bytes], ...]
"""Turtle documents, as (name, text)."""
PERSONAL, WAREHOUSE = "personal", "warehouse"
SETS = {
    PERSONAL: frozenset({"events.ttl", "keys.ttl", "lexicon.ttl"}),
    WAREHOUSE: frozenset({"warehouse.ttl"}),
}
"""Files of the ontology that only stores of some domains have; all others are everywhere."""
_DIGEST = NamedNode(EV + "contentDigest")


@cache
def shipped_documents(sets: tuple[str, ...] = (PERSONAL,)) -> Documents:
    """Every Turtle file of the ontology folder that the sets have, but the shapes."""
    left_out = frozenset[str]().union(*(names for name, names in SETS.items() if name not in sets))
    found = (entry for entry in files("reqap_kg.ontology").iterdir() if entry.name.endswith(".ttl"))
    kept = (entry for entry in found if not entry.name.endswith("shapes.ttl") and entry.name not in left_out)
    return tuple(sorted((entry.name, entry.read_bytes()) for entry in kept))


@cache
def _digest(documents: Documents) -> str:
    found = hashlib.sha256()
    for name, text in documents:
        found.update(name.encode() + b"\0" + text)
    return found.hexdigest()


def vocabulary_digest(documents: Documents | None = None) -> str:
    """SHA-256 of the ontology: of the shipped one for personal events, or of these documents."""
    return _digest(shipped_documents() if documents is None else documents)


def ontology_triples(documents: Documents | None = None) -> Iterator[Triple]:
    """The ontology, and its digest."""
    return (quad.triple for quad in ontology_quads(documents))


def ontology_quads(documents: Documents | None = None) -> tuple[Quad, ...]:
    """The same, in the vocabulary graph."""
    return _quads(shipped_documents() if documents is None else documents)


@lru_cache(maxsize=4)
def _quads(documents: Documents) -> tuple[Quad, ...]:
    graph = NamedNode(VOCABULARY_GRAPH)
    read = (quad.triple for name, text in documents for quad in parse_turtle(text, path=name))
    told = Triple(graph, _DIGEST, Literal(_digest(documents)))
    return tuple(Quad(t.subject, t.predicate, t.object, graph) for t in (*read, told))


def refresh_vocabulary(graph: WritableGraph, documents: Documents | None = None) -> bool:
    """Brings a store's vocabulary up to the ontology, where another one wrote it; whether that was needed."""
    known = {"graph": NamedNode(VOCABULARY_GRAPH), "digest": Literal(vocabulary_digest(documents))}
    if graph.ask("ASK { ?graph ev:contentDigest ?digest }", known):
        return False
    graph.replace_graph(VOCABULARY_GRAPH, ontology_triples(documents))
    return True
