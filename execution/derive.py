"""Derivations: what a neural step found, as triples in a named graph of their own with their provenance (PROV-O).

A derivation is named by the hash of all that it depends on (operator, query, model, generation of the store, version of
the method), so the same step is never run twice, and another model or import never reads an old result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..ontology.namespaces import EV, PROV, RDF_TYPE, XSD, derivation_graph
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode, Triple
from .search import Hit

METHOD = "2"
"""Changes when the same inputs may give another result."""


class DerivationGraph(Graph, Protocol):
    """A graph that derivations are written to."""

    def replace_graph(self, iri: str, triples: Iterable[Triple]) -> None: ...

    def drop_graphs(self, iris: Iterable[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """A neural step: `operator` RETRIEVE or EXTRACT, its text, the model and its hash, the store's generation."""

    operator: str
    query: str
    model: str
    model_hash: str
    generation: str

    @property
    def graph(self) -> str:
        """IRI of the step's named graph."""
        parts = (METHOD, self.operator, self.query, self.model, self.model_hash, self.generation)
        digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
        return derivation_graph(digest[:32])

    @property
    def activity(self) -> str:
        """IRI of the prov:Activity."""
        return self.graph + "#activity"


@dataclass(frozen=True, slots=True)
class DerivationInfo:
    """A derivation that stands in the graph; `results` counts the events or mappings that it found."""

    activity: str
    graph: str
    operator: str
    query: str
    model: str
    generation: str
    ended: str
    results: int


def is_derived(graph: Graph, step: Step) -> bool:
    """Whether the step's result stands in the graph."""
    return graph.ask(f"ASK {{ GRAPH {NamedNode(step.graph)} {{ {NamedNode(step.activity)} a ev:Derivation }} }}")


def write_hits(graph: DerivationGraph, step: Step, hits: Sequence[Hit], *, ended: str) -> None:
    """Writes a RETRIEVE's events with their scores. `ended` is the wall-clock ISO date-time of the step."""
    activity = NamedNode(step.activity)
    triples = activity_triples(graph, step, ended)
    for number, hit in enumerate(hits, start=1):
        event, node = NamedNode(hit.event), NamedNode(f"{step.graph}#hit-{number}")
        triples += [
            Triple(event, NamedNode(EV + "retrievedBy"), activity),
            Triple(node, NamedNode(EV + "hitOf"), activity),
            Triple(node, NamedNode(EV + "event"), event),
            Triple(node, NamedNode(EV + "score"), _decimal(hit.score)),
        ]
    graph.replace_graph(step.graph, triples)


def read_hits(graph: Graph, activity: str) -> tuple[Hit, ...]:
    """A RETRIEVE's events with their scores, best first."""
    rows = graph.select(
        "SELECT DISTINCT ?event ?score "
        f"WHERE {{ ?hit ev:hitOf {NamedNode(activity)} ; ev:event ?event ; ev:score ?score }}"
    )
    hits = [Hit(event.value, float(score.value)) for event, score in rows if event is not None and score is not None]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.event)))


def write_mapping(
    graph: DerivationGraph, step: Step, properties: Sequence[str], confidence: float, *, ended: str
) -> None:
    """Writes an EXTRACT's frozen mapping: the key is answered by these properties, best first."""
    activity = NamedNode(step.activity)
    triples = activity_triples(graph, step, ended)
    triples.append(Triple(activity, NamedNode(EV + "confidence"), _decimal(confidence)))
    for rank, iri in enumerate(properties, start=1):
        node = NamedNode(f"{step.graph}#mapping-{rank}")
        triples += [
            Triple(node, NamedNode(EV + "mappingOf"), activity),
            Triple(node, NamedNode(EV + "rank"), Literal(rank)),
            Triple(node, NamedNode(EV + "mapsTo"), NamedNode(iri)),
        ]
    graph.replace_graph(step.graph, triples)


def read_mapping(graph: Graph, activity: str) -> tuple[str, ...]:
    """The properties that a frozen mapping gives, best first."""
    rows = graph.select(
        f"SELECT DISTINCT ?rank ?p WHERE {{ ?m ev:mappingOf {NamedNode(activity)} ; ev:rank ?rank ; ev:mapsTo ?p }} "
        "ORDER BY ?rank"
    )
    return tuple(prop.value for _, prop in rows if prop is not None)


def list_derivations(graph: Graph) -> tuple[DerivationInfo, ...]:
    """All derivations of the graph, the latest first."""
    rows = graph.select(
        "SELECT ?g ?a ?operator ?query ?model ?generation ?ended "
        "(COUNT(DISTINCT ?hit) + COUNT(DISTINCT ?mapping) AS ?n) WHERE { GRAPH ?g { "
        "?a a ev:Derivation ; ev:operator ?operator ; ev:query ?query ; ev:model ?model ; ev:dependsOn ?generation ; "
        "prov:endedAtTime ?ended OPTIONAL { ?hit ev:hitOf ?a } OPTIONAL { ?mapping ev:mappingOf ?a } } } "
        "GROUP BY ?g ?a ?operator ?query ?model ?generation ?ended ORDER BY DESC(?ended) ?a"
    )
    found = []
    for row in rows:
        g, activity, operator, query, model, generation, ended, n = (term.value if term else "" for term in row)
        found.append(DerivationInfo(activity, g, operator, query, model, generation, ended, int(n)))
    return tuple(found)


def drop_stale(graph: DerivationGraph, generation: str) -> tuple[DerivationInfo, ...]:
    """Removes the derivations that depend on another generation of the store than the one in force; returns them."""
    stale = tuple(d for d in list_derivations(graph) if d.generation != generation)
    graph.drop_graphs(d.graph for d in stale)
    return stale


def activity_triples(graph: Graph, step: Step, ended: str) -> list[Triple]:
    """The activity with its provenance; what it used are the sources of the store at that time."""
    node = NamedNode(step.activity)
    triples = [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(EV + "Derivation")),
        Triple(node, NamedNode(RDF_TYPE), NamedNode(PROV + "Activity")),
        Triple(node, NamedNode(EV + "operator"), Literal(step.operator)),
        Triple(node, NamedNode(EV + "query"), Literal(step.query)),
        Triple(node, NamedNode(EV + "model"), Literal(step.model)),
        Triple(node, NamedNode(EV + "modelHash"), Literal(step.model_hash)),
        Triple(node, NamedNode(EV + "dependsOn"), Literal(step.generation)),
        Triple(node, NamedNode(PROV + "endedAtTime"), Literal(ended, datatype=NamedNode(XSD + "dateTime"))),
    ]
    for (source,) in graph.select("SELECT DISTINCT ?s WHERE { ?s a ev:Source } ORDER BY ?s"):
        if isinstance(source, NamedNode):
            triples.append(Triple(node, NamedNode(PROV + "used"), source))
    return triples


def _decimal(value: float) -> Literal:
    return Literal(f"{value:.4f}", datatype=NamedNode(XSD + "decimal"))
