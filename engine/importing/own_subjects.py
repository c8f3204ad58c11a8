"""What a user's map may speak of: the things that it makes itself.

Triples about terms of the shipped ontology, or about things that other sources of the store have, would change what all
other data means: `ev:MusicStream rdfs:subClassOf ev:Workout` makes workouts of songs. They are kept out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from ...config import Settings
from ...ontology.namespaces import BASE, DATA, GRAPH, OWL, PROV, RDF, RDFS, SCHEMA, SKOS, XSD, source_graph
from ...sources.base import BadRecord
from ...sources.registry import formats
from ...store.generations import exists, open_graph
from ...store.graph import StoreGraph
from ...store.rdf import NamedNode
from ...store.vocabulary import packaged_vocabulary
from .report import SourceReport

_STANDARD = (RDF, RDFS, OWL, XSD, SKOS, PROV, SCHEMA)
_TERM, _FOREIGN = "a term of the ontology", "a thing of another source"
_SOURCES = GRAPH + "source/"
_KEPT = 1 << 15


class OwnSubjects:
    """Keeps the triples of one source about its own subjects. `others` are the names of the other sources, `store`
    what is there already, if anything is."""

    def __init__(self, source: str, others: Iterable[str], store: StoreGraph | None = None) -> None:
        self._graph = source_graph(source)
        self._others = frozenset(others) - {source}
        self._store = store
        self._out: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._reason = lru_cache(maxsize=_KEPT)(self._reason_of)

    def kept(self, chunks: Iterable[str | BadRecord]) -> Iterator[str | BadRecord]:
        """N-Quads, one record after the other, without the triples that are about something else."""
        for chunk in chunks:
            if isinstance(chunk, BadRecord):
                yield chunk
                continue
            lines = [line for line in chunk.splitlines(keepends=True) if self._is_own(line)]
            if lines:
                yield "".join(lines)

    def tell(self, report: SourceReport) -> None:
        """Warns of what was kept out."""
        for reason, count in self._out.items():
            many = "1 triple" if count == 1 else f"{count:,} triples"
            report.warnings.append(
                f"{many} kept out: a map speaks of its own things only, this is {reason}: {self._first[reason]}"
            )

    def _is_own(self, line: str) -> bool:
        subject = line.partition(" ")[0]
        reason = self._reason(subject)
        if reason is None:
            return True
        self._out[reason] += 1
        self._first.setdefault(reason, subject[:120])
        return False

    def _reason_of(self, subject: str) -> str | None:
        if not subject.startswith("<"):
            return None
        iri = subject[1:-1]
        if iri.startswith(DATA):
            if iri[len(DATA) :].partition("/")[0].partition("#")[0] in self._others:
                return _FOREIGN
        elif iri.startswith((BASE, *_STANDARD)) or iri in _terms():
            return _TERM
        if self._store is None:
            return None
        graphs = self._store.graphs_about(NamedNode(iri))
        return _FOREIGN if any(one.startswith(_SOURCES) and one != self._graph for one in graphs) else None


@lru_cache(maxsize=1)
def _terms() -> frozenset[str]:
    known = packaged_vocabulary()
    return frozenset((*known.classes, *known.properties))


@contextmanager
def own_subjects(
    source: str, directory: Path, before: Mapping[str, object], settings: Settings
) -> Iterator[OwnSubjects]:
    """The bounds of `source` in the store at `directory`, whose sources are `before`."""
    others = (*before, *(kind.name for kind in formats()))
    if not exists(directory):
        yield OwnSubjects(source, others)
        return
    with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access) as graph:
        yield OwnSubjects(source, others, graph)
