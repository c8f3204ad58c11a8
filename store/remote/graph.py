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
from .client import Connection
from .dialects import Dialect
from .pulled import evaluated_here
from .sent import HERE, Names, sent_query

T = TypeVar("T")
_SORTED_HERE: Final = 200 * 2**20
"""Bytes of N-Triples that are sorted in memory; more are sorted on disk."""
_FORMS: Final = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_TRIPLES: Final = "application/n-triples"
ALL: Final = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


class RemoteGraph(StoreGraph):
    """The StoreGraph of a server's named graphs; every query sees the union of those of one generation."""

    patience = 10.0

    def __init__(self, connection: Connection, dialect: Dialect, names: Names, dataset: Dataset | None = None) -> None:
        self.connection = connection
        self._dialect = dialect
        self._names = names
        self._dataset = dataset
        """What a query is about that says nothing of it, by the server's names; None for the server's default graph."""
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
        about = self._dataset if dataset is None else self._there(dataset)
        text = " ".join(sent_query(query, bindings, self._names, about))
        form = next(token.kind for token in read_tokens(query)[1] if token.kind in _FORMS)
        accept = _TRIPLES if form in ("CONSTRUCT", "DESCRIBE") else self._dialect.results
        return self.connection.query(text, accept, lambda body: take(self._results(body, form)))

    def _results(self, body: bytes, form: str) -> Results:
        if form in ("CONSTRUCT", "DESCRIBE"):
            quads = ox.parse(body, format=ox.RdfFormat.N_TRIPLES)
            return _triples(self._dialect.read(quad.triple) for quad in quads)
        found = self._dialect.parsed(body)
        if isinstance(found, ox.QueryBoolean) != (form == "ASK"):
            raise SyntaxError(f"no answer of {form}")
        return found

    def _there(self, dataset: Dataset) -> Dataset:
        """A dataset by the server's names, with the manifest, which GRAPH ?name needs."""
        default, named = (
            tuple(NamedNode(name) for node in nodes if (name := self._names.graphs.get(node.value, node.value)) != HERE)
            for nodes in (dataset.default, dataset.named)
        )
        manifest = self._names.manifest
        return Dataset(default, named if manifest is None else (*named, manifest))

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
        if graph not in self._names.graphs:
            return
        with tempfile.TemporaryDirectory(prefix="reqap-kg-") as folder:
            path = Path(folder) / "graph.nt"
            fetch_whole(self.connection, self._dialect, self._names.graphs[graph], path)
            yield from map(self._dialect.read, sorted_triples(path))

    def count(self, graph: str | None = None) -> int:
        if graph is not None and graph not in self._names.graphs:  # for such a one Virtuoso counts 1
            return 0
        inside = "{ ?s ?p ?o }" if graph is None else f"{{ GRAPH {NamedNode(graph)} {{ ?s ?p ?o }} }}"
        return self.sent(f"SELECT (COUNT(*) AS ?n) {inside}", _number, {})


def fetch_whole(connection: Connection, dialect: Dialect, name: str, path: Path) -> None:
    """Writes a graph, by its name on the server, as N-Triples to a file. Raises StoreError where not all of it came:
    Virtuoso cuts graphs off as it does results, and does not say so."""
    connection.fetch(name, path)
    with path.open("rb") as lines:
        came = sum(not line.startswith(b"#") for line in lines)
    query = f"SELECT (COUNT(*) AS ?n) {{ GRAPH {NamedNode(name)} {{ ?s ?p ?o }} }}"
    there = connection.query(query, dialect.results, lambda body: _number(dialect.parsed(body)))
    if came != there:
        raise StoreError(
            f"the store at {connection.shown} gives {came:,} of the {there:,} triples of a graph: raise its limits"
            " (ResultSetMaxRows)"
        )


def _number(found: Results) -> int:
    assert isinstance(found, ox.QuerySolutions)
    return int(next(iter(found))[0].value)  # type: ignore[union-attr]


def _triples(triples: Iterable[Triple]) -> ox.QueryTriples:
    """Triples as the results of a query."""
    store = ox.Store()
    store.extend(Quad(triple.subject, triple.predicate, triple.object) for triple in triples)
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
