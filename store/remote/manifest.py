"""Which named graphs of a server are a store's, said in named graphs of the server itself.

    <control>    <store> :id "…" ; :inForce <generation> ; :generation <generation>, …
    <generation> <name on the server> :standsFor <name of the graph>

A graph gets a name of its own on the server whenever it is written, so a generation is built beside the one in force,
and shares with it the graphs that stay. One update then moves :inForce. What is not in the manifest of the generation
in force is in no query.

Servers may run two updates at once, each on what was there before both. So who moves :inForce first says so
(<generation> :moves <control>) and goes on only where nobody else does: of two who write and then read, one sees both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import randbelow, token_hex
from time import monotonic, sleep
from typing import Final, TypeVar

import pyoxigraph as ox

from ...errors import StoreError
from ...ontology.namespaces import GRAPH
from ..rdf import Literal, NamedNode, Triple, Variable
from ..sparql.datasets import Dataset
from .client import Connection
from .dialects import LONGEST_IRI, Dialect, is_plain_everywhere
from .sent import STANDS_FOR, Names

T = TypeVar("T")
_TERMS: Final = "https://w3id.org/reqap-kg/store#"
_STORE, _ID, _IN_FORCE, _GENERATION, _MOVES = (
    NamedNode(_TERMS + name) for name in ("this", "id", "inForce", "generation", "moves")
)
_DEAD_SECONDS: Final = 30.0
"""After so long, who says that it moves the pointer is taken for dead: it takes a second."""
_TOKEN_BYTES: Final = 6
_DROPPED: Final = 50
"""Graphs that are removed by one update: a thousand take Virtuoso minutes."""
_FEW: Final = 1_000
"""Triples that are written by an update: Virtuoso reads no more than some 5,000."""


def control_graph(name: str) -> NamedNode:
    """The graph in which it stands which generation of a store is in force."""
    return NamedNode(f"{GRAPH}control/{name}")


@dataclass(frozen=True)
class Manifest:
    """A generation on a server: `node` is its graph, `names` has the server's name of each of its graphs."""

    store: str
    """What tells a store from another one that has its name: made when something is first imported."""
    node: NamedNode
    graphs: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def generation(self) -> str:
        """Its name in the local folder, such as gen-000007."""
        return self.node.value.rpartition("/")[2].partition("?")[0]

    @property
    def names(self) -> Names:
        """How queries name its graphs."""
        return Names(self.graphs, self.node)

    @property
    def dataset(self) -> Dataset:
        """What queries are about: the union of all its graphs, each by its name."""
        graphs = tuple(NamedNode(name) for name in self.graphs.values())
        return Dataset(graphs, (*graphs, self.node))

    def with_graph(self, graph: str, name: str) -> Manifest:
        """The same with a graph under another name."""
        return replace(self, graphs={**self.graphs, graph: name})

    def without(self, graphs: Iterable[str]) -> Manifest:
        """The same without some graphs."""
        gone = frozenset(graphs)
        return replace(self, graphs={iri: name for iri, name in self.graphs.items() if iri not in gone})

    def next(self, name: str, control: NamedNode) -> Manifest:
        """The generation after it, which has the same graphs so far."""
        return replace(self, node=NamedNode(f"{control.value}/{name}?at={token_hex(_TOKEN_BYTES)}"))


def first_manifest(control: NamedNode, name: str) -> Manifest:
    """The first generation of a new store."""
    return Manifest(token_hex(_TOKEN_BYTES), NamedNode("urn:none")).next(name, control)


def fresh_name(graph: str) -> str:
    """A name for a graph that no other has."""
    return f"{graph}{'&' if '?' in graph else '?'}at={token_hex(_TOKEN_BYTES)}"


class Register:
    """The manifests of one store on a server, read and written."""

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self.connection = connection
        self.dialect = dialect
        self.control = control_graph(connection.address.name)

    def in_force(self) -> Manifest | None:
        """The generation in force; None where nothing was imported. Raises StoreError as a request does."""
        return self._manifest(f"{_STORE} {_IN_FORCE} ?g")

    def _manifest(self, which: str) -> Manifest | None:
        rows = self._rows(
            f"SELECT ?id ?g ?name ?graph {{ GRAPH {self.control} {{ {_STORE} {_ID} ?id . {which} }}"
            f" OPTIONAL {{ GRAPH ?g {{ ?name {STANDS_FOR} ?graph }} }} }}"
        )
        if not rows:
            return None
        store, node = max((row[0], row[1]) for row in rows)
        held = {graph: name for _, of, name, graph in sorted(rows) if graph and of == node}
        return Manifest(store, NamedNode(node), held)

    def _rows(self, query: str) -> list[tuple[str, ...]]:
        def rows(body: bytes) -> list[tuple[str, ...]]:
            found = self.dialect.parsed(body)
            if not isinstance(found, ox.QuerySolutions):
                raise SyntaxError("no rows")
            return [tuple("" if term is None else term.value for term in row) for row in found]  # type: ignore[union-attr]

        return self.connection.query(query, self.dialect.results, rows)

    def try_update(self) -> None:
        """Runs an update that changes nothing. Raises StoreError where none is taken."""
        none = NamedNode(f"{self.control.value}/none")
        self.connection.update(f"DELETE DATA {{ GRAPH {self.control} {{ {none} {_MOVES} {self.control} }} }}")

    # ------------------------------------------------------------ building
    def announce(self, manifest: Manifest) -> None:
        """Notes a generation and what it will have, before any of that is there: what is noted can be taken away."""
        steps = _insert(self.control, [Triple(_STORE, _GENERATION, manifest.node)])
        held = _held(manifest)
        if len(held) <= _FEW:
            steps += _insert(manifest.node, held)
        self.connection.update(" ; ".join(steps))
        if len(held) > _FEW:
            self.load(manifest.node.value, _lines(held))

    def load(self, name: str, lines: Iterable[bytes]) -> None:
        """Puts N-Triples in place of a graph, by its name on the server. A blank node is one only within what is sent
        at once, and another one if that is sent again: those of a graph in pieces come by way of a graph beside it."""
        replaced, held, size = False, list[bytes](), 0
        anonymous, long = list[bytes](), list[bytes]()
        for line in map(self.dialect.written, lines):
            if len(line) > self.dialect.line or b"_:" in line:
                (long if len(line) > self.dialect.line else anonymous).append(line)
                continue
            held.append(line)
            size += len(line)
            if size > self.dialect.piece:
                self.connection.put(name, b"".join(held), add=replaced)
                replaced, held, size = True, [], 0
        if not replaced:
            self.connection.put(name, b"".join((*held, *anonymous)))
        elif held:
            self.connection.put(name, b"".join(held), add=True)
        if replaced and anonymous:
            beside = fresh_name(name)
            self.connection.put(beside, b"".join(anonymous))
            self.connection.update(f"ADD SILENT {_graph(beside)} TO {_graph(name)} ; DROP SILENT {_graph(beside)}")
        for line in long:
            self.connection.update(f"INSERT DATA {{ {_graph(name)} {{ {line.decode().strip()} }} }}")

    def put_in_force(self, manifest: Manifest, before: Manifest | None) -> None:
        """Moves the pointer, in one update. Raises StoreError where another import has moved it meanwhile."""
        self._alone(manifest)
        now, mine = f"{_STORE} {_IN_FORCE} {manifest.node}", self._moves(manifest)
        if before is None:
            step = (
                f"INSERT {{ GRAPH {self.control} {{ {now} ; {_ID} {Literal(manifest.store)} }} }}"
                f" WHERE {{ GRAPH {self.control} {{ {mine} }}"
                f" FILTER NOT EXISTS {{ GRAPH {self.control} {{ {_STORE} {_IN_FORCE} ?any }} }} }}"
            )
        else:
            then = f"{_STORE} {_IN_FORCE} {before.node}"
            step = (
                f"DELETE {{ GRAPH {self.control} {{ {then} }} }} INSERT {{ GRAPH {self.control} {{ {now} }} }}"
                f" WHERE {{ GRAPH {self.control} {{ {then} . {mine} }} }}"
            )
        self.connection.update(f"{step} ; {self._rests(manifest)}")
        found = self.in_force()
        if found is None or found.node != manifest.node:
            used = {*(before.graphs.values() if before else ()), *(found.graphs.values() if found else ())}
            self.drop(sorted({manifest.node.value, *manifest.graphs.values()} - used))
            raise StoreError(
                "another import came first, so nothing of this one is in force: begin again, with what is there now"
            )

    def _alone(self, manifest: Manifest) -> None:
        """Says that a generation is about to be put in force, once nobody else says so."""
        query = f"SELECT ?g {{ GRAPH {self.control} {{ ?g {_MOVES} ?any }} }}"
        seen: dict[str, float] = {}
        while True:
            self.connection.update(f"INSERT DATA {{ GRAPH {self.control} {{ {self._moves(manifest)} }} }}")
            others = {node for (node,) in self._rows(query)} - {manifest.node.value}
            if not others:
                return
            seen = {node: seen.get(node, monotonic()) for node in others}
            dead = [node for node, since in seen.items() if monotonic() - since > _DEAD_SECONDS]
            gone = [f"DELETE WHERE {{ GRAPH {self.control} {{ {NamedNode(node)} {_MOVES} ?any }} }}" for node in dead]
            self.connection.update(" ; ".join([self._rests(manifest), *gone]))
            sleep(0.05 + randbelow(300) / 1000)

    def _moves(self, manifest: Manifest) -> str:
        return f"{manifest.node} {_MOVES} {self.control}"

    def _rests(self, manifest: Manifest) -> str:
        return f"DELETE DATA {{ GRAPH {self.control} {{ {self._moves(manifest)} }} }}"

    def remove_others(self, *keep: Manifest, only: Iterable[str] | None = None) -> None:
        """Takes away the generations that are not kept (of those `only`, where given), with their graphs."""
        noted = {g for (g,) in self._rows(f"SELECT ?g {{ GRAPH {self.control} {{ {_STORE} {_GENERATION} ?g }} }}")}
        gone = noted - {manifest.node.value for manifest in keep}
        gone &= noted if only is None else frozenset(only)
        used = {name for manifest in keep for name in manifest.graphs.values()}
        for node in sorted(gone):
            held = self._rows(f"SELECT ?name {{ GRAPH {NamedNode(node)} {{ ?name {STANDS_FOR} ?graph }} }}")
            self.drop(sorted({name for (name,) in held} - used))
            told = f"{_STORE} {_GENERATION} {NamedNode(node)} . {NamedNode(node)} {_MOVES} {self.control}"
            self.connection.update(f"DROP SILENT {_graph(node)} ; DELETE DATA {{ GRAPH {self.control} {{ {told} }} }}")

    def drop(self, names: Sequence[str]) -> None:
        """Removes graphs by their names on the server."""
        for at in range(0, len(names), _DROPPED):
            self.connection.update(" ; ".join(f"DROP SILENT {_graph(name)}" for name in names[at : at + _DROPPED]))

    # ------------------------------------------------------------ derivations
    def replace(self, manifest: Manifest, graph: str, triples: Sequence[Triple]) -> Manifest:
        """Writes a graph of a generation beside, then puts it in place of the one that has its name; one of nothing is
        none, as in an embedded store."""
        if not triples:
            return self.remove(manifest, [graph])
        name, old = fresh_name(graph), manifest.graphs.get(graph)
        node = NamedNode(name)
        steps = [f"DROP SILENT {_graph(name)}", *_insert(node, triples)]  # it may be sent again
        if not self._are_few(triples):
            self.load(name, _lines(triples))
            steps = []
        steps += self._unlinked(manifest, graph)
        steps += _insert(manifest.node, [Triple(node, STANDS_FOR, NamedNode(graph))])
        steps += [f"DROP SILENT {_graph(old)}"] if old else []
        self.connection.update(" ; ".join(steps))
        return manifest.with_graph(graph, name)

    def _are_few(self, triples: Sequence[Triple]) -> bool:
        """Whether an update takes these triples as they are."""
        if len(triples) > _FEW or sum(len(str(triple)) for triple in triples) > self.dialect.piece // 16:
            return False
        terms = (term for triple in triples for term in (triple.subject, triple.object))
        return not self.dialect.patterns_only or all(map(_is_plain, terms))

    def remove(self, manifest: Manifest, graphs: Sequence[str]) -> Manifest:
        """Takes graphs out of a generation."""
        held = [graph for graph in graphs if graph in manifest.graphs]
        for at in range(0, len(held), _DROPPED):
            gone = {graph: manifest.graphs[graph] for graph in held[at : at + _DROPPED]}
            told = " . ".join(map(str, _held(replace(manifest, graphs=gone))))
            steps = [f"DELETE DATA {{ GRAPH {manifest.node} {{ {told} }} }}"]
            steps += [f"DROP SILENT {_graph(name)}" for name in gone.values()]
            self.connection.update(" ; ".join(steps))
        return manifest.without(held)

    @staticmethod
    def _unlinked(manifest: Manifest, graph: str) -> list[str]:
        if graph not in manifest.graphs:
            return []
        return [f"DELETE WHERE {{ GRAPH {manifest.node} {{ {Variable('old')} {STANDS_FOR} {NamedNode(graph)} }} }}"]


def _is_plain(term: object) -> bool:
    """Whether a term may stand in an update of any server: in one of Virtuoso's no blank node may, for one."""
    if isinstance(term, Literal):
        return is_plain_everywhere(term.datatype.value, term.value)
    return isinstance(term, NamedNode) and len(term.value.encode()) <= LONGEST_IRI


def _graph(name: str) -> str:
    return f"GRAPH {NamedNode(name)}"


def _held(manifest: Manifest) -> list[Triple]:
    return [Triple(NamedNode(name), STANDS_FOR, NamedNode(graph)) for graph, name in sorted(manifest.graphs.items())]


def _lines(triples: Iterable[Triple]) -> Iterator[bytes]:
    return (f"{triple} .\n".encode() for triple in triples)


def _insert(graph: NamedNode, triples: Sequence[Triple]) -> list[str]:
    """The step that adds triples; none for none, of which Virtuoso takes no update."""
    return [f"INSERT DATA {{ GRAPH {graph} {{ {' . '.join(map(str, triples))} }} }}"] if triples else []
