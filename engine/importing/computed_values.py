"""Values that an ontology declares instead of a map: chains of properties and formulas over others.

    resorts:city owl:propertyChainAxiom ( resorts:soldTo resorts:homeCity rdfs:label ) .
    resorts:revenue ev:formula "?days * ?guests * ?price" .

They are computed once, at import, and stand in the source's graph like what a map made. So does the source of events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import DomainError, QueryError
from ...ontology.namespaces import EV
from ...store.graph import MemoryGraph
from ...store.ontology_graph import Documents, ontology_quads
from ...store.rdf import NamedNode, Quad, Term, Triple, parse_nquads, write_nquads
from ...store.sparql.reading import check_expression

_CHAINS = """SELECT ?p ?list ?item (COUNT(?before) AS ?place) WHERE {
  ?p owl:propertyChainAxiom ?list . ?list rdf:rest* ?before . ?before rdf:rest* ?cell . ?cell rdf:first ?item
} GROUP BY ?p ?list ?cell ?item ORDER BY ?p ?list ?place"""
_FORMULAS = f"""SELECT ?p ?formula WHERE {{ ?p {NamedNode(EV + "formula")} ?formula }} ORDER BY ?p"""
_KNOWN = "ASK { ?p ?said ?thing }"
_VARIABLE = re.compile(r"[?$](\w+)")


def write_computed(path: Path, ontology: Documents, graph: str) -> int:
    """Adds what the ontology computes to the N-Quads of a source, and says how many triples.

    Raises DomainError for a formula that is wrong, or uses what is no property.
    """
    declared = MemoryGraph(ontology_quads(ontology))
    queries = [*_chain_queries(declared), *_formula_queries(declared), *_source_queries(declared, graph)]
    data = MemoryGraph(parse_nquads(path.read_bytes(), lenient=True))
    node = NamedNode(graph)
    added: dict[Triple, None] = {}
    for _ in queries:  # each pass computes at least one more of those that others build on
        new = [t for prop, query in queries for t in _run(data, prop, query) if t not in added]
        if not new:
            break
        data.add(Quad(t.subject, t.predicate, t.object, node) for t in new)
        added.update(dict.fromkeys(new))
    write_nquads(path, (Quad(t.subject, t.predicate, t.object, node) for t in added), append=True)
    return len(added)


def _run(data: MemoryGraph, prop: str, query: str) -> list[Triple]:
    try:
        return data.construct(query)
    except QueryError as bad:
        raise DomainError(f"the formula of {prop} is wrong: {bad}", expected="an expression of SPARQL") from bad


def _chain_queries(declared: MemoryGraph) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs by property: a chain's value is found along its properties, in the order of their place."""
    chains: dict[tuple[str, str], list[str]] = {}
    for prop, head, item, _ in declared.select(_CHAINS):
        chains.setdefault((str(prop), str(head)), []).append(str(item))
    for (prop, _), items in chains.items():
        yield prop, f"CONSTRUCT {{ ?s {prop} ?v }} WHERE {{ ?s {'/'.join(items)} ?v }}"


def _formula_queries(declared: MemoryGraph) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs by property: the variables of a formula are properties of these names in its own namespace,
    or under ev:."""
    for prop, formula in declared.select(_FORMULAS):
        if prop is None or formula is None:
            continue
        _check_formula(prop, formula.value)
        used = {name: _named(name, prop.value, declared) for name in dict.fromkeys(_VARIABLE.findall(formula.value))}
        body = " ".join(f"?s {named} ?{name} ." for name, named in used.items())
        computed = f"BIND(({formula.value}\n) AS ?value_) FILTER(BOUND(?value_))"
        yield str(prop), f"CONSTRUCT {{ ?s {prop} ?value_ }} WHERE {{ {body} {computed} }}"


def _check_formula(prop: Term, formula: str) -> None:
    """Refuses what is no expression by itself: a bracket that closes what it did not open would end the query's."""
    try:
        check_expression(formula)
    except QueryError as bad:
        raise DomainError(f"the formula of {prop} is wrong: {bad}", expected="an expression of SPARQL") from bad


def _source_queries(declared: MemoryGraph, graph: str) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs that name the source of events where the map does not."""
    classes = " ".join(str(found) for (found,) in declared.select("SELECT ?c WHERE { ?c rdfs:subClassOf+ ev:Event }"))
    test = f"VALUES ?c {{ {classes} }} ?s a ?c FILTER NOT EXISTS {{ ?s ev:source ?known }}"
    yield EV + "source", f"CONSTRUCT {{ ?s ev:source {NamedNode(graph)} }} WHERE {{ {test} }}"


def _named(name: str, prop: str, declared: MemoryGraph) -> NamedNode:
    """The property that a variable of a formula means."""
    space = re.sub(r"[^#/]*$", "", prop)
    for found in (NamedNode(space + name), NamedNode(EV + name)):
        if declared.ask(_KNOWN, {"p": found}):
            return found
    raise DomainError(f"the formula of {prop} uses ?{name}, but {space}{name} is no property")
