"""The graphs of a remote store: queries are read here, sent there, and their results taken as those of Oxigraph."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Final, TypeVar

import pyoxigraph as ox

from ...errors import QueryRefused, StoreError
from ..graph import Function, Results, StoreGraph, in_order
from ..rdf import NamedNode, Quad, Term, Triple
from ..sparql.datasets import Dataset
from ..sparql.reading import read_query, read_tokens
from .client import Connection, Pairs
from .dialects import Dialect
from .pulled import evaluated_here
from .sent import Names, sent_query

T = TypeVar("T")
_SORTED_HERE: Final = 200 * 2**20
"""Bytes of N-Triples that are sorted in memory; more are sorted on disk."""
_FORMS: Final = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_TRIPLES: Final = "application/n-triples"
ALL: Final = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


class RemoteGraph(StoreGraph):
    """The StoreGraph of a server's named graphs; every query sees the union of those of one generation."""

    patience = 10.0

    def __init__(self, connection: Connection, dialect: Dialect, names: Names, dataset: Pairs = ()) -> None:
        self.connection = connection
        self._dialect = dialect
        self._names = names
        self._dataset = dataset
        """What a query is about that says nothing of it, as parameters of the protocol."""
        self._functions: Mapping[str, Function] = {}
        """Functions that queries may call, by IRI: these are evaluated here."""

    def answered(
        self,
        query: str,
        take: Callable[[Results], T],
        bindings: Mapping[str, Term] | None = None,
        dataset: Dataset | None = None,
    ) -> T:
        read_query(query)  # what is no query of ours is sent nowhere
        try:
            if not (self._functions or self._dialect.patterns_only):
                return self.sent(query, take, bindings or {}, dataset)
        except QueryRefused:  # the grammar here has read it, so the server does not know what it says
            pass
        return evaluated_here(self.sent, query, take, bindings or {}, dataset, self._functions)

    def sent(
        self, query: str, take: Callable[[Results], T], bindings: Mapping[str, Term], dataset: Dataset | None = None
    ) -> T:
        """As `answered`, evaluated by the server, whatever that says. Raises QueryRefused where it does not."""
        text = " ".join(sent_query(query, bindings, self._names))
        form = next(token.kind for token in read_tokens(query)[1] if token.kind in _FORMS)
        about = self._dataset if dataset is None else self._parameters(dataset)
        accept = _TRIPLES if form in ("CONSTRUCT", "DESCRIBE") else self._dialect.results
        return self.connection.query(text, accept, lambda body: take(self._results(body, form)), dataset=about)

    def _results(self, body: bytes, form: str) -> Results:
        if form in ("CONSTRUCT", "DESCRIBE"):
            return _triples(ox.parse(body, format=ox.RdfFormat.N_TRIPLES))
        found = self._dialect.parsed(body)
        if isinstance(found, ox.QueryBoolean) != (form == "ASK"):
            raise SyntaxError(f"no answer of {form}")
        return found

    def _parameters(self, dataset: Dataset) -> Pairs:
        graphs = self._names.graphs
        about = [("default-graph-uri", graphs.get(node.value, node.value)) for node in dataset.default]
        about += [("named-graph-uri", graphs.get(node.value, node.value)) for node in dataset.named]
        if self._names.manifest is not None:
            about.append(("named-graph-uri", self._names.manifest.value))
        return about

    def with_functions(self, functions: Mapping[str, Function]) -> RemoteGraph:
        found = copy(self)
        found._functions = functions
        return found

    def named(self, names: Names) -> RemoteGraph:
        """The same graph, of which the server calls things otherwise."""
        return RemoteGraph(self.connection, self._dialect, names, self._dataset)

    def graphs(self) -> list[str]:
        return sorted(self._names.graphs)

    def pairs(self, graph: str, property: str) -> Iterator[tuple[str, str]]:
        query = f"SELECT ?s ?o {{ GRAPH {NamedNode(graph)} {{ ?s {NamedNode(property)} ?o }} }}"
        return ((str(s), str(o)) for s, o in self.select(query))

    def graphs_about(self, subject: NamedNode) -> frozenset[str]:
        rows = self.select(f"SELECT DISTINCT ?g {{ GRAPH ?g {{ {subject} ?p ?o }} }}")
        return frozenset(graph.value for (graph,) in rows if graph is not None)

    def _described_by(self, graph: str) -> Iterable[Triple]:
        with tempfile.TemporaryDirectory(prefix="reqap-kg-") as folder:
            path = Path(folder) / "graph.nt"
            self.connection.fetch(self._names.graphs[graph], path)
            yield from sorted_triples(path)

    def count(self, graph: str | None = None) -> int:
        inside = "{ ?s ?p ?o }" if graph is None else f"{{ GRAPH {NamedNode(graph)} {{ ?s ?p ?o }} }}"
        return self.sent(f"SELECT (COUNT(*) AS ?n) {inside}", _number, {})


def _number(found: Results) -> int:
    assert isinstance(found, ox.QuerySolutions)
    return int(next(iter(found))[0].value)  # type: ignore[union-attr]


def _triples(quads: Iterable[Quad]) -> ox.QueryTriples:
    """Triples as the results of a query."""
    store = ox.Store()
    store.extend(Quad(quad.subject, quad.predicate, quad.object) for quad in quads)
    found = store.query(ALL)
    assert isinstance(found, ox.QueryTriples)
    return found


def sorted_triples(path: Path) -> Iterable[Triple]:
    """The triples of a file of N-Triples by subject and property. Raises StoreError where it was cut off."""
    try:
        if path.stat().st_size <= _SORTED_HERE:
            with path.open("rb") as held:
                yield from in_order(quad.triple for quad in ox.parse(held, format=ox.RdfFormat.N_TRIPLES))
            return
        store = ox.Store(str(path.with_suffix(".db")))
        store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
        for quad in store.quads_for_pattern(None, None, None):
            yield quad.triple
    except SyntaxError as bad:
        raise StoreError(f"a graph of the store came incomplete: {bad}") from bad
