"""Answers as files that a browser saves."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import Response

from ....engine.answers.answer import Table

_MARK: Final = "\ufeff"
"""What has spreadsheets read the file as UTF-8."""
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_of(tables: Sequence[Table]) -> Response:
    """Tables one below the other, with the columns of all of them."""
    columns = list(dict.fromkeys(name for table in tables for name in table.columns))
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow([_unharmed(name) for name in columns])
    for table in tables:
        at = {name: place for place, name in enumerate(table.columns)}
        for row in table.rows:
            lines.writerow([_unharmed(row[at[name]]) if name in at else "" for name in columns])
    headers = {"Content-Disposition": 'attachment; filename="answer.csv"'}
    return Response(_MARK + written.getvalue(), headers=headers, media_type="text/csv; charset=utf-8")


def _unharmed(value: Any) -> Any:
    """A value as no spreadsheet takes it for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
