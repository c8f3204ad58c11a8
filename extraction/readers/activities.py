"""What people did together, as the lexicon calls it; a meal that nothing names, by what was eaten and when."""

from __future__ import annotations

import re
from datetime import time
from typing import Final

from ...texts.document import TextKind
from ..keys import TextKey
from ..page import Found, Page
from .concepts import concepts
from .places import HOME, place

_MEALS: Final = (
    (time(5), time(11), "breakfast"),
    (time(11, 30), time(15, 30), "lunch"),
    (time(17), time(23, 30), "dinner"),
)
_COLLEAGUE: Final = re.compile(r"\b(?:colleague|coworker|co-worker|work|boss|manager|team ?mate at)\b")
_HOUSE: Final = re.compile(r"(?:house|flat|apartment|place|home)$")
_AT_HOME: Final = frozenset({"dinner", "lunch", "brunch", "breakfast"})


def activity(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Candidates for the activity, the likeliest first."""
    found = list(concepts(page, key, question))
    if not found or found[0].confidence < 0.5:
        found += _meal(page)
    found = [_exactly(one, page) for one in found]
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _meal(page: Page) -> list[Found]:
    """A meal by the clock, where an entry says what is eaten but not that it is one."""
    document = page.document
    if document.kind is not TextKind.CALENDAR or document.start is None:
        return []
    food = [c for c in page.cues_of("cuisine", "dish_kind") if not c.weak]
    meal = next((name for begin, end, name in _MEALS if begin <= document.start.time() <= end), None)
    return [page.found(meal, food[0].start, food[0].end, 0.45)] if food and meal else []


def _exactly(found: Found, page: Page) -> Found:
    """A lunch with colleagues on a working day, a dinner at somebody's home."""
    if found.value not in _AT_HOME:
        return found
    people = [name for mention in page.said for name in mention.names]
    weekday = page.day.weekday() < 5
    if found.value == "lunch" and weekday and people and all(_COLLEAGUE.search(page.life.remark(n)) for n in people):
        return Found("work lunch", found.start, found.end, found.confidence, found.evidence)
    where = next(iter(place(page, "")), None)
    if found.value == "dinner" and where is not None and (where.value == HOME or _HOUSE.search(str(where.value))):
        return Found("dinner at home", found.start, found.end, found.confidence, found.evidence)
    return found
