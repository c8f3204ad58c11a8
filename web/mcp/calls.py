"""What assistants asked for, and what they were given: a line of the store's folder for each call."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import portalocker

from ...errors import StoreError
from ...store.folder import CALLS, break_links, is_store, own_opener, private_files

MOST_BYTES: Final = 2**20
"""What is kept: of a longer file, the older half is dropped."""
_LONGEST: Final = 4_000
"""Characters of the arguments of a call that are kept."""


@dataclass(frozen=True)
class Call:
    """One call: how many rows it was given, and of which events; `failed` says why it was given nothing."""

    at: datetime
    tool: str
    arguments: object
    rows: int = 0
    events: tuple[str, ...] = ()
    failed: str = ""

    def as_json(self) -> dict[str, Any]:
        """Its object."""
        failed = {"failed": self.failed} if self.failed else {}
        return {
            "time": self.at.isoformat(timespec="seconds"),
            "tool": self.tool[:_LONGEST],
            "arguments": _short(self.arguments),
            "rows": self.rows,
            "events": len(self.events),
            "given": list(self.events),
            **failed,
        }


class Calls:
    """The file of a store's calls."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.path = directory / CALLS

    def add(self, call: Call) -> None:
        """Writes a call down; nothing where there is no store. Raises StoreError where it cannot be."""
        if not is_store(self._directory):
            return
        line = json.dumps(call.as_json()).encode() + b"\n"
        opened = partial(open, self.path, "ab+", buffering=0, opener=own_opener)
        try:
            with private_files():
                break_links(self.path)
                out = opened()
            with out:
                os.fchmod(out.fileno(), 0o600)
                portalocker.lock(out, portalocker.LockFlags.EXCLUSIVE)
                _shorten(out, len(line))
                out.write(line)
        except (OSError, portalocker.LockException) as bad:
            raise StoreError("what is given away cannot be written down, so nothing is") from bad


def _shorten(out: IO[bytes], more: int) -> None:
    """Drops the older half of the lines where there is no room for more."""
    if out.seek(0, os.SEEK_END) + more <= MOST_BYTES:
        return
    out.seek(-MOST_BYTES // 2, os.SEEK_END)
    _, _, kept = out.read().partition(b"\n")
    out.truncate(0)
    out.write(kept)


def _short(arguments: object) -> object:
    """Arguments as they are; of long ones, the beginning of what they say."""
    said = json.dumps(arguments) if isinstance(arguments, Mapping | list | str) else ""
    return arguments if len(said) <= _LONGEST else said[:_LONGEST]
