"""How an import ends, whatever maps made its triples: they are written, counted, and loaded as the next generation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from ...config import Settings
from ...execution.derivations.dependencies import state_of
from ...ontology.namespaces import VOCABULARY_GRAPH, catalog_graph, source_graph
from ...sources.base import BadRecord
from ...store.generations import Import, begin_import
from ...store.graph import WritableGraph
from ...store.index.index import open_index
from ...store.ontology_graph import Documents, ontology_quads, refresh_vocabulary
from ...store.rdf import write_nquads
from ...store.vocabulary import load_vocabulary
from ..authoring.domain import ontology_of
from ..derivations import drop_derived
from .catalog import catalog_quads
from .replacing import EVENT_PROPERTY, TYPE_PROPERTY
from .report import Progress, SourceReport

_EVENT_MARK = f" <{EVENT_PROPERTY}> <"
TYPE_MARK = f" <{TYPE_PROPERTY}> <"
_REPORT_EVERY = 500


@dataclass(frozen=True)
class IngestOptions:
    """How to import. `default_zone` counts when neither settings, profile, calendars nor the store tell a home zone."""

    settings: Settings
    now: datetime
    default_zone: str = "UTC"
    source: str | None = None
    mapping: Path | None = None
    dry_run: bool = False
    dialogues: bool = False
    """Whether the files are the journal of dialogues with reqap-kg, which no other import takes."""
    replace: bool = False
    """Whether a source is replaced though most of it would be lost, or the import is of another format."""
    debug: bool = False
    """Whether an error of a reader that nobody foresaw is raised, in place of a refused file."""
    index: bool = False
    """Whether the index is made before the new generation is in force; else whoever opens it first makes it."""


def home_zone(options: IngestOptions, held: str | None) -> str:
    """The zone of times without one: the settings', or what the store holds, or the default."""
    return options.settings.home_zone or held or options.default_zone


@contextmanager
def workspace(directory: Path, options: IngestOptions) -> Iterator[tuple[Path, Import | None]]:
    """A folder for the triples on their way; with the import lock, unless this is a dry run."""
    if options.dry_run:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder), None
        return
    with begin_import(directory, lock_seconds=options.settings.lock_seconds) as new:
        yield new.work, new


def load(
    new: Import,
    work: Path,
    reports: Sequence[SourceReport],
    options: IngestOptions,
    *,
    home_zone: str,
    progress: Progress,
) -> None:
    """Builds and commits the next generation with the sources that changed, and without what was derived from what is
    no longer so; does nothing when none changed."""
    changed = [report for report in reports if report.state in ("new", "replaced")]
    if not changed:
        return
    progress.step("loading the store")
    catalog = work / "catalog.nq"
    ontology = ontology_of(options.settings.domain)
    write_nquads(catalog, ontology_quads(ontology))
    drop = {VOCABULARY_GRAPH}
    for report in changed:
        write_nquads(catalog, catalog_quads(report, home_zone=home_zone, now=options.now), append=True)
        drop |= {source_graph(report.name), catalog_graph(report.name)}
    loaded = [catalog, *(work / f"{report.name}.nq" for report in changed)]
    lexicons = options.settings.lexicons
    whole = {source_graph(report.name): work / f"{report.name}.nq" for report in changed}

    def finish(graph: WritableGraph) -> None:
        drop_derived(graph, generation=new.name, lexicons=lexicons, ontology=ontology)
        if options.index:
            make_index(graph, new, ontology, progress)

    new.build(frozenset(drop), loaded, finish=finish, whole=whole)
    new.commit()


def write_mapped(
    out: BinaryIO,
    chunks: Iterable[str | BadRecord],
    report: SourceReport,
    progress: Progress,
    mark: str = _EVENT_MARK,
) -> None:
    """Writes what a map yields, a text for each record, counting; `mark` is what follows each event's subject once."""
    pending = 0
    fresh: set[int] = set()
    for chunk in chunks:
        if isinstance(chunk, BadRecord):
            report.skip(chunk)
            continue
        out.write(chunk.encode())
        report.triples += chunk.count("\n")
        _count_events(chunk, mark, report, fresh)
        pending += 1
        if pending == _REPORT_EVERY:
            progress.advance(pending)
            pending = 0
    report.subjects |= fresh
    progress.advance(pending)


def _count_events(chunk: str, mark: str, report: SourceReport, fresh: set[int]) -> None:
    """Counts the events of one record, each once however many records tell of it; `fresh` are those of this file."""
    found: set[int] = set()
    at = chunk.find(mark)
    while at >= 0:
        line = chunk.rfind("\n", 0, at) + 1
        if chunk.find(" ", line) == at:  # a text that holds the mark is no subject
            found.add(hash(chunk[line:at]))
        at = chunk.find(mark, at + 1)
    new = found - fresh - report.subjects
    fresh |= new
    report.events += len(new)
    report.added += max(0, len(new) - 1)
    report.merged += bool(found) and not new


_INDEX = "index"


def make_index(graph: WritableGraph, new: Import, ontology: Documents | None, progress: Progress) -> None:
    """Makes the index of values of the generation under construction, of which `graph` is the graph; what the one
    before had is brought up to date."""
    folder = new.directory / new.name / _INDEX
    folder.mkdir(exist_ok=True)
    refresh_vocabulary(graph, ontology)
    vocabulary = load_vocabulary(graph)
    generation = state_of(new.name, ontology)
    open_index(folder, graph, vocabulary, generation=generation, progress=progress.counted).close()
