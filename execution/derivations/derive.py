"""Derivations: what a neural step found, as triples in a named graph of their own with their provenance (PROV-O).

A derivation is named by the hash of all that it depends on (operator, query, model, content of the sources that it
reads, version of the method), so the same step is never run twice, and never reads the result of another model or of
other data. What it reads stands beside it, so that an import drops those whose sources changed and keeps the others
(docs/derivations.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...ontology.namespaces import DERIVED, EV, PROV, RDF_TYPE, XSD, derivation_graph, model_agent
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Triple
from .dependencies import METHOD, Dependencies


@dataclass(frozen=True, slots=True)
class Hit:
    """An event found, with a score from 0 to 1; at least 0.5 for those that are taken."""

    event: str
    score: float


class DerivationGraph(Graph, Protocol):
    """A graph that derivations are written to."""

    def replace_graph(self, iri: str, triples: Iterable[Triple]) -> None: ...

    def drop_graphs(self, iris: Iterable[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """A neural step: `operator` RETRIEVE or EXTRACT, its text, the model and its hash.

    `generation` is the digest of what it reads: the IRIs `reads` and the sources `used` behind them, or the whole
    store where it states none (execution/derivations/dependencies.py). `reading` is the hash of how its text was
    read, where that depends on more of the store. `StoreContext.step` makes one.
    """

    operator: str
    query: str
    model: str
    model_hash: str
    generation: str
    reads: tuple[str, ...] = ()
    used: tuple[str, ...] | None = None
    reading: str = ""

    @property
    def graph(self) -> str:
        """IRI of the step's named graph."""
        parts = (METHOD, self.operator, self.query, self.model, self.model_hash, self.generation, self.reading)
        digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
        return derivation_graph(digest[:32])

    @property
    def activity(self) -> str:
        """IRI of the prov:Activity."""
        return self.graph + "#activity"

    @property
    def agent(self) -> str:
        """IRI of the prov:SoftwareAgent: the model with these weights, the same in all derivations."""
        return model_agent(hashlib.sha256(f"{self.model}\x1f{self.model_hash}".encode()).hexdigest()[:16])


@dataclass(frozen=True, slots=True)
class DerivationInfo:
    """A derivation that stands in the graph; `results` counts the events, properties, values or rows that it gave.

    `generation` is the digest of what it was made from, `reads` says what that is, `used` are the sources behind it.
    """

    activity: str
    graph: str
    operator: str
    query: str
    model: str
    generation: str
    ended: str
    results: int
    model_hash: str = ""
    reads: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


def is_derived(graph: Graph, step: Step) -> bool:
    """Whether the step's result stands in the graph."""
    return graph.ask(f"ASK {{ GRAPH {NamedNode(step.graph)} {{ {NamedNode(step.activity)} a ev:Derivation }} }}")


def write_hits(
    graph: DerivationGraph, step: Step, hits: Sequence[Hit], *, ended: str, more: Sequence[Triple] = ()
) -> None:
    """Writes a RETRIEVE's events with their scores, and `more`. `ended` is the wall-clock ISO date-time of the step."""
    activity = NamedNode(step.activity)
    triples = activity_triples(graph, step, ended, results=len(hits))
    for number, hit in enumerate(hits, start=1):
        event, node = NamedNode(hit.event), NamedNode(f"{step.graph}#hit-{number}")
        triples += [
            Triple(event, NamedNode(EV + "retrievedBy"), activity),
            Triple(node, NamedNode(EV + "hitOf"), activity),
            Triple(node, NamedNode(EV + "event"), event),
            Triple(node, NamedNode(EV + "score"), _decimal(hit.score)),
        ]
    keep(graph, step, [*triples, *more])


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
    triples = activity_triples(graph, step, ended, results=len(properties))
    triples.append(Triple(activity, NamedNode(EV + "confidence"), _decimal(confidence)))
    for rank, iri in enumerate(properties, start=1):
        node = NamedNode(f"{step.graph}#mapping-{rank}")
        triples += [
            Triple(node, NamedNode(EV + "mappingOf"), activity),
            Triple(node, NamedNode(EV + "rank"), Literal(rank)),
            Triple(node, NamedNode(EV + "mapsTo"), NamedNode(iri)),
        ]
    keep(graph, step, triples)


def read_mapping(graph: Graph, activity: str) -> tuple[str, ...]:
    """The properties that a frozen mapping gives, best first."""
    rows = graph.select(
        f"SELECT DISTINCT ?rank ?p WHERE {{ ?m ev:mappingOf {NamedNode(activity)} ; ev:rank ?rank ; ev:mapsTo ?p }} "
        "ORDER BY ?rank"
    )
    return tuple(prop.value for _, prop in rows if prop is not None)


def list_derivations(graph: Graph) -> tuple[DerivationInfo, ...]:
    """All derivations of the graph, the latest first."""
    found: list[DerivationInfo] = []
    reads, used = _by_activity(graph, EV + "reads"), _by_activity(graph, PROV + "used")
    for row in graph.select(_DERIVATIONS):
        g, activity, operator, query, model, model_hash, digest, ended, n = (term.value if term else "" for term in row)
        results = int(n) if n else _counted(graph, activity)
        behind = reads.get(activity, ()), used.get(activity, ())
        found.append(DerivationInfo(activity, g, operator, query, model, digest, ended, results, model_hash, *behind))
    return tuple(found)


_DERIVATIONS = """
SELECT ?g ?a ?operator ?query ?model ?hash ?digest ?ended ?n { GRAPH ?g {
  ?a a ev:Derivation ; ev:operator ?operator ; ev:query ?query ; ev:model ?model ; ev:dependsOn ?digest ;
    prov:endedAtTime ?ended
  OPTIONAL { ?a ev:modelHash ?hash } OPTIONAL { ?a ev:resultCount ?n }
} } ORDER BY DESC(?ended) ?operator ?a
"""


def _by_activity(graph: Graph, predicate: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    rows = graph.select(f"SELECT DISTINCT ?a ?o {{ ?a a ev:Derivation ; {NamedNode(predicate)} ?o }} ORDER BY ?a ?o")
    for activity, value in rows:
        if activity is not None and value is not None:
            found[activity.value] = (*found.get(activity.value, ()), value.value)
    return found


def _counted(graph: Graph, activity: str) -> int:
    """The results of a derivation that does not say how many it has."""
    node = NamedNode(activity)
    rows = graph.select(f"SELECT (COUNT(*) AS ?n) {{ ?r ev:hitOf|ev:mappingOf {node} }}")
    return int(rows.rows[0][0].value) if rows.rows and rows.rows[0][0] is not None else 0


def drop_stale(graph: DerivationGraph, depends: Dependencies) -> tuple[DerivationInfo, ...]:
    """Removes the derivations of which anything changed that they depend on; returns them."""
    return _drop(graph, lambda found: found.generation != depends.digest(found.reads))


def drop_other_versions(
    graph: DerivationGraph, operator: str, model: str, model_hash: str
) -> tuple[DerivationInfo, ...]:
    """Removes the derivations of an operator that another version of a model made; returns them."""
    return _drop(
        graph, lambda found: (found.operator, found.model) == (operator, model) and found.model_hash != model_hash
    )


def drop_derivations(graph: DerivationGraph, containing: str = "") -> tuple[DerivationInfo, ...]:
    """Removes the derivations whose query or key has `containing` in it, whatever its case; returns them."""
    return _drop(graph, lambda found: containing.casefold() in found.query.casefold())


def _drop(graph: DerivationGraph, unwanted: Callable[[DerivationInfo], bool]) -> tuple[DerivationInfo, ...]:
    """Removes derivations and those that rest on one that is gone; these first, so that nothing stands on nothing."""
    left = list(list_derivations(graph))
    gone = list[DerivationInfo]()
    more = [found for found in left if unwanted(found)] or _unsupported(left)
    while more:
        gone += more
        left = [found for found in left if found not in more]
        more = _unsupported(left)
    graph.drop_graphs(found.graph for found in reversed(gone))
    return tuple(gone)


def _unsupported(standing: Sequence[DerivationInfo]) -> list[DerivationInfo]:
    """Those that read a derivation which does not stand."""
    graphs = {found.graph for found in standing}
    return [d for d in standing if any(iri.startswith(DERIVED) and iri not in graphs for iri in d.reads)]


def keep(graph: DerivationGraph, step: Step, triples: Iterable[Triple]) -> None:
    """Writes a step's result, all of it or nothing, then removes what the same question gave by another model version
    or another reading."""
    graph.replace_graph(step.graph, triples)
    about = f"ev:query {Literal(step.query)} ; ev:operator {Literal(step.operator)} ; ev:model {Literal(step.model)}"
    rows = graph.select(f"SELECT DISTINCT ?g {{ GRAPH ?g {{ ?a {about} }} }}")
    graph.drop_graphs(g.value for (g,) in rows if g is not None and g.value != step.graph)


def activity_triples(graph: Graph, step: Step, ended: str, *, results: int | None = None) -> list[Triple]:
    """The activity with its provenance (PROV-O): what it used are the sources that it depends on, what it rests on
    informed it, the named graph is what it generated. `results` is how many it gave."""
    node, agent, made = NamedNode(step.activity), NamedNode(step.agent), NamedNode(step.graph)
    triples = [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(EV + "Derivation")),
        Triple(node, NamedNode(RDF_TYPE), NamedNode(PROV + "Activity")),
        Triple(node, NamedNode(EV + "operator"), Literal(step.operator)),
        Triple(node, NamedNode(EV + "query"), Literal(step.query)),
        Triple(node, NamedNode(EV + "model"), Literal(step.model)),
        Triple(node, NamedNode(EV + "modelHash"), Literal(step.model_hash)),
        Triple(node, NamedNode(EV + "dependsOn"), Literal(step.generation)),
        Triple(node, NamedNode(PROV + "endedAtTime"), Literal(ended, datatype=NamedNode(XSD + "dateTime"))),
        Triple(node, NamedNode(PROV + "wasAssociatedWith"), agent),
        Triple(agent, NamedNode(RDF_TYPE), NamedNode(PROV + "SoftwareAgent")),
        Triple(agent, NamedNode(EV + "model"), Literal(step.model)),
        Triple(agent, NamedNode(EV + "modelHash"), Literal(step.model_hash)),
        Triple(made, NamedNode(RDF_TYPE), NamedNode(PROV + "Entity")),
        Triple(made, NamedNode(PROV + "wasGeneratedBy"), node),
    ]
    if results is not None:
        triples.append(Triple(node, NamedNode(EV + "resultCount"), Literal(results)))
    for iri in step.reads:
        triples.append(Triple(node, NamedNode(EV + "reads"), NamedNode(iri)))
        if iri.startswith(DERIVED):
            triples.append(Triple(node, NamedNode(PROV + "wasInformedBy"), NamedNode(iri + "#activity")))
    sources = step.used if step.used is not None else _all_sources(graph)
    return [*triples, *(Triple(node, NamedNode(PROV + "used"), NamedNode(source)) for source in sources)]


def _all_sources(graph: Graph) -> list[str]:
    rows = graph.select("SELECT DISTINCT ?s WHERE { ?s a ev:Source } ORDER BY ?s")
    return [source.value for (source,) in rows if isinstance(source, NamedNode)]


def _decimal(value: float) -> Literal:
    return Literal(f"{value:.4f}", datatype=NamedNode(XSD + "decimal"))
