"""SQLite files of a store, opened so that they lead to no other file.

A journal that SQLite finds beside a database may name another file, the journal of several databases; SQLite deletes
that when it takes back what the journal has. The store never writes to several databases at once, so a journal of its
own names none. One that does came from others: it goes unread, and the database with it, which can be made again.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path
from typing import Final, Literal

_BESIDE: Final = ("-journal", "-wal", "-shm")
_NAMES_ANOTHER: Final = bytes.fromhex("d9d505f920a163d7")
"""How a journal ends that names a journal of several databases (SQLite's file format, section 3)."""


How = Literal["write", "read", "still"]
"""What a database is opened for: to be written to, and made where it is none; to be read, while others may write; or to
be read as it stands, where nobody can write, without a look at any journal."""
_ASKED: Final = {"write": "rwc", "read": "ro", "still": "ro&immutable=1"}


def open_database(
    path: Path, how: How = "write", *, timeout: float = 5.0, isolation_level: Literal["DEFERRED"] | None = "DEFERRED"
) -> sqlite3.Connection:
    """Opens an SQLite file, waiting `timeout` seconds for others. A foreign journal goes first, with its database.
    Raises sqlite3.Error where that cannot be opened, also DatabaseError for one with views or triggers: no store makes
    any, and a view may be a query without end."""
    if how != "still" and has_foreign_journal(path):
        remove_database(path)
    opened = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={_ASKED[how]}", uri=True, timeout=timeout, isolation_level=isolation_level
    )
    # What a schema from others calls is called for nobody, and pages are looked at before they are believed.
    opened.execute("PRAGMA trusted_schema = OFF")
    opened.execute("PRAGMA cell_size_check = ON")
    try:
        foreign = opened.execute("SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') LIMIT 1").fetchone()
    except sqlite3.Error:
        opened.close()
        raise
    if foreign is not None:
        opened.close()
        raise sqlite3.DatabaseError(f"malformed: {path.name} has a view or a trigger, which no store made")
    return opened


def has_foreign_journal(path: Path) -> bool:
    """Whether a journal stands beside a database that no store would have left there: no regular file, or one that
    names another file."""
    beside = [path.with_name(path.name + suffix) for suffix in _BESIDE]
    there = [file for file in beside if os.path.lexists(file)]
    return any(not stat.S_ISREG(file.lstat().st_mode) for file in there) or _names_another(beside[0])


def _names_another(journal: Path) -> bool:
    try:
        with journal.open("rb") as held:
            size = held.seek(0, os.SEEK_END)
            held.seek(max(0, size - len(_NAMES_ANOTHER)))
            return held.read() == _NAMES_ANOTHER
    except FileNotFoundError:
        return False


def remove_database(path: Path) -> None:
    """Removes a database and what stands beside it; links go, what they lead to stays."""
    for file in (path, *(path.with_name(path.name + suffix) for suffix in _BESIDE)):
        file.unlink(missing_ok=True)
