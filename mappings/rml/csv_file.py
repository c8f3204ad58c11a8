"""CSV files as iterations: one row each, as a dictionary by the header's column names (RML-IO registry, CSV)."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from typing import Any

from ...errors import DataError
from ...sources.base import BadRecord
from .file_input import FileInput, Iteration, Iterations


def csv_iterations(file: FileInput) -> Iterations:
    """The rows of a CSV file; fields are separated by tabs or semicolons where the header has these and no comma.

    A row with more fields than the header is a bad record, missing fields at its end are null. Raises DataError for a
    file without header or with the same column twice, and for text that is no CSV.
    """
    csv.field_size_limit(file.limits.record_bytes)
    encoding = "utf-8-sig" if file.encoding == "utf-8" else file.encoding
    with file.open() as stream:
        lines = codecs.getreader(encoding)(stream)
        try:
            head = lines.readline()
            yield from _rows(file, _reader(head, lines))
        except (csv.Error, UnicodeError) as bad:
            raise DataError(f"{file.name}: no CSV: {bad}") from bad


def _reader(head: str, lines: Any) -> Any:
    separator = "," if "," in head else "\t" if "\t" in head else ";" if ";" in head else ","
    return csv.reader(_after(head, lines), delimiter=separator, strict=True)


def _after(head: str, lines: Iterator[str]) -> Iterator[str]:
    yield head
    yield from lines


def _rows(file: FileInput, reader: Any) -> Iterations:
    header: list[str] | None = next(reader, None)
    if not header:
        raise DataError(f"{file.name}: no header line")
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise DataError(f"{file.name}: column {twice[0]!r} stands twice in the header")
    width = len(header)
    for row in reader:
        where = f"line {reader.line_num}"
        if not row:
            continue
        if len(row) > width:
            yield BadRecord(file.name, where, f"{len(row)} fields, the header has {width}")
            continue
        yield Iteration(dict(zip(header, row + [None] * (width - len(row)), strict=True)), where)
