"""Batches: JSON Lines in, JSON Lines out, each line flushed as soon as it is known."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import UsageError


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of a JSON Lines file. Raises UsageError, with the line, where it is none."""
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, _object(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as bad:
        raise UsageError(f"{where}: not JSON: {bad}") from bad
    if not isinstance(found, dict):
        raise UsageError(f"{where}: expected a JSON object")
    return found


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Writes each row as a line ('-' is standard output)."""
    if str(path) == "-":
        for row in rows:
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
