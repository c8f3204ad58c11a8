"""Disk space: checked before the work where the need is known, and one sentence where it runs out all the same."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ...errors import StoreError

_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FULL_WORDS: Final = ("no space left", "file too large", "disk quota", "disk is full")
"""What the database's errors, which carry no number, say."""
_SPARE: Final = 8 * 2**20
"""Bytes that a new state takes beside its content: logs, indexes of the database."""


def require_space(directory: Path, needed: int) -> None:
    """Raise StoreError where the disk of a folder, which need not exist yet, has less than `needed` bytes free."""
    if told := _shortage(directory, needed, _free(directory)):
        raise StoreError(f"{told}; nothing was changed")


def without_space(directory: Path, sizes: Sequence[int]) -> dict[int, str]:
    """Which of several things of these sizes in bytes have no room on the disk of a folder, by place in `sizes`, with a
    sentence for each: the largest ones, as few as make room for the rest."""
    free, needed = _free(directory), sum(sizes)
    out: dict[int, str] = {}
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
        told = _shortage(directory, needed, free)
        if told is None:
            break
        out[at] = _shortage(directory, sizes[at], free) or told
        needed -= sizes[at]
    return out


def _free(directory: Path) -> int:
    there = next(folder for folder in (directory, *directory.absolute().parents) if folder.is_dir())
    return shutil.disk_usage(there).free


def _shortage(directory: Path, needed: int, free: int) -> str | None:
    if free >= needed + _SPARE:
        return None
    asked = f"about {_size(needed + _SPARE)} are needed, {_size(free)} are free"
    return f"there is no room on the disk of {directory}: {asked}"


@contextmanager
def disk_errors(directory: Path) -> Iterator[None]:
    """Says in one sentence where what is written meanwhile finds no room, or what is read is damaged."""
    try:
        yield
    except (OSError, RuntimeError, sqlite3.Error) as bad:
        told = disk_error_message(bad, directory)
        if told is None:
            raise
        raise StoreError(told) from bad


def disk_error_message(bad: OSError | RuntimeError | sqlite3.Error, directory: Path) -> str | None:
    """One sentence for an error of the disk or of damaged files; None for any other."""
    said = str(bad)
    low = said.lower()
    number = bad.errno if isinstance(bad, OSError) else None
    if number in _FULL or any(words in low for words in _FULL_WORDS):
        limited = number == errno.EFBIG or "file too large" in low
        free = _size(shutil.disk_usage(directory).free) if directory.is_dir() else "nothing"
        room = "a file would pass the size that files may have (ulimit -f)" if limited else "the disk is full"
        return f"{room}: {free} free on the disk of {directory}; what could not be written whole was left out"
    if isinstance(bad, sqlite3.OperationalError) and "disk i/o error" in low:
        return f"a file in {directory} cannot be written ({said}); is the disk full, or a limit on files set?"
    if low.startswith("io error: lock"):
        return f"the store at {directory} is in use by another process"
    if low.startswith(("corruption", "io error")) or type(bad) is sqlite3.DatabaseError:
        return damaged(directory, said.splitlines()[0][:200])
    if isinstance(bad, OSError) and number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{bad.filename or directory} cannot be opened or written: {bad.strerror}"
    return None


def damaged(directory: Path, what: str) -> str:
    """What to say of a damaged store."""
    return f"the store at {directory} is damaged: {what}; reqap-kg doctor --repair mends what can be mended"


def _size(count: int) -> str:
    return f"{count / 2**20:,.1f} MiB"
