"""Questions over a graph that is there already, as it is: nothing is written to its server.

What describes it, the vocabulary of a domain, and what is derived stand in a database of this machine, beside it. A
query goes where its terms are: to that database, to the server, or, if it joins both, it is evaluated here over what
its patterns ask of both (`pulled.py`). Where the domain says that a property of the graph is one of ours
(`ex:began rdfs:subPropertyOf ev:start`), or a chain of several (`owl:propertyChainAxiom`), the server is asked for
that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import pyoxigraph as ox

from ...errors import QueryTooLarge
from ...ontology.namespaces import DERIVED, EV, OWL, PREFIXES, RDF, RDF_TYPE, RDFS, catalog_graph, source_graph
from ..folder import POINTER, generations, is_own_file, remove_generation, write_marker, write_whole
from ..graph import Function, OxigraphGraph, Results, WritableOxigraph, in_order
from ..locks import locked
from ..opened import EventGraph
from ..rdf import Literal, NamedNode, Quad, Term, Triple
from ..sparql.datasets import Dataset
from ..sparql.printing import iris_in
from ..sparql.reading import read_tokens
from ..upkeep.building import next_name
from .graph import ALL, RemoteGraph
from .manifest import Register
from .pulled import MOST_TRIPLES, stars
from .sent import HERE, Names, sent_query

T = TypeVar("T")
_OF: Final = "of.json"
_FORMAT: Final = "in place"
_SUPER: Final = "SELECT ?own ?ours { ?own rdfs:subPropertyOf ?ours FILTER(isIRI(?own)) } ORDER BY ?own"
_CHAIN: Final = NamedNode(OWL + "propertyChainAxiom")
_USED: Final = "SELECT DISTINCT ?t { { ?s ?t ?o } UNION { ?s a ?t } }"


class InPlaceGraph(WritableOxigraph, EventGraph):
    """A server's graph and, in a database of this machine, what is said of it and derived from it."""

    patience = RemoteGraph.patience

    def __init__(self, store: ox.Store, remote: RemoteGraph, directory: Path, generation: str) -> None:
        super().__init__(store)
        self._remote = remote
        self._source = source_graph(remote.connection.address.name)
        self._node = NamedNode(self._source)
        self.directory, self.generation, self.notes = directory, generation, ()
        self._theirs: frozenset[str] | None = None
        self._known: tuple[int, frozenset[str], Names] = (-1, frozenset(), Names())

    # ------------------------------------------------------------ where a query goes
    def answered(
        self,
        query: str,
        take: Callable[[Results], T],
        bindings: Mapping[str, Term] | None = None,
        dataset: Dataset | None = None,
    ) -> T:
        if self._functions:
            return self._joined(query).answered(query, take, bindings, dataset)
        here, there = self._terms_of(query)
        if here and not there:
            return super().answered(query, take, bindings, dataset)
        remote = self._looking()
        if there and not here:
            return remote.answered(query, take, bindings, dataset)
        return self._joined(query).answered(query, take, bindings, dataset)

    def _joined(self, query: str) -> OxigraphGraph:
        """What the patterns of a query, each by itself, match on the server and here."""
        store, remote = ox.Store(), self._looking()
        for star in stars(sent_query(query, {}, Names())):
            for pattern in star.patterns:
                asked = f"CONSTRUCT {{ {pattern} }} WHERE {{ {pattern} }}"
                for triples in (remote.construct(asked, most=MOST_TRIPLES), super().answered(asked, _triples)):
                    store.extend(Quad(t.subject, t.predicate, t.object, self._node) for t in triples)
                if len(store) > MOST_TRIPLES:
                    raise QueryTooLarge(
                        f"the query joins more than {MOST_TRIPLES:,} triples of {self._source}: narrow it"
                    )
        return OxigraphGraph(store, {iri.value: function for iri, function in self._functions.items()})

    def _terms_of(self, query: str) -> tuple[bool, bool]:
        """Whether a query speaks of what is here, and of what is on the server. What both have decides nothing, unless
        there is nothing else."""
        text, tokens = read_tokens(query)
        said = {iri for _, iri in iris_in(tokens, text, PREFIXES)} - {RDF_TYPE}
        ours, theirs = self._read()[1], self._used()
        only_here = any(iri in ours - theirs or iri.startswith(DERIVED) for iri in said)
        only_there = any(iri in theirs - ours or iri == self._source for iri in said)
        return only_here, only_there or not only_here

    def _read(self) -> tuple[int, frozenset[str], Names]:
        """The terms of what is here, and how the domain says that the server calls things; read anew after a change."""
        if self._known[0] != self.changes:
            terms = frozenset(super().answered(_USED, _firsts)) | frozenset(super().graphs())
            self._known = (self.changes, terms - {self._source}, self._names())
        return self._known

    def _used(self) -> frozenset[str]:
        """Classes and properties of the graph on the server, ours that stand for them with them; read once."""
        if self._theirs is None:
            path = self.index_directory / "terms.json"
            if is_own_file(path):
                self._theirs = frozenset(json.loads(path.read_bytes()))
            else:
                self._theirs = frozenset(self._remote.answered(_USED, _firsts))
                write_whole(path, json.dumps(sorted(self._theirs)))
        return self._theirs | self._read()[2].terms.keys()

    def _looking(self) -> RemoteGraph:
        return self._remote.named(self._read()[2])

    def _names(self) -> Names:
        """How the domain's vocabulary says that the server calls things."""
        found: dict[str, list[str]] = {}
        for own, ours in super().answered(_SUPER, _rows):
            found.setdefault(ours, []).append(f"<{own}>")
        terms = {ours: f"({'|'.join(own)})" for ours, own in found.items() if ours.startswith(EV)}
        for quad in self._store.quads_for_pattern(None, _CHAIN, None):
            steps = [f"<{step}>" for step in self._listed(quad.object)]
            if steps and isinstance(quad.subject, NamedNode):
                terms[quad.subject.value] = f"({'/'.join(steps)})"
        return Names({self._source: HERE}, None, terms)

    def _listed(self, node: object) -> Iterator[str]:
        """The members of an RDF list."""
        while not isinstance(node, NamedNode | Literal):
            quads = list(self._store.quads_for_pattern(node, None, None))  # type: ignore[arg-type]
            held = {quad.predicate.value: quad.object for quad in quads}
            first, node = held.get(RDF + "first"), held.get(RDF + "rest", NamedNode(RDF + "nil"))
            if isinstance(first, NamedNode):
                yield first.value

    # ------------------------------------------------------------ the rest of a graph
    def with_functions(self, functions: Mapping[str, Function]) -> InPlaceGraph:
        found = copy(self)
        found._functions = {NamedNode(iri): function for iri, function in functions.items()}
        return found

    def graphs(self) -> list[str]:
        return sorted({*super().graphs(), self._source})

    def pairs(self, graph: str, property: str) -> Iterator[tuple[str, str]]:
        if graph != self._source:
            return super().pairs(graph, property)
        return self._looking().pairs(graph, property)

    def graphs_about(self, subject: NamedNode) -> frozenset[str]:
        there = self._looking().ask(f"ASK {{ {subject} ?p ?o }}")
        return super().graphs_about(subject) | ({self._source} if there else frozenset())

    def _described_by(self, graph: str) -> Iterable[Triple]:
        if graph != self._source:
            return in_order(self._triples_of(graph))
        remote = self._looking()
        found = remote.construct(ALL)
        for term in self._read()[2].terms:
            found += remote.construct(f"CONSTRUCT {{ ?s <{term}> ?o }} WHERE {{ ?s <{term}> ?o }}")
        return in_order(dict.fromkeys(found))

    def count(self, graph: str | None = None) -> int:
        if graph is not None and graph != self._source:
            return super().count(graph)
        there = self._looking().count()
        return there if graph is not None else there + super().count()

    def close(self) -> bool:
        self._remote.connection.close()
        del self._store
        return True


def _triples(found: Results) -> list[Triple]:
    assert isinstance(found, ox.QueryTriples)
    return list(islice(found, MOST_TRIPLES + 1))


def _firsts(found: Results) -> list[str]:
    return [row[0] for row in _rows(found)]


def _rows(found: Results) -> list[tuple[str, ...]]:
    assert isinstance(found, ox.QuerySolutions)
    return [tuple(term.value for term in row if isinstance(term, NamedNode)) for row in found]


@contextmanager
def open_in_place(directory: Path, register: Register, *, write: bool, lock_seconds: float) -> Iterator[InPlaceGraph]:
    """Opens a graph in place, and the database beside it: another one where the graph has another number of triples
    than when it was last opened. Raises StoreError where nobody answers, StoreBusy as an embedded store."""
    address = register.connection.address
    about = Dataset(tuple(NamedNode(iri) for iri in address.graphs)) if address.graphs else None
    remote = RemoteGraph(register.connection, register.dialect, Names(), about)
    with locked(directory / "import.lock", exclusive=write, seconds=lock_seconds, what=f"the store at {address.text}"):
        generation = _generation(directory, source_graph(address.name), remote.count())
        store = ox.Store(str(directory / generation / "db"))
        graph = InPlaceGraph(store, remote, directory, generation)
        del store
        try:
            yield graph
        finally:
            graph.close()


def _generation(directory: Path, source: str, triples: int) -> str:
    """The generation of the local folder for a graph of so many triples."""
    kept = [name for name in generations(directory) if (directory / name / "index" / _OF).is_file()]
    for name in kept:
        if json.loads((directory / name / "index" / _OF).read_bytes()) == [_FORMAT, triples]:
            return name
    name = next_name(directory, max((int(held.removeprefix("gen-")) for held in kept), default=0))
    (directory / name / "db").mkdir(parents=True)
    (directory / name / "index").mkdir()
    _describe(directory / name / "db", source, triples)
    write_whole(directory / POINTER, f"{name}\n")
    write_marker(directory)
    for old in kept:
        remove_generation(directory, old)
    write_whole(directory / name / "index" / _OF, json.dumps([_FORMAT, triples]))
    return name


def _describe(database: Path, source: str, triples: int) -> None:
    """Says in a new database that there is a source, and what its content is known by."""
    node, graph = NamedNode(source), NamedNode(catalog_graph(source.rpartition("/")[2]))
    said: list[tuple[str, Term]] = [
        (RDF_TYPE, NamedNode(EV + "Source")),
        (RDFS + "label", Literal(source.rpartition("/")[2])),
        (EV + "contentDigest", Literal(f"{triples} triples")),
        (EV + "tripleCount", Literal(triples)),
    ]
    store = ox.Store(str(database))
    store.extend(Quad(node, NamedNode(name), value, graph) for name, value in said)
    store.flush()
