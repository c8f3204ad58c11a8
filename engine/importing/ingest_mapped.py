"""Import with a user's own RML map in place of the shipped ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...config import zone
from ...errors import UsageError
from ...mappings.rml import CompiledMap, own_kinds
from ...sources.text import slug
from ...store.upkeep.seal import digest_of
from .loading import IngestOptions, home_zone, load, workspace
from .mapping_apart import MappingRun, task_of
from .mapping_task import MappingTask, RecordTask
from .maps import map_for_user
from .own_maps import given_files, standing_in, write_run
from .own_subjects import own_subjects
from .own_terms import declare_own_terms
from .replacing import TYPE_PROPERTY, Held
from .report import IngestReport, Progress, SourceReport


def ingest_mapped(paths: Sequence[Path], directory: Path, options: IngestOptions, progress: Progress) -> IngestReport:
    """Imports `paths` as one source by the map of `options.mapping`.

    A map over ev:Records gets the records that the format's reader yields, or those of any JSON, CSV or XML file. A
    map over files gets `paths` in place of its own sources: the only one, or those of the same file name. All quads go
    to the source's graph, with what declares classes and properties that no ontology knows (`own_terms`).

    Raises MappingError where the map is wrong, UsageError where the files do not fit it, SourceError where they cannot
    be read.
    """
    mapping = options.mapping
    assert mapping is not None
    report = SourceReport(
        slug(options.source or mapping.stem) or "source", f"map {mapping.name}", [str(path) for path in paths]
    )
    with workspace(directory, options) as (work, new):
        held = Held(directory, lock_seconds=options.settings.lock_seconds)
        home = home_zone(options, held.home_zone)
        compiled = map_for_user(mapping, zone(home))
        target = work / f"{report.name}.nq"
        with target.open("wb") as out:
            run = MappingRun(_task(compiled, mapping, paths, options, report))
            with own_subjects(report.name, directory, held.entries, options.settings.lock_seconds) as own:
                write_run(run, own, out, report, progress, str(paths[0]))
                own.tell(report)
        report.triples = declare_own_terms(target, report.name, own_kinds(compiled.triples_maps, report.name))
        report.digest = digest_of(target)
        held.settle([report], work, replace=options.replace, mark=TYPE_PROPERTY)
        if new is not None:
            load(new, work, [report], options, home_zone=home, progress=progress)
    return IngestReport((report,), (), (), home, options.dry_run)


def _task(
    compiled: CompiledMap,
    mapping: Path,
    paths: Sequence[Path],
    options: IngestOptions,
    report: SourceReport,
) -> MappingTask:
    instead = _files(compiled.source_paths, paths) if compiled.reads_files else {}
    settings = options.settings
    now = options.now.isoformat(timespec="seconds")
    given = tuple(str(path) for path in paths)
    records = RecordTask(given, now, settings.horizon_days, settings.session_gap_minutes)
    return task_of(
        compiled,
        mapping.resolve().parent,
        instead,
        settings.limits,
        source=report.name,
        records=records if compiled.reads_records else None,
        own_kinds=report.name,
    )


def _files(written: tuple[str, ...], paths: Sequence[Path]) -> Mapping[str, Path]:
    """Which of the given files stands in for which path of the map."""
    given = given_files(paths)
    if len(written) == 1 and len(given) == 1:
        return {written[0]: given[0]}
    instead = standing_in(written, given)
    if missing := [path for path in written if path not in instead]:
        raise UsageError(f"the map reads {', '.join(missing)}, which is not among the files given")
    return instead
