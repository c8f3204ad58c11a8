"""Batches: JSON Lines in, JSON Lines out, each line flushed as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .console import data, json_text


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


def turns_in(path: Path) -> list[Any]:
    """The earlier turns in a file: a JSON list of texts or objects, an object whose `context` is one, or a turn a line
    (JSON, or just the question). Raises UsageError where it is none of these."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad
    whole = _json(text)
    if isinstance(whole, dict) and isinstance(whole.get("context"), list):
        return whole["context"]
    if isinstance(whole, list):
        return whole
    lines = [line for line in text.splitlines() if line.strip()]
    return [line if found is None else found for line in lines for found in (_json(line),)]


def _json(text: str) -> Any:
    """What a text says as JSON; None where it is none."""
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Writes each row as a line ('-' is standard output)."""
    if str(path) == "-":
        for row in rows:
            data(json_text(row) + "\n")
        return
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json_text(row) + "\n")
            out.flush()
