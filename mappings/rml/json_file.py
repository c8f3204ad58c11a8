"""JSON and JSON Lines files as iterations, in a stream where the iterator begins with plain names and a wildcard."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import ijson
import orjson
from jsonpath.exceptions import JSONPathError

from ...errors import DataError
from ...sources.base import BadRecord
from .file_input import FileInput, Iteration, Iterations
from .jsonpath import compile_path, compile_record_iterator, stream_parts

_CHUNK = 1 << 16
_BLANK = b" \t\r\n"
_LOOKED_AT = 10
"""Lines that are looked at to tell JSON Lines from JSON."""


def json_iterations(file: FileInput, iterator: str | None) -> Iterations:
    """The iterations of a JSON file, or of a JSON Lines file, which is recognised by its content.

    In JSON Lines the iterator is read on every line's value, as in a record stream; a line that is no JSON is a bad
    record. Malformed JSON otherwise raises DataError.
    """
    with _opened(file) as stream:
        lines = _is_lines(stream, file.limits.record_bytes)
    yield from _lines(file, iterator or "$") if lines else _document(file, iterator or "$")


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


def _is_lines(stream: BinaryIO, limit: int) -> bool:
    """Whether a line among the first that are not blank is a JSON value of its own, and so is the one before it.

    No single JSON document has that. A first line that is a value is enough when anything follows it.
    """
    before = False
    for number in range(_LOOKED_AT):
        line = _full_line(stream, limit)
        own = line.endswith(b"\n") and _is_value(line)
        if before and (own or number == 1):
            return bool(line)
        if not line.endswith(b"\n"):
            return before and bool(line) and _is_value(line)
        before = own
    return False


def _is_value(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
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


def _lines(file: FileInput, iterator: str) -> Iterations:
    on_record, on_list = compile_record_iterator(iterator).iterate, compile_path(iterator).get
    with _opened(file) as stream:
        for number, line in _numbered(stream, file.limits.record_bytes):
            where = f"line {number}"
            if line is None:
                yield BadRecord(file.name, where, f"longer than {file.limits.record_bytes} bytes")
                continue
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError as bad:
                yield BadRecord(file.name, where, f"no JSON: {bad.msg}, column {bad.colno}")
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


def _document(file: FileInput, iterator: str) -> Iterations:
    """One JSON value; streamed from the first wildcard or filter on when only names stand before it."""
    parts = stream_parts(iterator)
    try:
        if parts is None:
            items: Iterable[Any] = _whole(file, iterator)
        else:
            names, rest = parts
            items = (found for item in _items(file, names) for found in rest(item))
        for number, item in enumerate(items, 1):
            yield Iteration(item, f"item {number}")
    except (ijson.JSONError, UnicodeDecodeError) as bad:
        raise DataError(f"{file.name}: malformed JSON: {_one_line(bad)}") from bad
    except (JSONPathError, RecursionError) as bad:
        raise DataError(f"{file.name}: too deep for {iterator}") from bad


def _one_line(bad: Exception) -> str:
    told = bad.args[0] if bad.args else str(bad)
    return " ".join((told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)).split())[:200]


def _whole(file: FileInput, iterator: str) -> list[Any]:
    """The iterations of an iterator that needs the whole document."""
    with _opened(file) as stream:
        data = stream.read()
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as bad:
        try:
            value = json.loads(data)  # nesting beyond what the fast parser takes
        except (ValueError, RecursionError):
            raise DataError(f"{file.name}: malformed JSON: line {bad.lineno}, column {bad.colno}: {bad.msg}") from bad
    return compile_path(iterator).get(value)


def _items(file: FileInput, names: tuple[str, ...]) -> Iterator[Any]:
    """The members of the list (or object) that `names` lead to, one by one.

    What stands there is looked up first, since ijson's prefixes are the same for lists and objects.
    """
    with _opened(file) as stream:
        kind = _kind_at(ijson.parse(stream, buf_size=_CHUNK), names)
    with _opened(file) as stream:
        prefix = ".".join(names)
        if kind == "start_array":
            yield from ijson.items(stream, f"{prefix}.item" if prefix else "item", use_float=True, buf_size=_CHUNK)
        elif kind == "start_map":
            pairs = ijson.kvitems(stream, prefix, use_float=True, buf_size=_CHUNK)
            yield from (value for _, value in pairs)
        else:
            for _ in ijson.basic_parse(stream, buf_size=_CHUNK):
                pass  # nothing to find, but a document that breaks off is still an error


def _kind_at(events: Iterator[Any], names: tuple[str, ...]) -> str | None:
    """The event that begins the value at `names`, None when there is no such value."""
    for name in names:
        if next(events, (None, None, None))[1] != "start_map" or not _advance(events, name):
            return None
    return next(events, (None, None, None))[1]


def _advance(events: Iterator[Any], name: str) -> bool:
    """Read on in an object to the value of a key."""
    for _, event, value in events:
        if event == "end_map":
            return False
        if event == "map_key":
            if value == name:
                return True
        elif event in ("start_map", "start_array"):
            depth = 1
            while depth:
                inner = next(events)[1]
                depth += (inner in ("start_map", "start_array")) - (inner in ("end_map", "end_array"))
    return False
