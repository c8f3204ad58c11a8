"""Towns and countries: which words name one as a whole, and which of them a text names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ...store.words import fold
from ...texts.lexicon.world import CITY, COUNTRY, KEYS
from ..keys import TextKey
from ..page import Found, Page
from .gazetteer import is_code

_BEFORE: Final = frozenset({"in", "bei", "em", "na", "no", "en"})
"""What stands before a part of a title that says where."""
_COUNTY: Final = re.compile(r"^(?:co\.?|county)\s+", re.IGNORECASE)
_NAME: Final = re.compile(r"(?![a-zà-ÿ])[^\W\d_][^\d]*(?<!['’s])$|[A-ZÀ-Þ][^\d'’]*s$")
_VENUE: Final = re.compile(
    r"\b(?:hotel|inn|house|lodge|cabin|resort|hostel|motel|airport|park|museum|center|centre|restaurant|café|cafe|bar|church|"
    r"school|hospital|clinic|theatre|theater|stadium|arena|beach|lake)\b",
    re.IGNORECASE,
)
_AT_HOME: Final = 0.15
"""How much less sure the town is where the person lives: it is named for other reasons than that one went there."""


def is_area(text: str, page: Page, *, written: bool = False) -> bool:
    """Whether words name a town, region or country, and nothing inside it.

    Where a place is `written`, as in a location, so does the name of a small town, or one that is a word ("Nice").
    """
    said = text.strip(" .!,")
    if fold(said) in page.gazetteer.spelled or page.gazetteer.is_above_towns(said):
        return True
    if written and said[:1].isupper() and page.gazetteer.knows(said):
        return True
    cues = page.lexicon.cues(said, KEYS)
    return any(not cue.weak and cue.end - cue.start >= len(said) for cue in cues)


def is_name(text: str) -> bool:
    """Whether words may be a town's name: they begin in upper case and have no digit, as addresses do."""
    return _NAME.match(text) is not None


def towns(page: Page) -> tuple[Found, ...]:
    """Towns that the record names, those of the location and title first, as they are written there."""
    found = [*_of_parts(page), *_of_names(page)]
    home = fold(page.life.home_city(page.day))
    weighed = (replace(one, confidence=one.confidence - _AT_HOME * (fold(str(one.value)) == home)) for one in found)
    return tuple(sorted(weighed, key=lambda one: -one.confidence))


def local_cuisine(page: Page, key: TextKey) -> tuple[Found, ...]:
    """The cuisine of the country, for a meal abroad of which nothing else is said."""
    start, end = page.part("location")
    if not end:  # towns are dear to find
        return ()
    town = next((one for one in towns(page) if start <= one.start < end), None)
    home = page.life.home_city(page.day)
    if town is None or fold(str(town.value)) == fold(home):
        return ()
    country, own = (_country(text, page) for text in (page.text[start:end], home))
    if not country or country == own:
        return ()
    cuisines = page.lexicon.values(key.lexicon_keys[0])
    named = [v for v in cuisines if {c.value for c in page.lexicon.cues(v, (COUNTRY,))} == {country}]
    return (page.found(named[0], town.start, town.end, 0.42),) if named else ()


def _country(place: str, page: Page) -> str:
    """The one country that the parts of a place say, the last first; empty where none does."""
    said = (page.gazetteer.country_of(part.strip()) for part in reversed(place.split(",")))
    return next((country for country in said if country), "")


def town_of(location: str, page: Page) -> str | None:
    """The town that a location ends in, before state and country: "Krogen, Ystad", "Duluth, MN"; None without one."""
    parts = [_COUNTY.sub("", part.strip()) for part in location.split(",") if part.strip()]
    while len(parts) > 1 and not _NAME.match(parts[-1]):
        parts.pop()
    kept = list(parts)
    while kept and (page.gazetteer.is_above_towns(kept[-1]) or is_code(kept[-1])):
        kept.pop()
    if not kept or not _NAME.match(kept[-1]):
        return None
    if len(kept) > 1 or len(kept) < len(parts):
        return None if len(kept) == 1 and _VENUE.search(kept[0]) else kept[-1]
    return kept[0] if _is_town(kept[0], page, written=True) else None


def _of_parts(page: Page) -> list[Found]:
    """The town of a location, and the parts of it and of a title that are a town's name."""
    found: list[Found] = []
    start, end = page.part("location")
    location = page.text[start:end]
    town = town_of(location, page)
    if town is not None:
        at = page.text.rfind(town, start, end)
        found.append(page.found(town, at, at + len(town), 0.9))
    country = _country(location, page)
    for piece in page.pieces:
        there = bool(country) and page.gazetteer.country_of(piece.text) == country
        if _is_town(piece.text, page, written=there or piece.before in _BEFORE):
            found.append(page.found(_cased(piece.text, page), piece.start, piece.end, 0.85))
    return found


def _of_names(page: Page) -> list[Found]:
    """Towns whose own names stand in the text, and those that a lexicon tells by other words."""
    found: list[Found] = []
    for cue in page.gazetteer.finder.cues(page.text):
        if page.text[cue.start].isupper():
            found.append(page.found(cue.value, cue.start, cue.end, 0.75 if _is_ahead(page, cue.start) else 0.6))
    for cue in page.cues_of(CITY):
        if cue.weak or page.names_person(cue.start, cue.end):
            continue
        said = page.text[cue.start : cue.end]
        named = page.gazetteer.knows(said)
        sure = (0.75 if named else 0.65) if _is_ahead(page, cue.start) else (0.6 if named else 0.5)
        found.append(page.found(_cased(said, page) if named else cue.value, cue.start, cue.end, sure))
    return found


def _is_ahead(page: Page, start: int) -> bool:
    """Whether a place of the text is in its title or location."""
    return any(begin <= start < end for begin, end in (page.part("title"), page.part("location")))


def _is_town(text: str, page: Page, *, written: bool = False) -> bool:
    return not page.gazetteer.is_above_towns(text) and is_area(text, page, written=written)


def _cased(text: str, page: Page) -> str:
    """The usual spelling of a town that a title shouts."""
    return page.gazetteer.spelled.get(fold(text), text.title()) if text.isupper() and len(text) > 3 else text
