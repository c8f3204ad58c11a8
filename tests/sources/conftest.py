"""Input files out of bytes, and readers run on them."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.sources.base import BadRecord, Format, ReadContext, Record


@dataclass(frozen=True)
class BytesFile:
    """An input file over bytes; nothing of it is on disk."""

    data: bytes
    path: str = "export/file"

    @property
    def size(self) -> int:
        return len(self.data)

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data)

    def head(self, size: int = 65536) -> bytes:
        return self.data[:size]


@dataclass(frozen=True)
class Outcome:
    """What a reader gave: the records and what it kept out."""

    records: list[Record]
    bad: list[BadRecord]

    @property
    def only(self) -> Record:
        assert len(self.records) == 1, self
        return self.records[0]

    @property
    def reasons(self) -> list[str]:
        return [record.reason for record in self.bad]


FileMaker = Callable[..., BytesFile]
Read = Callable[..., Outcome]


@pytest.fixture
def make_file() -> FileMaker:
    """`make_file(content, path=…)`: text (as UTF-8) or bytes as an input file."""

    def make(content: str | bytes, path: str = "export/file") -> BytesFile:
        return BytesFile(content.encode() if isinstance(content, str) else content, path)

    return make


@pytest.fixture
def read(make_file: FileMaker) -> Read:
    """`read(FORMAT, content or Path, **context)` runs a reader to its end."""

    def run(form: Format, content: str | bytes | Path, *, path: str = "export/file", **context: object) -> Outcome:
        if isinstance(content, Path):
            content, path = content.read_bytes(), str(content)
        settings = {"home_zone": ZoneInfo("Europe/Dublin"), "now": "2025-11-01T12:00:00"} | context
        given = list(form.read(make_file(content, path=path), ReadContext(**settings)))  # type: ignore[arg-type]
        records = [item for item in given if not isinstance(item, BadRecord)]
        return Outcome(records, [item for item in given if isinstance(item, BadRecord)])

    return run
