"""Elements of one array inside a JSON text, in constant memory: under a key of a large object, or after a script's `=`.

`jsonstream` reads texts that are JSON from the first byte and whose top level is what matters; this reads the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import ijson
from ijson.common import JSONError

from ...config import Limits
from ...errors import HostileInput, SourceError
from ...texts.json_bounds import NumberGuard
from .jsonstream import Element
from .jsontree import NOTHING, Elements, TooDeep

__all__ = ["json_items"]

_CHUNK: Final = 64 * 1024
_PREFIX: Final = 4096
"""How far into a script its array must begin."""


class _From:
    """A stream from its first `[` or `{` on, counting the bytes between two elements."""

    def __init__(self, stream: BinaryIO, path: str, most: int, *, script: bool) -> None:
        self._stream = stream
        self._path = path
        self._most = most
        self._since = 0
        self._numbers = NumberGuard()
        self._rest = self._begin(script)

    def _begin(self, script: bool) -> bytes:
        first = self._stream.read(_PREFIX).removeprefix(b"\xef\xbb\xbf")
        if not script:
            return first
        start = first.find(b"[")
        if start < 0:
            raise SourceError(f"{self._path}: no list begins in the first {_PREFIX} bytes")
        return first[start:]

    def mark(self) -> None:
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        if size == 0:  # how ijson asks whether this is a stream of bytes
            return b""
        data = self._rest or self._stream.read(size)
        self._rest = b""
        self._since += len(data)
        if self._since > self._most + 2 * _CHUNK:
            raise HostileInput(f"{self._path}: one JSON element is larger than {self._most} bytes")
        return self._numbers.checked(data)


def json_items(
    stream: BinaryIO, path: str, limits: Limits, *, key: str | None = None, script: bool = False
) -> Iterator[Element]:
    """Elements of the array under the top-level `key`, or of the top-level array when `key` is None.

    `script`: what stands before the first `[` is skipped. What follows the array is not read. Raises SourceError when
    the text is malformed, cut off or has no such array, HostileInput when it passes a limit.
    """
    source = _From(stream, path, limits.record_bytes, script=script)
    try:
        events = ijson.basic_parse(source, buf_size=_CHUNK)
        _find(events, path, key, limits.depth)
        elements = Elements(limits.depth)
        elements.feed("start_array", None)
        for index, value in enumerate(_values(events, elements), start=1):
            yield Element(f"element {index}", value)
            source.mark()
    except TooDeep as bad:
        raise HostileInput(f"{path}: JSON nested more than {limits.depth} deep") from bad
    except JSONError as bad:
        raise SourceError(f"{path}: malformed or cut off JSON") from bad
    except (ValueError, ArithmeticError) as bad:  # bytes that are no UTF-8, a number of thousands of digits
        raise SourceError(f"{path}: malformed JSON: {bad}") from bad


def _find(events: Iterator[tuple[str, Any]], path: str, key: str | None, depth: int) -> None:
    """Reads events up to the start of the array. Raises SourceError when there is none, TooDeep."""
    level, found = 0, key is None
    for event, value in events:
        if found and event == "start_array" and level == (0 if key is None else 1):
            return
        if level == 1 and event == "map_key":
            found = key is not None and value == key
        level += event.startswith("start_")
        level -= event.startswith("end_")
        if level > depth:
            raise TooDeep
        if (level == 0 and not event.startswith("end_")) or (level == 1 and found and event != "map_key"):
            break
    raise SourceError(f"{path}: no list{f' under {key}' if key else ''}")


def _values(events: Iterator[tuple[str, Any]], elements: Elements) -> Iterator[Any]:
    level = 1
    for event, value in events:
        level += event.startswith("start_")
        level -= event.startswith("end_")
        if level == 0:
            return
        made = elements.feed(event, value)
        if made is not NOTHING:
            yield made
