"""What the beginning of a file shows: enough for readers to recognise their format, and to say what else it looks like.

Everything here works on the first bytes only (`InputFile.head()`), and on a cut-off JSON or CSV alike.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ijson
from ijson.common import JSONError

from ..texts.import_budget import NumberGuard
from ..texts.separators import csv_separator
from .json.jsonnested import NOTHING, Elements, TooDeep
from .json.jsonstream import CutOff, Piece, pieces, value_of

__all__ = [
    "JsonShape",
    "csv_columns",
    "decode",
    "encoding_of",
    "json_beginning",
    "json_shape",
    "known_json",
    "looks_binary",
]

_DEPTH = 64
_HEAD = 65000
"""A text at least this long was cut off by looking at its head only."""


@dataclass(frozen=True)
class JsonShape:
    """The outline of a JSON text's beginning."""

    kind: str
    """`object`, `array` (of what `elements` shows), `lines` (JSON Lines of objects), or `scalar`."""
    keys: tuple[str, ...]
    """Keys of the object; of an array or of lines, the keys of its first object."""
    elements: tuple[Mapping[str, Any], ...] = ()
    """The objects that are complete in what was seen (of an object: itself, when complete)."""

    def has(self, *names: str) -> bool:
        """Whether all of `names` are among the keys."""
        return all(name in self.keys for name in names)


def looks_binary(head: bytes) -> bool:
    """Whether bytes are no text: a NUL without a UTF-16 mark, or many control characters."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    sample = head[:4096]
    control = sum(1 for byte in sample if byte < 9 or 13 < byte < 32)
    return b"\0" in sample or control * 20 > len(sample)


def encoding_of(head: bytes) -> str:
    """Encoding of a text that begins with `head`: UTF-8, UTF-16 with a mark, else Windows-1252."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    try:
        head.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        cut = len(head) >= 512 and bad.reason == "unexpected end of data"  # a character cut in two by the end
        return "utf-8-sig" if cut else "cp1252"
    return "utf-8-sig"


def decode(head: bytes) -> str:
    """Text of the first bytes of a file; what is cut in two by the end or is no text is left out."""
    return head.decode(encoding_of(head), "ignore")


@lru_cache(maxsize=4)
def json_shape(head: bytes) -> JsonShape | None:
    """The outline of a JSON text that begins with `head`, or None when it is no JSON; several recognisers ask."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] not in b"[{" or not text:
        return None
    whole = _objects(text)
    if text[:1] == b"{" and (whole is None or whole[2]):
        lines = _line_objects(text)
        if lines:
            return JsonShape("lines", tuple(lines[0]), lines)
    if whole is None:
        return None
    elements, keys, _ = whole
    return JsonShape("array" if text[:1] == b"[" else "object", keys, elements)


def json_beginning(head: bytes) -> tuple[Any, ...]:
    """The first value of a JSON text that begins with `head`, or the elements of its top-level array, as far as they
    are seen: the last one may lack what was cut off. Of JSON Lines, the complete lines."""
    shape = json_shape(head)
    if shape is None:
        return ()
    if shape.kind == "lines":
        return shape.elements
    elements, found = Elements(_DEPTH), list[Any]()
    try:
        for event, value in ijson.basic_parse(_Once(head.removeprefix(b"\xef\xbb\xbf").lstrip())):
            made = elements.feed(event, value)
            if made is not NOTHING:
                found.append(made)
    except (TooDeep, JSONError, ValueError, ArithmeticError):  # the text is cut off, or no longer of interest
        pass
    rest = elements.unfinished
    return (*found, *([rest] if rest and not (found and not elements.is_array) else []))


def _line_objects(text: bytes) -> tuple[Mapping[str, Any], ...]:
    """Objects of a text of which most lines are one."""
    found: list[Mapping[str, Any]] = []
    lines = [line.strip() for line in text.split(b"\n")]
    lines = [line for line in (lines[:-1] if len(lines) > 1 else lines) if line]
    for line in lines:
        objects = _objects(line) if line[:1] == b"{" and line[-1:] == b"}" else None
        if objects and objects[0] and not objects[2]:
            found.append(objects[0][0])
    return tuple(found) if len(found) * 2 > len(lines) else ()


def _objects(text: bytes) -> tuple[tuple[Mapping[str, Any], ...], tuple[str, ...], bool] | None:
    """Complete objects, keys of the first object, and whether something follows the first value; None: no JSON."""
    elements = Elements(_DEPTH)
    found: list[Mapping[str, Any]] = list(_of_array(text)) if text[:1] == b"[" else []
    if found:
        return tuple(found), tuple(found[0]), False
    seen, trailing = 0, False
    try:
        for event, value in ijson.basic_parse(_Once(text)):
            seen += 1
            made = elements.feed(event, value)
            if isinstance(made, dict):
                found.append(made)
    except TooDeep:
        pass
    except (JSONError, ValueError, ArithmeticError) as bad:
        trailing = "trailing garbage" in str(bad)
        if not (seen > 1 and (trailing or "premature EOF" in str(bad) or len(text) >= _HEAD)):
            return None
    partial = elements.unfinished
    first = found[0] if found else partial if isinstance(partial, dict) else {}
    return tuple(found), tuple(first), trailing


def _of_array(text: bytes) -> Iterator[Mapping[str, Any]]:
    """The complete objects of an array that is perhaps cut off; what is no JSON among them is left out."""
    try:
        for piece in pieces([text[1:]]):
            if isinstance(piece, Piece) and piece.depth <= _DEPTH:
                with suppress(ValueError):
                    value = value_of(piece.text)
                    if isinstance(value, dict):
                        yield value
    except CutOff:
        return


_JSON_KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("header", "products"), "Google My Activity (JSON)"),
    (("header", "titleUrl"), "Google My Activity (JSON)"),
    (("timelineObjects",), "Google semantic location history"),
    (("semanticSegments",), "a Google timeline"),
    (("timelineEdits",), "Google timeline edits"),
    (("locations",), "a JSON object with locations, such as Google's location history"),
    (("mapping", "create_time"), "ChatGPT conversations"),
    (("media", "creation_timestamp"), "Instagram posts"),
    (("track", "@attr"), "Last.fm scrobbles"),
    (("html_url", "name"), "GitHub repositories or stars"),
    (("ts", "ms_played"), "Spotify's extended streaming history"),
    (("endTime", "msPlayed"), "Spotify's streaming history"),
    (("Order ID", "Order Date"), "Amazon's orders"),
    (("change_type", "user_id"), "Slack's log of integrations"),
    (("Profile Name", "Start Time", "Title"), "Netflix's viewing activity"),
    (("textContent", "isTrashed"), "a Google Keep note"),
    (("listContent", "isTrashed"), "a Google Keep note"),
)
"""Shapes of services' exports, so that a refusal names them and they are not taken for somebody's own list."""


def known_json(shape: JsonShape) -> str | None:
    """The service whose export has this outline, or None."""
    return next((text for keys, text in _JSON_KEYS if shape.has(*keys)), None)


class _Once:
    """Bytes as a stream for ijson."""

    def __init__(self, data: bytes) -> None:
        self._data = NumberGuard().checked(data)

    def read(self, size: int = -1) -> bytes:
        given, self._data = (self._data, b"") if size < 0 else (self._data[:size], self._data[size:])
        return given


@lru_cache(maxsize=4)
def csv_columns(head: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Delimiter and column names of a CSV text that begins with `head`, or None when its first line is no header."""
    if looks_binary(head) or not head:
        return None
    line = re.split(r"\r\n|\n|\r", decode(head).lstrip("﻿"), maxsplit=1)[0]
    if not line or len(line) > 20000 or line.lstrip()[:1] in ("{", "[", "<"):
        return None
    delimiter = csv_separator(decode(head).lstrip("\ufeff"), cut=len(head) >= _HEAD)
    try:
        row = next(csv.reader([line], delimiter=delimiter))
    except (csv.Error, StopIteration):
        return None
    names = tuple(name.strip() for name in row)
    while names and not names[-1]:
        names = names[:-1]
    return (delimiter, names) if len(names) > 1 and all(names) else None
