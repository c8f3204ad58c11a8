"""Writes the rows of the index of values (store.index) while a store is read, in bounded memory."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Final

from . import near_values
from .rdf import Literal, NamedNode, Term
from .words import normalise

_BATCH: Final = 50_000
"""Postings that wait to be written."""


class IndexWriter:
    """Writes the rows of one build as they come: numbers events, properties and values.

    What is remembered is a number for each event and value (by a hash of it), so that millions of texts fit.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._events: dict[int, int] = {}
        self._properties: dict[str, int] = {}
        self._values: dict[int, int] = {}
        self._new: list[tuple[int, int, str, str, str]] = []
        self._classes = 0
        self._doubled = False

    def add_class(self, iri: str, rows: Iterable[tuple[Term | None, ...]], counts: Iterable[tuple[str, int]]) -> None:
        """Events of one class and their values; an event already seen under a narrower class keeps that one. The rows
        of an event stand together."""
        self._classes += 1
        self._db.execute("INSERT INTO class VALUES (?, ?)", (self._classes, iri))
        before, events, postings = len(self._events), list[tuple[int, str, int]](), set[tuple[int, int]]()
        current, number = "", 0
        for event, prop, value in rows:
            if event is None:
                continue
            if event.value != current:
                if len(postings) >= _BATCH:
                    self._write(events, postings)
                current, number = event.value, self._number(event.value, before, events)
            if number and isinstance(prop, NamedNode) and isinstance(value, Literal):
                postings.add((self._value(prop.value, value), number))
        self._write(events, postings)
        self._db.executemany("INSERT INTO class_property VALUES (?, ?, ?)", [(self._classes, p, n) for p, n in counts])

    def _number(self, event: str, before: int, events: list[tuple[int, str, int]]) -> int:
        """The number of an event of the class under way, 0 for one that a narrower class has."""
        key = _hash(event)
        known = self._events.get(key)
        if known is not None:
            self._doubled = True  # its class is said in two graphs, so its values come again
            return known if known > before else 0
        number = self._events[key] = len(self._events) + 1
        events.append((number, event, self._classes))
        return number

    def _write(self, events: list[tuple[int, str, int]], postings: set[tuple[int, int]]) -> None:
        self._db.executemany("INSERT INTO event VALUES (?, ?, ?)", events)
        self._db.executemany("INSERT INTO posting VALUES (?, ?)", sorted(postings))
        self._db.executemany("INSERT INTO value VALUES (?, ?, ?, ?, ?)", self._new)
        events.clear()
        postings.clear()
        self._new.clear()

    def finish(self) -> None:
        """Writes what the classes shared."""
        if self._doubled:
            self._db.execute(
                "DELETE FROM posting WHERE rowid NOT IN (SELECT MIN(rowid) FROM posting GROUP BY value, event)"
            )
        self._db.executemany("INSERT INTO property VALUES (?, ?)", [(n, p) for p, n in self._properties.items()])
        near_values.index_words(self._db, (str(text) for (text,) in self._db.execute("SELECT text FROM value")))

    def _value(self, prop: str, value: Literal) -> int:
        number = self._properties.setdefault(prop, len(self._properties) + 1)
        key = _hash(f"{number}\0{value.language or ''}\0{value.value}")
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = len(self._values) + 1
            self._new.append((found, number, value.value, value.language or "", normalise(value.value)))
        return found


def _hash(text: str) -> int:
    """64 bits that tell texts apart: of ten million texts two are taken for one with a chance of one in 400,000."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
