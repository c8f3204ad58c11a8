"""Lines of a text each of which tells of a day of its own: a training log, a list of films seen, of what was spent."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ..operators.reading.names import english_names, english_weekday
from .document import Document
from .tokens import letters
from .when import When

_BEGINS: Final = re.compile(r"^[\s>*•·–—\-\d.)(\[\]#]*$")
_NEAR: Final = 14
"""So many characters of a line may stand before its day: "Sun night, Feb. 6"."""
_FEW: Final = 2


@dataclass(frozen=True, slots=True)
class LogLine:
    """Characters [start, end) of a document's text, the day that they begin with, and where what they say begins."""

    start: int
    end: int
    when: When
    after: int


def log_lines(document: Document, found: Sequence[When]) -> tuple[LogLine, ...]:
    """The lines of a text that begin with a day, each with what follows until the next one; none where fewer than two
    do. `found` are the text's time expressions."""
    text = document.text
    place = document.place_of("body")
    if place is None:
        return ()
    begun: list[tuple[int, When]] = []
    at = place[0]
    for line in text[place[0] : place[1]].splitlines(keepends=True):
        when = _first(text, at, at + len(line), found)
        if when is not None:
            begun.append((at, when))
        at += len(line)
    begun = _not_ahead(begun, document.written.date())
    if len(begun) < _FEW:
        return ()
    ends = [*(start for start, _ in begun[1:]), place[1]]
    return tuple(
        LogLine(start, end, when, _after(text, end, when, found))
        for (start, when), end in zip(begun, ends, strict=True)
    )


def line_document(document: Document, line: LogLine, number: int) -> Document:
    """One line as a document of its own, written when the whole was."""
    body = document.text[line.start : line.end].strip()
    return replace(document, event=f"{document.event}#line-{number}", title="", location="", body=body)


def _first(text: str, start: int, end: int, found: Sequence[When]) -> When | None:
    """The day that a line begins with; a word more may stand before it. Of several beside each other the one that is
    written as a date: "Sun night, Feb. 6"."""
    first: When | None = None
    at = start
    for when in found:
        if when.end <= start or when.start >= end or not when.day_said or when.vague:
            continue
        when = replace(when, start=max(when.start, start))
        before = text[at : when.start]
        if first is not None:
            if not _day_words().fullmatch(before):
                break
            if not _dated(text, first) and _dated(text, when):
                first = when
            at = max(at, when.end)
            continue
        few = len(before.strip()) <= _NEAR and len(letters(before)) <= _FEW and "," not in before[:-2]
        if not (_BEGINS.match(before) or few):
            return None
        first, at = when, when.end
    return first


def _dated(text: str, when: When) -> bool:
    return any(sign.isdigit() for sign in text[when.start : when.end])


def _not_ahead(begun: Sequence[tuple[int, When]], written: dt.date) -> list[tuple[int, When]]:
    """The lines of a log of what was: where most are, a date without its year that seems ahead is of the year before, a
    weekday of the week before."""
    past = sum(when.day <= written for _, when in begun)
    if past * 2 <= len(begun):
        return list(begun)
    kept = []
    for at, when in begun:
        day = when.day
        while day > written and (day - written).days <= _AHEAD:
            day = day - dt.timedelta(days=7) if (day - written).days <= 7 else _year_before(day)
        kept.append((at, replace(when, day=day, last_day=None)))
    return kept


def _year_before(day: dt.date) -> dt.date:
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


def _after(text: str, end: int, when: When, found: Sequence[When]) -> int:
    """Where a line's own words begin: behind its day, and what else says when beside it."""
    at = when.end
    while True:
        tail = _day_words().match(text, at, end)
        at = tail.end() if tail else at
        more = next((other for other in found if at <= other.start <= at + 2 and other.end <= end), None)
        if more is None or more.end <= at:
            break
        at = more.end
    return at


_DAY: Final = (
    r"\b(?:(?:at|late|early|in the|this|last)\s){0,4}(?:night|evening|morning|afternoon|lunch ?time|noon|midnight|"
    r"today|yesterday|"
    r"tonight)\b(?!\s{1,20}(?:of|at|in|and|run|swim|ride|walk|yoga|session|class|dip|paddle|jog|hike)\b)"
)


@lru_cache(maxsize=1)
def _day_words() -> re.Pattern[str]:
    """Weekdays, parts of the day, and what stands between them."""
    weekdays = sorted((name for name in english_names() if english_weekday(name) is not None), key=len, reverse=True)
    return re.compile(rf"(?:[\s,:;.)(\]\[/–—-]|\b(?:{'|'.join(weekdays)})\b|{_DAY})*", re.IGNORECASE)


_AHEAD: Final = 366
"""Days ahead from which on a date is meant as it stands."""
