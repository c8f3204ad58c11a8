"""The values of a store: which text values its events have, found by word, so that a model sees each value once.

One SQLite file per store generation, built in one pass over what was imported: what is derived is no value. Words are
stemmed here (store.words) and indexed with FTS5, so the index, the labels of the vocabulary and the planner agree on
what a word is. What has vectors: store.vectors.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from ..errors import StoreError
from ..ontology.namespaces import DERIVED, EV, OWL, PG, PROV, QUD, QUDT, RDF, RDFS, RML, SH, SKOS
from . import near_values
from .graph import Graph
from .index_writer import IndexWriter
from .rdf import NamedNode, Term
from .vocabulary import EVENT, Vocabulary
from .words import normalise

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and of how much (0: not known yet)."""

FORMAT: Final = "3"
"""Goes into the file; another number means that it is built anew."""
_NOT_EVENTS: Final = (OWL, RDF, RDFS, SKOS, QUDT, PROV, SH, RML, PG, QUD)
_TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE class (id INTEGER PRIMARY KEY, iri TEXT UNIQUE);
CREATE TABLE property (id INTEGER PRIMARY KEY, iri TEXT UNIQUE);
CREATE TABLE event (id INTEGER PRIMARY KEY, iri TEXT UNIQUE, class INTEGER);
CREATE TABLE value (id INTEGER PRIMARY KEY, property INTEGER, text TEXT, language TEXT, norm TEXT);
CREATE TABLE posting (value INTEGER, event INTEGER);
CREATE TABLE class_property (class INTEGER, property TEXT, triples INTEGER);
CREATE TABLE value_class (value INTEGER, class INTEGER, events INTEGER);
CREATE VIRTUAL TABLE value_words USING fts5(norm, content='value', content_rowid='id', tokenize='unicode61');
"""
_INDEXES: Final = """
CREATE INDEX posting_value ON posting (value);
CREATE INDEX posting_event ON posting (event);
CREATE INDEX value_norm ON value (norm);
CREATE INDEX event_class ON event (class);
INSERT INTO value_class SELECT p.value, e.class, COUNT(*) FROM posting p JOIN event e ON e.id = p.event GROUP BY 1, 2;
CREATE INDEX value_class_value ON value_class (value);
CREATE INDEX value_class_class ON value_class (class);
INSERT INTO value_words (value_words) VALUES ('rebuild');
"""


@dataclass(frozen=True, slots=True)
class Value:
    """A distinct text value of the property `prop`; `classes` counts the events that have it, by class IRI; `norm` is
    its text in folded, stemmed words."""

    id: int
    prop: str
    text: str
    norm: str
    classes: tuple[tuple[str, int], ...]

    @property
    def events(self) -> int:
        """How many events have it."""
        return sum(n for _, n in self.classes)


@dataclass(frozen=True, slots=True)
class EventText:
    """An event's text values, as (property IRI, value id, text)."""

    id: int
    iri: str
    type: str
    values: tuple[tuple[str, int, str], ...]


class ValueIndex:
    """Look-ups in the index of one generation. Open with `open_index`; close when done."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> ValueIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def near(self) -> near_values.NearValues:
        """Values that a phrase nearly names."""
        return near_values.NearValues(self._db)

    def equal_to(self, phrase: str) -> tuple[Value, ...]:
        """Values that are `phrase` but for case, accents, inflection and signs; those of most events first."""
        norm = normalise(phrase)
        rows = self._db.execute("SELECT id FROM value WHERE norm = ?", (norm,)) if norm else ()
        return self._values(row[0] for row in rows)

    def properties_with(self, text: str) -> tuple[str, ...]:
        """The properties (IRIs) that have exactly this value."""
        rows = self._db.execute(
            "SELECT DISTINCT p.iri FROM value v JOIN property p ON p.id = v.property WHERE v.norm = ? AND v.text = ? "
            "ORDER BY 1",
            (normalise(text), text),
        )
        return tuple(str(row[0]) for row in rows)

    def containing(self, phrase: str, limit: int = 2000) -> tuple[Value, ...]:
        """Values that contain every word of `phrase` (stemmed), those of most events first."""
        stems = normalise(phrase).split()
        return self._values(self._match(" AND ".join(_quote(s) for s in stems), limit)) if stems else ()

    def with_any(self, stems: Iterable[str], limit: int = 20000) -> tuple[tuple[int, float], ...]:
        """(value id, BM25) of the values that contain any of the stemmed words or phrases; more is better."""
        query = " OR ".join(_quote(s) for s in dict.fromkeys(stems) if s)
        if not query:
            return ()
        rows = self._db.execute(
            "SELECT rowid, -bm25(value_words) FROM value_words WHERE value_words MATCH ? ORDER BY rank LIMIT ?",
            (query, limit),
        )
        return tuple((int(i), float(score)) for i, score in rows)

    def frequency(self, stem: str) -> int:
        """In how many values a stemmed word or phrase stands."""
        found = self._db.execute("SELECT COUNT(*) FROM value_words WHERE value_words MATCH ?", (_quote(stem),))
        return int(found.fetchone()[0])

    def classes(self) -> tuple[tuple[str, int], ...]:
        """Classes of the store's events with how many each has; subclasses are not counted in."""
        return self._classes

    @cached_property
    def _classes(self) -> tuple[tuple[str, int], ...]:
        rows = self._db.execute(
            "SELECT c.iri, COUNT(*) FROM event e JOIN class c ON c.id = e.class GROUP BY 1 ORDER BY 1"
        )
        return tuple((str(iri), int(n)) for iri, n in rows)

    def properties(self) -> tuple[tuple[str, str, int, int], ...]:
        """(property IRI, class IRI, events, distinct values) of the text properties that the store's events have."""
        rows = self._db.execute(
            "SELECT p.iri, c.iri, SUM(vc.events), COUNT(*) FROM value_class vc JOIN value v ON v.id = vc.value "
            "JOIN property p ON p.id = v.property JOIN class c ON c.id = vc.class GROUP BY 1, 2 ORDER BY 1, 2"
        )
        return tuple((str(p), str(c), int(n), int(m)) for p, c, n, m in rows)

    def all_properties(self, classes: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """(property IRI, triples) of everything that events of these classes have, texts or not, most triples first."""
        rows = self._db.execute(
            "SELECT cp.property, SUM(cp.triples) AS n FROM class_property cp JOIN class c ON c.id = cp.class "
            "WHERE c.iri IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY n DESC, 1",
            (json.dumps(list(classes)),),
        )
        return tuple((str(p), int(n)) for p, n in rows)

    def of_classes(self, classes: Sequence[str]) -> tuple[Value, ...]:
        """All values of events of these classes, by id."""
        rows = self._db.execute(
            "SELECT DISTINCT vc.value FROM value_class vc JOIN class c ON c.id = vc.class "
            "WHERE c.iri IN (SELECT value FROM json_each(?)) ORDER BY 1",
            (json.dumps(list(classes)),),
        )
        return self._values((row[0] for row in rows), by_events=False)

    def events_of(self, classes: Sequence[str]) -> Iterator[EventText]:
        """The events of these classes with their text values, by id."""
        rows = self._db.execute(
            "SELECT e.id, e.iri, c.iri, p.iri, v.id, v.text FROM event e JOIN class c ON c.id = e.class "
            "LEFT JOIN posting o ON o.event = e.id LEFT JOIN value v ON v.id = o.value "
            "LEFT JOIN property p ON p.id = v.property WHERE c.iri IN (SELECT value FROM json_each(?)) "
            "ORDER BY e.id, v.id",
            (json.dumps(list(classes)),),
        )
        return _grouped(rows)

    def rare(self, values: Iterable[int], classes: Sequence[str], *, most: int) -> list[int]:
        """Those of the values that some, but at most so many, events of these classes have; in their order."""
        rows = self._db.execute(
            "SELECT i.value FROM json_each(?) i JOIN value_class vc ON vc.value = i.value JOIN class c "
            "ON c.id = vc.class WHERE c.iri IN (SELECT value FROM json_each(?)) AND vc.events <= ? ORDER BY i.key",
            (json.dumps(list(values)), json.dumps(list(classes)), most),
        )
        return list(dict.fromkeys(int(row[0]) for row in rows))

    def events_with(self, values: Sequence[int], classes: Sequence[str], *, limit: int) -> Iterator[EventText]:
        """The events of these classes that have one of the values, with all their text values, by id."""
        rows = self._db.execute(
            "WITH found AS (SELECT DISTINCT o.event FROM json_each(?) i JOIN posting o ON o.value = i.value "
            "JOIN event e ON e.id = o.event JOIN class c ON c.id = e.class "
            "WHERE c.iri IN (SELECT value FROM json_each(?)) LIMIT ?) "
            "SELECT e.id, e.iri, c.iri, p.iri, v.id, v.text FROM found f JOIN event e ON e.id = f.event "
            "JOIN class c ON c.id = e.class JOIN posting o ON o.event = e.id JOIN value v ON v.id = o.value "
            "JOIN property p ON p.id = v.property ORDER BY e.id, v.id",
            (json.dumps(list(values)), json.dumps(list(classes)), limit),
        )
        return _grouped(rows)

    def _match(self, query: str, limit: int) -> Iterator[int]:
        rows = self._db.execute("SELECT rowid FROM value_words WHERE value_words MATCH ? LIMIT ?", (query, limit))
        return (int(row[0]) for row in rows)

    def _values(self, ids: Iterable[int], *, by_events: bool = True) -> tuple[Value, ...]:
        found: dict[int, tuple[str, str, str, list[tuple[str, int]]]] = {}
        rows = self._db.execute(
            "SELECT v.id, p.iri, v.text, v.norm, c.iri, vc.events FROM json_each(?) i JOIN value v ON v.id = i.value "
            "JOIN property p ON p.id = v.property JOIN value_class vc ON vc.value = v.id "
            "JOIN class c ON c.id = vc.class ORDER BY v.id, c.iri",
            (json.dumps(list(ids)),),
        )
        for i, prop, text, norm, klass, n in rows:
            found.setdefault(i, (prop, text, norm, []))[3].append((klass, n))
        values = [Value(i, prop, text, norm, tuple(c)) for i, (prop, text, norm, c) in found.items()]
        return tuple(sorted(values, key=lambda v: (-v.events, v.id) if by_events else (0, v.id)))


def open_index(
    folder: Path | None, graph: Graph, vocabulary: Vocabulary, *, generation: str, progress: Progress | None = None
) -> ValueIndex:
    """The index of a generation, from `folder` if it is there, else built from the graph (in memory for None).

    Built beside and moved into place, so an interrupted build leaves nothing. Raises StoreError if it cannot be built.
    """
    if folder is None:
        return ValueIndex(_build(":memory:", graph, vocabulary, generation, progress))
    path = folder / "values.sqlite"
    if not _is_current(path, generation):
        scratch = folder / f"values.{os.getpid()}.new"
        scratch.unlink(missing_ok=True)
        try:
            _build(str(scratch), graph, vocabulary, generation, progress).close()
            scratch.replace(path)
        except (sqlite3.Error, OSError) as bad:
            scratch.unlink(missing_ok=True)
            raise StoreError(f"the index {path} cannot be built: {bad}") from bad
    return ValueIndex(sqlite3.connect(f"file:{path}?mode=ro", uri=True))


def _is_current(path: Path, generation: str) -> bool:
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            meta = dict(db.execute("SELECT key, value FROM meta"))
    except sqlite3.DatabaseError:
        return False
    return meta.get("format") == FORMAT and meta.get("generation") == generation


def _build(
    path: str, graph: Graph, vocabulary: Vocabulary, generation: str, progress: Progress | None
) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES + near_values.TABLES)
    hidden = internal_properties(graph)
    classes = event_classes(graph, vocabulary)
    writer = IndexWriter(db)
    for done, klass in enumerate(classes):
        if progress:
            progress("index", done, len(classes))
        writer.add_class(klass, _text_values(graph, klass, hidden), _property_counts(graph, klass))
    writer.finish()
    db.executescript(_INDEXES)
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", FORMAT), ("generation", generation)])
    db.commit()
    if progress:
        progress("index", len(classes), len(classes))
    return db


def event_classes(graph: Graph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Classes that the graph's events have, narrower first: those under ev:Event, and those that no ontology names."""
    found: list[str] = []
    known = vocabulary.descendants(EVENT)
    for (klass,) in graph.select("SELECT DISTINCT ?c WHERE { ?e a ?c }"):
        iri = klass.value if isinstance(klass, NamedNode) else None
        if iri is None or iri.startswith(_NOT_EVENTS):
            continue
        if iri in known or (iri not in vocabulary.classes and not iri.startswith(EV)):
            found.append(iri)
    depth: Mapping[str, int] = {
        i: len(vocabulary.classes[i].ancestors) if i in vocabulary.classes else 0 for i in found
    }
    return tuple(sorted(found, key=lambda i: (-depth[i], i)))


def internal_properties(graph: Graph) -> frozenset[str]:
    """Properties about the record rather than the event (ev:internal): never searched, never a value's place."""
    rows = graph.select("SELECT DISTINCT ?p WHERE { ?p ev:internal true }")
    return frozenset(row[0].value for row in rows if row[0] is not None)


def _text_values(graph: Graph, klass: str, hidden: frozenset[str]) -> Iterator[tuple[Term | None, ...]]:
    """(event, property, text) of a class; events without text come with property and text unbound."""
    rows = graph.each(
        f"SELECT ?e ?p ?v WHERE {{ ?e a {NamedNode(klass)} OPTIONAL {{ ?e ?p ?v "
        'FILTER(isLiteral(?v) && (DATATYPE(?v) = xsd:string || LANG(?v) != "")) } }'
    )
    for event, prop, value in rows:
        if prop is None or not (prop.value in hidden or prop.value.startswith((RDFS, RDF, OWL, DERIVED))):
            yield event, prop, value
        else:
            yield event, None, None


def _property_counts(graph: Graph, klass: str) -> list[tuple[str, int]]:
    rows = graph.select(
        f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?e a {NamedNode(klass)} ; ?p ?v }} GROUP BY ?p ORDER BY ?p"
    )
    counted = [(prop.value, int(n.value)) for prop, n in rows if prop is not None and n is not None]
    return [(prop, n) for prop, n in counted if not prop.startswith(DERIVED)]


def _grouped(rows: Iterable[tuple[int, str, str, str | None, int | None, str | None]]) -> Iterator[EventText]:
    current: tuple[int, str, str] | None = None
    values: list[tuple[str, int, str]] = []
    for number, iri, klass, prop, value, text in rows:
        if current is not None and current[0] != number:
            yield EventText(*current, tuple(values))
            values = []
        current = (number, iri, klass)
        if prop is not None and value is not None and text is not None:
            values.append((prop, value, text))
    if current is not None:
        yield EventText(*current, tuple(values))


def _quote(phrase: str) -> str:
    """A word or phrase for FTS5's query language, in which only the double quote needs care."""
    return '"' + phrase.replace('"', '""') + '"'
