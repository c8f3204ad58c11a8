"""JSON and JSON Lines files as iterations, in a stream where the iterator begins with plain names and a wildcard."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import orjson

from ....errors import DataError, Place
from ....sources.base import BadRecord
from ....texts.import_budget import nested_deeper
from .file_input import FileInput, Iteration, Iterations
from .json_stream import TooLargeNumber, json_members
from .jsonpath import compile_path, compile_record_iterator, stream_parts

_CHUNK = 1 << 16
_BLANK = b" \t\r\n"
_LONG_NUMBER = re.compile(rb"[0-9]{18}")
"""What the fast parser might round: integers beyond 64 bits."""
_FOR_THE_OTHER = ("recursion", "surrogate", "infinity")
"""What the fast parser refuses and the other takes: deeper nesting, half of a character, numbers beyond a double."""
_LOOKED_AT = 10
"""Lines that are looked at to tell JSON Lines from JSON."""


def json_iterations(file: FileInput, iterator: str | None, place: Place | None = None) -> Iterations:
    """The iterations of a JSON file, or of a JSON Lines file, which is recognised by its content.

    In JSON Lines the iterator is read on every line's value, as in a record stream; a line that is no JSON is a bad
    record. Malformed JSON otherwise raises DataError, as does an iterator (it stands at `place` in the map) that cannot
    be run to its end on this data.
    """
    with _opened(file) as stream:
        lines = _is_lines(stream, file.limits.record_bytes, file.limits.depth)
    yield from (_lines if lines else _document)(file, iterator or "$", place)


class _Transcoded(io.RawIOBase):
    """A stream of another encoding as UTF-8."""

    def __init__(self, stream: BinaryIO, file: FileInput) -> None:
        self._reader = codecs.getreader(file.encoding)(stream)
        self._left = b""
        self._name = file.name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            while not self._left:
                text = self._reader.read(_CHUNK)
                if not text:
                    return 0
                self._left = text.encode("utf-8", "replace")
        except UnicodeError as bad:
            raise DataError(f"{self._name}: not of the stated encoding: {bad}") from bad
        part, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


@contextmanager
def _opened(file: FileInput) -> Iterator[io.BufferedReader]:
    """The text as UTF-8 without byte order mark."""
    with file.open() as raw:
        stream = raw if file.encoding == "utf-8" else io.BufferedReader(_Transcoded(raw, file))
        reader = cast(io.BufferedReader, stream)
        if reader.peek(3)[:3] == codecs.BOM_UTF8:
            reader.read(3)
        yield reader


def _is_lines(stream: BinaryIO, limit: int, depth: int) -> bool:
    """Whether a line among the first that are not blank is a JSON value of its own, and so is the one before it.

    No single JSON document has that. A first line that is a value is enough when anything follows it.
    """
    before = False
    for number in range(_LOOKED_AT):
        line = _full_line(stream, limit)
        own = line.endswith(b"\n") and _is_value(line, depth)
        if before and (own or number == 1):
            return bool(line)
        if not line.endswith(b"\n"):
            return before and bool(line) and _is_value(line, depth)
        before = own
    return False


def _is_value(line: bytes, depth: int) -> bool:
    if nested_deeper(line, depth):
        return False
    try:
        _loads(line)
    except ValueError:
        return False
    return True


def _full_line(stream: BinaryIO, limit: int) -> bytes:
    """The next line that is not blank, at most `limit` bytes of it; nothing at the end, or after too many blanks."""
    skipped = 0
    while skipped < limit and (line := stream.readline(limit)):
        if line.strip(_BLANK):
            return line
        skipped += len(line)
    return b""


def _lines(file: FileInput, iterator: str, place: Place | None) -> Iterations:
    on_record, on_list = compile_record_iterator(iterator, place).iterate, compile_path(iterator, place).get
    with _opened(file) as stream:
        for number, line in _numbered(stream, file.limits.record_bytes):
            where = f"line {number}"
            if line is None:
                yield BadRecord(file.name, where, f"longer than {file.limits.record_bytes} bytes")
                continue
            if nested_deeper(line, file.limits.depth):
                yield BadRecord(file.name, where, f"JSON nested more than {file.limits.depth} deep")
                continue
            try:
                value = _loads(line)
            except ValueError as bad:
                yield BadRecord(file.name, where, f"no JSON: {bad}")
                continue
            for item in (on_list if isinstance(value, list) else on_record)(value):
                yield Iteration(item, where)


def _numbered(stream: BinaryIO, limit: int) -> Iterator[tuple[int, bytes | None]]:
    """Lines that are not blank with their numbers; None for one that is longer than `limit`."""
    number = 0
    while line := stream.readline(limit + 1):
        number += 1
        if len(line) <= limit:
            if line.strip(_BLANK):
                yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit)
        yield number, None


def _document(file: FileInput, iterator: str, place: Place | None) -> Iterations:
    """One JSON value; streamed from the first wildcard or filter on when only names stand before it."""
    for number, item in enumerate(_items(file, iterator, place), 1):
        yield Iteration(item, f"item {number}")


def _items(file: FileInput, iterator: str, place: Place | None) -> Iterator[Any]:
    parts = stream_parts(iterator, place)
    done = 0
    if parts is not None:
        names, rest = parts
        try:
            with _opened(file) as stream:
                for member in json_members(stream, names, file):
                    for found in rest(member):
                        yield found
                        done += 1
            return
        except TooLargeNumber:
            pass  # rare enough to read the whole document, exactly, and go on where the stream stopped
    yield from _whole(file, iterator, place)[done:]


def _whole(file: FileInput, iterator: str, place: Place | None) -> list[Any]:
    """The iterations of an iterator that needs the whole document."""
    with _opened(file) as stream:
        data = stream.read()
    if nested_deeper(data, file.limits.depth):
        raise DataError(f"{file.name}: JSON is nested deeper than {file.limits.depth}")
    try:
        value = _loads(data)
    except ValueError as bad:
        raise DataError(f"{file.name}: malformed JSON: {bad}") from bad
    return compile_path(iterator, place).get(value)


def _loads(data: bytes) -> Any:
    """A JSON value with exact integers, of a text that nests no deeper than allowed. Raises ValueError."""
    if not _LONG_NUMBER.search(data):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError as bad:
            if not any(word in bad.msg for word in _FOR_THE_OTHER):
                raise
    return json.loads(data.decode(), parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
