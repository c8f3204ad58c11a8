"""The journal of a store's dialogues: a file beside its generations, a line for each thing said.

Nobody but the owner of the account can read it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from ..ontology.namespaces import DIALOGUE_SOURCE

__all__ = ["Journal", "Kept", "privately"]

_JOURNAL = "dialogue.jsonl"
_READ = "dialogues"
"""Folder of the store that the journal is read into, to be asked about."""
_HISTORY = "chat-history"
_MARK = "dialogue.kept"
"""Beside journals of older versions: how many bytes were imported among the events."""


@dataclass(frozen=True)
class Kept:
    """What of dialogues is kept: how many there are, and how many questions in them."""

    dialogues: int = 0
    questions: int = 0

    def as_json(self) -> dict[str, int]:
        """The object of `status --json`."""
        return vars(self)


class Journal:
    """The lines of one store's dialogues."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / _JOURNAL
        self.read_into = directory / _READ
        """The folder of the store that it is read into; whatever is there can be made again."""
        self.history = directory / _HISTORY
        """Where the prompt of a chat keeps what was typed."""
        self._mark = directory / _MARK

    def add(self, sender: str, text: str, at: datetime) -> None:
        """Writes one message; it is on disk when this returns."""
        with open(self.path, "ab+", opener=privately) as out:
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
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self.size == 0

    def cut(self, size: int) -> None:
        """Takes out what was added since it had so many bytes."""
        if size == 0:
            self.remove()
        elif size < self.size:
            os.truncate(self.path, size)
            shutil.rmtree(self.read_into, ignore_errors=True)

    def kept(self, gap_minutes: float) -> Kept:
        """How much there is; a pause of more than `gap_minutes` begins a new dialogue."""
        dialogues, questions, gap, last = 0, 0, timedelta(minutes=gap_minutes), datetime.min
        for at, sender in self._turns():
            dialogues += last == datetime.min or abs(at - last) > gap
            questions += sender != DIALOGUE_SOURCE
            last = at
        return Kept(dialogues, questions)

    def _turns(self) -> Iterator[tuple[datetime, str]]:
        """When something was said, and by whom; a line that a killed process left unfinished says nothing."""
        if self.is_empty:
            return
        with self.path.open("rb") as stream:
            for line in stream:
                try:
                    row = json.loads(line)
                    yield datetime.fromisoformat(row["time"]), str(row["sender"])
                except (ValueError, KeyError, TypeError):
                    continue

    def remove(self) -> None:
        """Deletes it, and what was made of it."""
        for path in (self.path, self._mark):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.read_into, ignore_errors=True)

    def remove_history(self) -> None:
        """Deletes what the prompt of a chat keeps; an empty file stays, which only its owner can read."""
        if self.history.is_file():
            os.truncate(self.history, 0)


def privately(path: str, flags: int) -> int:
    """Opens a file that nobody but its owner may read: the `opener` of `open`."""
    return os.open(path, flags, 0o600)


def _ends_line(stream: IO[bytes], size: int) -> bool:
    stream.seek(size - 1)
    return stream.read(1) == b"\n"
