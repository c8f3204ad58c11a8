"""From files to a new generation of the store: recognise, read, map, load; all of it or nothing."""

from __future__ import annotations

import itertools
import re
from collections import ChainMap, Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ...config import zone
from ...errors import DataError, SourceError, UsageError
from ...mappings.rml import CompiledMap, own_kinds
from ...ontology.namespaces import PROFILE_SOURCE, source_graph
from ...parallel import workers_of
from ...sources.base import BadRecord, Format, InputFile, ReadContext, Reader, Record
from ...sources.registry import formats
from ...sources.text import slug
from ...store.upkeep.disk_space import require_space, without_space
from ...store.upkeep.seal import digest_of
from ...texts.import_budget import ImportClock, passed_limit
from ..authoring.domain import domain_of
from .covered import folder_of, without_covered
from .ingest_domain import ingest_domain
from .loading import (
    IngestOptions,
    given_files,
    home_zone,
    load,
    map_for_format,
    map_for_user,
    standing_in,
    workspace,
    write_mapped,
    write_run,
)
from .mapping_subprocess import MappingRun, MappingTask, RecordTask, task_of
from .own_subjects import own_subjects
from .recognise import RecognisedFiles, recognise
from .replacing import TYPE_PROPERTY, Held, Owner, owner_of_profile, zone_of_calendar
from .report import IngestReport, Progress, Refused, Silent, SourceReport, each_of, one_file
from .user_terms import declare_own_terms


def ingest(
    paths: Sequence[Path], directory: Path, options: IngestOptions, progress: Progress | None = None
) -> IngestReport:
    """Imports files, folders and archives into the store at `directory`.

    In a domain that has maps, what these read is imported. A source that is there already is replaced when its content
    differs, and left alone when it does not or when most of it would be lost (`Held.settle`). Raises SourceError when
    a named path is refused, before anything changes; files inside a folder are refused one by one.
    """
    if options.mapping is not None:
        return ingest_mapped(paths, directory, options, progress or Silent())
    domain = domain_of(options.settings.domain)
    if domain is not None and (domain.maps or not paths):
        return ingest_domain(domain, paths, directory, options, progress or Silent())
    if not paths:
        raise UsageError("expected files, folders or zips of exports")
    clock = ImportClock(options.settings.limits)
    found = recognise(paths, options.settings.limits, dialogues=options.dialogues, clock=clock, debug=options.debug)
    found = without_covered(found, options.settings.limits, debug=options.debug)
    if not options.dry_run:
        found = _with_room(found, directory)
    profile = next(_profiles(found, options), Owner())
    with workspace(directory, options) as (work, new):
        held = Held(directory, options.settings)
        context = _context(profile, held, _home(profile, held, found, options), options)
        run = _Run(work, context, progress or Silent(), list(found.refused), clock, options)
        found = run.names(found)
        reports = [run.source(name, files) for name, files in run.by_source(found, options.source).items()]
        reports = [report for report in reports if report.files]
        held.settle(reports, work, replace=options.replace)
        home = context.home_zone.key
        if new is not None:
            load(new, work, reports, options, home_zone=home, progress=run.progress)
    return IngestReport(tuple(reports), tuple(run.refused), found.ignored, home, options.dry_run)


def _with_room(found: RecognisedFiles, directory: Path) -> RecognisedFiles:
    """What was found without the files for which the disk has no room. Raises StoreError where none is left."""
    sizes = [file.size for _, file in found.files]
    out = without_space(directory, sizes)
    if len(out) == len(sizes):
        require_space(directory, sum(sizes))
    refused = tuple(Refused(found.files[at][1].path, told) for at, told in sorted(out.items()))
    files = tuple(pair for at, pair in enumerate(found.files) if at not in out)
    return replace(found, files=files, refused=(*found.refused, *refused))


def _context(profile: Owner, held: Held, home: str, options: IngestOptions) -> ReadContext:
    return ReadContext(
        home_zone=zone(home),
        now=options.now.isoformat(timespec="seconds"),
        horizon_days=options.settings.horizon_days,
        session_gap_minutes=options.settings.session_gap_minutes,
        owner_names=profile.names or held.owner,
        limits=options.settings.limits,
    )


class _Run:
    """One import under way: where its files are written, and what it refused."""

    def __init__(
        self,
        work: Path,
        context: ReadContext,
        progress: Progress,
        refused: list[Refused],
        clock: ImportClock,
        options: IngestOptions,
    ) -> None:
        self._debug = options.debug
        self._workers = workers_of(options.settings)
        self.work = work
        self._clock = clock
        self.context = context
        self.progress = progress
        self.refused = refused
        self._maps: dict[str, CompiledMap] = {}

    def names(self, found: RecognisedFiles) -> RecognisedFiles:
        """What was found without the files that only say what keys in others stand for, which are read here."""
        names = [(kind, file) for kind, file in found.files if kind.names_only]
        if len(names) == len(found.files):
            self.refused += [Refused(file.path, f"{kind.label}, without its messages") for kind, file in names]
        for kind, file in names:
            try:
                with one_file(file.path, debug=self._debug):
                    bad = [record for record in kind.read(file, self.context) if isinstance(record, BadRecord)]
            except SourceError as cause:
                self.refused.append(Refused.of(file.path, cause))
            else:
                self.refused += [Refused(file.path, f"{record.where}: {record.reason}") for record in bad]
        others = tuple(pair for pair in found.files if not pair[0].names_only)
        told = tuple(Refused(file.path, kind.label) for kind, file in names) if others else ()
        return replace(found, files=others, ignored=(*found.ignored, *told))

    def by_source(self, found: RecognisedFiles, name: str | None) -> dict[str, list[tuple[Format, InputFile]]]:
        """Files by source, in a stable order; with `name`, all are that one source. Raises UsageError on a mixture."""
        kinds = sorted({kind.name for kind, _ in found.files})
        if name is not None and len(kinds) > 1:
            told = f"{len(kinds)} formats: {', '.join(kinds)}"
            raise UsageError(f"--source names one source, but these files are of {told}")
        grouped: dict[str, list[tuple[Format, InputFile]]] = {}
        parts = self._parts(found)
        folders = shared_folders((kind, path) for path, kind in parts.items())
        for kind, file in found.files:
            folder = folders.get((kind.name, folder_of(file.path))) if file.path in parts else None
            try:
                with one_file(file.path, debug=self._debug):
                    own = kind.source_name(file) if folder is None else f"{kind.shared_name}-{folder}"
                    named = slug(name or own) or "source"
            except SourceError as bad:
                self.refused.append(Refused.of(file.path, bad))
                continue
            grouped.setdefault(named, []).append((kind, file))
        return dict(sorted(by_format(grouped).items()))

    def _parts(self, found: RecognisedFiles) -> dict[str, str]:
        """The files that are single entries, with their formats; one that cannot be read is refused in its turn."""
        parts: dict[str, str] = {}
        for kind, file in found.files:
            if kind.is_part is not None:
                with suppress(SourceError), one_file(file.path, debug=self._debug):
                    parts |= {file.path: kind.name} if kind.is_part(file) else {}
        return parts

    def source(self, name: str, files: Sequence[tuple[Format, InputFile]]) -> SourceReport:
        """Maps all files of one source to `<name>.nq` in the work folder."""
        kind = files[0][0]
        report = SourceReport(name, kind.name)
        self.context = replace(self.context, known={}, newest={}, parts={})
        self._survey(files)
        path = self.work / f"{name}.nq"
        with path.open("wb") as out:
            for number, (kind, file) in enumerate(files):
                if self._clock.is_up():
                    self.refused.append(Refused(file.path, self._clock.reason(len(files) - number)))
                    break
                self._file(kind, file, out, report)
        report.digest = digest_of(path)
        return report

    def _survey(self, files: Sequence[tuple[Format, InputFile]]) -> None:
        """What is to be known of all files of a source before one is read; one that cannot be read is refused then."""
        for kind, file in files if len(files) > 1 else ():
            if kind.survey is not None and not self._clock.is_up():
                with suppress(SourceError), one_file(file.path, debug=self._debug):
                    kind.survey(file, self.context)

    def _file(self, kind: Format, file: InputFile, out: BinaryIO, report: SourceReport) -> None:
        self.progress.start(file.path, file.size)
        start, before = out.tell(), report.counts()
        known = self.context.known
        fresh: dict[int, int] = {}  # what a refused file holds is no record that another could be the same as
        context = replace(self.context, known=ChainMap(fresh, known))
        try:
            records = self._counted(kind.read, file, report, context)
            chunks = self._map(kind).map_records(
                records,
                graph=source_graph(report.name),
                source=report.name,
                limits=self.context.limits,
                workers=self._workers,
            )
            write_mapped(out, each_of(chunks, file.path, debug=self._debug), report, self.progress)
            report.skip_unmapped(file.path, self._map(kind).records_unmapped)
            if report.counts() == before:
                raise SourceError(f"{file.path}: {kind.label}, but no record is in it")
        except (SourceError, DataError) as bad:  # DataError: one record would make too many triples
            out.seek(start)
            out.truncate()
            report.back_to(before)
            self.refused.append(Refused.of(file.path, bad))
            return
        known.update(fresh)
        report.files.append(file.path)
        if kind.name == PROFILE_SOURCE:
            report.events = 0  # people and jobs are not events

    def _map(self, kind: Format) -> CompiledMap:
        if kind.name not in self._maps:
            self._maps[kind.name] = map_for_format(kind, self.context.home_zone)
        return self._maps[kind.name]

    def _counted(
        self, read: Reader, file: InputFile, report: SourceReport, context: ReadContext
    ) -> Iterator[Record | BadRecord]:
        for record in read(file, context):
            if isinstance(record, BadRecord):
                report.records += 0 if record.key else record.count
                yield record
                continue
            report.records += 1
            reason = passed_limit(record, self.context.limits)
            where = str(record.get("_where") or record.get("_id") or f"record {report.records}")
            yield BadRecord(file.path, where[:200], reason) if reason else record


def _home(profile: Owner, held: Held, found: RecognisedFiles, options: IngestOptions) -> str:
    """The home zone: of the settings, the profile among the files, what was imported before, or the calendars among
    them, so that a calendar that somebody sends later changes nothing."""
    told = options.settings.home_zone or profile.home_zone
    return told or held.home_zone or _calendar_zone(found, options) or options.default_zone


def _calendar_zone(found: RecognisedFiles, options: IngestOptions) -> str | None:
    """The zone that all calendars state: one of several may be somebody else's.

    A file that cannot be read tells nothing here; it is refused when its turn to be imported comes.
    """
    zones = set[str | None]()
    for kind, file in found.files:
        if kind.name == "icalendar":
            with suppress(SourceError), one_file(file.path, debug=options.debug):
                zones.add(zone_of_calendar(file))
    return zones.pop() if len(zones) == 1 else None


def _profiles(found: RecognisedFiles, options: IngestOptions) -> Iterator[Owner]:
    """The owners that the profiles among the files tell of; a profile's first record is its owner."""
    context = ReadContext(zone("UTC"), options.now.isoformat(timespec="seconds"), limits=options.settings.limits)
    for kind, file in found.files:
        if kind.name == "profile":
            with suppress(SourceError), one_file(file.path, debug=options.debug):
                records = (record for record in kind.read(file, context) if not isinstance(record, BadRecord))
                yield from (owner_of_profile(record) for record in itertools.islice(records, 1))


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
        held = Held(directory, options.settings)
        home = home_zone(options, held.home_zone)
        compiled = map_for_user(mapping, zone(home))
        target = work / f"{report.name}.nq"
        with target.open("wb") as out:
            run = MappingRun(_task(compiled, mapping, paths, options, report))
            with own_subjects(report.name, directory, held.entries, options.settings) as own:
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
        workers=workers_of(settings),
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


Groups = Mapping[str, list[tuple[Format, InputFile]]]
"""Files with their formats, by the name of their source."""


def by_format(groups: Groups) -> Groups:
    """Sources of one format each: of several formats under one name, the first of the registry keeps it.

    So a list that happens to be called `spotify.json` does not become a part of what Spotify exports.
    """
    order = {form.name: place for place, form in enumerate(formats())}
    out: dict[str, list[tuple[Format, InputFile]]] = {}
    for name, files in groups.items():
        keeper = min((kind.name for kind, _ in files), key=lambda kind: order.get(kind, len(order)))
        for kind, file in files:
            out.setdefault(name if kind.name == keeper else f"{name}-{kind.name}", []).append((kind, file))
    mixed = any(len({kind.name for kind, _ in files}) > 1 for files in out.values())
    return by_format(out) if mixed else out


def shared_folders(parts: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Names of the sources of single entries, by format and folder, for folders that have several of them.

    A single entry in a folder of other things stays a source of its own, as it comes.
    """
    counts = Counter((kind, folder_of(path)) for kind, path in parts)
    return {
        (kind, folder): slug(re.split(r"[/\\!]", folder.rstrip("/\\!"))[-1])
        for (kind, folder), count in counts.items()
        if count > 1
    }
