"""Statistics counted by SPARQL queries over all graphs: what the counts made while graphs are read must come to."""

from __future__ import annotations

from typing import Any, Final

from reqap_kg.ontology.namespaces import DERIVED, RDF_TYPE
from reqap_kg.store.graph import Graph
from reqap_kg.store.index.statistics import ClassStatistics, PropertyStatistics, Statistics
from reqap_kg.store.rdf import NamedNode, Term

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_PLAIN: Final = {
    _XSD + "dateTime": "STRLEN(STR(?o)) = 19 && YEAR(?o) > 0",
    _XSD + "date": "STRLEN(STR(?o)) = 10 && YEAR(?o) > 0",
    _XSD + "time": "STRLEN(STR(?o)) = 8 && HOURS(?o) >= 0",
    _XSD + "integer": "isNumeric(?o)",
    _XSD + "decimal": "isNumeric(?o)",
    _XSD + "boolean": 'STR(?o) IN ("true", "false")',
}
"""What holds for values of a datatype that need no further reading: well-formed, no zone, no parts of a second."""

_USES = "SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?m) (COUNT(DISTINCT ?o) AS ?k) { ?s ?p ?o } GROUP BY ?p"
_DATATYPES = "SELECT DISTINCT ?p ?t { ?s ?p ?o BIND(DATATYPE(?o) AS ?t) }"
_CLASSES = "SELECT ?c (COUNT(*) AS ?n) (COUNT(DISTINCT ?e) AS ?m) { ?e a ?c } GROUP BY ?c"
_OVERLAPS = "SELECT DISTINCT ?c ?d { ?e a ?c, ?d FILTER(STR(?c) < STR(?d)) }"
_HELD = "SELECT ?c ?p (COUNT(*) AS ?n) { ?e a ?c ; ?p ?o } GROUP BY ?c ?p"
_UNTIMED = 'SELECT ?c (COUNT(*) AS ?n) { ?e ev:timePrecision "day" ; a ?c } GROUP BY ?c'
_DATED = """SELECT ?c (COUNT(*) AS ?n) { ?e ev:start ?s ; ev:day ?d ; a ?c FILTER(STR(?d) = SUBSTR(STR(?s), 1, 10)) }
GROUP BY ?c"""


def _distinct(prop: str) -> str:
    return f"SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?s ?o {{ ?s {NamedNode(prop)} ?o }} }}"


def _irregular(prop: str, datatype: str) -> str:
    test = f"DATATYPE(?o) = {NamedNode(datatype)} && !COALESCE({_PLAIN[datatype]}, false)"
    return f"ASK {{ ?s {NamedNode(prop)} ?o FILTER({test}) }}"


def gather(graph: Graph) -> Statistics:
    """Counts a graph, less what only derivations say.

    Else all graphs count, those of derivations and of the vocabulary too, so that nothing is taken for single wrongly.
    """
    datatypes: dict[str, set[str]] = {}
    for prop, datatype in _rows(graph, _DATATYPES):
        datatypes.setdefault(prop, set()).add(datatype)
    properties = {
        prop: _property(graph, prop, int(triples), int(subjects), int(values), frozenset(datatypes[prop]))
        for prop, triples, subjects, values in _rows(graph, _USES)
        if not prop.startswith(DERIVED)
    }
    held = properties.get(RDF_TYPE)
    several = held is not None and not held.single
    overlaps = frozenset((one, other) for one, other in _rows(graph, _OVERLAPS)) if several else frozenset[Any]()
    return Statistics(_classes(graph), properties, overlaps)


def _property(
    graph: Graph, prop: str, triples: int, subjects: int, values: int, datatypes: frozenset[str]
) -> PropertyStatistics:
    """The rest of what is known of a property, asked only where it is not clear."""
    distinct = triples if triples == subjects else int(_rows(graph, _distinct(prop))[0][0])
    irregular = any(graph.ask(_irregular(prop, name)) for name in _PLAIN if name in datatypes)
    return PropertyStatistics(triples, distinct, subjects, values, datatypes, irregular)


def _classes(graph: Graph) -> dict[str, ClassStatistics]:
    held: dict[str, dict[str, int]] = {}
    for kind, prop, count in _rows(graph, _HELD):
        if not prop.startswith(DERIVED):
            held.setdefault(kind, {})[prop] = int(count)
    untimed = {kind: int(count) for kind, count in _rows(graph, _UNTIMED)}
    dated = {kind: int(count) for kind, count in _rows(graph, _DATED)}
    return {
        kind: ClassStatistics(int(events), said != events, untimed.get(kind, 0), held.get(kind, {}), dated.get(kind, 0))
        for kind, said, events in _rows(graph, _CLASSES)
    }


def _rows(graph: Graph, query: str) -> list[tuple[str, ...]]:
    return [tuple(map(_text, row)) for row in graph.select(query)]


def _text(term: Term | None) -> str:
    return term.value if term is not None else ""
