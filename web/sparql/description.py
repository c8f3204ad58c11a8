"""What the endpoint is, in the vocabulary of SPARQL 1.1 Service Description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...engine.functions.sparql_calls import EXTRACT, MATCHES
from ...ontology.namespaces import RDF_TYPE, RDFS, RQ
from ...store.graph import OxigraphGraph
from ...store.queries.serializing import Serialization, write_triples
from ...store.rdf import BlankNode, Literal, NamedNode, Term, Triple
from .running import Pieces

_SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS: Final = "http://www.w3.org/ns/formats/"
_RESULT_FORMATS: Final = (
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "RDF_XML",
)
_SIMPLE_ENTAILMENT: Final = NamedNode("http://www.w3.org/ns/entailment/Simple")
_FUNCTIONS: Final = {
    MATCHES: 'rq:matches(?event, "phrase"): whether an event is one that the phrase means',
    EXTRACT: 'rq:extract(?event, "key", "type"): the value of a key, from the texts of an event where no record has it',
}


def described(graph: OxigraphGraph, endpoint: NamedNode, wanted: Serialization) -> Pieces:
    """The description in a format."""
    pieces = Pieces()
    write_triples(_triples(graph, endpoint), wanted, pieces)
    return pieces


def _triples(graph: OxigraphGraph, endpoint: NamedNode) -> Iterator[Triple]:
    service = BlankNode()
    yield _typed(service, "Service")
    yield _said(service, "endpoint", endpoint)
    yield _said(service, "supportedLanguage", _sd("SPARQL11Query"))
    yield _said(service, "feature", _sd("UnionDefaultGraph"))
    yield _said(service, "defaultEntailmentRegime", _SIMPLE_ENTAILMENT)
    for name in _RESULT_FORMATS:
        yield _said(service, "resultFormat", NamedNode(_FORMATS + name))
    for name in _FUNCTIONS:
        yield _said(service, "extensionFunction", NamedNode(RQ + name))
    for name, comment in _FUNCTIONS.items():
        yield _typed(NamedNode(RQ + name), "Function")
        yield Triple(NamedNode(RQ + name), NamedNode(RDFS + "comment"), Literal(comment, language="en"))
    yield from _default_dataset(graph, service)


def _default_dataset(graph: OxigraphGraph, service: BlankNode) -> Iterator[Triple]:
    dataset, default = BlankNode(), BlankNode()
    yield _said(service, "defaultDataset", dataset)
    yield _typed(dataset, "Dataset")
    yield _said(dataset, "defaultGraph", default)
    yield _typed(default, "Graph")
    for iri in graph.graphs():
        named = BlankNode()
        yield _said(dataset, "namedGraph", named)
        yield _typed(named, "NamedGraph")
        yield _said(named, "name", NamedNode(iri))


def _typed(node: NamedNode | BlankNode, name: str) -> Triple:
    return Triple(node, NamedNode(RDF_TYPE), _sd(name))


def _said(node: BlankNode, name: str, value: Term) -> Triple:
    return Triple(node, _sd(name), value)


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)
