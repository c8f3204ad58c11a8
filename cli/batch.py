"""Batches: JSON Lines in, JSON Lines out, each line flushed as soon as it is known."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Any

from ..config import opened_own, own_text
from ..errors import UsageError
from ..store.upkeep.disk_space import disk_errors
from .printing.console import data, json_text


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of a JSON Lines file. Raises UsageError, with the line, where it is none."""
    for number, row in lines_or_errors(path):
        if isinstance(row, UsageError):
            raise row
        yield number, row


def lines_or_errors(path: Path, *, empty: bool = False) -> Iterator[tuple[int, dict[str, Any] | UsageError]]:
    """(line number, object) of a JSON Lines file; of a line that is none, what is wrong with it, of an `empty` one only
    if that is wanted. Raises UsageError for a file that cannot be read."""
    try:
        with opened_own(path) as raw, TextIOWrapper(raw, encoding="utf-8") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, _object(line, f"{path}:{number}")
                elif empty:
                    yield number, UsageError(f"{path}:{number}: an empty line")
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad


def check_readable(path: Path) -> None:
    """Raises UsageError for a file that cannot be read to its end."""
    for _ in lines_or_errors(path):
        pass


def check_lines(path: Path) -> None:
    """Raises UsageError, with the line, for a file that is no JSON Lines."""
    for _ in lines_of(path):
        pass


def _object(line: str, where: str) -> dict[str, Any] | UsageError:
    try:
        found = _read(line)
    except UnicodeEncodeError:
        return UsageError(f"{where}: a text has half of a sign (a lone surrogate), which is no text")
    except (ValueError, RecursionError) as bad:
        return UsageError(f"{where}: not JSON: {bad}")
    if not isinstance(found, dict):
        return UsageError(f"{where}: expected a JSON object")
    return found


def turns_in(path: Path) -> list[Any]:
    """The earlier turns in a file: a JSON list of texts or objects, an object whose `context` is one, or a turn a line
    (JSON, or just the question). Raises UsageError where it is none of these."""
    try:
        text = own_text(path)
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{path} cannot be read: {bad}") from bad
    whole = _json(text)
    if isinstance(whole, dict) and isinstance(whole.get("context"), list):
        return whole["context"]
    if isinstance(whole, list):
        return whole
    lines = [(line, _json(line)) for line in text.splitlines() if line.strip()]
    broken = any(found is None and _is_like_json(line) for line, found in lines)
    if broken and whole is None and _is_like_json(text):
        raise UsageError(f"{path} begins like JSON but is none")
    return [line if found is None else found for line, found in lines]


def _is_like_json(text: str) -> bool:
    """Whether a text begins as an object or a list does."""
    return text.lstrip().startswith(("{", "["))


def _json(text: str) -> Any:
    """What a text says as JSON; None where it is none."""
    try:
        return _read(text)
    except (ValueError, RecursionError):
        return None


def _read(text: str) -> Any:
    """The value that JSON says. Raises ValueError where it is none or has a number that JSON lacks (infinity, NaN);
    UnicodeEncodeError, which is one, where a text in it is none."""
    found = json.loads(text)
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    return found


def write_lines(path: Path, rows: Iterable[dict[str, Any]], batch: Path) -> None:
    """Writes each row as a line ('-' is standard output). Raises UsageError where the path is that of the batch, or
    cannot be written; call it with a batch that was read once, so that a broken one costs no earlier answers."""
    if str(path) == "-":
        for row in rows:
            data(json_text(row) + "\n")
        return
    if not batch.exists():
        raise UsageError(f"{batch} cannot be read: there is no such file")
    if path.exists() and path.samefile(batch):
        raise UsageError(f"{path} is the batch itself; expected another file for what comes out")
    try:
        out = path.open("wb", buffering=0)
    except OSError as bad:
        raise UsageError(f"{path} cannot be written: {bad.strerror}") from bad
    with out:
        if stat.S_ISREG(os.fstat(out.fileno()).st_mode):
            os.chmod(path, 0o600)  # answers are about a life; the file may have been another's before
        for row in rows:
            _write_line(out, path, json_text(row).encode() + b"\n")


def _write_line(out: FileIO, path: Path, line: bytes) -> None:
    """Writes a whole line or none. Raises StoreError where the disk has no room for it."""
    before = out.tell() if out.seekable() else None
    with disk_errors(path.parent):
        try:
            written = 0
            while written < len(line):
                written += out.write(line[written:])
        except OSError:
            if before is not None and stat.S_ISREG(os.fstat(out.fileno()).st_mode):
                os.truncate(path, before)
            raise
