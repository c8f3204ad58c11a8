"""The journal of a store's dialogues: a file beside its generations, a line for each thing said."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import IO

__all__ = ["Journal"]

_JOURNAL = "dialogue.jsonl"
_KEPT = "dialogue.kept"
"""Holds how many bytes of the journal are imported."""


class Journal:
    """The lines of one store's dialogues."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / _JOURNAL
        self._kept = directory / _KEPT

    def add(self, sender: str, text: str, at: datetime) -> None:
        """Writes one message; it is on disk when this returns."""
        with self.path.open("ab+") as out:
            size = out.seek(0, os.SEEK_END)
            if size and not _ends_line(out, size):  # a process was killed while it wrote
                out.write(b"\n")
            row = {"reqap_kg_turn": size, "time": at.isoformat(timespec="seconds"), "sender": sender, "text": text}
            out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            out.flush()
            os.fsync(out.fileno())

    @property
    def size(self) -> int:
        """Bytes of the journal; 0 where there is none."""
        return self.path.stat().st_size if self.path.is_file() else 0

    @property
    def is_kept(self) -> bool:
        """Whether all of it is imported."""
        try:
            return int(self._kept.read_text(encoding="ascii")) == self.size
        except (FileNotFoundError, ValueError):
            return self.size == 0

    def mark_kept(self, size: int) -> None:
        """Says that so many bytes are imported."""
        self._kept.write_text(f"{size}\n", encoding="ascii")

    def remove(self) -> None:
        """Deletes it."""
        self.path.unlink(missing_ok=True)
        self._kept.unlink(missing_ok=True)


def _ends_line(stream: IO[bytes], size: int) -> bool:
    stream.seek(size - 1)
    return stream.read(1) == b"\n"
