"""Iterations of a file: what every reader of a reference formulation gives, and how the bytes are opened."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from ...config import Limits
from ...errors import DataError
from ...sources.base import BadRecord

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Iteration:
    """One logical iteration: its value and where it stands, for reports ("line 3", "item 7")."""

    value: Any
    where: str


Iterations = Iterator[Iteration | BadRecord]


@dataclass(frozen=True)
class FileInput:
    """A file to be read: where it is, how reports name it, how its bytes are to be understood."""

    path: Path
    name: str
    encoding: str = "utf-8"
    compression: str | None = None
    limits: Limits = DEFAULT_LIMITS

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked. Raises DataError where they cannot be read, also while they are."""
        try:
            with self.path.open("rb") as raw:
                if self.compression == "gzip":
                    with gzip.open(raw) as unpacked:
                        yield cast(BinaryIO, unpacked)
                else:
                    yield raw
        except (OSError, EOFError, zlib.error) as bad:
            raise DataError(f"{self.name}: cannot be read: {bad}") from bad
