"""Brings the index of values up to a store's content: graph by graph, so that a small import costs what it brings.

The index holds, for each named graph that is no derivation, what tells its content (the digest that its catalog has),
its counts and the hashes of its subjects. Graphs that are as they were are not read again. A graph of which nothing
tells the content is read whenever the store changed.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...ontology.namespaces import DERIVED
from ..event_kinds import EventKinds
from ..graph import StoreGraph
from .graph_facts import Described, Facts, GraphFacts, Hashes, statistics_of, text_hash
from .index_writer import IndexWriter
from .statistics import as_json

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and of how much (0: not known yet)."""

TABLES: Final = """
CREATE TABLE graph (id INTEGER PRIMARY KEY, iri TEXT UNIQUE, digest TEXT, facts TEXT, subjects BLOB);
CREATE TABLE graph_values (graph INTEGER, property TEXT, hashes BLOB);
"""
SHARED: Final = ""
"""Stands for the graph of what is said of subjects that several graphs have."""
_CONTENTS: Final = "SELECT ?g ?digest ?triples { ?g ev:contentDigest ?digest OPTIONAL { ?g ev:tripleCount ?triples } }"
_EVERY: Final = 20_000


@dataclass(frozen=True)
class Content:
    """What tells the content of a graph ("": nothing does), and how many triples it has, if that is known."""

    digest: str
    triples: int


class SharedSubjects(Exception):
    """Several graphs have a subject in common, so that their counts do not add up."""


def contents(graph: StoreGraph) -> dict[str, Content]:
    """The graphs that are no derivations."""
    told = {g.value: (d.value, int(n.value) if n else 0) for g, d, n in graph.select(_CONTENTS) if g and d}
    return {iri: Content(*told.get(iri, ("", 0))) for iri in graph.graphs() if not iri.startswith(DERIVED)}


def build(db: sqlite3.Connection, graph: StoreGraph, kinds: EventKinds, progress: Progress | None) -> None:
    """Fills an empty index. Raises SharedSubjects where graphs have subjects in common."""
    update(db, graph, kinds, progress, new=True)


def build_shared(db: sqlite3.Connection, graph: StoreGraph, kinds: EventKinds, progress: Progress | None) -> None:
    """Fills an empty index of a store whose graphs have subjects in common: these are read together."""
    found = contents(graph)
    shared = _repeated([_hashes(graph, iri) for iri in found])
    work = _Work(db, graph, kinds, progress, new=True)
    for iri, content in found.items():
        work.take_in(iri, content, shared)
    work.take_in_shared()
    work.finish()


def update(
    db: sqlite3.Connection, graph: StoreGraph, kinds: EventKinds, progress: Progress | None, *, new: bool = False
) -> None:
    """Takes out what is no longer there and takes in what is new. Raises SharedSubjects where that does not suffice;
    what was done must then be thrown away."""
    held = {str(iri): (int(i), str(digest)) for i, iri, digest in db.execute("SELECT id, iri, digest FROM graph")}
    if SHARED in held:
        raise SharedSubjects
    found = contents(graph)
    kept = {iri for iri, content in found.items() if content.digest and held.get(iri, (0, ""))[1] == content.digest}
    work = _Work(db, graph, kinds, progress, new=new)
    work.expect(sum(content.triples for iri, content in found.items() if iri not in kept))
    for iri, (number, _) in held.items():
        if iri not in kept:
            work.remove(number)
    try:
        for iri, content in found.items():
            if iri not in kept:
                work.take_in(iri, content, frozenset())
    except sqlite3.IntegrityError as bad:  # an event's IRI stands once
        raise SharedSubjects from bad
    if _repeated(work.subjects()):
        raise SharedSubjects
    work.finish()


class _Work:
    """An update under way."""

    def __init__(
        self, db: sqlite3.Connection, graph: StoreGraph, kinds: EventKinds, progress: Progress | None, *, new: bool
    ) -> None:
        self._db = db
        self._graph = graph
        self._writer = IndexWriter(db, kinds, new=new)
        self._progress = progress
        self._done = self._expected = 0
        self._held: dict[str, list[tuple[str, Any]]] = {}

    def expect(self, triples: int) -> None:
        """Says how many triples are to be read."""
        self._expected = triples

    def remove(self, number: int) -> None:
        """Takes a graph out."""
        self._writer.remove(number)
        self._db.execute("DELETE FROM graph WHERE id = ?", (number,))
        self._db.execute("DELETE FROM graph_values WHERE graph = ?", (number,))

    def take_in(self, iri: str, content: Content, shared: frozenset[int]) -> None:
        """Takes a graph in, but what it says of subjects that are `shared`."""
        described = self._told(self._graph.described(iri))
        self._keep(iri, content.digest, self._unshared(described, shared) if shared else described, GraphFacts())

    def take_in_shared(self) -> None:
        """Takes in what was left out, all that is said of a subject together."""
        held = ((iri, sorted(said, key=lambda pair: pair[0])) for iri, said in sorted(self._held.items()))
        self._keep(SHARED, "", held, GraphFacts(shared=True))

    def _keep(self, iri: str, digest: str, described: Iterable[tuple[str, Described]], facts: GraphFacts) -> None:
        number = self._db.execute("INSERT INTO graph (iri, digest) VALUES (?, ?)", (iri, digest)).lastrowid or 0
        subjects = np.sort(np.frombuffer(self._writer.add(number, described, facts), dtype=np.uint64))
        told = facts.told()
        held = json.dumps([told.properties, told.classes, told.overlaps])
        self._db.execute("UPDATE graph SET facts = ?, subjects = ? WHERE id = ?", (held, subjects.tobytes(), number))
        rows = ((number, name, hashes.tobytes()) for name, hashes in told.values.items())
        self._db.executemany("INSERT INTO graph_values VALUES (?, ?, ?)", rows)

    def subjects(self) -> list[Hashes]:
        """Hashes of the subjects of each graph."""
        return [np.frombuffer(blob, dtype=np.uint64) for (blob,) in self._db.execute("SELECT subjects FROM graph")]

    def finish(self) -> None:
        """Joins what is known of the graphs."""
        self._writer.finish()
        told = as_json(statistics_of(_facts(self._db)))
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('statistics', ?)", (told,))
        if self._progress:
            self._progress("index", max(self._expected, 1), max(self._expected, 1))

    def _told(self, described: Iterable[tuple[str, Described]]) -> Iterator[tuple[str, Described]]:
        for iri, said in described:
            before = self._done // _EVERY
            self._done += len(said)
            if self._progress and self._done // _EVERY > before and self._done < self._expected:
                self._progress("index", self._done, self._expected)
            yield iri, said

    def _unshared(
        self, described: Iterable[tuple[str, Described]], shared: frozenset[int]
    ) -> Iterator[tuple[str, Described]]:
        for iri, said in described:
            if text_hash(iri) in shared:
                self._held.setdefault(iri, []).extend(said)
            else:
                yield iri, said


def _hashes(graph: StoreGraph, iri: str) -> Hashes:
    return np.frombuffer(array("Q", (text_hash(subject) for subject, _ in graph.described(iri))), dtype=np.uint64)


def _repeated(held: Sequence[Hashes]) -> frozenset[int]:
    """Hashes that stand more than once."""
    if not held:
        return frozenset()
    ordered = np.sort(np.concatenate(held))
    return frozenset(ordered[1:][ordered[1:] == ordered[:-1]].tolist())


def _facts(db: sqlite3.Connection) -> list[Facts]:
    values: dict[int, dict[str, Hashes]] = {}
    for number, prop, blob in db.execute("SELECT graph, property, hashes FROM graph_values"):
        values.setdefault(int(number), {})[str(prop)] = np.frombuffer(blob, dtype=np.uint64)
    rows = db.execute("SELECT id, facts FROM graph ORDER BY iri")
    held: list[tuple[int, Mapping[str, Any], Mapping[str, Any], list[Any]]] = [
        (int(number), *json.loads(facts)) for number, facts in rows
    ]
    return [Facts(props, classes, overlaps, values.get(number, {})) for number, props, classes, overlaps in held]
