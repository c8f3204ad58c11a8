"""Walks what a user points at (a file, a folder, a zip or tar archive) as input files, within limits.

Nothing is unpacked to a named place: members are read from inside the archive. An archive is taken or refused as a
whole by its table of contents (`archives.py`); what only shows while unpacking is raised when the member is read.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from ..config import Limits
from ..errors import SourceError
from ..store.folder import MARKER, is_store
from ..texts.import_budget import Budget
from .archives import is_archive, open_archive
from .base import BadRecord, InputFile

__all__ = ["DiskFile", "is_junk", "walk"]

_JUNK_NAMES = frozenset({"thumbs.db", "desktop.ini", "icon\r", "$recycle.bin", "__macosx"})

_STORE = "a store of reqap-kg itself, not an export: nothing of it is read"
_MARKER_BYTES = 200


class _Readable(io.FileIO):
    """A file whose trouble while it is read is a SourceError, as everywhere; `name` is what reports say."""

    def __init__(self, descriptor: int, shown: str) -> None:
        super().__init__(descriptor, "rb")
        self._shown = shown

    def readinto(self, buffer: Any) -> int | None:  # type: ignore[override]
        try:
            return super().readinto(buffer)
        except OSError as bad:
            raise SourceError(f"{self._shown}: {bad.strerror or bad}") from bad

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as bad:
            raise SourceError(f"{self._shown}: {bad.strerror or bad}") from bad


@dataclass(frozen=True)
class DiskFile:
    """A file on disk; `path` is what reports name."""

    location: Path
    path: str
    size: int

    def open(self) -> BinaryIO:
        """A binary stream at the start of the file. Raises SourceError when it cannot be opened."""
        try:
            # Not to wait for a pipe that took the file's place since it was looked at.
            descriptor = os.open(self.location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
            readable = _Readable(descriptor, self.path)
            regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        except OSError as bad:
            raise SourceError(f"{self.path}: {bad.strerror or bad}") from bad
        if not regular:
            readable.close()
            raise SourceError(f"{self.path}: not a regular file")
        return cast(BinaryIO, io.BufferedReader(readable, 2**16))

    def head(self, size: int = 65536) -> bytes:
        """The first `size` bytes, fewer when the file is shorter."""
        with self.open() as stream:
            return stream.read(size)


def _shown(place: Path) -> str:
    """A path for reports; bytes of a name that are no UTF-8 become question marks."""
    return os.fsencode(place).decode("utf-8", "replace")


def is_junk(name: str) -> bool:
    """Whether a path inside an export is hidden or left by an operating system, never data of the export."""
    return any(part.startswith(".") or part.lower() in _JUNK_NAMES for part in PurePosixPath(name).parts)


def walk(path: Path, limits: Limits, budget: Budget | None = None) -> Iterator[InputFile | BadRecord]:
    """Every input file under `path`, in a stable order; folders and archives are opened, junk is left out.

    What lies inside a folder and cannot be taken (a link out of the folder, a refused archive) is a BadRecord, so the
    rest is still read. `budget` is that of the whole import; without it, this path has one of its own. Raises
    SourceError or HostileInput when `path` itself cannot be taken.
    """
    budget = budget or Budget(limits)
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            yield from _walk_folder(path, budget)
            return
    except OSError as bad:
        raise SourceError(f"{_shown(path)}: {bad.strerror or bad}") from bad
    if not stat.S_ISREG(found.st_mode):
        raise SourceError(f"{path}: neither a file nor a folder")
    yield from _open(DiskFile(path, _shown(path), found.st_size), budget, depth=0)


def _walk_folder(folder: Path, budget: Budget) -> Iterator[InputFile | BadRecord]:
    """A stack of its own: folders nest deeper than Python calls itself."""
    root = folder.resolve()
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            if is_store(here):
                yield BadRecord(_shown(here), "folder", _STORE)
                continue
            with os.scandir(here) as listed:
                entries = sorted((entry for entry in listed if not is_junk(entry.name)), key=lambda entry: entry.name)
        except OSError as bad:
            yield BadRecord(_shown(here), "folder", bad.strerror or str(bad))
            continue
        folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield from _entry(here / entry.name, root, budget)
        waiting += [here / entry.name for entry in reversed(folders)]


def _entry(place: Path, root: Path, budget: Budget) -> Iterator[InputFile | BadRecord]:
    """One name of a folder: a file, an archive, or what is not followed."""
    shown = _shown(place)
    try:
        if place.is_symlink():
            target = place.resolve(strict=True)
            if not target.is_relative_to(root):
                yield BadRecord(shown, "link", "a link that leaves the folder is not followed")
                return
            if target.is_dir() or not is_junk(str(target.relative_to(root))):
                return  # what it points at is walked at its own place
        found = place.stat()
    except (OSError, RuntimeError) as bad:  # RuntimeError: a loop of links
        yield BadRecord(shown, "file", getattr(bad, "strerror", None) or str(bad))
        return
    if not stat.S_ISREG(found.st_mode):
        yield BadRecord(shown, "file", "not a regular file")
        return
    try:
        yield from _open(DiskFile(place, shown, found.st_size), budget, depth=0)
    except SourceError as bad:
        yield BadRecord(shown, "file", str(bad).removeprefix(f"{shown}: "))


def _is_marker(member: InputFile) -> bool:
    return PurePosixPath(member.path.rpartition("!")[2]).name == MARKER and member.size <= _MARKER_BYTES


def _open(file: InputFile, budget: Budget, *, depth: int) -> Iterator[InputFile | BadRecord]:
    """`file` itself, or the members of the archive that it is; archives inside one another as deep as allowed."""
    if not is_archive(file.head(512)):
        yield file
        return
    if depth >= budget.limits.archive_depth:
        inside = f"an archive more than {budget.limits.archive_depth} deep in others; unpack it first"
        yield BadRecord(file.path, "archive", inside)
        return
    members = list(open_archive(file, budget))
    stores = tuple(member.path.removesuffix(MARKER) for member in members if _is_marker(member))
    for store in stores:
        yield BadRecord(store.rstrip("/!"), "folder", _STORE)
    for member in members:
        if member.path.startswith(stores) or is_junk(member.path.removeprefix(file.path + "!")):
            continue
        try:
            yield from _open(member, budget, depth=depth + 1)
        except SourceError as bad:
            yield BadRecord(member.path, "member", str(bad).removeprefix(f"{member.path}: "))
