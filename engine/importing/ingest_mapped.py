"""Import with a user's own RML map in place of the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from ...config import zone
from ...errors import DataError, SourceError, UsageError
from ...mappings.rml import CompiledMap, own_kinds
from ...sources.text import slug
from .loading import TYPE_MARK, IngestOptions, digest_of, load, workspace, write_mapped
from .mapping_apart import MappingRun, task_of
from .mapping_task import MappingTask, RecordTask
from .maps import map_for_user
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
        home = options.settings.home_zone or held.home_zone or options.default_zone
        compiled = map_for_user(mapping, zone(home))
        target = work / f"{report.name}.nq"
        with target.open("wb") as out:
            run = MappingRun(_task(compiled, mapping, paths, options, report))
            with own_subjects(report.name, directory, held.entries, options.settings.lock_seconds) as own:
                try:
                    write_mapped(out, own.kept(run.chunks()), report, progress, TYPE_MARK)
                except DataError as bad:
                    raise SourceError(str(bad)) from bad
                own.tell(report)
        report.records = run.records
        report.skip_unmapped(str(paths[0]), run.unmapped)
        report.triples = declare_own_terms(target, report.name, own_kinds(compiled.triples_maps, report.name))
        report.digest = digest_of(target)
        report.warnings.extend(run.warnings)
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


def _files(written: tuple[str, ...], paths: Sequence[Path]) -> dict[str, Path]:
    """Which of the given files stands in for which path of the map."""
    given = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    given = [file for file in given if file.is_file()]
    if len(written) == 1 and len(given) == 1:
        return {written[0]: given[0]}
    by_name = {file.name: file for file in given}
    missing = [path for path in written if PurePosixPath(path).name not in by_name]
    if missing:
        raise UsageError(f"the map reads {', '.join(missing)}, which is not among the files given")
    return {path: by_name[PurePosixPath(path).name] for path in written}
