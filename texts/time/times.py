"""Time expressions of a text, resolved against when it was written, and when what it tells of happened.

The day of a bare weekday or date comes from the tense of its sentence and the kind of text. Source: TIMEX3's
distinction of absolute, relative and underspecified expressions; decision 010.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_right
from dataclasses import replace
from typing import Final

from ..document import Document, TextKind
from ..overlaps import non_overlapping
from ..when import Direction, EventTime, Known, When
from .clocks import Clock, clocks
from .context import Context
from .dates import dates
from .event_times import main_time
from .feasts import holidays
from .relative import relative

__all__ = ["Direction", "EventTime", "Known", "When", "event_time", "times"]

_CLOCK_BEHIND: Final = re.compile(
    r"(?:[\s,@(|:;·•–-]|at|from|um|à|às|a\slas|kl\.?|time|about|around|c\.|ca\.|start(?:s|ing)?|on)*", re.IGNORECASE
)
_RANGE: Final = re.compile(r"\s*(?:-|–|—|to|until|till|til|through|bis|→|>|/)\s*(?:the\s)?", re.IGNORECASE)
_BESIDE: Final = 14
"""Fewer characters than these stand between a day and its clock time."""
_EVENING: Final = re.compile(r"night|evening|tonight|eve\b|pm\b|noite|soir|abend", re.IGNORECASE)


def times(document: Document, *, day_first: bool | None = None) -> tuple[When, ...]:
    """The time expressions of `document.text`, by place. `day_first` is the order of dates in numbers where the
    document's own dates leave it open (None: day first, as in most countries)."""
    context = Context(document, day_first)
    found = [*dates(context), *relative(context), *holidays(context)]
    return _with_clocks(context, _joined(context, _apart(found)))


def event_time(document: Document, *, day_first: bool | None = None) -> EventTime | None:
    """When the main happening of the text took place: a calendar entry's own time, the expression that says it, or
    else the day of writing, at a lower score. None for a text of a firm that says no time at all."""
    if document.start is not None and document.kind is TextKind.CALENDAR:
        return _entry(document, document.start)
    return main_time(document, times(document, day_first=day_first), Context(document, day_first).today)


def _entry(document: Document, start: dt.datetime) -> EventTime:
    """A calendar entry's own time; from midnight to midnight it is one of whole days."""
    end = document.end
    whole = start.time() == dt.time(0) and (end is None or end.time() == dt.time(0))
    last = end.date() if end else start.date()
    if end and end > start and end.time() == dt.time(0):
        last -= dt.timedelta(days=1)
    return EventTime(
        start.date(),
        last if last > start.date() else None,
        None if whole else start.time(),
        None if whole or end is None else end.time(),
        known=Known.ENTRY,
    )


def _apart(found: list[When]) -> list[When]:
    """Of overlapping readings the longest, at the same length the surer; by place."""
    return non_overlapping(sorted(found, key=lambda when: (when.start - when.end, when.vague, -when.score)))


def _joined(context: Context, found: list[When]) -> list[When]:
    """Ranges of two days: from Thursday to Sunday, 30 April – 3 May."""
    joined: list[When] = []
    for when in found:
        last = joined[-1] if joined else None
        between = context.text[last.end : when.start] if last else ""
        if last and not last.vague and not when.vague and _RANGE.fullmatch(between) and last.last_day is None:
            ends = when.last_day or when.day
            while ends < last.day and (last.day - ends).days < 8:  # "from Friday to Monday" of a past week
                ends += dt.timedelta(days=7)
            if last.day < ends and (ends - last.day).days < 120:
                joined[-1] = replace(last, end=when.end, last_day=ends)
                continue
        joined.append(when)
    return joined


def _with_clocks(context: Context, found: list[When]) -> tuple[When, ...]:
    """Days with the clock times beside them; one alone is of the day said before it, or of the document."""
    text, result, alone = context.text, list(found), []
    first = 0
    for clock in clocks(text):
        while first < len(result) and result[first].end < clock.start - _BESIDE:
            first += 1
        near = range(first, bisect_right(found, clock.end + _BESIDE, first, key=lambda when: when.start))
        place = next((at for at in near if _beside(text, result[at], clock)), None)
        if place is None:
            if not any(result[at].start < clock.end and clock.start < result[at].end for at in near):
                alone.append(clock)
        elif result[place].time is None:
            when = result[place]
            result[place] = replace(
                when,
                start=min(when.start, clock.start),
                end=max(when.end, clock.end),
                time=_evened(text[when.start : when.end], clock),
                end_time=clock.until,
            )
    stated = [when for when in found if not when.vague and when.last_day is None]
    result += [_of_a_day(context, stated, clock) for clock in alone]
    return tuple(sorted(result, key=lambda when: when.start))


def _beside(text: str, when: When, clock: Clock) -> bool:
    """Whether only a joining word or sign stands between a day and a clock, in either order."""
    if when.end <= clock.start and clock.start - when.end < _BESIDE:
        return _CLOCK_BEHIND.fullmatch(text, when.end, clock.start) is not None
    if clock.end <= when.start and when.start - clock.end < 8:
        return _CLOCK_BEHIND.fullmatch(text, clock.end, when.start) is not None
    return False


def _evened(said: str, clock: Clock) -> dt.time:
    """Saturday night, 7.30: in the evening."""
    hour = clock.time.hour
    return clock.time.replace(hour=hour + 12) if 4 < hour < 12 and _EVENING.search(said) else clock.time


def _of_a_day(context: Context, found: list[When], clock: Clock) -> When:
    before = bisect_right(found, clock.start, key=lambda when: when.start)
    near = found[before - 1] if before and clock.start - found[before - 1].end < 80 else None
    day = near.day if near else context.today
    return When(
        clock.start,
        clock.end,
        day,
        time=clock.time,
        end_time=clock.until,
        direction=near.direction if near else context.direction(clock.start, clock.end)[0],
        day_said=False,
        score=clock.score * 0.5,
    )
