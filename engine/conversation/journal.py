"""The journal of a store's dialogues: a file beside its generations, a line for each thing said.

Each line has where it begins and a sum over what it says, so that a line that is not as it was written, or gone from
between others, is noticed. What is cut off behind a whole line is not: a journal may end anywhere. Lines of older
versions have no sum. Nobody but the owner of the account can read it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, Any

from ...errors import StoreError
from ...ontology.namespaces import DIALOGUE_SOURCE
from ...store.folder import (
    DIALOGUES,
    HISTORY,
    JOURNAL,
    OLD_MARK,
    break_links,
    is_own_file,
    own_opener,
    private_files,
    remove_store,
    write_whole,
)
from ...store.upkeep.disk_space import damaged, disk_errors

__all__ = ["Journal", "Kept", "Message"]

_KEYS = frozenset({"reqap_kg_turn", "time", "sender", "text"})


@dataclass(frozen=True)
class Kept:
    """What of dialogues is kept: how many there are, and how many questions in them."""

    dialogues: int = 0
    questions: int = 0

    def as_json(self) -> dict[str, int]:
        """The object of `status --json`."""
        return vars(self)


@dataclass(frozen=True)
class Message:
    """One thing said: by whom, what, and when."""

    sender: str
    text: str
    at: datetime


class Journal:
    """The lines of one store's dialogues."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / JOURNAL
        self.read_into = directory / DIALOGUES
        """The folder of the store that it is read into; whatever is there can be made again."""
        self.history = directory / HISTORY
        """Where the prompt of a chat keeps what was typed."""
        self._mark = directory / OLD_MARK

    def add(self, sender: str, text: str, at: datetime) -> None:
        """Writes one message; it is on disk when this returns. Raises StoreError, and writes nothing of it, where it
        cannot be."""
        opened = partial(open, self.path, "ab+", buffering=0, opener=own_opener)
        with disk_errors(self.path.parent), private_files():
            break_links(self.path)
        with disk_errors(self.path.parent), private_files(), opened() as out:
            before = out.seek(0, os.SEEK_END)
            start = b"" if not before or _ends_line(out, before) else b"\n"  # a process was killed while it wrote
            line = start + _line(Message(sender, text, at), before + len(start))
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
        return self.path.stat().st_size if is_own_file(self.path) else 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self.size == 0

    def messages(self) -> Iterator[Message]:
        """What was said, of the lines that are as they were written."""
        return (message for message, _ in self._read() if message is not None)

    def check(self) -> None:
        """Raises StoreError where a line is not as it was written, or gone from between others."""
        for number, (message, is_in_place) in enumerate(self._read(), start=1):
            if message is None or not is_in_place:
                wrong = "is not as it was written" if message is None else "stands elsewhere than it was written"
                raise StoreError(damaged(self.path.parent, f"line {number} of {self.path.name} {wrong}"))

    def cut(self, size: int) -> None:
        """Takes out what was added since it had so many bytes."""
        if size == 0:
            self.remove()
        elif size < self.size:
            break_links(self.path)
            os.truncate(self.path, size)
            remove_store(self.read_into)

    def kept(self, gap_minutes: float) -> Kept:
        """How much there is; a pause of more than `gap_minutes` begins a new dialogue."""
        dialogues, questions, gap, last = 0, 0, timedelta(minutes=gap_minutes), datetime.min
        for message in self.messages():
            dialogues += last == datetime.min or abs(message.at - last) > gap
            questions += message.sender != DIALOGUE_SOURCE
            last = message.at
        return Kept(dialogues, questions)

    def rewrite(self, said: Iterable[Message]) -> None:
        """Writes it anew, whole or not at all. Raises StoreError where it cannot be."""
        lines: list[bytes] = []
        size = 0
        for message in said:
            lines.append(_line(message, size))
            size += len(lines[-1])
        with disk_errors(self.path.parent), private_files():
            write_whole(self.path, b"".join(lines).decode())
            remove_store(self.read_into)
        self._mark.unlink(missing_ok=True)

    def remove(self) -> None:
        """Deletes it, and what was made of it."""
        for path in (self.path, self._mark):
            path.unlink(missing_ok=True)
        remove_store(self.read_into)

    def remove_history(self) -> None:
        """Deletes what the prompt of a chat keeps; an empty file stays, which only its owner can read."""
        if is_own_file(self.history):
            break_links(self.history)
            os.truncate(self.history, 0)

    def _read(self) -> Iterator[tuple[Message | None, bool]]:
        """What each line says, None for one that is not as it was written; and whether it begins where it did."""
        if self.is_empty:
            return
        with disk_errors(self.path.parent), self.path.open("rb") as stream:
            place = 0
            for line in stream:
                message, begins = _message(line)
                yield message, begins in (None, place)
                place += len(line)


def _line(message: Message, place: int) -> bytes:
    # What a terminal sends, or a journal from elsewhere holds, may be no text.
    sender, text = (said.encode("utf-8", "replace").decode() for said in (message.sender, message.text))
    time = message.at.isoformat(timespec="seconds")
    row = {"reqap_kg_turn": place, "time": time, "sender": sender, "text": text}
    return json.dumps({**row, "sum": _sum(row)}, ensure_ascii=False).encode() + b"\n"


def _message(line: bytes) -> tuple[Message | None, object]:
    """What a line says, and where it says that it begins: None in one of an older version."""
    try:
        row = json.loads(line)
        kept = row.pop("sum", None)
        is_whole = line.endswith(b"\n") and row.keys() == _KEYS and kept in (None, _sum(row))
        is_said = is_whole and isinstance(row["sender"], str) and isinstance(row["text"], str)
        # Times are wall-clock times; a journal from elsewhere may have offsets, of which nothing here makes use.
        at = datetime.fromisoformat(row["time"]).replace(tzinfo=None) if is_said else None
        message = Message(row["sender"], row["text"], at) if at else None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None, None
    return message, None if kept is None else row.get("reqap_kg_turn")


def _sum(row: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16]


def _ends_line(stream: IO[bytes], size: int) -> bool:
    stream.seek(size - 1)
    return stream.read(1) == b"\n"
