"""What one import may cost: JSON is checked before a parser sees it, each record against the limits, and all files
together against one budget, since a thousand small bombs each keep to the limits of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final

from ..config import Limits
from ..errors import HostileInput

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[{\]}]")
_MOST_DIGITS: Final = 4000
_DIGITS: Final = b"0123456789"
_LONG_NUMBER = re.compile(rb"(?<![0-9])[0-9]{%d}" % _MOST_DIGITS)


def nested_deeper(text: bytes, most: int) -> bool:
    """Whether a JSON text nests more than `most` containers, told without parsing it.

    Parsers in C count on the stack of the process; what reaches one whole is counted here first, in linear time.
    """
    if text.count(b"[") + text.count(b"{") <= most:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub(b"", text)):
        depth += 1 if found.group() in b"[{" else -1
        if depth > most:
            return True
    return False


class NumberGuard:
    """Looks for numbers of thousands of digits in a JSON text that is read in pieces, before a parser sees them.

    Python refuses to make integers of them, which the parser in C does not expect: it ends the process.
    """

    def __init__(self) -> None:
        self._last = b""

    def checked(self, piece: bytes) -> bytes:
        """The piece. Raises ValueError."""
        joined = self._last + piece
        if _LONG_NUMBER.search(joined):
            raise ValueError(f"more than {_MOST_DIGITS} digits in a row")
        self._last = joined[len(joined.rstrip(_DIGITS)) :]
        return piece


def passed_limit(record: Mapping[str, Any], limits: Limits) -> str | None:
    """Which limit on keys, values, texts or nesting a record passes, in words; None where it keeps to all."""
    keys = values = 0
    layer: list[Any] = [record]
    for _ in range(limits.depth + 1):
        keys += sum(len(inner) for inner in layer if isinstance(inner, Mapping))
        values += sum(map(len, layer))
        if keys > limits.record_keys:
            return f"a record of more than {limits.record_keys} keys"
        if values > limits.record_values:
            return f"a record of more than {limits.record_values} values"
        texts, layer = _within(layer)
        if any(len(text) > limits.field_characters for text in texts):
            return f"a text longer than {limits.field_characters} characters"
        if not layer:
            return None
    return f"nested more than {limits.depth} deep"


def _within(layer: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """The texts and keys, and the containers, that the containers of a layer hold."""
    texts: list[str] = []
    inner: list[Any] = []
    for container in layer:
        if isinstance(container, Mapping):
            texts += [key for key in container if isinstance(key, str)]
            container = container.values()
        for item in container:
            if isinstance(item, str):
                texts.append(item)
            elif isinstance(item, Mapping | list | tuple):
                inner.append(item)
    return texts, inner


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
