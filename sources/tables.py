"""Tables as a stream of rows by column name, in constant memory; a broken row costs that row and no other.

They are CSV, or JSON lists of objects with the same names, as some services and converters write them.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from ..config import Limits
from ..errors import HostileInput, SourceError
from .base import BadRecord, InputFile
from .json.jsonstream import Element, json_elements, json_lines
from .peek import csv_columns, encoding_of, json_shape

__all__ = ["Row", "columns_of", "csv_rows", "rows_of"]

_NO_TEXT = "\udc80"
"""Stands for bytes that are no text: half a character, which no text that is decoded can hold."""
MARK_BYTES = "reqap-kg-mark-bytes"
"""The error handler of that; Python's own one for it (surrogateescape) knows no UTF-16."""
codecs.register_error(MARK_BYTES, lambda bad: (_NO_TEXT, bad.end if isinstance(bad, UnicodeDecodeError) else 0))

_BAD_BYTES = "bytes that are no text in the file's encoding"
_LINES_PER_ROW = 500
"""A quoted field may hold line ends; a quote that never closes must not eat the rest of the file."""
_FEWEST_LINES = 4
"""So many are looked at however many quotes before did not close: each costs half of the lines of the next."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its place (`line 7`), and cells by column name; of columns with the same name the last holds."""

    where: str
    cells: dict[str, str]


class _Lines:
    """Physical lines with their numbers; lines given back are read again."""

    def __init__(self, stream: TextIO, path: str, most: int) -> None:
        self._stream = stream
        self._path = path
        self._most = most
        self._again: deque[str] = deque()
        self.number = 0
        self.per_row = _LINES_PER_ROW
        """Lines that one row may take."""

    def next(self) -> str | None:
        if self._again:
            self.number += 1
            return self._again.popleft()
        line = self._stream.readline(self._most + 1)
        if len(line) > self._most:
            raise HostileInput(f"{self._path}: line {self.number + 1} is longer than {self._most} characters")
        if not line:
            return None
        self.number += 1
        return line

    def give_back(self, lines: list[str]) -> None:
        self._again.extendleft(reversed(lines))
        self.number -= len(lines)
        if lines:
            self.per_row = max(_FEWEST_LINES, self.per_row // 2)


def columns_of(file: InputFile) -> tuple[str, ...]:
    """The names of a table's columns; none for what is no table."""
    head = file.head()
    shape = json_shape(head)
    if shape is not None:
        return shape.keys if shape.kind in ("array", "lines") else ()
    header = csv_columns(head)
    return header[1] if header is not None else ()


def rows_of(file: InputFile, limits: Limits, needed: tuple[str, ...] = ()) -> Iterator[Row | BadRecord]:
    """The rows of CSV (`csv_rows`), or of a JSON list of objects."""
    shape = json_shape(file.head())
    if shape is None:
        yield from csv_rows(file, limits, needed)
        return
    for element in json_lines(file, limits) if shape.kind == "lines" else json_elements(file, limits):
        if isinstance(element, Element) and isinstance(element.value, dict):
            cells = {name: _cell(value) for name, value in element.value.items()}
            yield Row(element.where, dict.fromkeys(needed, "") | cells)
        else:
            yield element if isinstance(element, BadRecord) else BadRecord(file.path, element.where, "not an object")


def _cell(value: Any) -> str:
    """A value as it would stand in a cell."""
    return "" if value is None else value if isinstance(value, str) else str(value)


def csv_rows(
    file: InputFile, limits: Limits, needed: tuple[str, ...] = (), *, numbered: bool = False
) -> Iterator[Row | BadRecord]:
    """Rows under the header in the first line; rows with too few or too many cells are BadRecords.

    With `numbered`, columns with the same name are all kept: `Distance`, `Distance (2)`.

    The delimiter (comma, semicolon, tab) and the encoding (UTF-8, UTF-16 with a mark, else Windows-1252) are told from
    the beginning. Raises SourceError when there is no header or it lacks a `needed` column, HostileInput when a line
    passes the limit.
    """
    csv.field_size_limit(max(csv.field_size_limit(), limits.record_bytes))  # counts for the whole process
    head = file.head()
    header = csv_columns(head)
    if header is None:
        raise SourceError(f"{file.path}: expected CSV with column names in the first line")
    delimiter, names = header
    if missing := [name for name in needed if name not in names]:
        raise SourceError(f"{file.path}: expected CSV with the column {missing[0]}")
    names = _numbered(names) if numbered else names
    with file.open() as raw, io.TextIOWrapper(raw, encoding_of(head), errors=MARK_BYTES, newline="") as stream:
        lines = _Lines(stream, file.path, limits.record_bytes)
        lines.next()
        while True:
            first = lines.next()
            if first is None:
                return
            number = lines.number
            if not first.strip("\r\n" + delimiter + " "):
                continue
            where = f"line {number}"
            cells = _BAD_BYTES if _NO_TEXT in first else _cells(first, lines, delimiter, len(names))
            if not isinstance(cells, str) and any(_NO_TEXT in cell for cell in cells):
                cells = _BAD_BYTES
            if isinstance(cells, str):
                yield BadRecord(file.path, where, cells)
            else:
                yield Row(where, dict(zip(names, cells, strict=True)))


def _numbered(names: tuple[str, ...]) -> tuple[str, ...]:
    seen = Counter[str]()
    told: list[str] = []
    for name in names:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(told)


def _cells(first: str, lines: _Lines, delimiter: str, width: int) -> list[str] | str:
    """Cells of the row that begins with line `first`, or why there is none: then later lines are given back."""
    taken: list[str] = []

    def source() -> Iterator[str]:
        yield first
        while len(taken) < lines.per_row and (line := lines.next()) is not None:
            taken.append(line)
            yield line

    try:
        row = next(csv.reader(source(), delimiter=delimiter, strict=True))
    except csv.Error as bad:
        lines.give_back(taken)
        return _lenient(first, delimiter, width) or f"broken CSV: {bad}"
    if len(row) >= width and not any(row[width:]):  # commas at the end of rows
        lines.per_row = _LINES_PER_ROW if taken else lines.per_row
        return row[:width]
    lines.give_back(taken)
    return _lenient(first, delimiter, width) or f"{len(row)} cells where the header has {width}"


def _lenient(line: str, delimiter: str, width: int) -> list[str] | None:
    """Cells of one line with stray quotes, when it has the right number of them without an open quote."""
    try:
        row = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter, quoting=csv.QUOTE_NONE))
    except csv.Error:
        return None
    return row if len(row) == width and '"' in line else None
