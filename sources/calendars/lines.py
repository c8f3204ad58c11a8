"""Content lines of iCalendar files, unfolded, in components; one damaged component does not touch the next.

The `icalendar` package parses a whole file or nothing; here each entry is cut out of the stream first (RFC 5545, 3.1).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import BinaryIO, Final

from ..charsets import decode_bytes

Version = tuple[int, str, str]
"""SEQUENCE, LAST-MODIFIED and DTSTAMP: the highest of an entry and its changed instances."""
_STAMP = re.compile(r"\d{8}T\d{6}Z")


def property_of(calendar: CalendarText, name: str) -> str | None:
    """The value of a property of the calendar itself."""
    for line in calendar.properties:
        head, colon, value = line.partition(":")
        if colon and head.split(";")[0].strip().upper() == name:
            return value.strip()
    return None


def calendar_of(calendar: CalendarText) -> str | None:
    """By what exports of a calendar are known to be of the same one; None where they say too little."""
    if (property_of(calendar, "METHOD") or "PUBLISH").upper() != "PUBLISH":
        return None
    title = property_of(calendar, "X-WR-CALNAME") or property_of(calendar, "NAME")
    return f"{title}\n{property_of(calendar, 'PRODID') or ''}" if title else None


def versions_of(calendar: CalendarText) -> dict[str, Version]:
    """The version of each entry by UID; of those whose own properties are there, not only a changed instance's."""
    found: dict[str, Version] = {}
    whole: set[str] = set()
    for block in calendar.entries:
        said = dict(own_properties(block))
        if block.kind != "VEVENT" or block.problem or not (uid := said.get("UID")):
            continue
        number = said.get("SEQUENCE", "")
        version = (
            int(number) if re.fullmatch(r"\d{1,9}", number) else 0,
            _stamp(said.get("LAST-MODIFIED")),
            _stamp(said.get("DTSTAMP")),
        )
        before = found.get(uid, version)
        found[uid] = (max(before[0], version[0]), max(before[1], version[1]), max(before[2], version[2]))
        if "RECURRENCE-ID" not in said:
            whole.add(uid)
    return {uid: version for uid, version in found.items() if uid in whole}


def own_properties(block: Block) -> Iterator[tuple[str, str]]:
    """Names and values of the lines of an entry, without those of its alarms; of several of a name the first counts."""
    depth = 0
    for line in reversed(block.lines):
        head, colon, value = line.partition(":")
        name = head.split(";")[0].strip().upper()
        if name in ("BEGIN", "END"):
            depth += 1 if name == "END" else -1
        elif colon and depth == 1:
            yield name, value.strip()


def _stamp(value: str | None) -> str:
    return value if value and _STAMP.fullmatch(value) else ""


__all__ = ["Block", "CalendarText", "read_calendars"]

_BEGINNING: Final = 2
"""So many lines of a block stand as they are."""
_GOES_ON: Final = "\0"
_NAMED = re.compile(rb"[A-Za-z0-9-]{1,100}[;:]")
_MARK = re.compile(rb"(BEGIN|END)[ \t]*:[ \t]*([A-Za-z0-9-]{1,60})[ \t]*$", re.IGNORECASE)
_MOST_DEPTH: Final = 20


@dataclass
class Block:
    """One component (`VEVENT`, `VTIMEZONE`, …) as unfolded lines, from BEGIN to END."""

    kind: str
    line: int
    """Line of the file, from 1, on which it begins."""
    lines: list[str] = field(default_factory=list)
    problem: str | None = None
    """Why it is not whole."""


@dataclass
class CalendarText:
    """One VCALENDAR: its own properties, its time zones, and everything else."""

    line: int
    properties: list[str] = field(default_factory=list)
    zones: list[Block] = field(default_factory=list)
    entries: list[Block] = field(default_factory=list)
    closed: bool = False


def read_calendars(stream: BinaryIO, most: int) -> Iterator[CalendarText]:
    """The calendars of a file. `most` bounds the bytes of one component; what is longer is kept as a problem."""
    reader = _Reader(most)
    for number, line in _unfolded(stream, most):
        yield from reader.take(number, line)
    yield from reader.finish()


class _Reader:
    """The state between two lines."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._calendar: CalendarText | None = None
        self._block: Block | None = None
        self._inner: list[str] = []
        self._size = 0

    def take(self, number: int, line: bytes) -> Iterator[CalendarText]:
        mark = _MARK.match(line)
        kind = mark.group(2).decode("ascii").upper() if mark else ""
        begins = bool(mark) and line[:1] in b"Bb"
        if kind == "VCALENDAR":
            if begins or self._calendar is not None:
                yield from self._close_calendar(closed=not begins)
            if begins:
                self._calendar = CalendarText(number)
        elif self._calendar is None:
            return
        elif self._block is None:
            if begins:
                self._open(kind, number, line)
            elif not mark:
                _append(self._calendar.properties, line)
        elif mark:
            self._nested(kind, number, line, begins=begins)
        else:
            self._add(line)

    def finish(self) -> Iterator[CalendarText]:
        yield from self._close_calendar(closed=False)

    def _open(self, kind: str, number: int, line: bytes) -> None:
        self._block, self._inner, self._size = Block(kind, number), [], 0
        self._add(line)

    def _nested(self, kind: str, number: int, line: bytes, *, begins: bool) -> None:
        block = self._block
        if block is None:
            return
        if begins and kind == block.kind:
            # The entry before it was never closed.
            self._close_block(f"no END:{kind}")
            self._open(kind, number, line)
        elif begins:
            if len(self._inner) >= _MOST_DEPTH:
                block.problem = f"components nested more than {_MOST_DEPTH} deep"
            self._inner.append(kind)
            self._add(line)
        elif kind == block.kind:
            block.lines += [f"END:{left}" for left in reversed(self._inner)]
            self._add(line)
            self._close_block(None)
        elif kind in self._inner:
            while self._inner and self._inner.pop() != kind:
                block.lines.append("END:" + kind)
            self._add(line)

    def _add(self, line: bytes) -> None:
        block = self._block
        if block is None:
            return
        self._size += len(line)
        if self._size > self._most:
            block.problem, block.lines = f"longer than {self._most} bytes", block.lines[:20]
        elif block.problem is None:
            _append(block.lines, line)

    def _close_block(self, problem: str | None) -> None:
        block, self._block = self._block, None
        if block is not None and self._calendar is not None:
            block.lines = _joined(block.lines)
            block.problem = block.problem or problem
            (self._calendar.zones if block.kind == "VTIMEZONE" else self._calendar.entries).append(block)

    def _close_calendar(self, *, closed: bool) -> Iterator[CalendarText]:
        if self._block is not None:
            self._close_block(f"cut off: no END:{self._block.kind}")
        calendar, self._calendar = self._calendar, None
        if calendar is not None:
            calendar.closed = closed
            calendar.properties = _joined(calendar.properties)
            yield calendar


def _append(lines: list[str], line: bytes) -> None:
    """A line that is no property goes on the one before: writers that forget to fold or escape line ends are common.
    Such lines wait behind a mark, to be joined once."""
    text = decode_bytes(line, None)
    if _NAMED.match(line) or len(lines) < _BEGINNING:
        lines.append(text)
    elif text.strip():
        lines.append(_GOES_ON + text)


def _joined(lines: list[str]) -> list[str]:
    """The lines, each with those that wait behind it."""
    starts = [at for at, line in enumerate(lines) if at < _BEGINNING or not line.startswith(_GOES_ON)]
    runs = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    return ["\\n".join([run[0], *(line.removeprefix(_GOES_ON) for line in run[1:])]) for run in runs]


def _unfolded(stream: BinaryIO, most: int) -> Iterator[tuple[int, bytes]]:
    """Logical lines with the number of their first physical line; unfolding is on bytes, for it may cut a character."""
    current, start = bytearray(), 1
    for number, line in _physical(stream, most):
        if line[:1] in (b" ", b"\t") and current:
            if len(current) <= most:
                current += line[1:]
            continue
        if current:
            yield start, bytes(current)
        current, start = bytearray(line), number
    if current:
        yield start, bytes(current)


def _physical(stream: BinaryIO, most: int) -> Iterator[tuple[int, bytes]]:
    """Lines without their ends, whichever those are; UTF-16 (with its mark) as UTF-8."""
    first = stream.read(3)
    if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        wide = (first + stream.read(most)).decode("utf-16", "replace")
        lines: Iterator[bytes] = iter(io.BytesIO(wide.encode("utf-8", "replace")))
        first = b""
    else:
        lines = iter(lambda: stream.readline(most), b"")
    number = 0
    rest = b"" if first == b"\xef\xbb\xbf" else first
    for line in lines:
        joined, rest = rest + line, b""
        for piece in joined.rstrip(b"\r\n").split(b"\r"):
            number += 1
            yield number, piece.strip(b"\0\n")
    if rest:
        yield 1, rest
