"""The journal of a store's dialogues: a file beside its generations, a line for each thing said."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import IO

from ..errors import StoreError
from ..store.folder import private_files, write_whole
from ..store.room import damaged, disk_errors

__all__ = ["HISTORY", "JOURNAL", "Journal"]

HISTORY = "chat-history"
"""The file beside it that keeps what was typed at a terminal."""

JOURNAL = "dialogue.jsonl"
_KEPT = "dialogue.kept"
"""Holds how many bytes of the journal are imported, and what they hash to."""


class Journal:
    """The lines of one store's dialogues."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / JOURNAL
        self._kept = directory / _KEPT
        self._history = directory / HISTORY

    def add(self, sender: str, text: str, at: datetime) -> None:
        """Writes one message; it is on disk when this returns. Raises StoreError, and writes nothing of it, where it
        cannot be."""
        with disk_errors(self.path.parent), private_files(), self.path.open("ab+", buffering=0) as out:
            size = before = out.seek(0, os.SEEK_END)
            start = b""
            if size and not _ends_line(out, size):  # a process was killed while it wrote
                start, size = b"\n", size + 1
            row = {"reqap_kg_turn": size, "time": at.isoformat(timespec="seconds"), "sender": sender, "text": text}
            line = start + json.dumps(row, ensure_ascii=False).encode() + b"\n"
            try:
                while line:
                    line = line[out.write(line) :]
                os.fsync(out.fileno())
            except OSError:
                out.truncate(before)
                raise

    @property
    def size(self) -> int:
        """Bytes of the journal; 0 where there is none."""
        return self.path.stat().st_size if self.path.is_file() else 0

    @property
    def is_kept(self) -> bool:
        """Whether all of it is imported. Raises StoreError as `check`."""
        self.check()
        kept = self._imported()
        return self.size == (kept[0] if kept else 0)

    def check(self) -> None:
        """Raises StoreError where what was imported of it does not stand in it any more as it was."""
        kept = self._imported()
        if kept is None or not kept[0]:
            return
        size, digest = kept
        if self.size < size:
            wrong = "is missing" if not self.size else f"has {self.size:,} bytes, not {size:,}"
            raise StoreError(damaged(self.path.parent, f"{self.path.name} {wrong}"))
        if digest and digest != self._digest(size):
            raise StoreError(damaged(self.path.parent, f"{self.path.name} has other bytes than were written"))

    def mark_kept(self, size: int) -> None:
        """Says that so many bytes are imported."""
        told = f"{size} {self._digest(size)}"
        with disk_errors(self.path.parent), private_files():
            write_whole(self._kept, f"{told} {_check(told)}\n")

    def rewrite(self, said: Iterable[tuple[str, str, datetime]]) -> None:
        """Writes it anew from messages: sender, text, time. It is to be imported again."""
        self._kept.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)
        for sender, text, at in said:
            self.add(sender, text, at)

    def remove(self) -> None:
        """Deletes it, and what was typed in chats."""
        for path in (self.path, self._kept, self._history):
            path.unlink(missing_ok=True)

    def _imported(self) -> tuple[int, str] | None:
        """How many bytes are imported, and their SHA-256 ("" where an older version noted none); None where that is not
        known: they are imported once more, which changes nothing."""
        if not self._kept.is_file():
            return None
        parts = self._kept.read_bytes()[:200].decode("ascii", "replace").split()
        if len(parts) == 1 and parts[0].isdecimal():
            return int(parts[0]), ""
        if len(parts) == 3 and parts[0].isdecimal() and parts[2] == _check(" ".join(parts[:2])):
            return int(parts[0]), parts[1]
        return None

    def _digest(self, size: int) -> str:
        with self.path.open("rb") as stream:
            return hashlib.sha256(stream.read(size)).hexdigest()


def _check(told: str) -> str:
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _ends_line(stream: IO[bytes], size: int) -> bool:
    stream.seek(size - 1)
    return stream.read(1) == b"\n"
