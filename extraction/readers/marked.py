"""Values of the words that the reader marks: people by the profile, places, concepts by the lexicons, names as they
stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...texts.document import Span
from ...texts.people.mentions import How
from ..keys import TextKey, ValueKind
from ..page import Found, Page
from .concepts import called
from .places import HOME, is_home
from .towns import is_area, is_name

_EDGES: Final = ' .,;:!?"“”()\n'
_MEASURED: Final = frozenset(
    {ValueKind.MONEY, ValueKind.CURRENCY, ValueKind.DISTANCE, ValueKind.DURATION, ValueKind.DATE, ValueKind.TIME}
    | {ValueKind.DATETIME}
)
"""Kinds whose values the grammars of quantities read, wherever the reader marks them."""


def marked(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Candidates, the surest first."""
    if key.kind in _MEASURED:
        return ()
    found = (one for span in page.tags.get(question, ()) for one in _values(page, key, span))
    return tuple(sorted(found, key=lambda one: (-one.confidence, one.start)))


def _values(page: Page, key: TextKey, span: Span) -> Iterator[Found]:
    if key.kind in (ValueKind.PEOPLE, ValueKind.PERSON):
        yield from _people(page, span)
    elif key.kind is ValueKind.CONCEPT and key.read_as != "town":
        yield from _concepts(page, key, span)
    else:
        said = (span.value or page.text[span.start : span.end]).strip(_EDGES)
        if said and key.kind is ValueKind.PLACE and is_home(said):
            yield page.found(HOME, span.start, span.end, span.score)
        elif said and key.kind is ValueKind.PLACE and key.read_as == "place" and is_area(said, page):
            yield page.found(said, span.start, span.end, span.score / 2)
        elif said and (key.read_as != "town" or is_name(said)):
            yield page.found(said, span.start, span.end, span.score)


def _people(page: Page, span: Span) -> Iterator[Found]:
    """Whom the words name: people of the profile by their full names, pets, others as they are called."""
    said = [m for m in page.said if m.start < span.end and span.start < m.end]
    for mention in said:
        for name in mention.names[:1] if mention.ambiguous else mention.names:
            yield page.found(name, mention.start, mention.end, span.score)
    if said:
        return
    text = page.text[span.start : span.end].strip(_EDGES)
    others = [m for m in page.mentions if m.how is How.UNKNOWN and m.start < span.end and span.start < m.end]
    if text in page.life.pets or others or text[:1].isupper():
        yield page.found(others[0].names[0] if others else text, span.start, span.end, span.score)


def _concepts(page: Page, key: TextKey, span: Span) -> Iterator[Found]:
    """What the lexicons know of the words, the longest cue first."""
    cues = [c for c in page.cues_of(*key.lexicon_keys) if c.start < span.end and span.start < c.end]
    best = max(cues, key=lambda cue: (not cue.weak, cue.end - cue.start), default=None)
    if best is not None:
        yield page.found(called(best, page, key), best.start, best.end, span.score * (0.8 if best.weak else 1.0))
