"""JSON and JSON Lines as streams of elements, in constant memory, with limits on nesting and on the size of an element.

A hostile text cannot exhaust anything: nesting is counted event by event (building prefixes of a text nested 100,000
deep needs gigabytes), bytes are counted while they are read. Elements of an array are told apart without parsing, so
that what is wrong in one costs no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from json import JSONDecodeError
from typing import Any, BinaryIO, Final

from ...config import Limits
from ...errors import HostileInput, SourceError
from ...texts.import_budget import nested_deeper
from ..base import BadRecord, InputFile

_BETWEEN: Final = re.compile(rb'["\[\]{,]')
_WITHIN: Final = re.compile(rb'["\[\]{}]')
_TEXT: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_QUOTE, _COMMA = b'",'
_OPEN: Final = b"[{"
_HALF_CHARACTER: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_CHUNK = 64 * 1024


class CutOff(Exception):
    """The array has no end; callers turn it into the package's own error."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One element as it is written, and how many containers it nests."""

    text: bytes
    depth: int


def value_of(text: bytes) -> Any:
    """The value of one element; NaN and Infinity, which some programs write, are numbers. Raises ValueError.

    It recurses as deep as the text nests: count that before.
    """
    value = json.loads(text.decode("utf-8"))
    if _HALF_CHARACTER.search(text):
        json.dumps(value, ensure_ascii=False).encode()  # half a character is no text
    return value


def pieces(data: Iterable[bytes]) -> Iterator[Piece | bytes]:
    """Each element of an array behind its `[`, and at the end, as bytes, what was read of the text that follows it.

    Takes linear time, and the memory of one element. Raises CutOff.
    """
    scan, depth, deepest = Scan(), 0, 0
    for more in data:
        scan.held += more
        while (sign := scan.next_sign(_WITHIN if depth else _BETWEEN)) is not None:
            if sign in _OPEN:
                depth += 1
                deepest = max(deepest, depth)
            elif depth:
                depth -= 1
            else:
                text = scan.taken()
                if text or sign == _COMMA:
                    yield Piece(text, deepest)
                deepest = 0
                if sign != _COMMA:
                    yield bytes(scan.held)
                    return
    raise CutOff


class Scan:
    """Finds the signs outside of strings in a text that comes in parts."""

    def __init__(self, held: bytes = b"") -> None:
        self.held = bytearray(held)
        self._at = 0
        self._in_text = False

    def next_sign(self, signs: re.Pattern[bytes]) -> int | None:
        """The next of `signs` that is no quote, None where more of the text is needed."""
        while self._at < len(self.held):
            if self._in_text:
                found = _TEXT.match(self.held, self._at)
                self._at = found.end() if found else self._at
                if self._at == len(self.held) or self.held[self._at] != _QUOTE:
                    return None  # the string goes on, perhaps behind a backslash that is the last byte so far
                self._at, self._in_text = self._at + 1, False
                continue
            found = signs.search(self.held, self._at)
            self._at = found.end() if found else len(self.held)
            if found is None or self.held[found.start()] != _QUOTE:
                return None if found is None else self.held[found.start()]
            self._in_text = True
        return None

    def taken(self) -> bytes:
        """The text before the last sign, which is held no longer."""
        text = bytes(self.held[: self._at - 1]).strip()
        del self.held[: self._at]
        self._at = 0
        return text


@dataclass(frozen=True, slots=True)
class Element:
    """One value of a JSON text with its place in it, as reports name it (`element 3`, `line 7`)."""

    where: str
    value: Any


class CountedStream:
    """A stream that refuses to give more than `most` bytes between two elements."""

    def __init__(self, stream: BinaryIO, path: str, most: int) -> None:
        self._stream = stream
        self._path = path
        self._most = most + 2 * _CHUNK
        self._since = 0
        self._first = True

    def mark(self) -> None:
        self._since = 0

    def read(self, size: int = _CHUNK) -> bytes:
        """The next bytes, none at the end. Raises HostileInput, SourceError."""
        data = self._stream.read(size)
        self._since += len(data)
        if self._since > self._most:
            raise HostileInput(f"{self._path}: one JSON element is larger than {self._most - 2 * _CHUNK} bytes")
        if self._first and data:
            self._first = False
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise SourceError(f"{self._path}: JSON in UTF-16; save it as UTF-8")
            data = data.removeprefix(b"\xef\xbb\xbf")
        return data


def json_elements(file: InputFile, limits: Limits, *, script: bool = False) -> Iterator[Element | BadRecord]:
    """Elements of a top-level array; the value itself when the text is anything else. An element that is no JSON, or
    nests too deep, is a BadRecord and costs no other.

    `script`: what stands before the first `[` is skipped, and what follows the array is not read. Raises SourceError
    when the text is cut off or something follows it, HostileInput when an element is larger than the limit.
    """
    with file.open() as stream:
        counted = CountedStream(stream, file.path, limits.record_bytes)
        before, bracket, rest = _beginning(counted, script)
        if not bracket:
            if script:
                raise SourceError(f"{file.path}: no list begins in the first {_CHUNK} bytes")
            yield Element("element 1", _whole(before, counted, file.path, limits.depth))
            return
        number = 0
        try:
            for piece in pieces(chain((rest,), iter(counted.read, b""))):
                if isinstance(piece, bytes):
                    if not script and (piece.strip() or any(data.strip() for data in iter(counted.read, b""))):
                        raise SourceError(f"{file.path}: malformed JSON: something follows its list")
                    return
                number += 1
                yield element_of(piece, file.path, f"element {number}", limits.depth)
                counted.mark()
        except CutOff as bad:
            raise SourceError(f"{file.path}: the JSON is cut off") from bad


def _beginning(counted: CountedStream, script: bool) -> tuple[bytes, bytes, bytes]:
    """The text up to the `[` that begins its array, that `[`, and what was read behind it; no `[` where there is no
    array."""
    data = b""
    while len(data) < _CHUNK and (more := counted.read()):
        data += more
        if script or not data.strip():
            continue
        if not data.lstrip().startswith(b"["):
            return data, b"", b""
        break
    return data.partition(b"[")


def _whole(before: bytes, counted: CountedStream, path: str, depth: int) -> Any:
    text = before + b"".join(iter(counted.read, b""))
    if nested_deeper(text, depth):
        raise HostileInput(f"{path}: JSON nested more than {depth} deep")
    try:
        return value_of(text)
    except JSONDecodeError as bad:
        if bad.pos == len(bad.doc) or bad.msg.startswith("Unterminated"):
            raise SourceError(f"{path}: the JSON is cut off") from bad
        raise SourceError(f"{path}: malformed JSON: {bad}") from bad
    except ValueError as bad:  # bytes that are no UTF-8, a number of thousands of digits
        raise SourceError(f"{path}: malformed JSON: {bad}") from bad


def element_of(piece: Piece, path: str, where: str, depth: int) -> Element | BadRecord:
    if piece.depth > depth:
        return BadRecord(path, where, f"JSON nested more than {depth} deep")
    try:
        return Element(where, value_of(piece.text))
    except ValueError as bad:
        return BadRecord(path, where, f"malformed JSON: {bad}")


def json_document(file: InputFile, limits: Limits) -> dict[str, Any]:
    """The single JSON object that a small file is. Raises SourceError when it is malformed, cut off or no object."""
    for element in json_elements(file, limits):
        if isinstance(element, Element) and isinstance(element.value, dict):
            return element.value
        break
    raise SourceError(f"{file.path}: expected one JSON object")


def json_lines(file: InputFile, limits: Limits) -> Iterator[Element | BadRecord]:
    """One value per line of JSON Lines; a line that is no JSON is a BadRecord with its number.

    Raises HostileInput for a line that is longer than the limits allow.
    """
    most = limits.record_bytes
    with file.open() as stream:
        number = 0
        while line := stream.readline(most + 2):
            number += 1
            if len(line) > most + 1:
                raise HostileInput(f"{file.path}: line {number} is longer than {most} bytes")
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if not line.strip():
                continue
            where = f"line {number}"
            depth = limits.depth + 1 if nested_deeper(line, limits.depth) else 0
            yield element_of(Piece(line, depth), file.path, where, limits.depth)
