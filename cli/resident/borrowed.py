"""What a command borrows from the process that asks for it: streams, folder, environment."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final, TextIO, cast

_SEEN: Final = frozenset({
    "COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "TZ",
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "REQAP_KG_DOMAIN", "REQAP_KG_STORE", "LANG", "LC_ALL", "LC_TIME",
})  # fmt: skip
"""Variables that a command reads; the others of its caller stay unread."""


@dataclass(frozen=True)
class Borrowed:
    """Standard streams of another process, its working folder, and what a command reads of its environment."""

    streams: tuple[TextIO, TextIO, TextIO]
    folder: str
    environment: Mapping[str, str]

    @classmethod
    @contextmanager
    def of(cls, request: Mapping[str, Any], files: Sequence[int]) -> Iterator[Borrowed]:
        """What came with a request; the files are closed in the end."""
        with ExitStack() as stack:
            raw = [os.fdopen(file, "wb" if at else "rb", 0) for at, file in enumerate(files)]
            for stream in raw:
                stack.enter_context(closing(stream))
            streams = [_text(stream, *said) for stream, said in zip(raw, request["streams"], strict=True)]
            given = request["environment"]
            read = {name: given[name] for name in _SEEN if name in given}
            yield cls((streams[0], streams[1], streams[2]), request["folder"], read)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Puts them in the place of this process's own. One thread at a time may do so."""
        before = sys.stdin, sys.stdout, sys.stderr
        folder, environment = os.getcwd(), {name: os.environ[name] for name in _SEEN if name in os.environ}
        try:
            os.chdir(self.folder)
            _set(self.environment)
            sys.stdin, sys.stdout, sys.stderr = self.streams
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
            _set(environment)
            os.chdir(folder)


def _text(stream: IO[bytes], encoding: str, errors: str) -> TextIO:
    """A stream of texts as Python makes its standard streams: line by line at a terminal."""
    raw = cast(io.RawIOBase, stream)
    if stream.readable():
        return io.TextIOWrapper(io.BufferedReader(raw), encoding, errors)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=stream.isatty() or errors == _ALL)


_ALL: Final = "backslashreplace"
"""How standard error writes what its encoding cannot; it is never held back."""


def _set(wanted: Mapping[str, str]) -> None:
    """Makes the environment say what is wanted. What says so already is not touched: other threads may read it."""
    zone = os.environ.get("TZ")
    for name in _SEEN:
        if name not in wanted:
            os.environ.pop(name, None)
        elif os.environ.get(name) != wanted[name]:
            os.environ[name] = wanted[name]
    if os.environ.get("TZ") != zone and hasattr(time, "tzset"):
        time.tzset()
