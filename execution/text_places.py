"""Where what a text tells took place: a record's location, what stands after "at", a name left over in the title.

A town or country alone is no place where the text names one inside it; "ours" is home.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..store.words import fold
from ..texts.document import TextKind
from ..texts.lexicon import Lexicon
from ..texts.lexicon_file import Entry
from ..texts.mentions import How
from .keys import TextKey
from .text_life import Life
from .text_page import Found, Page, Piece

HOME: Final = "home"
_OWN: Final = "place|house|flat|apartment|home|kitchen|garden|living room|couch|sofa|gaff|yard|backyard|balcony|terrace"
_HOME: Final = re.compile(
    rf"^(?:@\s*|at\s+|chez\s+)?(?:home|ours|mine|(?:the )?house|the flat|nous|moi|zu ?hause|casa|em casa|"
    rf"(?:our|my) (?:own )?(?:{_OWN}))$",
    re.IGNORECASE,
)
_AT_HOME: Final = re.compile(
    rf"\b(?:at (?:home|ours|mine)|(?:at|in) (?:our|my|your) (?:{_OWN})|(?:our|my) (?:{_OWN}) (?:was|is|were)|to ours|"
    r"round ours|em casa)\b|@ ours\b",
    re.IGNORECASE,
)
_NOWHERE: Final = re.compile(
    r"^(?:tbc|tbd|tba|n/?a|online|zoom|teams|google meet|skype|phone|call|https?://.*|\?+|-|.*\.(?:com|ie|org)/.*|"
    r"microsoft teams.*)$",
    re.IGNORECASE,
)
_STARTS: Final = re.compile(r"^(?:at|in|@|chez|bei|em|na|no)$")
_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_SMALL: Final = "&|and|of|de|da|do|dos|das|del|della|di|du|la|le|les|the|e|y|'s|am|an der|zum|zur|van|von"
_NAME: Final = rf"(?:(?:[{_UPPER}][\w’'À-ÿ.-]*|\d+)(?:\s+(?:{_SMALL})\b)*\s*)+"
_AT_NAME: Final = re.compile(rf"\b(?:at|in|to|@)\s+(?:the\s+)?(?P<name>(?:[Tt]he\s+)?{_NAME})")
_WHO: Final = rf"[{_UPPER}][\w’'À-ÿ-]*(?:\s+and\s+[{_UPPER}][\w’'À-ÿ-]*)?"
_HOUSE_OF: Final = re.compile(
    rf"\b(?P<who>{_WHO}|(?:his |her )?parents|in-laws|(?:mum|mom|dad|sister|brother)(?:\s+and\s+(?:dad|mum|mom))?)"
    r"['’]s?\s+(?P<what>house|place|flat|apartment|garden|kitchen|home)\b"
)
_TIMES: Final = re.compile(
    r"^(?:noon|midnight|\d.*|the (?:wheel|weekend|moment|end|time|same|top|start)|last|first|home|work|once|all|least|"
    r"night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|june|july|august|september|october|"
    r"november|december))\b",
    re.IGNORECASE,
)
_ABOUT: Final = frozenset(
    {"activity", "occasion", "workout_type", "doctor_type", "dish_kind", "drink_kind", "milestone_type"}
)
_IN: Final = re.compile(r"\b(?:in|to|near|outside|from|of|around|bei|à|em|nach)\s+$", re.IGNORECASE)
_SHORTEST: Final = 3
"""Names of towns that are also words (Nice, Bath) are told by their capital; those of three letters are left out."""
_TABLE: Final = frozenset({"table", "booking", "reservation"})


def is_home(text: str) -> bool:
    """Whether words say the person's own home."""
    return bool(_HOME.match(text.strip(" .!")))


def is_area(text: str, page: Page) -> bool:
    """Whether words name a town, region or country, and nothing inside it."""
    return area_of(text, page.lexicon, page.life, page.areas) is not None


def area_of(text: str, lexicon: Lexicon, life: Life, areas: frozenset[str] = frozenset()) -> str | None:
    """The town or country that words name as a whole."""
    said = text.strip(" .!,")
    plain = fold(said)
    if plain in life.cities or plain in areas or plain in _area_names(lexicon):
        return said
    cues = [c for c in lexicon.cues(said, ("city", "country")) if not c.weak and c.end - c.start >= len(said)]
    return said if cues and all(c.key == "country" for c in cues) else None


@lru_cache(maxsize=4)
def _area_names(lexicon: Lexicon) -> frozenset[str]:
    """Folded names of the lexicon's towns and countries."""
    return frozenset(fold(value) for key in ("city", "country") for value in lexicon.values(key))


def place(page: Page, question: str) -> tuple[Found, ...]:
    """Candidates for the place, the likeliest first."""
    found = [*_of_location(page), *_of_title(page), *_of_known(page), *_of_body(page, question), *_of_sender(page)]
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _of_location(page: Page) -> list[Found]:
    start, end = page.part("location")
    said = page.text[start:end].strip()
    if not said or _NOWHERE.match(said):
        return []
    if is_home(said):
        return [page.found(HOME, start, end, 0.97)]
    first = said.split(",")[0].split("(")[0].strip()
    area = is_area(first, page) or is_area(said, page)
    return [page.found(first, start, start + len(first), 0.4 if area else 0.95)]


def _of_title(page: Page) -> list[Found]:
    """Names that stand after "at" or "@" in a title, or are all that is left of it."""
    if page.document.kind is not TextKind.CALENDAR:
        return []
    found: list[Found] = []
    for piece in page.pieces:
        text = piece.text
        if is_home(text):
            found.append(page.found(HOME, piece.start, piece.end, 0.9))
        elif is_area(text, page) or _is_about(piece, page):
            continue
        elif _STARTS.match(piece.before):
            found.append(
                page.found(
                    _without_article(text),
                    piece.start,
                    piece.end,
                    0.85 if text[:1].isupper() or text.startswith("the ") else 0.5,
                )
            )
        elif text[:1].isupper() and len(text.split()) > 1 and sum(word[:1].isupper() for word in text.split()) > 1:
            found.append(page.found(text, piece.start, piece.end, 0.7))
        elif text[:1].isupper():
            found.append(page.found(text, piece.start, piece.end, 0.42))
    return found


def _is_about(piece: Piece, page: Page) -> bool:
    """Whether a piece says what was done, eaten or celebrated, and no place."""
    inside = [c for c in page.cues if piece.start <= c.start and c.end <= piece.end]
    about = [c for c in inside if c.key in _ABOUT]
    size = max((c.end - c.start for c in about if not c.weak), default=0)
    return size * 2 > piece.end - piece.start or piece.text.casefold() in _TABLE


def _without_article(text: str) -> str:
    return text[4:] if text.startswith("the ") else text


def _of_known(page: Page) -> list[Found]:
    """Places where other records of the person were."""
    known = page.known.get("place")
    if known is None:
        return []
    found = (cue for cue in known.cues(page.text) if not is_area(cue.value, page))
    return [
        page.found(HOME if is_home(cue.value) else cue.value, cue.start, cue.end, 0.8)
        for cue in found
        if cue.value[:1].isupper()
    ]


def _of_body(page: Page, question: str) -> list[Found]:
    found: list[Found] = []
    body = page.part("body")
    whole = page.text
    for match in _HOUSE_OF.finditer(whole, *body) if body != (0, 0) else ():
        found.append(page.found(match[0], *match.span(), 0.55))
    at_home = _AT_HOME.search(whole, *body) if body != (0, 0) else None
    if at_home:
        found.append(page.found(HOME, *at_home.span(), 0.6))
    for span in page.tags.get(question, ()):
        text = whole[span.start : span.end].strip()
        if text and not is_area(text, page):
            value = HOME if is_home(text) else _without_article(text)
            found.append(page.found(value, span.start, span.end, 0.45 + 0.4 * span.score))
    for match in _AT_NAME.finditer(whole, *body) if body != (0, 0) else ():
        name = match["name"].strip(" .,!?'’\n")
        if name and not _TIMES.match(name) and not is_area(name, page) and not _is_person(page, *match.span("name")):
            found.append(page.found(name, match.start("name"), match.start("name") + len(name), 0.45))
    return found


def _is_person(page: Page, start: int, end: int) -> bool:
    return any(m.start < end and start < m.end for m in page.mentions if m.how is How.SAID)


def _of_sender(page: Page) -> list[Found]:
    """A place that writes itself of a table, a visit or a booking there."""
    document = page.document
    if document.kind is not TextKind.MAIL or document.by_owner or not document.sender:
        return []
    if page.is_from_person:
        return []
    inside = re.search(rf"\b(?:at|to)\s+(?:the\s+)?{re.escape(document.sender)}", page.text, re.IGNORECASE)
    return [Found(document.sender, 0, 0, 0.75 if inside else 0.4, document.sender)]


def towns(page: Page) -> tuple[Found, ...]:
    """Towns that the record names, those of the location and title first, as they are written there."""
    found: list[Found] = []
    start, end = page.part("location")
    parts = [part.strip() for part in page.text[start:end].split(",")] if end else []
    for number, part in enumerate(parts):
        plain = re.sub(r"^(?:co\.?|county)\s+", "", part, flags=re.IGNORECASE)
        if plain and _is_town(plain, page):
            at = page.text.find(plain, start)
            found.append(page.found(plain, at, at + len(plain), 0.9 - 0.02 * number))
    title = page.part("title")
    for piece in page.pieces:
        if _is_town(piece.text, page):
            found.append(page.found(_cased(piece.text, page), piece.start, piece.end, 0.85))
    found += _named_towns(page, (start, end), title)
    for cue in page.cues_of("city"):
        if cue.weak:
            continue
        said = page.text[cue.start : cue.end]
        value = said if _is_town(said, page) and said[:1].isupper() and not said.isupper() else cue.value
        inside = title[0] <= cue.start < title[1] or start <= cue.start < end
        found.append(page.found(value, cue.start, cue.end, 0.7 if inside else 0.5))
    home = fold(page.life.home_city(page.day))
    for area in (page.areas | page.life.cities) - {home}:
        match = re.search(rf"\b{re.escape(area)}\b", fold(page.text)) if len(area) > 3 else None
        if match and len(fold(page.text)) == len(page.text):
            found.append(page.found(_cased(page.text[match.start() : match.end()], page), *match.span(), 0.6))
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _named_towns(page: Page, location: tuple[int, int], title: tuple[int, int]) -> list[Found]:
    """Towns whose own names stand in the text, and other places of a country that stand where a town would."""
    found: list[Found] = []
    for cue in _towns(page.lexicon).cues(page.text):
        if page.text[cue.start].isupper():
            inside = title[0] <= cue.start < title[1] or location[0] <= cue.start < location[1]
            found.append(page.found(cue.value, cue.start, cue.end, 0.75 if inside else 0.6))
    for cue in page.cues_of("country"):
        said = page.text[cue.start : cue.end]
        if not cue.weak and said[:1].isupper() and _IN.search(page.text[: cue.start]) and _is_town(said, page):
            found.append(page.found(said, cue.start, cue.end, 0.5))
    return found


@lru_cache(maxsize=4)
def _towns(lexicon: Lexicon) -> Lexicon:
    """Finds the lexicon's towns by their own names."""
    names = lexicon.values("city")
    return Lexicon(tuple(Entry("town", name, (name.casefold(),)) for name in names if len(name) > _SHORTEST))


def _is_town(text: str, page: Page) -> bool:
    plain = fold(text)
    if any(fold(value) == plain for value in page.lexicon.values("country")):
        return False
    return is_area(text, page)


def _cased(text: str, page: Page) -> str:
    """The usual spelling of a town that a title shouts."""
    if not (text.isupper() and len(text) > 3):
        return text
    value = next((v for v in page.lexicon.values("city") if fold(v) == fold(text)), None)
    return value or text.title()


def local_cuisine(page: Page, key: TextKey) -> tuple[Found, ...]:
    """The cuisine of the country, for a meal abroad of which nothing else is said."""
    start, end = page.part("location")
    town = next((one for one in towns(page) if start <= one.start < end), None) if end else None
    if town is None or fold(str(town.value)) == fold(page.life.home_city(page.day)):
        return ()
    countries = {c.value for c in page.lexicon.cues(page.text[start:end], ("country",)) if not c.weak}
    home = {c.value for c in page.lexicon.cues(page.life.home_city(page.day), ("country",)) if not c.weak}
    if len(countries) != 1 or countries <= home:
        return ()
    named = [
        v
        for v in page.lexicon.values(key.lexicon_keys[0])
        if {c.value for c in page.lexicon.cues(v, ("country",))} == countries
    ]
    return (page.found(named[0], town.start, town.end, 0.42),) if named else ()
