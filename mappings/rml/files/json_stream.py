"""The members of one list (or object) inside a JSON document, one by one, in constant memory.

Built on the plain events of the parser: prefixes of a text nested a hundred thousand deep would need gigabytes, so
nesting is counted here. Integers beyond 64 bits, which the parser refuses, raise TooLargeNumber.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import ijson

from ....errors import DataError
from ....texts.import_budget import NumberGuard
from .file_input import FileInput

_CHUNK = 1 << 16
_OPEN = frozenset(("start_map", "start_array"))
_CLOSE = frozenset(("end_map", "end_array"))
Events = Iterator[tuple[str, Any]]


class TooLargeNumber(ValueError):
    """A number of the document is beyond what the streaming parser takes."""


class _Counted:
    """A stream that refuses to give more than `most` bytes between two calls of `mark`."""

    def __init__(self, stream: BinaryIO, file: FileInput) -> None:
        self._stream = stream
        self._file = file
        self._most = file.limits.record_bytes + 2 * _CHUNK
        self._since = 0
        self._numbers = NumberGuard()

    def mark(self) -> None:
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._since += len(data)
        if self._since > self._most:
            raise DataError(
                f"{self._file.name}: one JSON element is larger than {self._file.limits.record_bytes} bytes"
            )
        return self._numbers.checked(data)


def json_members(stream: BinaryIO, names: tuple[str, ...], file: FileInput) -> Iterator[Any]:
    """The members of the list or object that `names` lead to; nothing when they lead nowhere.

    The document is always read to its end, so that one that breaks off is an error. Raises DataError where it is
    malformed or passes a limit.
    """
    counted = _Counted(stream, file)
    try:
        events: Events = ijson.basic_parse(counted, use_float=True, buf_size=_CHUNK)
        if _descend(events, names, counted):
            yield from _members(events, counted, file)
        for _ in events:
            counted.mark()
    except ijson.JSONError as bad:
        told = _one_line(bad)
        if "overflow" in told:
            raise TooLargeNumber(told) from bad
        raise DataError(f"{file.name}: malformed JSON: {told}") from bad
    except (ValueError, ArithmeticError) as bad:
        raise DataError(f"{file.name}: malformed JSON: {bad}") from bad


def _one_line(bad: Exception) -> str:
    told = bad.args[0] if bad.args else str(bad)
    return " ".join((told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)).split())[:200]


def _descend(events: Events, names: tuple[str, ...], counted: _Counted) -> bool:
    """Read on to the value at `names`; false when there is no such value."""
    for name in names:
        if next(events, ("", None))[0] != "start_map" or not _advance(events, name, counted):
            return False
    return True


def _advance(events: Events, name: str, counted: _Counted) -> bool:
    """Read on in an object to the value of a key."""
    depth = 0
    for event, value in events:
        counted.mark()
        if event == "map_key":
            if depth == 0 and value == name:
                return True
        elif event in _OPEN:
            depth += 1
        elif event in _CLOSE:
            if depth == 0:
                return False
            depth -= 1
    return False


def _members(events: Events, counted: _Counted, file: FileInput) -> Iterator[Any]:
    if next(events, ("", None))[0] not in _OPEN:
        return
    for event, value in events:
        if event in _CLOSE:
            return
        if event == "map_key":
            continue
        counted.mark()
        yield _built(events, event, file) if event in _OPEN else value


def _built(events: Events, event: str, file: FileInput) -> Any:
    """The list or object that has just begun."""
    container = _empty(event)
    open_containers = [container]
    deepest, key = file.limits.depth, ""
    for event, value in events:
        if event == "map_key":
            key = value
            continue
        if event in _CLOSE:
            done = open_containers.pop()
            if not open_containers:
                return done
            container = open_containers[-1]
            continue
        if event in _OPEN:
            value = _empty(event)
        if isinstance(container, list):
            container.append(value)
        else:
            container[key] = value
        if event in _OPEN:
            container = value
            open_containers.append(value)
            if len(open_containers) > deepest:
                raise DataError(f"{file.name}: JSON is nested deeper than {deepest}")
    return open_containers[0]


def _empty(event: str) -> Any:
    return {} if event == "start_map" else []
