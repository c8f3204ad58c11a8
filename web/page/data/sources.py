"""The sources that a store has: how many events of each, from when to when, what was left out and why, and how sources
and formats are called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ....engine.answers.sentence import source_in_words
from ....engine.importing.catalog import read_catalog
from ....ontology.namespaces import DERIVED, DIALOGUES, PROFILE_SOURCE, catalog_graph, source_graph
from ....sources.registry import format_named, formats
from ....store.folder import JOBS
from ....store.generations import EventGraph
from ....store.graph import StoreGraph
from ....store.rdf import NamedNode, Term

_PARTS: Final = 3
_IN_ARCHIVE: Final = "!"
SHOWN: Final = 50
"""Records left out that are shown at once."""
_SPANS: Final = "SELECT ?g (MIN(?s) AS ?first) (MAX(?s) AS ?last) { GRAPH ?g { ?e ev:start ?s } } GROUP BY ?g"
_LEFT_OUT: Final = (
    "SELECT ?path ?where ?reason ?count {{ GRAPH {graph} {{ ?source ev:skippedRecord|ev:unreadValue ?s . "
    "?s ev:path ?path ; ev:where ?where ; ev:reason ?reason ; ev:count ?count }} }} "
    "ORDER BY ?path ?where ?reason LIMIT {most} OFFSET {begin}"
)
_REASONS: Final = (
    "SELECT ?reason (SUM(?count) AS ?n) {{ GRAPH {graph} {{ ?source ev:skippedRecord|ev:unreadValue ?s . "
    "?s ev:reason ?reason ; ev:count ?count }} }} GROUP BY ?reason ORDER BY DESC(?n) ?reason LIMIT 20"
)
_MORE: Final = "SELECT (COUNT(*) AS ?n) {{ GRAPH {graph} {{ ?source ev:skippedRecord|ev:unreadValue ?s }} }}"


@dataclass(frozen=True)
class LeftOut:
    """Something that was left out: the file, where in it, why, and how many records it stands for."""

    path: str
    where: str
    reason: str
    count: int

    @property
    def place(self) -> str:
        """The end of the file's path."""
        return short_path(self.path)


def label_of(kind: str, name: str = "") -> str:
    """What a format is called, without what its source is called by itself."""
    found = format_named(kind)
    label = found.label if found is not None else kind
    said = source_in_words(name)
    rest = label[len(said) :] if said and label.casefold().startswith(f"{said} ".casefold()) else label
    rest = rest.strip()
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") else rest or label


def known_formats() -> list[str]:
    """What can be imported without a map, each as a line of a list; the profile, which nobody else gives, last."""
    known = [kind for kind in formats() if kind.name != DIALOGUES]
    known.sort(key=lambda kind: kind.name == PROFILE_SOURCE)
    return [_as_line(kind.label) for kind in known]


def _as_line(label: str) -> str:
    """A label as a line begins with it; iCalendar stays so."""
    return label if label[1:2].isupper() else label[:1].upper() + label[1:]


def short_path(path: str) -> str:
    """The end of a path, as far as it tells which file is meant; of one in an archive, its place there."""
    inner = path.replace("\\", "/").rpartition(_IN_ARCHIVE)[2]
    parts = [part for part in inner.split("/") if part not in ("", ".")]
    return "/".join(parts if len(parts) <= _PARTS else ["…", *parts[-_PARTS:]])


@dataclass(frozen=True)
class Source:
    """One source; `first` and `last` are the days of its earliest and latest event."""

    name: str
    title: str
    kind: str
    events: int
    left_out: int
    triples: int
    imported: str
    first: str | None
    last: str | None


@dataclass(frozen=True)
class Held:
    """What a store holds."""

    generation: str
    sources: tuple[Source, ...]
    triples: int
    derivations: int


@dataclass(frozen=True)
class Records:
    """What was left out of a source: reasons with their counts, and some of the `number` records from `begin` on."""

    title: str
    reasons: tuple[tuple[str, int], ...]
    records: tuple[LeftOut, ...]
    begin: int
    number: int


def read_held(graph: EventGraph) -> Held:
    """What a graph has, the largest sources first."""
    spans = {_text(g): (_text(first)[:10], _text(last)[:10]) for g, first, last in graph.select(_SPANS)}
    found = [
        Source(
            entry.name, source_in_words(entry.name), label_of(entry.format, entry.name), entry.events, entry.skipped,
            entry.triples, entry.imported, *spans.get(source_graph(entry.name), (None, None)),
        )
        for entry in read_catalog(graph)
    ]  # fmt: skip
    found.sort(key=lambda source: (-source.events, source.name))
    derived = sum(1 for _ in _derived(graph))
    return Held(graph.generation, tuple(found), graph.count(), derived)


def read_left_out(graph: StoreGraph, name: str, begin: int) -> Records | None:
    """What was left out of a source; None where there is no such source."""
    if name not in {entry.name for entry in read_catalog(graph)}:
        return None
    at = NamedNode(catalog_graph(name))
    rows = graph.select(_LEFT_OUT.format(graph=at, most=SHOWN, begin=begin))
    records = tuple(LeftOut(_text(path), _text(where), _text(why), int(_text(n))) for path, where, why, n in rows)
    reasons = tuple((_text(why), int(_text(n))) for why, n in graph.select(_REASONS.format(graph=at)))
    ((number,),) = graph.select(_MORE.format(graph=at)).rows
    return Records(source_in_words(name), reasons, records, begin, int(_text(number)))


def bytes_of(directory: Path) -> int:
    """Bytes of a store on disk, without what is being brought in."""
    jobs = directory / JOBS
    files = (path for path in directory.rglob("*") if not path.is_relative_to(jobs))
    return sum(_size(path) for path in files)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # gone meanwhile
        return 0


def _derived(graph: StoreGraph) -> Iterator[str]:
    return (iri for iri in graph.graphs() if iri.startswith(DERIVED))


def _text(term: Term | None) -> str:
    return "" if term is None else term.value
