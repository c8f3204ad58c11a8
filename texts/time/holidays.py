"""Holidays as time expressions: "on Christmas Eve", "Boxing Day", "on Easter Sunday", "at Thanksgiving"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from ...operators.reading.names import english_weekday
from ..tokens import Token, tokens
from ..when import When
from .context import Context
from .feasts import Holiday, holidays_by_name

_BEFORE: Final = re.compile(
    r"\b(?:on|at|over|last|this|for|after|since|until|by|next|every)\s+(?:the\s+)?$", re.IGNORECASE
)
_LED: Final = 24
"""Characters before a name in which a preposition that leads it stands."""
_DAY_NAMES: Final = frozenset(("day", "eve", "night"))
"""Last words by which a name says a day, as a weekday does, whether a preposition leads it or not."""
_ALONE: Final = frozenset(
    ("nye", "halloween", "hogmanay", "christmas", "xmas", "silvester", "easter", "thanksgiving", "new years")
)
_NO_DAY: Final = re.compile(r"\s(?:egg|bunny|bonnet|break|hols|holiday|term|lunch\smenu)", re.IGNORECASE)
_SENTENCE_WORDS: Final = frozenset(
    ("advent", "lent", "carnival", "lucia", "spring festival", "new year", "the new year", "midsummer", "ascension")
)
"""Names that say more often something else, or which day is left open."""


def holidays(context: Context) -> Iterator[When]:
    """Holidays that say a day."""
    text = context.text
    found = tokens(text)
    place = 0
    while place < len(found):
        count, holiday = longest_name(found, place)
        if holiday is not None:
            yield from _said(
                context,
                " ".join(token.plain for token in found[place : place + count]),
                holiday,
                (found[place].start, found[place + count - 1].end),
            )
        place += count


def longest_name(found: list[Token], place: int) -> tuple[int, Holiday | None]:
    """How many tokens from a place on are the longest name of a holiday, and which."""
    for words in first_words().get(found[place].plain, ()) if place < len(found) else ():
        if tuple(token.plain for token in found[place : place + len(words)]) == words:
            return len(words), holidays_by_name()[words]
    return 1, None


@lru_cache(maxsize=1)
def first_words() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Names by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in holidays_by_name():
        found.setdefault(words[0], []).append(words)
    return MappingProxyType({first: tuple(sorted(names, key=len, reverse=True)) for first, names in found.items()})


def _said(context: Context, name: str, holiday: Holiday, span: tuple[int, int]) -> Iterator[When]:
    led = _BEFORE.search(context.text, max(0, span[0] - _LED), span[0])
    last = name.rsplit(" ", 1)[-1]
    says_day = last in _DAY_NAMES or english_weekday(last) is not None or name in _ALONE
    if holiday.lasts > 1 or name in _SENTENCE_WORDS or not (led or says_day) or _NO_DAY.match(context.text, span[1]):
        return
    years = (context.today.year + step for step in (-1, 0, 1))
    days = [first for year in years for first, _ in holiday.in_year(year)]
    day = context.nearest(days, *span)
    if day is not None:
        yield context.when(span, day, score=0.7 if led else 0.5)
