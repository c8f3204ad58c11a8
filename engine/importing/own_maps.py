"""What imports by maps of one's own share: which files stand in for which, and how a map's triples are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ...errors import DataError, SourceError
from .loading import TYPE_MARK, write_mapped
from .mapping_apart import MappingRun
from .own_subjects import OwnSubjects
from .report import Progress, SourceReport


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
