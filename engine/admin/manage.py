"""What is in the store, taking a source out of it again, and a store that is still empty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...config import Settings
from ...errors import UsageError
from ...ontology.namespaces import catalog_graph, source_graph
from ...store.folder import NOTES, VECTORS, remove_caches
from ...store.generations import begin_import, open_graph
from ...store.graph import Graph
from ...store.ontology_graph import ontology_quads
from ...store.rdf import write_nquads
from ..authoring.domain import ontology_of
from ..conversation.journal import Kept
from ..conversation.kept import kept_in, opened_graph
from ..derivations import Derivation, derivations, drop_derived
from ..importing.catalog import SourceEntry, read_catalog, recorded_until, span_of


@dataclass(frozen=True)
class Status:
    """What a store holds. `classes` are event counts by class label, `span` the first and last day of any event,
    `recorded` the last of one that is no entry of a calendar; `dialogues` with reqap-kg are kept apart from all of
    them."""

    generation: str
    bytes: int
    quads: int
    sources: tuple[SourceEntry, ...]
    derivations: tuple[Derivation, ...]
    classes: tuple[tuple[str, int], ...]
    span: tuple[str, str] | None
    recorded: str | None
    dialogues: Kept

    def as_json(self) -> dict[str, Any]:
        """The object of `status --json`."""
        return {
            "generation": self.generation,
            "bytes": self.bytes,
            "quads": self.quads,
            "sources": [vars(entry) for entry in self.sources],
            "derivations": [derivation.as_json() for derivation in self.derivations],
            "classes": dict(self.classes),
            "span": list(self.span) if self.span else None,
            "recorded_until": self.recorded,
            "dialogues": self.dialogues.as_json(),
        }


_ONTOLOGY = "ontology.nq"
_CLASSES = """
SELECT (SAMPLE(?name) AS ?label) (COUNT(DISTINCT ?e) AS ?n) {
  ?class rdfs:subClassOf* ev:Event ; rdfs:label ?name . ?e a ?class
} GROUP BY ?class ORDER BY DESC(?n)
"""
_SKIPPED = """
SELECT ?path ?where ?reason ?count { ?source rdfs:label ?name ; ev:skippedRecord|ev:unreadValue ?s .
  ?s ev:path ?path ; ev:where ?where ; ev:reason ?reason ; ev:count ?count } ORDER BY ?path ?where
"""


def status(directory: Path, settings: Settings) -> Status:
    """What the store at `directory` holds. Raises StoreError where there is none."""
    with opened_graph(directory, settings) as graph:
        return Status(
            generation=graph.generation,
            bytes=sum(file.stat().st_size for file in directory.rglob("*") if file.is_file()),
            quads=graph.count(),
            sources=read_catalog(graph),
            derivations=derivations(graph),
            classes=tuple((_text(label), int(_text(n))) for label, n in graph.select(_CLASSES)),
            span=span_of(graph),
            recorded=recorded_until(graph),
            dialogues=kept_in(directory, settings),
        )


def begin_empty(directory: Path, settings: Settings) -> None:
    """Makes a store that has the ontology alone, unless there is one already, so that it can be opened, and a page can
    invite. Raises UsageError for a folder of other things."""
    with begin_import(directory, lock_seconds=settings.lock_seconds, access=settings.access) as new:
        if new.before is None:
            write_nquads(new.work / _ONTOLOGY, ontology_quads(ontology_of(settings.domain)))
            new.build(frozenset(), [new.work / _ONTOLOGY])
            new.commit()


def skipped(graph: Graph) -> list[tuple[str, str, str, int]]:
    """Every skipped record, and every value of others that could not be read: path, place, reason, how many."""
    return [(_text(p), _text(w), _text(r), int(_text(n))) for p, w, r, n in graph.select(_SKIPPED)]


def forget(name: str, directory: Path, settings: Settings) -> SourceEntry:
    """Takes one source out, with what was derived from it: afterwards no file of the store holds anything of it, unless
    somebody still reads the state before (store.generations.held_before).

    Raises UsageError, naming the sources there are, StoreError where the disk has no room for what stays.
    """
    lock_seconds, access, lexicons = settings.lock_seconds, settings.access, settings.lexicons
    ontology = ontology_of(settings.domain)
    with open_graph(directory, lock_seconds=lock_seconds, access=access):  # says where there is none, and makes none
        pass
    with begin_import(directory, lock_seconds=lock_seconds, access=access) as new:
        with open_graph(directory, lock_seconds=lock_seconds, access=access) as graph:
            sources = {entry.name: entry for entry in read_catalog(graph)}
        if name not in sources:
            known = ", ".join(sources) or "none"
            raise UsageError(f"there is no source {name!r}; the store has: {known}")
        gone = frozenset({source_graph(name), catalog_graph(name)})
        finish = partial(drop_derived, generation=new.name, lexicons=lexicons, ontology=ontology)
        new.build(gone, (), finish=finish, forget=True)
        remove_caches(directory / "cache", NOTES, VECTORS)
        new.commit()
        return sources[name]


def _text(term: Any) -> str:
    return "" if term is None else term.value
