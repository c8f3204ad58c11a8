"""What reading the times of a text gives."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Whether an expression is about what was, is (the day of writing) or will be."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


class Known(StrEnum):
    """How the time of a happening is known: said in the text, the entry's own, or taken as when it was written."""

    SAID = "said"
    ENTRY = "entry"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class When:
    """A time expression at [start, end) of the document's text: a day, or the days `day` to `last_day` (both included).

    `time` is the wall-clock time that is said with it, `end_time` where it is said until when. `day_said` is False
    for a clock alone ("at 7.30"), whose day is that of the expression it follows, or of the document. `vague`: a week,
    month or season ("in March"), or "a few days ago": which day is not said. `score` from 0 to 1.
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
