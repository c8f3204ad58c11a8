"""What separates the cells of CSV."""

from __future__ import annotations

import csv
import io
from itertools import islice
from typing import Final

__all__ = ["csv_separator"]

_DELIMITERS: Final = (",", "\t", ";")
_ROWS: Final = 200
"""Rows that are looked at."""


def csv_separator(text: str, *, cut: bool = False) -> str:
    """What separates the cells of a CSV text by all its rows: that under which most rows are as wide as the header;
    between equals the one under which there are more cells. `cut`: the text is only a beginning.

    The header alone does not tell: names of columns have commas, too.
    """
    return max(_DELIMITERS, key=lambda delimiter: _fit(text, delimiter, cut))


def _fit(text: str, delimiter: str, cut: bool) -> tuple[float, int]:
    """The share of rows that are as wide as the header, and its width; nothing where there is one column."""
    rows: list[int] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows += (len(row) for row in islice(reader, _ROWS) if row)
    except csv.Error:
        cut = False  # what was read up to the error tells
    if cut and 1 < len(rows) < _ROWS:
        rows.pop()
    width = rows[0] if rows else 0
    return (sum(1 for row in rows if row == width) / len(rows), width) if width > 1 else (0.0, 0)
