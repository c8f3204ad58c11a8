"""What survives generations: one SQLite file for each kind of cache, which several processes may use.

A row says what it holds with a sum of it: one whose sum is wrong is not there. A file that cannot be opened for damage
is made anew; nothing is lost by it but the time to find out again.
"""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import StoreError
from .database import open_database
from .folder import NOTES, VECTORS, is_own_file, remove_caches

MOST_HELD: Final = 512 * 2**20
"""Bytes of the largest cache that is held in memory."""


def open_cache(folder: Path | None, name: str, table: str) -> sqlite3.Connection:
    """The cache `name` of a folder, in memory for no folder; `table` is the statement that makes its table if it is
    not there. Raises StoreError where it cannot be opened."""
    path = folder / name if folder is not None else None
    try:
        return _opened(path, table)
    except sqlite3.DatabaseError as bad:
        if folder is None or not is_damage(bad):
            raise StoreError(f"the cache {path} cannot be opened: {bad}") from bad
    remove_caches(folder, name)
    return _opened(path, table)


@dataclass(frozen=True)
class Caches:
    """What the caches of a store held before they were removed, in memory; None for those that are not there."""

    notes: sqlite3.Connection | None = None
    vectors: sqlite3.Connection | None = None

    def close(self) -> None:
        """Lets go of it."""
        for held in (self.notes, self.vectors):
            if held is not None:
                held.close()


NONE_BEFORE: Final = Caches()


def caches_in(folder: Path) -> Caches:
    """What the caches of a folder hold."""
    return Caches(_in_memory(folder, NOTES), _in_memory(folder, VECTORS))


def _in_memory(folder: Path, name: str) -> sqlite3.Connection | None:
    """What one cache holds, apart from its file; None where there is none, or one that cannot be
    read, or is too large to be held: what it had is found out again."""
    path = folder / name
    if not is_own_file(path) or path.stat().st_size > MOST_HELD:
        return None
    held = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with closing(open_database(path, timeout=30, isolation_level=None)) as kept:
            kept.backup(held)
    except sqlite3.DatabaseError as bad:
        held.close()
        if not is_damage(bad):
            raise StoreError(f"the cache {path} cannot be read: {bad}") from bad
        return None
    return held


def _opened(path: Path | None, table: str) -> sqlite3.Connection:
    if path is None:
        opened = sqlite3.connect(":memory:", isolation_level=None)
    else:
        opened = open_database(path, timeout=30, isolation_level=None)
    try:
        if path is not None:
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute("PRAGMA synchronous = NORMAL")
            opened.execute("DROP TABLE IF EXISTS vector")  # of versions whose rows had no sums
            opened.execute("DROP TABLE IF EXISTS note")
        opened.execute(table)
    except sqlite3.Error:
        opened.close()
        raise
    return opened


def is_damage(bad: sqlite3.DatabaseError) -> bool:
    """Whether an error says that a file is damaged, not that it is locked or cannot be written."""
    return any(words in str(bad) for words in ("malformed", "not a database", "encrypted", "unsupported file format"))


def row_sum(*held: str | bytes) -> int:
    """The sum of what a row holds."""
    found = 0
    for part in held:
        found = zlib.crc32(part.encode() if isinstance(part, str) else part, found)
    return found
