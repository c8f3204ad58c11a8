"""What a suite is, and what it hands to whoever answers.

A suite reads a folder. It gives lives: what may be imported, and questions; the gold is read apart and never handed to
a system, so a folder whose gold fields were removed runs the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from ...config import Settings
from ...errors import UsageError


@dataclass(frozen=True)
class Question:
    """What a system is shown: `context` holds earlier turns of a conversation as (speaker, text)."""

    id: str
    text: str
    now: datetime
    context: tuple[tuple[str, str], ...] = ()
    speaker: str | None = None


@dataclass(frozen=True)
class Life:
    """Data of one person with questions about it. `paths` may be imported, the first without the others;
    `settings` are what the data needs."""

    name: str
    paths: tuple[Path, ...]
    now: datetime
    questions: tuple[Question, ...]
    domain: Path | None = None

    def settings(self, given: Settings) -> Settings:
        """The settings for this data: as given, with the domain that it needs if none was named."""
        return given if self.domain is None or given.domain else given.model_copy(update={"domain": self.domain})


@dataclass(frozen=True)
class Gold:
    """What is right for one question. `groups` are the kinds of question that it counts for, as (heading, name):
    ("complexity", "join"), ("persona", "p1"). `happenings` are what the answer rests on, each with the source ids of
    the events that tell of it; None where that is not known."""

    id: str
    text: str
    row: Mapping[str, Any]
    groups: tuple[tuple[str, str], ...] = ()
    happenings: tuple[frozenset[str], ...] | None = None


@dataclass(frozen=True)
class Judged:
    """How good an answer is: `hit` and `relaxed` are 0 or 1; of events they are recall and F2.

    `given`: the question was not declined; `doubted`: the answer came with a sign of doubt."""

    hit: float
    relaxed: float
    given: bool
    doubted: bool = False


@dataclass(frozen=True)
class Options:
    """How a suite reads its folder: `read` names the form of the data where there are several, `clean` leaves out
    questions with doubtful gold, `only` the files of questions by a part of their name; `work` is where files may be
    written for the import."""

    read: str | None = None
    clean: bool = False
    only: str = ""
    domain: Path | None = None
    work: Path = Path()


MISSING: Final = object()
"""Stands for the answer of a question for which there is no prediction; null is one."""


class Suite(Protocol):
    """A kind of benchmark."""

    name: str
    measures: tuple[str, str]
    """What `hit` and `relaxed` of `Judged` are called."""
    field: str
    """The key of a prediction: "answer", or "events"."""

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """The lives of a folder. Raises UsageError."""
        ...

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right. Raises UsageError where the gold was removed."""
        ...

    def judge(self, gold: Gold, answer: object) -> Judged:
        """Compares an answer, `MISSING` where there is none, with what is right."""
        ...


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file. Raises UsageError with the line that is none."""
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield _object(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as bad:
        raise UsageError(f"{where}: not JSON: {bad}") from bad
    if not isinstance(found, dict):
        raise UsageError(f"{where}: expected a JSON object")
    return found


def json_of(path: Path) -> Any:
    """A JSON file. Raises UsageError."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad


def moment(text: object, fallback: datetime | None = None) -> datetime:
    """A moment in ISO form, with T or a space; a day is its last minute. Raises UsageError without a fallback."""
    try:
        found = datetime.fromisoformat(str(text).strip()).replace(tzinfo=None)
    except ValueError as bad:
        if fallback is None:
            raise UsageError(f"{text!r} is not a date-time") from bad
        return fallback
    return found.replace(hour=23, minute=59) if len(str(text).strip()) == 10 else found


def required(row: Mapping[str, Any], key: str, where: str) -> Any:
    """A field that must be there. Raises UsageError."""
    if key not in row:
        raise UsageError(f"{where}: there is no {key!r}")
    return row[key]


def needs_gold(row: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    """Raises UsageError where a question has none of the fields that say what is right."""
    if not any(key in row for key in keys):
        raise UsageError(f"{where}: the question {row.get('id')} has no gold ({' or '.join(keys)}): nothing to score")


def folders_with(directory: Path, names: Sequence[str]) -> list[Path]:
    """The folder itself, if it has a file of one of these names (or patterns), else all below that do, in order of
    their paths. Raises UsageError where there is none."""
    if not directory.is_dir():
        raise UsageError(f"there is no folder {directory}")
    if any(any(directory.glob(name)) for name in names):
        return [directory]
    below = sorted({path.parent for name in names for path in directory.glob(f"**/{name}")})
    if not below:
        raise UsageError(f"{directory} has no {' or '.join(names)}, nor has any folder below it")
    return below
