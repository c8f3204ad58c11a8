"""The map that turns a format's records into triples: shipped with the package, or the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from zoneinfo import ZoneInfo

from ...config import own_text
from ...errors import DataError, SourceError, UsageError
from ...mappings.rml import CompiledMap, load_map
from ...ontology.namespaces import DATA
from ...sources.base import Format
from .loading import TYPE_MARK, write_mapped
from .mapping_apart import MappingRun
from .own_subjects import OwnSubjects
from .report import Progress, SourceReport


def map_for_format(kind: Format, home_zone: ZoneInfo) -> CompiledMap:
    """The shipped map of a format. Raises MappingError when the installed file is damaged."""
    entry = files("reqap_kg.mappings").joinpath(kind.map_file)
    return load_map(entry.read_text(encoding="utf-8"), path=kind.map_file, base_iri=DATA, home_zone=home_zone)


def map_for_user(path: Path, home_zone: ZoneInfo, base: str | None = None) -> CompiledMap:
    """A user's map. Raises UsageError where there is no such file, MappingError where it is wrong."""
    try:
        text = own_text(path)
    except FileNotFoundError as bad:
        raise UsageError(f"there is no map {path}") from bad
    except OSError as bad:
        raise UsageError(f"the map {path} cannot be read: {bad.strerror}") from bad
    except UnicodeDecodeError as bad:
        raise UsageError(f"{path} is not text in UTF-8") from bad
    return load_map(text, path=str(path), base_iri=base or DATA, home_zone=home_zone)


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
