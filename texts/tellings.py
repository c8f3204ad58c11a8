"""The parts of a text that tell of different days, or times of a day: "on Sunday we …; Monday evening brought …; and
yesterday …" (each is a happening of its own)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from .document import Document, TextKind
from .tense import sentence_around
from .when import When

_PARTS: Final = (
    (re.compile(r"\b(?:morning|breakfast|brunch|sunrise|dawn|manhã)\b", re.IGNORECASE), "morning", time(9)),
    (re.compile(r"\b(?:noon|midday|lunch ?time|lunch)\b", re.IGNORECASE), "noon", time(12, 30)),
    (re.compile(r"\b(?:afternoon|tarde)\b", re.IGNORECASE), "afternoon", time(15)),
    (re.compile(r"\b(?:evening|tonight|night|dinner|supper|noite)\b", re.IGNORECASE), "evening", time(19)),
)
_CUT: Final = re.compile(r"[;:,–—(]\s*|\s-\s|\n|\band\s+(?:then\s+)?|\bthen\s+", re.IGNORECASE)
_NUMBER: Final = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*$")
_THAT: Final = re.compile(
    r"\bthat (?:same )?(?:night|evening|afternoon|morning)\b|\bin the (?:evening|afternoon|morning)\b", re.I
)
_BESIDE: Final = 16
_LEAST: Final = 18
"""Signs of the shortest part that tells of anything."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Characters [start, end) of a document's text, and when what they tell of was; `part` names the time of day."""

    start: int
    end: int
    day: date
    time: time | None = None
    part: str = ""


def tellings(document: Document, found: Sequence[When]) -> tuple[Telling, ...]:
    """The parts of a text with a day or time of day of their own; none where there are not several. `found` are the
    text's time expressions."""
    if document.kind in (TextKind.CALENDAR, TextKind.RECORD):
        return ()
    marks = _marks(document, found)
    parts: list[Telling] = []
    for number, (start, end, day, clock) in enumerate(marks):
        until = marks[number + 1][0] if number + 1 < len(marks) else len(document.text)
        part, usual = _part_of_day(document.text, start, end)
        last = parts[-1] if parts else None
        if last is not None and last.day == day and (part in ("", last.part)):
            parts[-1] = Telling(last.start, until, day, last.time, last.part)
            continue
        parts.append(Telling(start, until, day, clock or usual, part))
    long = [part for part in parts if len(document.text[part.start : part.end].strip()) >= _LEAST]
    return tuple(long) if len(long) > 1 else ()


def _marks(document: Document, found: Sequence[When]) -> list[tuple[int, int, date, time | None]]:
    """Where each part begins, where its time expression ends, its day and clock."""
    text, written = document.text, document.written.date()
    body = document.place_of("body") or (0, 0)
    said = [
        (when.start, when.end, when.day, when.time)
        for when in found
        if when.day_said and not when.vague and when.last_day is None and when.day <= written and when.start >= body[0]
    ]
    for match in _THAT.finditer(text, body[0], body[1]):
        before = [entry for entry in said if entry[0] < match.start()]
        if before and not any(start <= match.start() < end for start, end, _, _ in said):
            said.append((match.start(), match.end(), before[-1][2], None))
    said.sort()
    marks: list[tuple[int, int, date, time | None]] = []
    for start, end, day, clock in said:
        least = marks[-1][1] if marks else body[0]
        marks.append((_begin(text, least, start, end), end, day, clock))
    return marks


def _begin(text: str, least: int, start: int, end: int) -> int:
    """Where the clause begins in which an expression stands, no earlier than `least`."""
    first, _ = sentence_around(text, start, end)
    if first >= least:
        return first
    cuts = [match.end() for match in _CUT.finditer(text, least, start)]
    return cuts[-1] if cuts else start


def _part_of_day(text: str, start: int, end: int) -> tuple[str, time | None]:
    """The time of day that stands in an expression or beside it."""
    around = text[start : min(len(text), end + _BESIDE)]
    found = [(match.start(), name, usual) for shape, name, usual in _PARTS if (match := shape.search(around))]
    return min(found)[1:] if found else ("", None)
