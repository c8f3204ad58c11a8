"""Jobs: what is brought in, forgotten or looked over, each with a folder of its own in the store's.

    DIR/jobs/<name>/about.json       what it is
    DIR/jobs/<name>/files/           what was sent, until it is imported or left
    DIR/jobs/<name>/lock             held by the process that works on it
    DIR/jobs/<name>/<stage>.task.json, <stage>.step.json, <stage>.end.json

A stage is `look` (a dry run) or `run`. How a job is stands in its files alone, so that a service that begins anew finds
it as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, Final, Literal

from starlette.exceptions import HTTPException

from ....store.folder import JOBS, claim, is_own_folder
from ....store.generations import is_importing
from ....store.locks import is_held
from ....store.upkeep.disk_space import disk_errors

Kind = Literal["import", "forget", "forget-derived", "doctor"]
Stage = Literal["look", "run"]
LOCK: Final = "lock"
FILES: Final = "files"
_ABOUT: Final = "about.json"
_NAME_BYTES: Final = 16
_HEX: Final = frozenset("0123456789abcdef")
_KEPT: Final = timedelta(days=1)
"""How long what nobody goes on with is kept."""
_SAID: Final = {
    "import": "{} is being imported",
    "forget": "{} is being forgotten, with all that was found out from it",
    "forget-derived": "{} are being forgotten",
    "doctor": "the store is being looked over",
}
_OTHERWISE: Final = "another program is changing the data"
_EVERY_SECONDS: Final = 0.3
READING, LOADING, INDEXING = "reading", "loading", "indexing"
TEXTS: Final = frozenset(
    {"mail", "google-keep", "markdown", "mastodon", "x-posts", "icalendar", "whatsapp", "chatgpt", "chat-json"}
)
"""Formats whose events are texts to be read."""


class State(Enum):
    """How a stage of a job is."""

    NOT_BEGUN = "not begun"
    RUNS = "runs"
    ENDED = "ended"
    LOST = "lost"
    """Its process is gone without a word."""


@dataclass(frozen=True)
class About:
    """What a job is: its title, when it began, and the size of what was sent."""

    kind: Kind
    title: str
    at: str
    files: int = 0
    bytes: int = 0
    mapping: str = ""
    """The map among the files that the others are read by."""


@dataclass(frozen=True)
class Job:
    """One job, by its folder."""

    folder: Path
    about: About

    @property
    def name(self) -> str:
        """Names it in addresses."""
        return self.folder.name

    @property
    def files(self) -> Path:
        """Where what was sent stands."""
        return self.folder / FILES

    def step(self, stage: Stage) -> dict[str, Any]:
        """What its process told last; nothing where it told nothing yet."""
        return read_json(self.folder / f"{stage}.step.json") or {}

    def end(self, stage: Stage) -> dict[str, Any] | None:
        """How a stage ended; None where it has not."""
        return read_json(self.folder / f"{stage}.end.json")

    def state(self, stage: Stage) -> State:
        """How a stage is."""
        if (self.folder / f"{stage}.end.json").is_file():
            return State.ENDED
        if not (self.folder / f"{stage}.task.json").is_file():
            return State.NOT_BEGUN
        if self.is_locked():
            return State.RUNS
        return State.ENDED if (self.folder / f"{stage}.end.json").is_file() else State.LOST

    def is_locked(self) -> bool:
        """Whether a process works on it."""
        return is_held(self.folder / LOCK)


class Jobs:
    """The jobs of the store at `directory`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.folder = directory / JOBS

    def all(self) -> list[Job]:
        """Those that there are, the latest first."""
        return sorted(self._all(), key=lambda job: (job.about.at, job.name), reverse=True)

    def job(self, name: str) -> Job:
        """The job of that name. Raises HTTPException where there is none."""
        found = self._read(self.folder / name) if is_name(name) else None
        if found is None:
            raise HTTPException(404)
        return found

    def new_folder(self) -> Path:
        """A new private folder. Raises StoreError where none can be made."""
        with disk_errors(self.directory):
            claim(self.directory)
            if not is_own_folder(self.folder):
                self.folder.mkdir(mode=0o700)
            made = self.folder / token_hex(_NAME_BYTES)
            made.mkdir(mode=0o700)
            (made / FILES).mkdir(mode=0o700)
        return made

    def begin(self, folder: Path, about: About) -> Job:
        """A job of a folder."""
        with disk_errors(self.directory):
            write_json(folder / _ABOUT, asdict(about))
        return Job(folder, about)

    def remove(self, folder: Path) -> None:
        """Removes a job with all that was sent for it."""
        shutil.rmtree(folder, ignore_errors=True)

    def tidy(self, now: datetime) -> None:
        """Removes what was not sent whole, and what nobody went on with for a day."""
        known = {job.folder.name: job for job in self._all()}
        for folder in self._folders():
            job = known.get(folder.name)
            is_old = job is None or _at(job.about.at) < now - _KEPT
            if is_old and (job is None or not job.is_locked()):
                self.remove(folder)

    def _all(self) -> Iterator[Job]:
        for folder in self._folders():
            job = self._read(folder)
            if job is not None:
                yield job

    def _folders(self) -> list[Path]:
        if not is_own_folder(self.folder):
            return []
        own = (entry for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False))
        return [Path(entry) for entry in own if is_name(entry.name)]

    def _read(self, folder: Path) -> Job | None:
        told = read_json(folder / _ABOUT) if is_own_folder(folder) else None
        if told is None:
            return None
        with suppress(TypeError):
            return Job(folder, About(**told))
        return None


def is_name(name: str) -> bool:
    """Whether jobs have such names."""
    return len(name) == _NAME_BYTES * 2 and _HEX.issuperset(name)


def write_json(path: Path, value: Any) -> None:
    """Writes a small file for its owner alone, whole or not at all."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(value, out, ensure_ascii=True)
    beside.replace(path)


def read_json(path: Path) -> dict[str, Any] | None:
    """What stands in a file; None where there is none, or it is damaged."""
    try:
        found = path.stat()
        return _read_json(path, found.st_mtime_ns, found.st_size)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=16)
def _read_json(path: Path, *_: int) -> dict[str, Any] | None:
    told = json.loads(path.read_text(encoding="utf-8"))
    return told if isinstance(told, dict) else None


def _at(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.min


def changing(directory: Path) -> str:
    """What is being done with the store at `directory`, "" for nothing."""
    found = next((job for job in Jobs(directory).all() if job.state("run") is State.RUNS), None)
    if found is not None:
        return in_words(found)
    return _OTHERWISE if is_importing(directory) else ""


def in_words(job: Job) -> str:
    """What a job that runs is doing."""
    return _SAID[job.about.kind].format(job.about.title)


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


class ProgressFile:
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
