"""Where what a text tells took place: a record's location, what stands after "at", a name left over in the title.

A town or country alone is no place where the text names one inside it; "ours" is home. Beside places stand activities,
which they tell, and the values of the words that the reader marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from typing import Final

from ...operators.reading.names import english_abbreviations, english_names
from ...texts.document import Span, TextKind
from ...texts.people.mentions import How
from ..keys import TextKey, ValueKind
from ..page import Found, Fragment, Page
from .concepts import called, concepts
from .towns import is_area, is_name, town_of

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
_NAME: Final = rf"(?:(?:[{_UPPER}](?:[\w’'À-ÿ-]|\.(?=\w))*|\d+)(?:\s+(?:{_SMALL})\b)*\s*)+"
_AT_NAME: Final = re.compile(rf"\b(?:at|in|to|@)\s+(?:the\s+)?(?P<name>(?:[Tt]he\s+)?{_NAME})")
_WHO: Final = rf"[{_UPPER}][\w’'À-ÿ-]{{0,40}}(?:\s+and\s+[{_UPPER}][\w’'À-ÿ-]{{0,40}})?"
_HOUSE_OF: Final = re.compile(
    rf"\b(?P<who>{_WHO}|(?:his |her )?parents|in-laws|(?:mum|mom|dad|sister|brother)(?:\s+and\s+(?:dad|mum|mom))?)"
    r"['’]s?\s+(?P<what>house|place|flat|apartment|garden|kitchen|home)\b"
)
_TIMES: Final = re.compile(
    r"^(?:noon|midnight|\d.*|the (?:wheel|weekend|moment|end|time|same|top|start)|last|first|home|work|once|all|least|"
    r"night)\b",
    re.IGNORECASE,
)
_ABOUT: Final = frozenset(
    {"activity", "occasion", "workout_type", "doctor_type", "dish_kind", "drink_kind", "milestone_type"}
)
_AT: Final = re.compile(r"(?:\b(?:at|to|round|over)|@)\s+$", re.IGNORECASE)
_ALONE: Final = re.compile(
    r"['’]s?\s*(?:[.,;:!?)\n]|$|\s(?:on|last|for|with|and|yesterday|today|tonight|this)\b)", re.IGNORECASE
)
_MY_PLACE: Final = re.compile(r"\bmy (?P<what>house|flat|place|apartment|garden|kitchen)\b", re.IGNORECASE)
_TABLE: Final = frozenset({"table", "booking", "reservation"})


def is_home(text: str) -> bool:
    """Whether words say the person's own home."""
    return bool(_HOME.match(text.strip(" .!")))


def _is_time(name: str) -> bool:
    first = name.split(maxsplit=1)[0].strip(",.'’").casefold()
    return _TIMES.match(name) is not None or (first != "may" and first in english_names() - english_abbreviations())


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
    area = any(is_area(one, page, written=True) for one in (first, said)) or first == town_of(said, page)
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


def _is_about(piece: Fragment, page: Page) -> bool:
    """Whether a piece says what was done, eaten or celebrated, and no place."""
    inside = [c for c in page.cues if piece.start <= c.start and c.end <= piece.end]
    about = [c for c in inside if c.key in _ABOUT]
    size = max((c.end - c.start for c in about if not c.weak), default=0)
    return size > 0.7 * (piece.end - piece.start) or piece.text.casefold() in _TABLE


def _without_article(text: str) -> str:
    return text[4:] if text.startswith("the ") else text


def _of_known(page: Page) -> list[Found]:
    """Places where other records of the person were."""
    known = page.known.get("place")
    if known is None:
        return []
    found = (cue for cue in known.cues(page.text) if not is_area(cue.value, page, written=True))
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
    found += _of_hosts(page)
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
        if name and not _is_time(name) and not is_area(name, page) and not _is_person(page, *match.span("name")):
            found.append(page.found(name, match.start("name"), match.start("name") + len(name), 0.45))
    return found


def _of_hosts(page: Page) -> list[Found]:
    """Somebody's place: "at Shirin's", "my flat" in what a friend writes."""
    found: list[Found] = []
    for mention in page.said:
        after = page.after(mention.end)
        if mention.possessive and _AT.search(page.before(mention.start)) and _ALONE.match(after):
            found.append(
                page.found(f"{page.text[mention.start : mention.end]}'s house", mention.start, mention.end, 0.5)
            )
    mine = _MY_PLACE.search(page.text) if page.is_from_person else None
    if mine:
        name = page.document.sender
        person = next((p for p in page.life.profile.people if p.name == name), None)
        call = person.nicknames[0] if person and person.nicknames else name.split()[0]
        found.append(page.found(f"{call}'s {mine['what']}", *mine.span(), 0.62))
    return found


def _is_person(page: Page, start: int, end: int) -> bool:
    return any(m.start < end and start < m.end for m in page.mentions if m.how is How.SAID)


def _of_sender(page: Page) -> list[Found]:
    """A place that writes itself of a table, a visit or a booking there."""
    if not page.company:
        return []
    inside = re.search(rf"\b(?:at|to)\s+(?:the\s+)?{re.escape(page.company)}", page.text, re.IGNORECASE)
    return [Found(page.company, 0, 0, 0.75 if inside else 0.4, page.document.sender)]


_MEALS: Final = (
    (time(5), time(11), "breakfast"),
    (time(11, 30), time(15, 30), "lunch"),
    (time(17), time(23, 30), "dinner"),
)
_COLLEAGUE: Final = re.compile(r"\b(?:colleague|coworker|co-worker|work|boss|manager|team ?mate at)\b")
_HOUSE: Final = re.compile(r"(?:house|flat|apartment|place|home)$")
_MEAL_AT_HOME: Final = frozenset({"dinner", "lunch", "brunch", "breakfast"})


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
    if found.value not in _MEAL_AT_HOME:
        return found
    people = [name for mention in page.said for name in mention.names]
    weekday = page.day.weekday() < 5
    if found.value == "lunch" and weekday and people and all(_COLLEAGUE.search(page.life.remark(n)) for n in people):
        return Found("work lunch", found.start, found.end, found.confidence, found.evidence)
    where = next(iter(place(page, "")), None)
    if found.value == "dinner" and where is not None and (where.value == HOME or _HOUSE.search(str(where.value))):
        return Found("dinner at home", found.start, found.end, found.confidence, found.evidence)
    return found


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
    if text in page.life.pets or text[:1].isupper():
        yield page.found(text, span.start, span.end, span.score)


def _concepts(page: Page, key: TextKey, span: Span) -> Iterator[Found]:
    """What the lexicons know of the words, the longest cue first."""
    cues = [c for c in page.cues_of(*key.lexicon_keys) if c.start < span.end and span.start < c.end]
    best = max(cues, key=lambda cue: (not cue.weak, cue.end - cue.start), default=None)
    if best is not None:
        yield page.found(called(best, page, key), best.start, best.end, span.score * (0.8 if best.weak else 1.0))
