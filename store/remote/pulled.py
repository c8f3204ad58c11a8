"""A query that a server cannot evaluate, evaluated here, over the triples that its patterns ask the server for.

Functions of our own are nobody else's, and some servers refuse queries that are plain SPARQL 1.1. A triple of the graph
changes the answer only if it matches a pattern of the query. So for each subject of each basic graph pattern, what
matches its patterns there is asked for, in one request, and the query is evaluated over that by Oxigraph. That is exact
for every query; it costs what comes over the wire, of which there is a limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

import pyoxigraph as ox

from ...errors import QueryError, QueryTooLarge, StoreError
from ...ontology.namespaces import GRAPH, XSD
from ..graph import Function, OxigraphGraph, Results
from ..rdf import NamedNode, Quad, Term
from ..sparql.datasets import Dataset
from .sent import Names, sent_query

T = TypeVar("T")
MOST_TRIPLES: Final = 5_000_000
"""Triples that are asked for to evaluate one query here."""
_WHOLE: Final = NamedNode(f"{GRAPH}pulled")
"""The named graph of what patterns outside GRAPH ask for."""
_PARSING: Final = Lock()
"""rdflib's parser finds out how its own functions are called when it is first used, for one thread at a time."""
_END: Final = NamedNode("https://w3id.org/reqap-kg/store#end")
"""What is asked for last, so that it is missing where an answer was cut off."""
_ANYTHING: Final = "?s ?p ?o"
_STRING: Final = XSD + "string"
_DIGITS: Final = 16


class Send(Protocol):
    """Has a server evaluate a query, and gives what `take` makes of the results."""

    def __call__(
        self, query: str, take: Callable[[Results], T], bindings: Mapping[str, Term], dataset: Dataset | None = None
    ) -> T: ...


@dataclass(frozen=True)
class _Star:
    """Patterns with one subject, as SPARQL writes them; `graph` is the name, or the variable, behind GRAPH."""

    patterns: tuple[str, ...]
    graph: str | None = None


def evaluated_here(
    send: Send,
    query: str,
    take: Callable[[Results], T],
    bindings: Mapping[str, Term],
    dataset: Dataset | None,
    functions: Mapping[str, Function],
) -> T:
    """What `take` makes of the results of a query, evaluated here. Raises QueryError for one that cannot be taken
    apart, QueryTooLarge where more than MOST_TRIPLES match its patterns, and what `send` raises."""
    store = ox.Store()
    parts = sent_query(query, bindings, Names())
    for star in stars(parts):
        store.extend(_asked_for(send, star, dataset))
        if len(store) > MOST_TRIPLES:
            raise QueryTooLarge(
                f"the store cannot evaluate this query, which needs more than {MOST_TRIPLES:,} triples of it: narrow it"
            )
    return OxigraphGraph(store, functions).answered(" ".join(parts), take, None, _here(store, dataset))


def _asked_for(send: Send, star: _Star, dataset: Dataset | None) -> Iterator[Quad]:
    inside = " . ".join(star.patterns)
    if star.graph is None:
        yield from _quads(send, inside, inside, _WHOLE, dataset)
        return
    for graph in _named(send, star.graph, inside, dataset):
        yield from _quads(send, inside, f"GRAPH {graph} {{ {inside} }}", graph, dataset)


def _quads(send: Send, built: str, where: str, graph: NamedNode, dataset: Dataset | None) -> list[Quad]:
    """What matches patterns. Raises StoreError where the end of the answer is missing: Virtuoso cuts what a CONSTRUCT
    builds off, and does not say so."""

    def quads(found: Results) -> list[Quad]:
        assert isinstance(found, ox.QueryTriples)
        triples = list(found)
        if not any(triple.predicate == _END for triple in triples):
            raise StoreError("the store gives no whole answers: raise its limits (ResultSetMaxRows)")
        return [Quad(t.subject, t.predicate, t.object, graph) for t in triples if t.predicate != _END]

    end = f"{_END} {_END} ?the_end"
    parts = f"{{ {where} }} UNION {{ BIND({_END} AS ?the_end) }}"
    return send(f"CONSTRUCT {{ {built} . {end} }} WHERE {{ {parts} }}", quads, {}, dataset)


def _named(send: Send, graph: str, inside: str, dataset: Dataset | None) -> list[NamedNode]:
    """The graphs in which patterns hold."""
    if not graph.startswith("?"):
        return [NamedNode(graph[1:-1])]
    query = f"SELECT DISTINCT {graph} WHERE {{ GRAPH {graph} {{ {inside} }} }}"
    rows = send(query, lambda found: [row[0] for row in found], {}, dataset)  # type: ignore[union-attr]
    return [node for node in rows if isinstance(node, NamedNode)]


def _here(store: ox.Store, dataset: Dataset | None) -> Dataset:
    """What the query is about here: what was asked for outside of GRAPH is its default graph."""
    named = [graph for graph in store.named_graphs() if isinstance(graph, NamedNode) and graph != _WHOLE]
    return Dataset((_WHOLE,), tuple(dataset.named) if dataset is not None else tuple(named))


def stars(parts: Sequence[str]) -> list[_Star]:
    """What a query, as printed tokens, asks a graph for. Raises QueryError for what cannot be taken apart."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        with _PARSING:
            algebra = translateQuery(parseQuery(_written(parts))).algebra
    except Exception as bad:  # pyparsing's and rdflib's own errors have no common root
        raise QueryError(f"the store cannot evaluate this query, and it cannot be taken apart: {bad}") from bad
    found = [*_walk(algebra, None)]
    if algebra.name == "DescribeQuery":
        found += [_Star((f"{term.n3()} ?p ?o",)) for term in algebra.PV if not term.n3().startswith("?")]
    return list(dict.fromkeys(found))


def _written(parts: Sequence[str]) -> str:
    """Tokens as a text for rdflib, which takes no space before a datatype or a language, and takes an escaped backslash
    before a `u` for the beginning of a codepoint."""
    text = ""
    for before, part in pairwise(("", *parts)):
        text += part if part == "^^" or part.startswith("@") or before == "^^" else f" {part}"
    return text.replace("\\\\", "\\u005C\\u005C")


def _walk(node: Any, graph: str | None) -> Iterator[_Star]:
    """The stars of all basic graph patterns below a node of rdflib's algebra."""
    from rdflib.plugins.sparql.algebra import translatePath, traverse
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(node, CompValue):
        if node.name == "BGP":
            yield from _of_patterns(node.triples, graph)
            return
        if node.name == "TriplesBlock":  # of an EXISTS in an expression, which rdflib leaves as it was read
            for flat in node.triples:
                terms = [traverse(term, visitPost=translatePath) for term in flat]
                yield from _of_patterns([terms[at : at + 3] for at in range(0, len(terms), 3)], graph)
            return
        inside = node.term.n3() if node.name in ("Graph", "GraphGraphPattern") else graph
        for value in node.values():
            yield from _walk(value, inside)
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _walk(value, graph)


def _of_patterns(triples: Sequence[Any], graph: str | None) -> Iterator[_Star]:
    """Stars of plain patterns by their subject; a path asks for all triples of each of its properties. One without a
    variable is a star of its own, with any value: Virtuoso says of such that it holds in a graph that there is not."""
    stars: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in triples:
        begin, end = (_variable(term) for term in (subject, value))
        if hasattr(predicate, "n3") and not _is_path(predicate):
            if not any(term.startswith("?") for term in (begin, _variable(predicate), end)):
                yield _Star((f"{begin} {_variable(predicate)} ?any",), graph)
                continue
            stars[begin].append(f"{begin} {_variable(predicate)} {end}")
            continue
        for named in _properties(predicate):
            yield _Star((_ANYTHING if named is None else f"?s {named} ?o",), graph)
    for patterns in stars.values():
        yield _Star(tuple(dict.fromkeys(patterns)), graph)


def _is_path(predicate: Any) -> bool:
    from rdflib.paths import Path

    return isinstance(predicate, Path)


def _properties(path: Any) -> Iterator[str | None]:
    """The properties in a path, as SPARQL writes them; None for all of them: of a negated set, and of none or more,
    which hold between each thing and itself."""
    from rdflib import URIRef
    from rdflib.paths import MulPath, NegatedPath, Path

    if isinstance(path, URIRef):
        yield path.n3()
    elif isinstance(path, NegatedPath):
        yield None
    elif isinstance(path, MulPath):
        yield from _properties(path.path)
    elif isinstance(path, Path):
        parts = getattr(path, "args", None) or [path.arg]  # type: ignore[attr-defined]  # sequences and alternatives have args, inverses arg
        for part in parts:
            yield from _properties(part)


def _variable(term: Any) -> str:
    """A term as SPARQL writes it; a blank node as a variable, and so a value that is no text: servers know it by other
    texts, and Virtuoso finds false where 0 is asked for."""
    from rdflib import BNode, Literal

    if isinstance(term, Literal) and str(term.datatype or _STRING) != _STRING:
        digest = sha256(f"{term} {term.datatype}".encode()).hexdigest()
        return f"?value_{digest[:_DIGITS]}"
    return f"?blank_{term}" if isinstance(term, BNode) else str(term.n3())
