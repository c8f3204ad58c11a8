"""What survives generations: one SQLite file for each kind of cache, which several processes may use.

A row says what it holds with a sum of it: one whose sum is wrong is not there. A file that cannot be opened for damage
is made anew; nothing is lost by it but the time to find out again.
"""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

from ..errors import StoreError
from .database import open_database
from .folder import remove_caches


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
