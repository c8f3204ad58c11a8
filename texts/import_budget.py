"""What one import may cost in all. Limits that each file keeps to by itself let a thousand small bombs through."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time

from ..config import Limits
from ..errors import HostileInput

__all__ = ["Budget", "ImportClock", "Stopwatch"]


@dataclass
class Budget:
    """Counts over all archives of one import: bytes on disk, bytes that really came out, members.

    Bytes that are read twice count once: what matters is how much was packed into how little.
    """

    limits: Limits
    _packed: int = 0
    _unpacked: int = 0
    _members: int = 0
    _numbered: int = 0
    _reached: dict[int, int] = field(default_factory=dict[int, int])

    def number(self) -> int:
        """A number by which a member is known; its path is not, for archives may hold several of one name."""
        self._numbered += 1
        return self._numbered

    def archive(self, size: int) -> None:
        """An archive of `size` bytes on disk is opened; one inside another adds nothing."""
        self._packed += size

    def members(self, path: str, count: int = 1) -> None:
        """So many members more. Raises HostileInput."""
        self._members += count
        if self._members > self.limits.archive_members:
            raise HostileInput(f"{path}: more than {self.limits.archive_members} members in all archives together")

    def unpacked(self, number: int, path: str, reached: int) -> None:
        """The first `reached` bytes of a member have come out. Raises HostileInput."""
        before = self._reached.get(number, 0)
        if reached <= before:
            return
        self._reached[number] = reached
        self._unpacked += reached - before
        most = self.limits.archive_bytes
        if self._unpacked > most:
            raise HostileInput(f"{path}: all archives together unpack to more than the {most} bytes allowed")
        check_ratio(path, self._unpacked, self._packed, self.limits, "the archives together unpack")


def check_ratio(path: str, size: int, packed: int, limits: Limits, told: str = "unpacks") -> None:
    """Raises HostileInput where `size` bytes came out of too few."""
    if size > limits.archive_free_bytes and size > limits.archive_ratio * max(packed, 1):
        raise HostileInput(
            f"{path}: {told} to more than {limits.archive_ratio} times the packed size, as decompression bombs do"
        )


class Stopwatch:
    """Processor time that one file's recognition takes; what else the machine does costs nobody a file."""

    def __init__(self, path: str, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._began = process_time()

    def check(self) -> None:
        """Raises HostileInput when the time is up."""
        if process_time() - self._began > self._seconds:
            raise HostileInput(f"{self._path}: recognising its format takes more than {self._seconds:g} s")


class ImportClock:
    """Processor time of one import. What is read when it is up stays; no further file is."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.import_seconds
        self._began = process_time()

    def is_up(self, share: float = 1.0) -> bool:
        """Whether this share of the time is spent."""
        return process_time() - self._began > share * self._seconds

    def reason(self, files: int | None = None) -> str:
        """Why a file, and those after it, were not read."""
        which = "neither this file nor those after it were" if files is None else f"{files:,} more files were not"
        return (
            f"the import takes more than {self._seconds:g} s of processor time: {which} read;"
            " raise limits.import_seconds in config.toml, or import fewer at once"
        )
