"""What one run of a map carries along: settings, the iteration it is at, notes on values that made no triple."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any
from zoneinfo import ZoneInfo

from ...errors import DataError
from ...sources.base import BadRecord

_KINDS = 2_000
"""Keys and reasons that are counted apart."""
_MOST_COMBINATIONS = 100_000
"""Terms that one template, function or join condition may make of one iteration."""
_SHOWN = 5
"""Notes on the same key for the same reason that are told one by one; the others are counted."""


@dataclass(frozen=True)
class Note:
    """A value that made no triple: the reference it came from, the value, why."""

    key: str
    value: Any
    reason: str


@dataclass
class Run:
    """One run. `graph` is the graph of every quad, as `<iri>`, or None for those the map says.

    With `strict`, a data error of RML ends the run with DataError; without, it is a note, as a value that a function
    cannot convert always is. `serial` counts iterations, so that what is computed once per iteration can be kept.
    """

    home_zone: ZoneInfo
    graph: str | None
    strict: bool
    serial: int = 0
    records: int = 0
    """Records read, those kept out included."""
    unmapped: int = 0
    """Of these, those that no triples map makes anything of, without anything being wrong with them."""
    where: str = ""
    """File and place of the iteration, for data errors that end the run."""
    numbers_nodes: bool = False
    """Whether a blank node is named by the serial of its iteration."""
    notes: list[Note] = field(default_factory=list)
    _told: dict[tuple[str, str], int] = field(default_factory=dict)

    def problem(self, key: str, value: Any, reason: str) -> None:
        """A data error of RML. Raises DataError when strict."""
        if self.strict:
            at = f"{self.where}: " if self.where else ""
            raise DataError(f"{at}{key}: {reason}: {_shown(value)}")
        self.notes.append(Note(key, value, reason))

    def combinations(self, columns: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
        """Every combination of a value of each column. Raises DataError where there are too many."""
        if prod(map(len, columns)) > _MOST_COMBINATIONS:
            at = f"{self.where}: " if self.where else ""
            raise DataError(f"{at}more than {_MOST_COMBINATIONS:,} combinations of values of one record")
        return product(*columns)

    def note(self, key: str, value: Any, reason: str) -> None:
        """A value that a function cannot convert."""
        self.notes.append(Note(key, value, reason))

    def keep_out(self, path: str, where: str, lacking: Note) -> BadRecord:
        """Reject the record: a required value is missing. Its other notes are dropped."""
        self.notes.clear()
        note = _comparable(lacking)
        value = f": {note.value}" if note.value not in (None, "None") else ""
        return BadRecord(path, f"{where}, key {note.key}" if note.key else where, f"{note.reason}{value}")

    def take_notes(self, path: str, where: str) -> Iterator[BadRecord]:
        """The notes since the last call as values kept out of records, those of a kind seen often only counted."""
        for note in dict.fromkeys(map(_comparable, self.notes)):
            kind = (note.key, note.reason) if len(self._told) < _KINDS else (note.key[:80], "other reasons")
            self._told[kind] = self._told.get(kind, 0) + 1
            if self._told[kind] <= _SHOWN:
                yield BadRecord(path, f"{where}, key {note.key}", f"{note.reason}: {note.value}", key=note.key)
        self.notes.clear()

    def counted(self, path: str) -> Iterator[BadRecord]:
        """What was counted only, one bad record per key and reason."""
        for (key, reason), count in self._told.items():
            if count > _SHOWN:
                more = count - _SHOWN
                yield BadRecord(path, f"key {key}", f"{reason}: {more} more values", more, key=key)
        self._told.clear()


@dataclass(frozen=True)
class Noted:
    """Notes that a part of a run made, to be told where the run as a whole is counted."""

    path: str
    where: str
    notes: tuple[Note, ...]


@dataclass
class PartRun(Run):
    """A run over some of the records: its notes are handed on untold."""

    def hand_on(self, path: str, where: str) -> Iterator[Noted]:
        """The notes since the last call."""
        yield Noted(path, where, tuple(dict.fromkeys(map(_comparable, self.notes))))
        self.notes.clear()

    take_notes = hand_on  # type: ignore[assignment]


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 120 else text[:117] + "…"


def _comparable(note: Note) -> Note:
    return Note(note.key, _shown(note.value), note.reason)


def once_per_iteration(run: Run, compute: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    """`compute`, run once for the iteration the run is at, however often it is asked."""
    kept: list[Any] = []
    at = -1

    def get(iteration: Any) -> list[Any]:
        nonlocal kept, at
        if run.serial != at:
            kept, at = compute(iteration), run.serial
        return kept

    return get
