"""A store as the tests of all kinds of stores see it, and small graphs to put there."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from reqap_kg.config.parts import NO_ACCESS, Access
from reqap_kg.store.generations import AnyImport, EventGraph, begin_import, open_graph
from reqap_kg.store.rdf import NamedNode, Quad, Term, write_nquads

X = "https://x.example/"
G1, G2, G3 = X + "g1", X + "g2", X + "g3"
A, B, P, Q = (NamedNode(X + name) for name in "abpq")


@dataclass(frozen=True)
class Place:
    """A store: its folder, which for one on a server says where that is, and what lets one in."""

    kind: str
    folder: Path
    access: Access = NO_ACCESS

    def open(self, *, write: bool = False) -> AbstractContextManager[EventGraph]:
        return open_graph(self.folder, write=write, access=self.access)

    def importing(self) -> AbstractContextManager[AnyImport]:
        return begin_import(self.folder, access=self.access)

    def import_(self, *quads: Quad, drop: Iterable[str] = (), forget: bool = False) -> str:
        """Imports quads; the name of the generation."""
        with self.importing() as new:
            build(new, *quads, drop=drop, forget=forget)
            new.commit()
            return new.name


def build(new: AnyImport, *quads: Quad, drop: Iterable[str] = (), forget: bool = False) -> None:
    """Builds a generation of quads that is not yet in force."""
    write_nquads(new.work / "given.nq", quads)
    new.build(frozenset(drop), [new.work / "given.nq"], forget=forget)


def quad(graph: str, value: Term, *, of: NamedNode = A, prop: NamedNode = P) -> Quad:
    return Quad(of, prop, value, NamedNode(graph))


def values(graph: EventGraph, where: str = "?s ?p ?o") -> list[str]:
    return sorted(o.value for (o,) in graph.select(f"SELECT ?o {{ {where} }}") if o is not None)


def state(place: Place) -> dict[str, list[str]]:
    """The values of each named graph, as a new opening sees them."""
    with place.open() as graph:
        return {iri: values(graph, f"GRAPH <{iri}> {{ ?s ?p ?o }}") for iri in graph.graphs()}
