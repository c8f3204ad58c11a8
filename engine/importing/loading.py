"""How an import ends, whatever maps made its triples: they are written, counted, and loaded as the next generation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from zoneinfo import ZoneInfo

from ...config import Settings, own_text
from ...errors import DataError, SourceError, UsageError
from ...execution.derivations.dependencies import state_of
from ...mappings.rml import CompiledMap, load_map
from ...ontology.namespaces import DATA, VOCABULARY_GRAPH, catalog_graph, source_graph
from ...sources.base import BadRecord, Format
from ...store.generations import AnyImport, begin_import
from ...store.graph import WritableGraph
from ...store.index.index import open_index
from ...store.ontology_graph import Documents, ontology_quads, refresh_vocabulary
from ...store.rdf import write_nquads
from ...store.vocabulary import load_vocabulary
from ..authoring.domain import ontology_of
from ..derivations import drop_derived
from .catalog import catalog_quads
from .mapping_subprocess import MappingRun
from .own_subjects import OwnSubjects
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
def workspace(directory: Path, options: IngestOptions) -> Iterator[tuple[Path, AnyImport | None]]:
    """A folder for the triples on their way; with the import lock, unless this is a dry run."""
    if options.dry_run:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder), None
        return
    with begin_import(directory, lock_seconds=options.settings.lock_seconds, access=options.settings.access) as new:
        yield new.work, new


def load(
    new: AnyImport,
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


def make_index(graph: WritableGraph, new: AnyImport, ontology: Documents | None, progress: Progress) -> None:
    """Makes the index of values of the generation under construction, of which `graph` is the graph; what the one
    before had is brought up to date."""
    folder = new.directory / new.name / _INDEX
    folder.mkdir(exist_ok=True)
    refresh_vocabulary(graph, ontology)
    vocabulary = load_vocabulary(graph)
    generation = state_of(new.name, ontology)
    open_index(folder, graph, vocabulary, generation=generation, progress=progress.counted).close()


def map_for_format(kind: Format, home_zone: ZoneInfo) -> CompiledMap:
    """The shipped map of a format. Raises MappingError when the installed file is damaged."""
    entry = files("reqap_kg.mappings").joinpath(kind.map_file)
    return load_map(entry.read_text(encoding="utf-8"), path=kind.map_file, base_iri=DATA, home_zone=home_zone)


def map_for_user(path: Path, home_zone: ZoneInfo) -> CompiledMap:
    """A user's map. Raises UsageError where there is no such file, MappingError where it is wrong."""
    try:
        text = own_text(path)
    except FileNotFoundError as bad:
        raise UsageError(f"there is no map {path}") from bad
    except OSError as bad:
        raise UsageError(f"the map {path} cannot be read: {bad.strerror}") from bad
    except UnicodeDecodeError as bad:
        raise UsageError(f"{path} is not text in UTF-8") from bad
    return load_map(text, path=str(path), base_iri=DATA, home_zone=home_zone)


def given_files(paths: Sequence[Path]) -> list[Path]:
    """The files among `paths` and in the folders among them."""
    every = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    return [file for file in every if file.is_file()]


def standing_in(written: Sequence[str], given: Sequence[Path]) -> Mapping[str, Path]:
    """Which of the given files stands in for which path that a map has written: the one of the same file name."""
    by_name = {file.name: file for file in given}
    return {path: by_name[name] for path in written if (name := PurePosixPath(path).name) in by_name}


def write_run(
    run: MappingRun, own: OwnSubjects, out: BinaryIO, report: SourceReport, progress: Progress, name: str
) -> None:
    """Writes what a map makes and counts it. Raises SourceError where its files cannot be read."""
    try:
        write_mapped(out, own.kept(run.chunks()), report, progress, TYPE_MARK)
    except DataError as bad:
        raise SourceError(str(bad)) from bad
    report.records += run.records
    report.skip_unmapped(name, run.unmapped)
    report.warnings.extend(run.warnings)
