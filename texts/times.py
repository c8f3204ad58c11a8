"""Time expressions of a text, resolved against when it was written, and when what it tells of happened.

The day of a bare weekday or date comes from the tense of its sentence and the kind of text. Source: DESIGN section 3
(RETRIEVE, de-duplication); TIMEX3's distinction of absolute, relative and underspecified expressions.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .document import Document


class Direction(StrEnum):
    """Whether an expression is about what was, is (the day of writing) or will be."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


class Known(StrEnum):
    """How the time of a happening is known."""

    SAID = "said"
    ENTRY = "entry"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class When:
    """A time expression at [start, end) of the document's text: a day, or the days `day` to `last_day` (both included).

    `time` is the wall-clock time that is said with it, `end_time` where it is said until when. `day_said` is False
    for a clock alone ("at 7.30"), whose day is that of the expression it follows, or of the document. `vague`: a month
    or season ("in March"), a day within which is not said. `score` from 0 to 1.
    """

    start: int
    end: int
    day: dt.date
    last_day: dt.date | None = None
    time: dt.time | None = None
    end_time: dt.time | None = None
    direction: Direction = Direction.PAST
    day_said: bool = True
    vague: bool = False
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class EventTime:
    """When the main happening of a text took place. [start, end) is where it is said; None where nothing says it."""

    day: dt.date
    last_day: dt.date | None = None
    time: dt.time | None = None
    end_time: dt.time | None = None
    known: Known = Known.SAID
    start: int | None = None
    end: int | None = None
    score: float = 1.0


_PLAIN: Final = re.compile(r"\b(today|tonight|yesterday|last night|tomorrow)\b", re.IGNORECASE)
_DAYS: Final = {"today": 0, "tonight": 0, "yesterday": -1, "last night": -1, "tomorrow": 1}


def times(document: Document, *, day_first: bool | None = None) -> tuple[When, ...]:  # noqa: ARG001
    """The time expressions of `document.text`, by place. `day_first` is the order of dates in numbers where the
    document's own dates leave it open (None: day first, as in most countries)."""
    found = _PLAIN.finditer(document.text)
    return tuple(
        When(*match.span(), document.written.date() + dt.timedelta(days=_DAYS[match[0].lower()])) for match in found
    )


def event_time(document: Document, *, day_first: bool | None = None) -> EventTime | None:
    """When the main happening of the text took place; None for a text whose expressions are all vague."""
    if document.start is not None:
        last = document.end.date() if document.end else None
        return EventTime(document.start.date(), last, document.start.time(), known=Known.ENTRY)
    for when in times(document, day_first=day_first):
        return EventTime(when.day, when.last_day, when.time, start=when.start, end=when.end)
    return EventTime(document.written.date(), known=Known.WRITTEN, score=0.5)
