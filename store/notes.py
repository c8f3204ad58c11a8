"""What was found out about texts, kept by content across generations: a new import works only on what is new."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from .cache_file import open_cache, row_sum
from .folder import NOTES

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
