"""Iterations of a file: what every reader of a reference formulation gives, and how the bytes are opened."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, BinaryIO, cast

from ....config import Limits
from ....errors import DataError, MappingError, Place
from ....sources.base import BadRecord
from ....texts.import_budget import Budget
from ..model import FileSource

DEFAULT_LIMITS = Limits()
_BUFFER = 1 << 17


def check_relative(source: FileSource, place: Place | None) -> None:
    """Refuse paths that cannot be below a root: absolute ones and those with `..`. Raises MappingError."""
    own = source.root if source.root not in ("MappingDirectory", "CurrentWorkingDirectory") else ""
    for text in (source.path, own):
        parts = PurePosixPath(text.replace("\\", "/")).parts
        absolute = PurePosixPath(text).is_absolute() or bool(PureWindowsPath(text).drive) or text.startswith("\\")
        if absolute or ".." in parts or "\0" in text:
            raise MappingError(f"{text!r} leads out of its root", place=place, expected="a path below the map's folder")
    if not source.path:
        raise MappingError("an empty path", place=place, expected="a path below the map's folder")


def file_of(source: FileSource, mapping_directory: Path, working_directory: Path) -> Path:
    """The file of a source. Raises DataError when it is missing, no file, or (through a link) outside its root."""
    root = working_directory if source.root == "CurrentWorkingDirectory" else mapping_directory
    folder = root if source.root in ("CurrentWorkingDirectory", "MappingDirectory") else root / source.root
    path = folder / source.path
    try:
        real = path.resolve()
        inside = real.is_relative_to(root.resolve())
        present = real.is_file()
    except (OSError, RuntimeError, ValueError) as bad:
        raise DataError(f"{source.path}: cannot be looked up: {bad}") from bad
    if not inside:
        raise DataError(f"{source.path}: leads out of {root} through a link")
    if not present:
        raise DataError(f"{source.path}: no such file in {folder}")
    return real


@dataclass(frozen=True)
class Iteration:
    """One logical iteration: its value and where it stands, for reports ("line 3", "item 7")."""

    value: Any
    where: str


Iterations = Iterator[Iteration | BadRecord]


@dataclass
class Unpacking:
    """What the packed files of one run of a map unpack to, all together, against what was read of them by then.

    A file that is read again counts once.
    """

    budget: Budget
    _files: dict[Path, tuple[int, int]] = field(default_factory=dict[Path, tuple[int, int]])
    """The number in the budget, and how many packed bytes were read."""

    def count(self, file: FileInput, packed: int, unpacked: int) -> None:
        """The first `packed` bytes of a file gave the first `unpacked`. Raises HostileInput."""
        number, before = self._files.get(file.path) or (self.budget.number(), 0)
        if packed > before:
            self.budget.archive(packed - before)
        self._files[file.path] = number, max(packed, before)
        self.budget.unpacked(number, file.name, unpacked)


@dataclass(frozen=True)
class FileInput:
    """A file to be read: where it is, how reports name it, how its bytes are to be understood."""

    path: Path
    name: str
    encoding: str = "utf-8"
    compression: str | None = None
    limits: Limits = DEFAULT_LIMITS
    unpacking: Unpacking | None = None
    """Shared by all files of a run; without, the file counts by itself."""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked. Raises DataError where they cannot be read, also while they are, and HostileInput where
        the files of the run unpack to more than `limits` allow."""
        try:
            with self.path.open("rb") as raw:
                if self.compression == "gzip":
                    with gzip.open(raw) as unpacked:
                        yield io.BufferedReader(_Counted(cast(BinaryIO, unpacked), raw, self), _BUFFER)
                else:
                    yield raw
        except (OSError, EOFError, zlib.error) as bad:
            raise DataError(f"{self.name}: cannot be read: {bad}") from bad


class _Counted(io.RawIOBase):
    """The bytes of a packed file, counted while they come out."""

    def __init__(self, unpacked: BinaryIO, packed: BinaryIO, file: FileInput) -> None:
        self._unpacked = unpacked
        self._packed = packed
        self._file = file
        self._count = file.unpacking or Unpacking(Budget(file.limits))
        self._reached = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._unpacked.read(len(buffer))
        buffer[: len(data)] = data
        self._reached += len(data)
        self._count.count(self._file, self._packed.tell(), self._reached)
        return len(data)
