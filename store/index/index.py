"""The values of a store: which text values its events have, found by word, so that a model sees each value once.

One SQLite file per store generation, built in one pass over what was imported (what is derived is no value), or
brought up to date from that of the generation before (store.index.index_update); it holds the statistics of the
store, too. Words are stemmed here (store.words) and indexed with FTS5, so the index, the labels of the vocabulary and
the planner agree on what a word is. What has vectors: store.index.vectors.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from ...errors import StoreError
from ..database import open_database, remove_database
from ..event_kinds import EventKinds, event_kinds
from ..graph import StoreGraph
from ..upkeep.disk_space import disk_error_message
from ..vocabulary import Vocabulary
from ..words import normalise
from . import index_update, index_writer, near_values
from .index_update import Progress, SharedSubjects, build, build_shared, update
from .statistics import Statistics, from_json

__all__ = ["EventText", "Progress", "Value", "ValueIndex", "open_index"]

FORMAT: Final = "4"
"""Goes into the file; another number means that it is built anew."""
_TABLES: Final = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);"


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

    def of_property(
        self, iri: str, part: str, limit: int, *, classes: Sequence[str] = ()
    ) -> tuple[tuple[str, int], ...]:
        """Values of a property with `part` in them, whatever its case, each with how many events (of these classes)
        have it; those that begin with it first, then those of most events."""
        among = f"AND c.iri IN ({', '.join('?' * len(classes))}) " if classes else ""
        rows = self._db.execute(
            "SELECT v.text, COALESCE(SUM(vc.events), 0) AS n, instr(lower(v.text), lower(?)) AS place "  # noqa: S608
            "FROM property p JOIN value v ON v.property = p.id LEFT JOIN value_class vc ON vc.value = v.id "
            f"LEFT JOIN class c ON c.id = vc.class WHERE p.iri = ? AND place > 0 {among}"
            "GROUP BY v.text ORDER BY place > 1, n DESC, v.text LIMIT ?",
            (part, iri, *classes, limit),
        )
        return tuple((str(text), int(events)) for text, events, _ in rows)

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
        rows = self._db.execute("SELECT iri, events FROM class WHERE events > 0 ORDER BY 1")
        return tuple((str(iri), int(n)) for iri, n in rows)

    def properties(self) -> tuple[tuple[str, str, int, int], ...]:
        """(property IRI, class IRI, events, distinct values) of the text properties that the store's events have."""
        rows = self._db.execute(
            "SELECT p.iri, c.iri, u.events, u.texts FROM use u JOIN property p ON p.id = u.property "
            "JOIN class c ON c.id = u.class ORDER BY 1, 2"
        )
        return tuple((str(p), str(c), int(n), int(m)) for p, c, n, m in rows)

    @cached_property
    def statistics(self) -> Statistics:
        """How often classes and properties are used."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'statistics'").fetchone()
        return from_json(str(row[0]))

    @cached_property
    def holders(self) -> Mapping[str, frozenset[str]] | None:
        """The graphs that have an instance of a class, or a value of a property, by its IRI; None where graphs have
        subjects in common, so that they were not counted one by one."""
        found: dict[str, set[str]] = {}
        for graph, facts in self._db.execute("SELECT iri, facts FROM graph"):
            if graph == index_update.SHARED:
                return None
            properties, classes, _ = json.loads(facts)
            for iri in (*properties, *classes):
                found.setdefault(iri, set()).add(str(graph))
        return {iri: frozenset(graphs) for iri, graphs in found.items()}

    def all_properties(self, classes: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """(property IRI, triples) of everything that events of these classes have, texts or not, most triples first."""
        counted = Counter[str]()
        for iri in dict.fromkeys(classes):
            known = self.statistics.classes.get(iri)
            counted.update(known.properties if known is not None else {})
        return tuple(sorted(counted.items(), key=lambda entry: (-entry[1], entry[0])))

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

    def texts_of(self, events: Iterable[str]) -> Iterator[EventText]:
        """Those of the events, by IRI, that there are, with their text values, by id."""
        rows = self._db.execute(
            "SELECT e.id, e.iri, c.iri, p.iri, v.id, v.text FROM json_each(?) i JOIN event e ON e.iri = i.value "
            "JOIN class c ON c.id = e.class LEFT JOIN posting o ON o.event = e.id LEFT JOIN value v ON v.id = o.value "
            "LEFT JOIN property p ON p.id = v.property ORDER BY e.id, v.id",
            (json.dumps(list(events)),),
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
    folder: Path | None,
    graph: StoreGraph,
    vocabulary: Vocabulary,
    *,
    generation: str,
    progress: Progress | None = None,
) -> ValueIndex:
    """The index of a generation, from `folder` if it is there (in memory for None).

    One of an earlier state of the store is brought up to date, all of it or nothing; else it is built beside and moved
    into place, so that an interrupted build leaves nothing. Raises StoreError if it cannot be built.
    """
    kinds = event_kinds(graph, vocabulary)
    if folder is None:
        return ValueIndex(_built(":memory:", graph, kinds, generation, progress))
    path = folder / "values.sqlite"
    known = _meta(path)
    if (known.get("format"), known.get("generation")) != (FORMAT, generation):
        try:
            same = (known.get("format"), known.get("kinds")) == (FORMAT, kinds.fingerprint)
            if not same or not _is_updated(path, graph, kinds, generation, progress):
                _build_beside(path, graph, kinds, generation, progress)
        except (sqlite3.Error, OSError) as bad:
            raise StoreError(disk_error_message(bad, folder) or f"the index {path} cannot be built: {bad}") from bad
    return ValueIndex(open_database(path, "read"))


def _meta(path: Path) -> dict[str, str]:
    """What a file says of itself; nothing where it is none or damaged."""
    if not path.is_file():
        return {}
    try:
        with closing(open_database(path)) as db:  # for writing: an interrupted update is taken back
            held = db.execute("SELECT key, value FROM meta WHERE key IN ('format', 'generation', 'kinds')")
            return {str(key): str(value) for key, value in held}
    except sqlite3.DatabaseError:
        return {}


def _is_updated(path: Path, graph: StoreGraph, kinds: EventKinds, generation: str, progress: Progress | None) -> bool:
    """Whether the index could be brought up to date. One that another generation has, too, is copied first."""
    if path.stat().st_nlink > 1:
        copy = path.with_suffix(f".{os.getpid()}.new")
        shutil.copyfile(path, copy)
        copy.replace(path)
    with closing(open_database(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        try:
            update(db, graph, kinds, progress)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (generation,))
            db.execute("COMMIT")
        except (SharedSubjects, sqlite3.DatabaseError):
            return False  # closing takes back what was done
    return True


def _build_beside(path: Path, graph: StoreGraph, kinds: EventKinds, generation: str, progress: Progress | None) -> None:
    scratch = path.with_suffix(f".{os.getpid()}.new")
    try:
        _built(str(scratch), graph, kinds, generation, progress).close()
        remove_database(path)  # with a journal that is not of the new one
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


def _built(
    path: str, graph: StoreGraph, kinds: EventKinds, generation: str, progress: Progress | None
) -> sqlite3.Connection:
    """A new index. Graphs that have subjects in common are noticed late, and then read again together."""
    db = _empty(path, generation, kinds)
    try:
        build(db, graph, kinds, progress)
    except SharedSubjects:
        db.close()
        db = _empty(path, generation, kinds)
        build_shared(db, graph, kinds, progress)
    db.commit()
    return db


def _empty(path: str, generation: str, kinds: EventKinds) -> sqlite3.Connection:
    if path != ":memory:":
        remove_database(Path(path))
    db = sqlite3.connect(":memory:") if path == ":memory:" else open_database(Path(path))
    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
    db.executescript(_TABLES + index_writer.TABLES + index_update.TABLES + near_values.TABLES)
    told = [("format", FORMAT), ("generation", generation), ("kinds", kinds.fingerprint)]
    db.executemany("INSERT INTO meta VALUES (?, ?)", told)
    return db


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
