"""Which of the files that a user points at are exports, of which format, and which are not data at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...config import Limits
from ...errors import ReaderFault, SourceError, UnknownFormat
from ...ontology.namespaces import DIALOGUES
from ...sources.base import BadRecord, Format, InputFile
from ...sources.detect import describe, detect
from ...sources.files import walk
from ...texts.import_budget import Budget, ImportClock
from .report import Refused, one_file

_SHARE: Final = 0.5
"""Of an import's time, for telling formats."""


@dataclass(frozen=True)
class RecognisedFiles:
    """The files of an import by what becomes of them."""

    files: tuple[tuple[Format, InputFile], ...]
    refused: tuple[Refused, ...]
    ignored: tuple[Refused, ...]


def recognise(
    paths: Sequence[Path],
    limits: Limits,
    *,
    dialogues: bool = False,
    clock: ImportClock | None = None,
    debug: bool = False,
) -> RecognisedFiles:
    """Looks at every file below `paths`, for half of the import's time. Raises SourceError when a path that was named
    is itself refused, as is the journal of dialogues with reqap-kg unless `dialogues` are wanted; not for a fault of a
    reader, which is raised with `debug` only."""
    clock = clock or ImportClock(limits)
    files: list[tuple[Format, InputFile]] = []
    refused: list[Refused] = []
    ignored: list[Refused] = []
    budget = Budget(limits)
    for path in paths:
        for file in walk(path, limits, budget):
            if isinstance(file, BadRecord):
                refused.append(Refused(file.path, f"{file.where}: {file.reason}"))
                continue
            if clock.is_up(_SHARE):
                refused.append(Refused(file.path, clock.reason()))
                return RecognisedFiles(tuple(files), tuple(refused), tuple(ignored))
            try:
                with one_file(file.path, debug=debug):
                    files.append((_format(file, limits.recognise_seconds, dialogues=dialogues), file))
            except SourceError as bad:
                if file.path == str(path) and not isinstance(bad, ReaderFault):
                    raise
                # Only what was looked at to the end without a match is described: that went well once already.
                media = isinstance(bad, UnknownFormat) and describe(file).media
                (ignored if media else refused).append(Refused.of(file.path, bad))
    return RecognisedFiles(tuple(files), tuple(refused), tuple(ignored))


def _format(file: InputFile, seconds: float, *, dialogues: bool) -> Format:
    found = detect(file, seconds=seconds)
    if found.name == DIALOGUES and not dialogues:
        raise SourceError(f"{file.path}: dialogues with reqap-kg are no events of your life; they are kept apart")
    return found
