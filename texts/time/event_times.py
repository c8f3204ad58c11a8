"""Which of a text's time expressions says when its main happening took place."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from ..document import Document, TextKind
from ..quantities.number_words import NUMBER, number_of
from ..tense import sentence_around, speaks_of_the_past, usual_direction
from ..when import Direction, EventTime, Known, When

_DEADLINE: Final = re.compile(
    r"\b(?:by|until|till|til|before|since|after|valid|expires?|deadline|due|no\slater\sthan|ends?|closing|cancel(?:lation)?|"
    r"refund(?:able)?|free\scancellation|order(?:ed)?\s(?:on|date|placed)|booked\son|issued|invoice\sdate|dated?\sof\sissue|every|"
    r"check-?out|return(?:ing)?|inbound|arriv(?:es?|al)|deliver(?:y|ed)|next\s(?:one|time)|starting|born)[\s:,(a-z]{0,14}$",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"\b(?:when|date|check-?in|from|departure|departs?|outward|outbound|arrival|day|on|appointment|booked\s(?:in\s)?for|reserved\sfor|"
    r"confirmed\sfor|starts?)\s?[:\s]\s?$",
    re.IGNORECASE,
)
_NIGHTS: Final = re.compile(rf"\b(?P<count>{NUMBER}|\d{{1,2}})[\s-]nights?\b", re.IGNORECASE)
_CHECK_OUT: Final = re.compile(
    r"\b(?:check-?out|to|until|return(?:ing|\sflight)?|departure|inbound)\s?:?[\s\w]{0,10}$", re.IGNORECASE
)
_CHECK_IN: Final = re.compile(r"\bcheck-?in|arrival|from\s?:|reservation|hotel|nights?\b|stay\b", re.IGNORECASE)
_FIRM: Final = re.compile(
    r"\b(?:unsubscribe|newsletter|offer|sale|% off|discount|terms and conditions)\b", re.IGNORECASE
)


def main_time(document: Document, found: Sequence[When], today: dt.date) -> EventTime | None:
    """When what the text mainly tells of happened; `found` are its expressions, `today` the day of writing."""
    said = [when for when in found if when.day_said and not when.vague]
    if not said:
        return _written(document, found, today)
    text = document.text
    past = speaks_of_the_past(text)
    weights = [_weight(document, text, when, 0.04 * place, past=past) for place, when in enumerate(said)]
    weight = max(weights)
    best = said[weights.index(weight)]
    if document.by_owner and document.kind is not TextKind.CALENDAR and _beside_the_point(document, best, weight):
        return _written(document, found, today)
    last = best.last_day or _last_night(document, best, said)
    alone = next((when for when in found if not when.day_said and when.day == best.day), None)
    time = best.time or (alone.time if alone and best.last_day is None else None)
    until = best.end_time if best.time else (alone.end_time if alone and time else None)
    return EventTime(
        best.day,
        last,
        time,
        until,
        known=Known.SAID,
        start=best.start,
        end=best.end,
        score=round(min(1.0, max(0.1, weight)), 3),
    )


def _beside_the_point(document: Document, best: When, weight: float) -> bool:
    """Whether a text tells of what was, and its best expression of something else: a deadline, or what comes next."""
    first, last = sentence_around(document.text, best.start, best.end)
    elsewhere = document.text[:first] + " " + document.text[last:]
    diary = document.kind in (TextKind.POST, TextKind.NOTE)
    if weight < 0.3:
        return True
    return speaks_of_the_past(elsewhere) and (weight < 0.4 or (diary and best.direction is Direction.FUTURE))


def _weight(document: Document, text: str, when: When, late: float, *, past: bool) -> float:
    """How likely it is the time of the main happening: the first one that is not ahead, and no deadline. The more of
    them stand before it, the more is it `late`; `past`: the text speaks of what was."""
    before = text[max(0, when.start - 40) : when.start]
    weight = when.score - late
    if _DEADLINE.search(before):
        weight -= 0.6
    elif _LABEL.search(before):
        weight += 0.15
    ahead = usual_direction(document) is Direction.FUTURE
    if not ahead and when.direction is Direction.FUTURE:
        letter = document.kind is TextKind.MAIL
        weight -= 0.1 if not past else 0.25 if letter else 0.45
    if ahead and when.direction is Direction.PAST and document.kind is not TextKind.CALENDAR:
        weight -= 0.4
    if when.time is not None and ahead:
        weight += 0.1
    return weight


def _last_night(document: Document, best: When, said: Sequence[When]) -> dt.date | None:
    """The last day of a stay: a check-out beside the check-in, or so many nights."""
    text = document.text
    if not _CHECK_IN.search(text):
        return None
    for when in said:
        if when.start > best.end and 0 < (when.day - best.day).days < 60:
            before = text[max(0, when.start - 30) : when.start]
            if _CHECK_OUT.search(before):
                return when.day
    nights = _NIGHTS.search(text)
    count = number_of(nights["count"]) if nights else None
    if count is None or not 0 < count < 60 or best.day > dt.date.max - dt.timedelta(days=60):
        return None
    return best.day + dt.timedelta(days=int(count))


def _written(document: Document, found: Sequence[When], today: dt.date) -> EventTime | None:
    """The day of writing, of texts that name no other; a firm's text without any time says nothing of when."""
    alone = next((when for when in found if not when.day_said), None)
    vague = any(when.vague for when in found)
    if not document.by_owner and document.kind is TextKind.MAIL and _FIRM.search(document.text):
        return None
    score = 0.3 if vague else 0.6 if speaks_of_the_past(document.text) else 0.5
    if alone is None:
        return EventTime(today, known=Known.WRITTEN, score=score)
    return EventTime(today, None, alone.time, alone.end_time, Known.WRITTEN, alone.start, alone.end, score)
