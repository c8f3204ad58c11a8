"""What a process that works on a job tells: how far it is, in a small file that is written anew now and then."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final

from .jobs import Stage, write_json

_EVERY_SECONDS: Final = 0.3
READING, LOADING, INDEXING = "reading", "loading", "indexing"
TEXTS: Final = frozenset(
    {"mail", "google-keep", "markdown", "mastodon", "x-posts", "icalendar", "whatsapp", "chatgpt", "chat-json"}
)
"""Formats whose events are texts to be read."""


@dataclass
class Measured:
    """How long each file took, and how many records it had, in the order in which they were read."""

    seconds: list[float] = field(default_factory=list[float])
    records: list[int] = field(default_factory=list[int])

    def share(self, file: int, records: int) -> float | None:
        """How much of all reading is done in the middle of a file; None where nothing was measured."""
        total = sum(self.seconds)
        if not total or file >= len(self.seconds):
            return None
        within = min(1.0, records / self.records[file]) if self.records[file] else 0.0
        return (sum(self.seconds[:file]) + self.seconds[file] * within) / total

    def as_json(self) -> dict[str, Any]:
        """It as JSON."""
        return {"seconds": [round(one, 4) for one in self.seconds], "records": self.records}

    @classmethod
    def of_json(cls, told: Any) -> Measured:
        """What `as_json` gave; nothing measured where it is something else."""
        if not isinstance(told, dict):
            return cls()
        return cls([float(one) for one in told["seconds"]], [int(one) for one in told["records"]])


class Telling:
    """Progress of an import, told in a job's files. `measured` is what a dry run over the same files took."""

    def __init__(self, folder: Path, stage: Stage, measured: Measured) -> None:
        self._path = folder / f"{stage}.step.json"
        self._end = folder / f"{stage}.end.json"
        self._before = measured
        self.measured = Measured()
        self._begun = monotonic()
        self._phase = READING
        self._phase_begun = self._file_begun = self._begun
        self._told_at = 0.0
        self._share: float | None = None
        self._file = ""
        self._records = self._all_records = 0

    def start(self, path: str, size: int) -> None:
        """A file begins."""
        del size
        self._close_file()
        self._file, self._records, self._file_begun = path, 0, monotonic()
        self.measured.seconds.append(0.0)
        self.measured.records.append(0)
        self._tell()

    def advance(self, records: int) -> None:
        """So many more records of the file were read."""
        self._records += records
        self._all_records += records
        self._tell()

    def step(self, text: str) -> None:
        """All files are read."""
        del text
        self._close_file()
        self._phase, self._phase_begun, self._share = LOADING, monotonic(), None
        self._tell(at_once=True)

    def counted(self, step: str, done: int, total: int) -> None:
        """So much is made searchable."""
        del step
        if self._phase != INDEXING:
            self._phase, self._phase_begun = INDEXING, monotonic()
        self._share = done / total if total else None
        self._tell()

    def ended(self, told: dict[str, Any]) -> None:
        """The last that is told."""
        self._close_file()
        write_json(self._end, {**told, "measured": self.measured.as_json(), "seconds": monotonic() - self._begun})

    def _close_file(self) -> None:
        if self.measured.seconds:
            self.measured.seconds[-1] = monotonic() - self._file_begun
            self.measured.records[-1] = self._records

    def _tell(self, *, at_once: bool = False) -> None:
        now = monotonic()
        if now - self._told_at < _EVERY_SECONDS and not at_once:
            return
        self._told_at = now
        file = len(self.measured.seconds) - 1
        if self._phase == READING and file >= 0:
            self._share = self._before.share(file, self._records)
        write_json(
            self._path,
            {
                "phase": self._phase, "share": self._share, "file": self._file, "records": self._all_records,
                "spent": now - self._phase_begun,
            },
        )  # fmt: skip
