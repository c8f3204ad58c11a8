"""Writes the rows of the index of values (store.index.index) while graphs are read, in bounded memory."""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Final

from ...ontology.namespaces import XSD
from ..event_kinds import EventKinds
from ..rdf import Literal
from ..words import stem, words
from . import near_values
from .graph_facts import Described, GraphFacts, text_hash

TABLES: Final = """
CREATE TABLE class (id INTEGER PRIMARY KEY, iri TEXT UNIQUE, events INTEGER);
CREATE TABLE property (id INTEGER PRIMARY KEY, iri TEXT UNIQUE);
CREATE TABLE event (id INTEGER PRIMARY KEY, iri TEXT UNIQUE, class INTEGER, graph INTEGER);
CREATE TABLE value (id INTEGER PRIMARY KEY, property INTEGER, text TEXT, language TEXT, norm TEXT);
CREATE TABLE posting (value INTEGER, event INTEGER);
CREATE TABLE value_class (value INTEGER, class INTEGER, events INTEGER);
CREATE TABLE use (property INTEGER, class INTEGER, events INTEGER, texts INTEGER, PRIMARY KEY (property, class));
CREATE VIRTUAL TABLE value_words USING fts5(norm, content='value', content_rowid='id', tokenize='unicode61');
"""
_INDEXES: Final = """
CREATE INDEX posting_value ON posting (value);
CREATE INDEX posting_event ON posting (event);
CREATE INDEX value_norm ON value (norm);
CREATE INDEX event_class ON event (class);
INSERT INTO value_class SELECT p.value, e.class, COUNT(*) FROM posting p JOIN event e ON e.id = p.event GROUP BY 1, 2;
CREATE UNIQUE INDEX value_class_value ON value_class (value, class);
CREATE INDEX value_class_class ON value_class (class);
INSERT INTO use SELECT v.property, vc.class, SUM(vc.events), COUNT(*) FROM value_class vc
JOIN value v ON v.id = vc.value GROUP BY 1, 2;
INSERT INTO value_words (value_words) VALUES ('rebuild');
"""
_REMOVED: Final = (
    "CREATE TEMP TABLE gone AS SELECT id FROM event WHERE graph = {graph}",
    "CREATE TEMP TABLE less AS SELECT p.value AS value, e.class AS class, COUNT(*) AS events "
    "FROM gone g JOIN event e ON e.id = g.id JOIN posting p ON p.event = g.id GROUP BY 1, 2",
    "DELETE FROM posting WHERE event IN (SELECT id FROM gone)",
    "DELETE FROM event WHERE id IN (SELECT id FROM gone)",
    "UPDATE value_class SET events = value_class.events - less.events FROM less "
    "WHERE less.value = value_class.value AND less.class = value_class.class",
    "UPDATE use SET events = use.events - d.events, texts = use.texts - d.texts FROM ("
    "SELECT v.property AS property, l.class AS class, SUM(l.events) AS events, SUM(vc.events = 0) AS texts "
    "FROM less l JOIN value v ON v.id = l.value JOIN value_class vc ON vc.value = l.value AND vc.class = l.class "
    "GROUP BY 1, 2) d WHERE d.property = use.property AND d.class = use.class",
    "DELETE FROM value_class WHERE events = 0 AND value IN (SELECT value FROM less)",
    "DELETE FROM use WHERE events = 0",
    "CREATE TEMP TABLE empty AS SELECT id, norm, text FROM value WHERE id IN (SELECT value FROM less) "
    "AND NOT EXISTS (SELECT 1 FROM value_class vc WHERE vc.value = value.id)",
    "INSERT INTO value_words (value_words, rowid, norm) SELECT 'delete', id, norm FROM empty",
    "DELETE FROM value WHERE id IN (SELECT id FROM empty)",
)
_ADDED: Final = (
    "INSERT INTO use SELECT v.property, m.class, SUM(m.events), SUM(vc.value IS NULL) FROM more m "
    "JOIN value v ON v.id = m.value LEFT JOIN value_class vc ON vc.value = m.value AND vc.class = m.class "
    "WHERE true GROUP BY 1, 2 "
    "ON CONFLICT (property, class) DO UPDATE SET events = events + excluded.events, texts = texts + excluded.texts",
    "INSERT INTO value_class SELECT value, class, events FROM more WHERE true "
    "ON CONFLICT (value, class) DO UPDATE SET events = events + excluded.events",
    "DROP TABLE more",
)
_STRINGS: Final = frozenset({XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"})
_BATCH: Final = 50_000
"""Postings that wait to be written."""


class IndexWriter:
    """Adds and removes the events of whole graphs; numbers events, properties and values.

    `new`: the index is empty, so that its indexes are made at the end, all at once. What is remembered is a number for
    each value (by a hash of it), so that millions of texts fit.
    """

    def __init__(self, db: sqlite3.Connection, kinds: EventKinds, *, new: bool) -> None:
        self._db = db
        self._kinds = kinds
        self._new = new
        self._classes = {str(iri): int(i) for i, iri in db.execute("SELECT id, iri FROM class")}
        self._properties = {str(iri): int(i) for i, iri in db.execute("SELECT id, iri FROM property")}
        self._last_event, self._last_value = (_most(db, table) for table in ("event", "value"))
        self._values: dict[int, int] = {}
        self._waiting: list[tuple[int, int, str, str, str]] = []
        self._events: list[tuple[int, str, int, int]] = []
        self._postings = set[tuple[int, int]]()
        self._terms = Counter[str]()

    def add(self, graph: int, described: Iterable[tuple[str, Described]], facts: GraphFacts) -> array[int]:
        """Takes in a graph's subjects; hashes of them. Raises sqlite3.IntegrityError for an event of another graph."""
        subjects = array("Q")
        counts = Counter[tuple[int, int]]()
        for iri, said in described:
            subjects.append(text_hash(iri))
            types = facts.add(said)
            klass = self._kinds.narrowest(types) if types else None
            if klass is not None:
                self._event(iri, self._class(klass), graph, said, counts)
        self._write()
        if not self._new:
            self._count(counts)
        return subjects

    def remove(self, graph: int) -> None:
        """Takes out a graph's events, and the values that no other has."""
        for statement in _REMOVED:
            self._db.execute(statement.format(graph=int(graph)))
        gone = Counter(word for (text,) in self._db.execute("SELECT text FROM empty") for word in set(words(text)))
        near_values.change_words(self._db, {word: -number for word, number in gone.items()})
        for table in ("gone", "less", "empty"):
            self._db.execute(f"DROP TABLE {table}")

    def finish(self) -> None:
        """Writes what all graphs share."""
        if self._new:
            near_values.index_words(self._db, self._terms)
            self._db.executescript(_INDEXES)
        else:
            near_values.change_words(self._db, self._terms)
        self._db.execute("UPDATE class SET events = (SELECT COUNT(*) FROM event e WHERE e.class = class.id)")

    def _event(self, iri: str, klass: int, graph: int, said: Described, counts: Counter[tuple[int, int]]) -> None:
        if len(self._postings) >= _BATCH:
            self._write()
        self._last_event += 1
        self._events.append((self._last_event, iri, klass, graph))
        texts = {self._value(p, v) for p, v in said if isinstance(v, Literal) and self._is_text(p, v)}
        self._postings.update((value, self._last_event) for value in texts)
        if not self._new:
            counts.update((value, klass) for value in texts)

    def _is_text(self, prop: str, value: Literal) -> bool:
        return value.datatype.value in _STRINGS and self._kinds.is_text(prop)

    def _write(self) -> None:
        self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", self._events)
        self._db.executemany("INSERT INTO posting VALUES (?, ?)", sorted(self._postings))
        self._db.executemany("INSERT INTO value VALUES (?, ?, ?, ?, ?)", self._waiting)
        if not self._new:
            words_of = ((number, norm) for number, _, _, _, norm in self._waiting)
            self._db.executemany("INSERT INTO value_words (rowid, norm) VALUES (?, ?)", words_of)
        self._events.clear()
        self._postings.clear()
        self._waiting.clear()

    def _count(self, counts: Counter[tuple[int, int]]) -> None:
        """Adds to how many events have values, and to the uses of properties."""
        self._db.execute("CREATE TEMP TABLE more (value INTEGER, class INTEGER, events INTEGER)")
        self._db.executemany("INSERT INTO more VALUES (?, ?, ?)", ((v, c, n) for (v, c), n in counts.items()))
        for statement in _ADDED:
            self._db.execute(statement)

    def _class(self, iri: str) -> int:
        return self._known("class", "(id, iri, events) VALUES (?, ?, 0)", self._classes, iri)

    def _known(self, table: str, row: str, held: dict[str, int], iri: str) -> int:
        if iri not in held:
            held[iri] = max(held.values(), default=0) + 1
            self._db.execute(f"INSERT INTO {table} {row}", (held[iri], iri))
        return held[iri]

    def _value(self, prop: str, value: Literal) -> int:
        number = self._known("property", "(id, iri) VALUES (?, ?)", self._properties, prop)
        text, language = value.value, value.language or ""
        key = text_hash(f"{number}\0{language}\0{text}")
        found = self._values.get(key)
        if found is None:
            said = words(text)
            norm = " ".join(map(stem, said))
            found = None if self._new else self._stored(number, text, language, norm)
            if found is None:
                found = self._last_value = self._last_value + 1
                self._waiting.append((found, number, text, language, norm))
                self._terms.update(set(said))
            self._values[key] = found
        return found

    def _stored(self, prop: int, text: str, language: str, norm: str) -> int | None:
        row = self._db.execute(
            "SELECT id FROM value WHERE norm = ? AND text = ? AND property = ? AND language = ?",
            (norm, text, prop, language),
        ).fetchone()
        return None if row is None else int(row[0])


def _most(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT MAX(id) FROM {table}").fetchone()[0] or 0)  # noqa: S608 - names of this module
