"""What the rules of warehouses may ask of a store's data: which profile items occur in a dimension, how many members
dimensions have, which fact tables have a time (QUASL, sections III and V)."""

from __future__ import annotations

from collections.abc import Iterator

from ...ontology.namespaces import EV, PROFILE_SOURCE, QB, WH, source_graph
from ...store.graph import Graph
from ...store.index.index import ValueIndex
from ...store.index.statistics import Statistics
from ...store.rdf import Literal, NamedNode, Quad

_DIMENSIONS = "SELECT DISTINCT ?d WHERE { ?d a qb:DimensionProperty }"
_FACTS = f"SELECT DISTINCT ?c WHERE {{ ?c rdfs:subClassOf+ {NamedNode(QB + 'Observation')} }}"
_PROFILE = f"""SELECT DISTINCT ?item ?relation ?value WHERE {{
  GRAPH {NamedNode(source_graph(PROFILE_SOURCE))} {{ ?item ?relation ?value FILTER(isLiteral(?value)) }}
}} ORDER BY ?item ?relation ?value"""
_GRAPH = NamedNode("urn:data")


def warehouse_facts(graph: Graph, index: ValueIndex, statistics: Statistics) -> tuple[Quad, ...]:
    """Triples beside the rule book's: `?item wh:occursIn ?dimension ; wh:value "…"`, `?dimension wh:values n`,
    `?factTable wh:timed true`."""
    dimensions = {term.value for (term,) in graph.select(_DIMENSIONS) if term is not None}
    if not dimensions:
        return tuple(_timed(graph, statistics))
    return (
        *_occurring(graph, index, dimensions),
        *_members(statistics, dimensions),
        *_timed(graph, statistics),
    )


def _occurring(graph: Graph, index: ValueIndex, dimensions: set[str]) -> Iterator[Quad]:
    """Links from what the profile says to the dimensions whose data has the same value."""
    for number, (item, relation, value) in enumerate(graph.select(_PROFILE)):
        if item is None or relation is None or value is None:
            continue
        held = {found.prop: found.text for found in index.equal_to(value.value)}
        node = NamedNode(f"urn:profile:{number}")
        for dimension in sorted(dimensions & held.keys()):
            yield Quad(node, NamedNode(WH + "occursIn"), NamedNode(dimension), _GRAPH)
            yield Quad(node, NamedNode(WH + "value"), Literal(held[dimension]), _GRAPH)
            yield Quad(node, NamedNode(WH + "relation"), relation, _GRAPH)  # type: ignore[arg-type]


def _members(statistics: Statistics, dimensions: set[str]) -> Iterator[Quad]:
    for dimension in sorted(dimensions & statistics.properties.keys()):
        count = Literal(statistics.properties[dimension].values)
        yield Quad(NamedNode(dimension), NamedNode(WH + "values"), count, _GRAPH)


def _timed(graph: Graph, statistics: Statistics) -> Iterator[Quad]:
    for (fact,) in graph.select(_FACTS):
        held = statistics.classes.get(fact.value) if fact is not None else None
        if held is not None and EV + "start" in held.properties and isinstance(fact, NamedNode):
            yield Quad(fact, NamedNode(WH + "timed"), Literal(True), _GRAPH)
