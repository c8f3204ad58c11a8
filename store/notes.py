"""What was found out about texts, kept by content across generations: a new import works only on what is new."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
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

    `about` names what found them out and all that this depends on besides the key's own content.
    """

    def __init__(self, folder: Path | None) -> None:
        self._db = open_cache(folder, NOTES, _TABLE)

    def close(self) -> None:
        self._db.close()

    def get(self, keys: Iterable[str], about: str) -> dict[str, str]:
        """The notes that there are, by key."""
        # CROSS JOIN: each key is looked up. Left to itself, SQLite goes through all keys for each note.
        rows = self._db.execute(
            "SELECT n.key, n.told, n.sum FROM json_each(?) i CROSS JOIN notes n ON n.about = ? AND n.key = i.value",
            (json.dumps(list(dict.fromkeys(keys))), about),
        )
        return {str(key): str(told) for key, told, known in rows if known == row_sum(about, key, told)}

    def put(self, notes: Mapping[str, str], about: str) -> None:
        """Keeps notes, all or none of them."""
        with self._db:  # what fails is rolled back, so that the next put can begin
            self._db.execute("BEGIN")
            self._db.executemany(
                "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)",
                [(about, key, told, row_sum(about, key, told)) for key, told in notes.items()],
            )
