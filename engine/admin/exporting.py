"""All that was imported, for other programs: N-Quads as they stand in the store, or a table of events in Parquet.

    export_store(directory, Path("life.parquet"), settings)

A table has a row for each event: its IRI, source, kinds, label, start and end, then a column for each property that any
event has, under its label: numbers as DOUBLE, other values as text, a list where an event has several. Persons and
places stand by their labels.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from ...config import Settings
from ...errors import UsageError
from ...ontology.namespaces import DERIVED, EV, NUMBERS, RDF_TYPE, RDFS, source_graph
from ...store.backup import write_quads
from ...store.generations import EventGraph, open_graph
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.upkeep.disk_space import disk_errors
from ...store.vocabulary import Vocabulary, key_label, load_vocabulary
from ..importing.catalog import read_catalog

QUADS: Final = (".nq", ".nq.gz")
TABLE: Final = ".parquet"
_FIXED: Final = ("event", "source", "kinds", "label", "start", "end")
_HIDDEN: Final = frozenset((EV + "source", EV + "start", EV + "end", RDF_TYPE, RDFS + "label"))
_LABELS: Final = "SELECT ?s ?l { ?s rdfs:label ?l }"


@dataclass(frozen=True)
class Exported:
    """How many rows were written: `quads`, or events."""

    rows: int
    what: str


def export_store(directory: Path, target: Path, settings: Settings, *, derived: bool = False) -> Exported:
    """Writes a store's events to a file, by its ending, whole or not at all; N-Quads with what was `derived`, if that
    is wanted. Raises as `open_graph`, UsageError for another ending, or where the file is there."""
    if not target.name.endswith((*QUADS, TABLE)):
        raise UsageError(f"{target} ends in none of {', '.join((*QUADS, TABLE))}")
    if target.exists():
        raise UsageError(f"{target} is there already; name another file")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}")
    beside = target.with_name(f"{target.name}.part")
    try:
        with (
            disk_errors(target.parent),
            open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access) as graph,
        ):
            if target.name.endswith(TABLE):
                found = Exported(_write_table(graph, beside), "event")
            else:
                found = Exported(_write_quads(graph, beside, target.name.endswith(".gz"), derived), "quad")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return found


def _write_quads(graph: EventGraph, path: Path, packed: bool, derived: bool) -> int:
    iris = [iri for iri in graph.graphs() if derived or not iri.startswith(DERIVED)]
    with gzip.open(path, "wb") if packed else path.open("wb") as out:
        return sum(write_quads(graph, iri, cast(IO[bytes], out)) for iri in iris)


def _write_table(graph: EventGraph, path: Path) -> int:
    import duckdb

    vocabulary = load_vocabulary(graph)
    rows = _Rows(vocabulary, _labels(graph))
    with tempfile.TemporaryDirectory() as work, duckdb.connect() as database:
        lines = Path(work) / "rows.jsonl"
        with lines.open("w", encoding="utf-8") as out:
            for source in read_catalog(graph):
                for row in rows.of_source(graph, source.name):
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
        firsts = {_quoted(name) for name in rows.single}
        columns = ", ".join(f"{_quoted(name)} {kind}" for name, kind in rows.columns().items())
        chosen = ", ".join(f"{one}[1] AS {one}" if one in firsts else one for one in map(_quoted, rows.columns()))
        database.execute(f"CREATE TABLE events ({columns})")
        if rows.count:
            database.execute("COPY events FROM ? (FORMAT json, MAXIMUM_OBJECT_SIZE 1073741824)", [str(lines)])
        database.execute(f"COPY (SELECT {chosen} FROM events) TO ? (FORMAT parquet)", [str(path)])  # noqa: S608 - quoted
    return rows.count


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _labels(graph: Graph) -> Mapping[str, str]:
    return {row[0].value: row[1].value for row in graph.select(_LABELS) if row[0] is not None and row[1] is not None}


class _Rows:
    """The events of all sources as rows, and the columns that they have."""

    def __init__(self, vocabulary: Vocabulary, labels: Mapping[str, str]) -> None:
        self._vocabulary, self._labels = vocabulary, labels
        self._names: dict[str, str] = {}
        self._lists: set[str] = set()
        self._texts: set[str] = set()
        self.count = 0

    def of_source(self, graph: EventGraph, source: str) -> Iterator[dict[str, Any]]:
        """The rows of one source; all values of properties are lists, since more than one may come."""
        events = {one.iri for one in self._vocabulary.event_classes()}
        for subject, pairs in graph.described(source_graph(source)):
            types = [value.value for predicate, value in pairs if predicate == RDF_TYPE]
            if not events.intersection(types):
                continue
            self.count += 1
            yield {"event": subject, "source": source, "kinds": self._called(types), **self._values(pairs)}

    def _called(self, types: Iterable[str]) -> list[str]:
        classes = self._vocabulary.classes
        return sorted({classes[iri].label for iri in types if iri in classes})

    def _values(self, pairs: Iterable[tuple[str, Term]]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for predicate, value in pairs:
            told = self._told(value)
            if predicate in (EV + "start", EV + "end", RDFS + "label"):
                row.setdefault(predicate.rpartition("/")[2].rpartition("#")[2], told)
            elif predicate not in _HIDDEN:
                row.setdefault(self._column(predicate), []).append(told)
        for name, values in row.items():
            if isinstance(values, list):
                self._lists |= {name} if len(values) > 1 else set()
                self._texts |= {name} if any(isinstance(one, str) for one in values) else set()
        return row

    @property
    def single(self) -> set[str]:
        """The properties of which no event has several values."""
        return set(self._names.values()) - self._lists

    def columns(self) -> dict[str, str]:
        """All columns with their types in DuckDB, those of properties as lists."""
        fixed = {"event": "VARCHAR", "source": "VARCHAR", "kinds": "VARCHAR[]", "label": "VARCHAR"}
        found = {name: "VARCHAR[]" if name in self._texts else "DOUBLE[]" for name in sorted(self._names.values())}
        return {**fixed, "start": "TIMESTAMP", "end": "TIMESTAMP", **found}

    def _told(self, value: Term) -> Any:
        if isinstance(value, Literal) and value.datatype.value in NUMBERS:
            return float(value.value)
        return self._labels.get(value.value, value.value) if isinstance(value, NamedNode) else value.value

    def _column(self, predicate: str) -> str:
        if predicate not in self._names:
            label = self._vocabulary.property_label(predicate) or key_label(predicate) or predicate
            name, number = label.replace(" ", "_"), 1
            while name.casefold() in {one.casefold() for one in (*_FIXED, *self._names.values())}:
                number += 1
                name = f"{label.replace(' ', '_')}_{number}"
            self._names[predicate] = name
        return self._names[predicate]
