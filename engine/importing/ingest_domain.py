"""Import of a domain's data: its maps over its files, its profile, and what its ontology computes from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...config import zone
from ...errors import UsageError
from ...mappings.rml import CompiledMap
from ...ontology.namespaces import PROFILE_SOURCE, source_graph
from ...store.rdf import NamedNode, Quad, write_nquads
from ...store.upkeep.seal import digest_of
from ..authoring.domain import Domain
from .computed_values import write_computed
from .loading import IngestOptions, home_zone, load, workspace
from .mapping_apart import MappingRun, task_of
from .maps import map_for_user
from .own_maps import given_files, standing_in, write_run
from .own_subjects import OwnSubjects, own_subjects
from .replacing import TYPE_PROPERTY, Held
from .report import IngestReport, Progress, SourceReport


def ingest_domain(
    domain: Domain, paths: Sequence[Path], directory: Path, options: IngestOptions, progress: Progress
) -> IngestReport:
    """Imports what the domain's maps make of the files they name, as one source, and the domain's profile.

    A file or folder in `paths` stands in for the files of the same names; map documents none of whose files it has are
    then left out (a domain may read the same data in several forms). Raises DomainError, MappingError, UsageError
    for a domain without maps, SourceError where its data cannot be read.
    """
    if not domain.maps and not domain.profile:
        raise UsageError(f"the domain {domain.folder} has no maps and no profile: there is nothing to import")
    with workspace(directory, options) as (work, new):
        held = Held(directory, lock_seconds=options.settings.lock_seconds)
        home = home_zone(options, held.home_zone)
        maps = [map_for_user(path, zone(home)) for path in domain.maps]
        with own_subjects(domain.name, directory, held.entries, options.settings.lock_seconds) as own:
            reports = [_data(domain, maps, paths, options, work, progress, own)] if maps else []
        reports += [_profile(domain, work)] if domain.profile else []
        held.settle(reports, work, replace=options.replace, mark=TYPE_PROPERTY)
        if new is not None:
            load(new, work, reports, options, home_zone=home, progress=progress)
    return IngestReport(tuple(reports), (), (), home, options.dry_run)


def _data(
    domain: Domain,
    maps: Sequence[CompiledMap],
    paths: Sequence[Path],
    options: IngestOptions,
    work: Path,
    progress: Progress,
    own: OwnSubjects,
) -> SourceReport:
    instead = _instead(paths, [path for compiled in maps for path in compiled.source_paths])
    maps = [compiled for compiled in maps if not instead or instead.keys() & set(compiled.source_paths)]
    report = SourceReport(domain.name, f"domain {domain.label}")
    target = work / f"{report.name}.nq"
    with target.open("wb") as out:
        for compiled in maps:
            progress.start(compiled.path or domain.name, 0)
            run = _run(compiled, domain, instead, options, report)
            write_run(run, own, out, report, progress, compiled.path or domain.name)
            report.files += [str(instead.get(path, domain.folder / path)) for path in compiled.source_paths]
    own.tell(report)
    progress.step("computing values")
    report.triples += write_computed(target, domain.ontology, source_graph(report.name))
    report.digest = digest_of(target)
    return report


def _run(
    compiled: CompiledMap, domain: Domain, instead: Mapping[str, Path], options: IngestOptions, report: SourceReport
) -> MappingRun:
    if compiled.reads_records:
        raise UsageError(f"{compiled.path}: the map of a domain reads files; it has a source ev:Records")
    return MappingRun(task_of(compiled, domain.folder, instead, options.settings.limits, source=report.name))


def _instead(paths: Sequence[Path], written: Sequence[str]) -> Mapping[str, Path]:
    """Which of the given files stands in for which path of the maps."""
    names = {PurePosixPath(path).name for path in written}
    strange = [str(path) for path in paths if path.is_file() and path.name not in names]
    if strange:
        raise UsageError(f"no map of the domain reads {', '.join(strange)}; they read {', '.join(sorted(names))}")
    return standing_in(written, given_files(paths))


def _profile(domain: Domain, work: Path) -> SourceReport:
    target = work / f"{PROFILE_SOURCE}.nq"
    graph = NamedNode(source_graph(PROFILE_SOURCE))
    quads = [Quad(q.subject, q.predicate, q.object, graph) for q in domain.profile]
    write_nquads(target, quads)
    report = SourceReport(PROFILE_SOURCE, PROFILE_SOURCE, [str(domain.folder / "profile.ttl")])
    report.triples = len(quads)
    report.digest = digest_of(target)
    return report
