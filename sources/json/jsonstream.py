"""JSON and JSON Lines as streams of elements, in constant memory, with limits on nesting and on the size of an element.

A hostile text cannot exhaust anything: nesting is counted event by event (building prefixes of a text nested 100,000
deep needs gigabytes), bytes are counted while they are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import ijson
import orjson
from ijson.common import JSONError

from ...config import Limits
from ...errors import HostileInput, SourceError
from ...texts.json_bounds import NumberGuard, nested_deeper
from ..base import BadRecord, InputFile
from .jsontree import NOTHING, Elements, TooDeep

__all__ = ["Element", "cut_off_or_malformed", "json_document", "json_elements", "json_lines"]

_CHUNK = 64 * 1024


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
        self._numbers = NumberGuard()

    def mark(self) -> None:
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._since += len(data)
        if self._since > self._most:
            raise HostileInput(f"{self._path}: one JSON element is larger than {self._most - 2 * _CHUNK} bytes")
        if self._first and data:
            self._first = False
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise SourceError(f"{self._path}: JSON in UTF-16; save it as UTF-8")
            data = data.removeprefix(b"\xef\xbb\xbf")
        return self._numbers.checked(data)


def json_elements(file: InputFile, limits: Limits) -> Iterator[Element]:
    """Elements of a top-level array; the value itself when the text is a single object.

    Raises SourceError when the text is malformed or cut off, HostileInput when it passes a limit.
    """
    with file.open() as stream:
        counted = CountedStream(stream, file.path, limits.record_bytes)
        try:
            for index, value in enumerate(_build(counted, file.path, limits.depth), start=1):
                yield Element(f"element {index}", value)
                counted.mark()
        except JSONError as bad:
            raise SourceError(f"{file.path}: {cut_off_or_malformed(bad)}") from bad
        except (ValueError, ArithmeticError) as bad:  # bytes that are no UTF-8, a number of thousands of digits
            raise SourceError(f"{file.path}: malformed JSON: {bad}") from bad


def cut_off_or_malformed(bad: JSONError) -> str:
    """What is wrong with a text that is no JSON, in few words."""
    text = bad.args[0] if bad.args else ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    first = re.split(r"\n", str(text), maxsplit=1)[0].strip()
    if "premature EOF" in first:
        return "the JSON is cut off"
    return f"malformed JSON: {first}"


def _build(counted: CountedStream, path: str, depth: int) -> Iterator[Any]:
    elements = Elements(depth)
    try:
        for event, value in ijson.basic_parse(counted, buf_size=_CHUNK):
            made = elements.feed(event, value)
            if made is not NOTHING:
                yield made
    except TooDeep as bad:
        raise HostileInput(f"{path}: JSON nested more than {depth} deep") from bad


def json_document(file: InputFile, limits: Limits) -> dict[str, Any]:
    """The single JSON object that a small file is. Raises SourceError when it is malformed, cut off or no object."""
    for element in json_elements(file, limits):
        if isinstance(element.value, dict):
            return element.value
        break
    raise SourceError(f"{file.path}: expected one JSON object")


def json_lines(file: InputFile, limits: Limits) -> Iterator[Element | BadRecord]:
    """One value per line of JSON Lines; a line that is no JSON is a BadRecord with its number.

    Raises HostileInput for a line that is longer or nested deeper than the limits allow.
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
            if nested_deeper(line, limits.depth):
                raise HostileInput(f"{file.path}: {where}: JSON nested more than {limits.depth} deep")
            try:
                yield Element(where, orjson.loads(line))
            except orjson.JSONDecodeError as bad:
                yield BadRecord(file.path, where, f"no JSON: {bad.msg}")
