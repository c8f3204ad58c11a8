"""What survives generations: one SQLite file for each kind of cache, which several processes may use."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import StoreError


def open_cache(folder: Path | None, name: str, table: str) -> sqlite3.Connection:
    """The cache `name` of a folder, in memory for no folder; `table` is the statement that makes its table if it is
    not there. Raises StoreError where it cannot be opened."""
    path = folder / name if folder is not None else None
    try:
        opened = sqlite3.connect(path or ":memory:", timeout=30, isolation_level=None)
        if path is not None:
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute("PRAGMA synchronous = NORMAL")
        opened.execute(table)
    except sqlite3.Error as bad:
        raise StoreError(f"the cache {path} cannot be opened: {bad}") from bad
    return opened
