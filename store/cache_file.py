"""What survives generations: one SQLite file for each kind of cache, which several processes may use.

A row says what it holds with a sum of it: one whose sum is wrong is not there. A file that cannot be opened for damage
is made anew; nothing is lost by it but the time to find out again.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
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


_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS notes (about TEXT, key TEXT, told TEXT, sum INTEGER, PRIMARY KEY (about, key)) "
    "WITHOUT ROWID"
)


class NoteCache:
    """Short texts by (`about`, key), in one SQLite file that several processes may use; in memory for no folder.

    `about` names what found them out and all that this depends on besides the key's own content. Of the notes of a
    cache that was `before`, those that are asked for are taken over.
    """

    def __init__(self, folder: Path | None, before: sqlite3.Connection | None = None) -> None:
        self._db = open_cache(folder, NOTES, _TABLE)
        self._before = before

    def close(self) -> None:
        self._db.close()

    def get(self, keys: Iterable[str], about: str) -> dict[str, str]:
        """The notes that there are, by key."""
        asked = list(dict.fromkeys(keys))
        found = _noted(self._db, asked, about)
        if self._before is not None and (missing := [key for key in asked if key not in found]):
            earlier = _noted(self._before, missing, about)
            self.put(earlier, about)
            found |= earlier
        return found

    def put(self, notes: Mapping[str, str], about: str) -> None:
        """Keeps notes, all or none of them."""
        with self._db:  # what fails is rolled back, so that the next put can begin
            self._db.execute("BEGIN")
            self._db.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)",
                [(about, key, told, row_sum(about, key, told)) for key, told in notes.items()],
            )


def _noted(db: sqlite3.Connection, keys: Sequence[str], about: str) -> dict[str, str]:
    # CROSS JOIN: each key is looked up. Left to itself, SQLite goes through all keys for each note.
    rows = db.execute(
        "SELECT n.key, n.told, n.sum FROM json_each(?) i CROSS JOIN notes n ON n.about = ? AND n.key = i.value",
        (json.dumps(list(keys)), about),
    )
    return {str(key): str(told) for key, told, known in rows if known == row_sum(about, key, told)}
