"""Splits an mbox into messages while it streams: a file of gigabytes, inside a zip, costs one message of memory.

The separator is what the `mailbox` module of the standard library takes, `From ` at the start of a line, narrowed:
where the first line carries a date, as all common writers' do, only lines with a date separate; else a blank line must
stand before. So a sentence that begins with "From here …" does not cut a mail in two, nor does a line that no header
follows, nor the head of a patch of git, whose date is always the same. `>From ` is unquoted (mboxrd).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Final

from ...operators.reading.names import english_month

__all__ = ["RawMail", "begins_mbox", "envelope_date", "split_mbox"]

_LINE: Final = 64 * 1024
"""Longer lines are read in pieces."""
_DATED = re.compile(rb"From (?:.* )?[A-Z][a-z]{2},?\s+[A-Z][a-z]{2}\s+\d{1,2}\s+\d{1,2}:\d\d(?::\d\d)?\s.{0,60}\d{4}")
_ENVELOPE = re.compile(
    r"([A-Z][a-z]{2})\s+(\d{1,2})\s+(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s+(?:([+-]\d{4})|[A-Z]{2,5}))?\s+(\d{4})"
    r"(?:\s+([+-]\d{4}))?"
)
_HEADER = re.compile(rb"[!-9;-~]{1,100}:")
_PATCH = re.compile(rb"From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001\s*$")
"""With which each patch of git format-patch begins; git takes it for the beginning of a mail, mail programs do not."""
_QUOTED = re.compile(rb">+From ")


@dataclass(frozen=True, slots=True)
class RawMail:
    """One message's bytes, without its separator."""

    number: int
    """Counted from 1."""
    line: int
    """Line of the file on which its separator stands, from 1."""
    envelope: str
    """The separator line; empty for a message that is a file of its own."""
    data: bytes
    cut: bool = False
    """Whether it was longer than allowed and its end left out."""


def begins_mbox(head: bytes) -> bool:
    """Whether a file that begins with `head` is an mbox: a separator line, then a header or a blank line."""
    lines = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n", 2)
    if not lines[0].startswith(b"From ") or len(lines[0]) > 1000:
        return False
    second = lines[1].strip(b"\r") if len(lines) > 1 else b""
    return bool(_DATED.match(lines[0])) or bool(_HEADER.match(second))


def split_mbox(stream: BinaryIO, most: int) -> Iterator[RawMail]:
    """Messages in the order of the file, each cut off after `most` bytes. What precedes the first one is left out."""
    current: _Open | None = None
    begins = _Separators()
    number, line_number = 0, 0
    blank, at_start = True, True
    line, after = stream.readline(_LINE).removeprefix(b"\xef\xbb\xbf"), b""
    while line:
        after = stream.readline(_LINE)
        line_number += at_start
        if at_start and line.startswith(b"From ") and begins.at(line, after, blank=blank):
            if current is not None:
                yield current.close()
            number += 1
            current = _Open(number, line_number, line, most)
            blank = False
        else:
            if at_start and _QUOTED.match(line):
                line = line[1:]
            if current is not None:
                current.add(line)
            blank = not line.strip()
        line, at_start = after, line.endswith(b"\n")
    if current is not None:
        yield current.close()


class _Separators:
    """Which lines begin a message, by how the first one looks."""

    def __init__(self) -> None:
        self._dated: bool | None = None
        self._patches = False

    def at(self, line: bytes, after: bytes, *, blank: bool) -> bool:
        """Whether a line that begins with `From ` is a separator; `blank`: an empty line stands before it."""
        if self._dated is None:
            self._dated, self._patches = bool(_DATED.match(line)), bool(_PATCH.match(line))
            return True
        if _PATCH.match(line) and not self._patches:
            return False
        follows = not after.strip() or _HEADER.match(after) or _QUOTED.match(after)
        return bool(follows) and (bool(_DATED.match(line)) if self._dated else blank)


class _Open:
    """A message whose end has not been seen."""

    def __init__(self, number: int, line: int, envelope: bytes, most: int) -> None:
        self._number, self._line = number, line
        self._envelope = envelope[:1000].decode("utf-8", "replace").strip()
        self._pieces: list[bytes] = []
        self._left = most

    def add(self, piece: bytes) -> None:
        self._left -= len(piece)
        if self._left >= 0:
            self._pieces.append(piece)

    def close(self) -> RawMail:
        return RawMail(self._number, self._line, self._envelope, b"".join(self._pieces), self._left < 0)


def envelope_date(envelope: str) -> datetime | None:
    """The date of a separator line: aware when it states an offset, else naive; None without one."""
    found = _ENVELOPE.search(envelope)
    month = english_month(found[1]) if found else None
    if found is None or month is None:
        return None
    _, day, hour, minute, second, before, year, behind = found.groups()
    text = f"{year}-{month:02d}-{int(day):02d}T{int(hour):02d}:{minute}:{second or '00'}"
    try:
        return datetime.fromisoformat(text + (before or behind or ""))
    except ValueError:
        return None
