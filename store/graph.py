"""Graphs that the floors above query: in memory, and on disk."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

import pyoxigraph as ox

from ..errors import QueryError
from ..ontology.namespaces import PREFIXES
from .queries.deadline import apart
from .rdf import BlankNode, Literal, NamedNode, Quad, Term, Triple, Variable
from .sparql.datasets import Dataset
from .sparql.reading import place_as_written, read_query

_PREFIXES = dict(PREFIXES)
T = TypeVar("T")
Results = ox.QuerySolutions | ox.QueryTriples | ox.QueryBoolean
Function = Callable[..., NamedNode | BlankNode | Literal | Triple | None]
"""An extension function (SPARQL 1.1 section 17.6): terms in, one term out; None leaves the expression unbound."""


@dataclass(frozen=True)
class Rows:
    """Answer of a SELECT: variable names without '?', and one tuple of terms (None where unbound) per row."""

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]

    def __iter__(self) -> Iterator[tuple[Term | None, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def by_subject(self) -> dict[str, dict[str, list[str]]]:
        """Values by subject and property, of rows that have these three, in their order: sorted here, which is faster
        than ORDER BY."""
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for s, p, o in sorted((s.value, p.value, o.value) for s, p, o in self.rows if s and p and o):
            found[s][p].append(o)
        return found


class Graph(Protocol):
    """What planner, execution and index need of a graph. Every query sees the union of all named graphs.

    A triple that stands in two named graphs comes back twice: use DISTINCT where that matters.
    """

    def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> Rows: ...

    def construct(self, query: str, bindings: Mapping[str, Term] | None = None) -> list[Triple]: ...

    def ask(self, query: str, bindings: Mapping[str, Term] | None = None) -> bool: ...


class StoreGraph(ABC):
    """What holds of the graphs of any store, embedded or behind an address; implements the Graph protocol."""

    patience: ClassVar[float] = 1.0
    """How many times as long as in a store of this process a query may take."""

    def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> Rows:
        """Rows of a SELECT. Raises QueryError for a query that does not parse, is not a SELECT, or is not allowed."""
        return self.answered(query, _rows, bindings)

    def construct(
        self, query: str, bindings: Mapping[str, Term] | None = None, *, most: int | None = None
    ) -> list[Triple]:
        """Triples of a CONSTRUCT or DESCRIBE, so many at most. Raises QueryError as select does."""

        def triples(found: Results) -> list[Triple]:
            if not isinstance(found, ox.QueryTriples):
                raise QueryError("this is not a CONSTRUCT or DESCRIBE query", expected="CONSTRUCT")
            return list(islice(found, most))

        return self.answered(query, triples, bindings)

    def ask(self, query: str, bindings: Mapping[str, Term] | None = None) -> bool:
        """Truth of an ASK. Raises QueryError as select does."""
        return self.answered(query, _truth, bindings)

    @abstractmethod
    def answered(
        self,
        query: str,
        take: Callable[[Results], T],
        bindings: Mapping[str, Term] | None = None,
        dataset: Dataset | None = None,
    ) -> T:
        """What `take` makes of the results of any read query; `bindings` are substituted as terms, never pasted into
        the text. The query is about a `dataset`, or about the union of all named graphs."""

    @abstractmethod
    def with_functions(self, functions: Mapping[str, Function]) -> StoreGraph:
        """The same graph, in whose queries `functions` may be called, by IRI."""

    @abstractmethod
    def graphs(self) -> list[str]:
        """IRIs of the named graphs, sorted."""

    @abstractmethod
    def pairs(self, graph: str, property: str) -> Iterator[tuple[str, str]]:
        """Subjects of one named graph with each of their values of a property, as N-Quads write them."""

    @abstractmethod
    def graphs_about(self, subject: NamedNode) -> frozenset[str]:
        """IRIs of the named graphs in which something is said of `subject`."""

    @abstractmethod
    def _described_by(self, graph: str) -> Iterable[Triple]:
        """The triples of one named graph, those of a subject together, and of these those of a property."""

    def described(self, graph: str) -> Iterator[tuple[str, list[tuple[str, Term]]]]:
        """Subjects of one named graph ("_:" before a blank node's name), each once, with their (property, value) pairs;
        values of one property stand together."""
        for subject, held in groupby(self._described_by(graph), key=lambda triple: triple.subject):
            iri = subject.value if isinstance(subject, NamedNode) else str(subject)
            yield iri, [(triple.predicate.value, triple.object) for triple in held]  # type: ignore[misc]

    @abstractmethod
    def count(self, graph: str | None = None) -> int:
        """Number of triples in one named graph, or of quads in all."""


def in_order(triples: Iterable[Triple]) -> list[Triple]:
    """Triples by subject, then by property."""
    return sorted(triples, key=lambda triple: (str(triple.subject), triple.predicate.value))


class WritableGraph(StoreGraph):
    """A graph to which derivations are written, each as a named graph of its own."""

    removals: int = 0
    """How many named graphs were removed or replaced since it was opened: what was read of one may not stand any
    more."""
    changes: int = 0
    """How often something was written since it was opened."""

    def replace_graph(self, iri: str, triples: Iterable[Triple]) -> None:
        """Puts `triples` in place of one named graph; meant for derivations, which are small."""
        self.changes += 1
        self.removals += self._replaced(iri, list(triples))

    def drop_graphs(self, iris: Iterable[str]) -> None:
        """Removes named graphs; meant for derivations."""
        gone = list(iris)
        self.changes += len(gone)
        self.removals += len(gone)
        if gone:
            self._dropped(gone)

    @abstractmethod
    def _replaced(self, iri: str, triples: list[Triple]) -> bool:
        """Replaces a graph; whether there was one."""

    @abstractmethod
    def _dropped(self, iris: list[str]) -> None: ...


class OxigraphGraph(StoreGraph):
    """A graph in an Oxigraph store of this process."""

    def __init__(self, store: ox.Store, functions: Mapping[str, Function] | None = None) -> None:
        self._store = store
        self._functions = {NamedNode(iri): function for iri, function in (functions or {}).items()}

    def answered(
        self,
        query: str,
        take: Callable[[Results], T],
        bindings: Mapping[str, Term] | None = None,
        dataset: Dataset | None = None,
    ) -> T:
        # Results are taken where they are found: on a thread to which the network is closed.
        given: dict[Variable, NamedNode | BlankNode | Literal | Triple] = {
            Variable(name): term for name, term in (bindings or {}).items()
        }
        text = read_query(query)
        return apart(lambda: take(self._evaluated(query, text, given, dataset)))

    def _evaluated(
        self,
        query: str,
        text: str,
        given: dict[Variable, NamedNode | BlankNode | Literal | Triple],
        dataset: Dataset | None,
    ) -> Results:
        """Results of a query, of which Oxigraph is given `text`."""
        try:
            return self._store.query(
                text, **self._about(dataset), substitutions=given or None, custom_functions=self._functions
            )
        except SyntaxError as bad:
            raise _query_error(query, bad) from bad
        except RuntimeError as bad:
            unknown = _UNKNOWN_FUNCTION.search(str(bad))
            if unknown is None:
                raise
            raise QueryError(f"there is no function {unknown[1]}") from bad

    def _about(self, dataset: Dataset | None) -> dict[str, Any]:
        """A dataset as Oxigraph is told of it. A graph that there is not is none that GRAPH finds."""
        if dataset is None:
            return {"use_default_graph_as_union": True}
        named = [graph for graph in dataset.named if self._store.contains_named_graph(graph)]
        return {"default_graph": list(dataset.default), "named_graphs": named}

    def with_functions(self, functions: Mapping[str, Function]) -> OxigraphGraph:
        return OxigraphGraph(self._store, functions)

    def graphs(self) -> list[str]:
        return sorted(g.value for g in self._store.named_graphs() if isinstance(g, NamedNode))

    def pairs(self, graph: str, property: str) -> Iterator[tuple[str, str]]:
        for quad in self._store.quads_for_pattern(None, NamedNode(property), None, NamedNode(graph)):
            yield str(quad.subject), str(quad.object)

    def graphs_about(self, subject: NamedNode) -> frozenset[str]:
        quads = self._store.quads_for_pattern(subject, None, None)
        return frozenset(quad.graph_name.value for quad in quads if isinstance(quad.graph_name, NamedNode))

    def _described_by(self, graph: str) -> Iterable[Triple]:
        return in_order(self._triples_of(graph))

    def _triples_of(self, graph: str) -> Iterator[Triple]:
        return (quad.triple for quad in self._store.quads_for_pattern(None, None, None, NamedNode(graph)))

    def count(self, graph: str | None = None) -> int:
        if graph is None:
            return len(self._store)
        node = NamedNode(graph)
        found = self._store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", default_graph=[node])
        return int(next(iter(found))["n"].value)  # type: ignore[index, union-attr, arg-type]


_FEW: Final = 1_000
"""Triples of a named graph that are written together; more are loaded in bulk, which writes files of its own."""


class WritableOxigraph(OxigraphGraph, WritableGraph):
    """A graph in an Oxigraph store of this process to which derivations are written."""

    def _replaced(self, iri: str, triples: list[Triple]) -> bool:
        node = NamedNode(iri)
        was_there = self._store.contains_named_graph(node)
        self._store.remove_graph(node)
        quads = [Quad(t.subject, t.predicate, t.object, node) for t in triples]
        if len(quads) > _FEW:  # what a derivation is comes first, and is written last: half of one is none
            self._store.bulk_extend(quads[_FEW:])
        self._store.extend(quads[:_FEW])
        return was_there

    def _dropped(self, iris: list[str]) -> None:
        for iri in iris:
            self._store.remove_graph(NamedNode(iri))


MEMORY: Final = NamedNode("urn:memory")
"""The named graph of what a graph in memory is given without one."""


def _in_memory(quad: Quad) -> Quad:
    return Quad(quad.subject, quad.predicate, quad.object, MEMORY)


class MemoryGraph(WritableOxigraph):
    """A small graph in memory: parse graphs, ontologies, tests. `functions` may be called in its queries, by IRI."""

    def __init__(self, quads: Iterable[Quad] = (), functions: Mapping[str, Function] | None = None) -> None:
        super().__init__(ox.Store(), functions)
        self.add(quads)

    @classmethod
    def of_triples(cls, triples: Iterable[Triple], graph: str = "urn:memory") -> Self:
        """A graph of triples, all in one named graph (union queries do not see the default graph)."""
        node = NamedNode(graph)
        return cls(Quad(t.subject, t.predicate, t.object, node) for t in triples)

    def add(self, quads: Iterable[Quad]) -> None:
        """Adds quads; those of the default graph go to the named graph urn:memory, as queries see named graphs."""
        self._store.extend([q if isinstance(q.graph_name, NamedNode) else _in_memory(q) for q in quads])

    def update(self, update: str) -> None:
        """Runs a SPARQL update. Only for updates that this project wrote."""
        self._store.update(update, prefixes=_PREFIXES)

    def triples(self) -> list[Triple]:
        """All triples."""
        return [q.triple for q in self._store]


_UNKNOWN_FUNCTION = re.compile(r"custom function (<[^<>]*>) is not supported")
_AT = re.compile(r"error at (\d+):(\d+): (?:expected )?(.*)", re.DOTALL)


def _rows(found: Results) -> Rows:
    if not isinstance(found, ox.QuerySolutions):
        raise QueryError("this is not a SELECT query", expected="SELECT")
    return Rows(tuple(v.value for v in found.variables), tuple(tuple(row) for row in found))


def _truth(found: Results) -> bool:
    if not isinstance(found, ox.QueryBoolean):
        raise QueryError("this is not an ASK query", expected="ASK")
    return bool(found)


def _query_error(query: str, bad: SyntaxError) -> QueryError:
    """What Oxigraph finds wrong with a query that is grammatical, at its place in the text as written. Of what it says
    it expected, only sentences tell anything: the rest are all tokens that might have followed."""
    found = _AT.match(str(bad.msg))
    if not found:
        return QueryError(str(bad.msg))
    parts = [part.strip() for part in found[3].removeprefix("one of ").split(", ")]
    told = [part for part in parts if " " in part and part[0].isalpha()]
    why = told[0] if told else "what ends here uses a variable or a value where it may not stand"
    return QueryError(f"this is not SPARQL: {why}", place=place_as_written(query, int(found[1]), int(found[2])))
