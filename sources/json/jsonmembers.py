"""One JSON object as a stream of the elements of its lists: `{"locations": […], "settings": {…}}`, in constant memory.

Of the object's members, those that are lists under the wanted keys are given element by element; all others are read
over. What is wrong in one element costs no other.
"""

from __future__ import annotations

import re
from collections.abc import Container, Generator, Iterator
from itertools import chain
from typing import Final

from ...config import Limits
from ...errors import SourceError
from ..base import BadRecord, InputFile
from .jsonstream import CountedStream, CutOff, Element, Piece, Scan, element_of, pieces, value_of

__all__ = ["json_member_elements"]

_SIGNS: Final = re.compile(rb'["\[\]{},]')
_LIST, _END, _COMMA = b"[},"
_OPEN: Final = b"[{"


def json_member_elements(
    file: InputFile, limits: Limits, wanted: Container[str]
) -> Iterator[tuple[str, Element | BadRecord]]:
    """Elements of the lists under the `wanted` keys of one object, each with its key; places are `locations 3`.

    Raises SourceError when the text is no object or is cut off, HostileInput when an element is larger than the limit.
    """
    with file.open() as stream:
        counted = CountedStream(stream, file.path, limits.record_bytes)
        start = b""
        while not start.strip() and (more := counted.read()):
            start += more
        if not start.lstrip().startswith(b"{"):
            raise SourceError(f"{file.path}: expected one JSON object")
        scan = Scan(start.lstrip()[1:])
        try:
            while (key := _next_list(scan, counted)) is not None:
                rest = yield from _elements(key, wanted, scan, counted, file.path, limits.depth)
                scan = Scan(rest)
        except CutOff as bad:
            raise SourceError(f"{file.path}: the JSON is cut off") from bad


def _elements(
    key: str, wanted: Container[str], scan: Scan, counted: CountedStream, path: str, depth: int
) -> Generator[tuple[str, Element | BadRecord], None, bytes]:
    """The elements of the list that begins here; returns what was read of the text behind it."""
    number = 0
    rest = b""
    for piece in pieces(chain((bytes(scan.held),), iter(counted.read, b""))):
        counted.mark()
        if isinstance(piece, Piece):
            number += 1
            if key in wanted:
                yield key, element_of(piece, path, f"{key} {number}", depth)
        else:
            rest = piece
    return rest


def _next_list(scan: Scan, counted: CountedStream) -> str | None:
    """The key of the next member that is a list, read up to its `[`; None at the end of the object."""
    depth = 0
    while True:
        sign = scan.next_sign(_SIGNS)
        if sign is None:
            more = counted.read()
            if not more:
                raise CutOff
            scan.held += more
            continue
        text = scan.taken()
        counted.mark()
        if depth == 0 and sign == _LIST:
            return _key(text)
        if sign in _OPEN:
            depth += 1
        elif sign != _COMMA and depth:
            depth -= 1
        elif sign == _END:
            return None


def _key(text: bytes) -> str:
    """The key in `"locations" :`; empty where it is none."""
    try:
        key = value_of(text.rstrip(b": \t\r\n"))
    except ValueError:
        return ""
    return key if isinstance(key, str) else ""
