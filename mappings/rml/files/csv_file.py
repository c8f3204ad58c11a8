"""CSV files as iterations: one row each, as a dictionary by the header's column names (RML-IO registry, CSV)."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from ....errors import DataError
from ....sources.base import BadRecord
from ....texts.separators import csv_separator
from .file_input import FileInput, Iteration, Iterations

_MARK: Final = "surrogateescape"
"""Bytes that are no text come as lone surrogates, which text never has."""
_BEGINNING: Final = 64 * 1024
"""Bytes that are looked at for what separates fields."""
_NO_TEXT: Final = re.compile("[\udc80-\udcff]")


def csv_iterations(file: FileInput) -> Iterations:
    """The rows of a CSV file; what separates fields (comma, tab, semicolon) is told from the file's beginning.

    A row with more fields than the header, or with bytes that are no text in the encoding, is a bad record; missing
    fields at its end are null. Raises DataError for a file without header or with the same column twice, for a row or a
    header that passes the limits, and for text that is no CSV.
    """
    csv.field_size_limit(file.limits.record_bytes)
    encoding = "utf-8-sig" if file.encoding == "utf-8" else file.encoding
    with file.open() as stream:
        beginning = stream.read(_BEGINNING).decode(encoding, "ignore")
    separator = csv_separator(beginning, cut=len(beginning) >= _BEGINNING // 4)
    with file.open() as stream:
        lines = _Lines(io.TextIOWrapper(stream, encoding=encoding, errors=_MARK, newline=""), file)
        try:
            yield from _rows(file, csv.reader(lines, delimiter=separator, strict=True), lines)
        except (csv.Error, UnicodeError) as bad:  # a codec of several bytes may be broken for good
            raise DataError(f"{file.name}: no CSV: {bad}") from bad


def csv_columns(file: FileInput) -> tuple[str, ...]:
    """The names of the columns. Raises DataError as `csv_iterations` does for a file without a header."""
    encoding = "utf-8-sig" if file.encoding == "utf-8" else file.encoding
    with file.open() as stream:
        beginning = stream.read(_BEGINNING).decode(encoding, "ignore")
    separator = csv_separator(beginning, cut=len(beginning) >= _BEGINNING // 4)
    header = next(csv.reader(io.StringIO(beginning, newline=""), delimiter=separator), None)
    if not header:
        raise DataError(f"{file.name}: no header line")
    return tuple(header)


class _Lines:
    """The lines of a text; refuses to give more than one row may have between two calls of `mark`."""

    def __init__(self, text: io.TextIOWrapper, file: FileInput) -> None:
        self._text = text
        self._file = file
        self._most = file.limits.record_bytes
        self._since = 0

    def mark(self) -> None:
        """A row that is not blank has come to its end."""
        self._since = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._text.readline(self._most + 1)
        if not line:
            raise StopIteration
        self._since += len(line)
        if self._since > self._most:
            raise DataError(f"{self._file.name}: a row, or blank lines, of more than {self._most} characters")
        return line


def _rows(file: FileInput, reader: Any, lines: _Lines) -> Iterations:
    header: list[str] | None = next(reader, None)
    if not header:
        raise DataError(f"{file.name}: no header line")
    if any(_NO_TEXT.search(name) for name in header):
        raise DataError(f"{file.name}: the header has bytes that are no text in {file.encoding}")
    if len(header) > file.limits.record_keys:
        raise DataError(f"{file.name}: more than {file.limits.record_keys} columns")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise DataError(f"{file.name}: column {twice[0]!r} stands twice in the header")
    width = len(header)
    for row in reader:
        if not row:
            continue
        lines.mark()
        where = f"line {reader.line_num}"
        if _NO_TEXT.search("".join(row)):
            yield BadRecord(file.name, where, f"bytes that are no text in {file.encoding}")
            continue
        if len(row) > width:
            yield BadRecord(file.name, where, f"{len(row)} fields, the header has {width}")
            continue
        yield Iteration(dict(zip(header, row + [None] * (width - len(row)), strict=True)), where)
