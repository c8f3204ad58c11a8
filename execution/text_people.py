"""Who took part in what a text tells, and whose birthday, appointment or present it is.

Source: DESIGN section 3 (EXTRACT reads with the profile as context). Whom a text only talks to or about takes no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ..store.words import fold
from ..texts.document import TextKind
from ..texts.mentions import How, Mention
from .keys import TextKey
from .text_page import Found, Page

_VOCATIVE_BEFORE: Final = re.compile(
    r"(?:^|[.!?…(\n]|,|\b(?:dear|hi|hey|hello|morning|oi|olá|so|well|yes|no|thanks|sorry))\s*$", re.IGNORECASE
)
_VOCATIVE_AFTER: Final = re.compile(r"^\s*[,!:.–—?;]")
_ADDRESS: Final = re.compile(r"\b(?:you|your|yours|you're|you'd|you'll|you've|u|ur)\b", re.IGNORECASE)
_TOGETHER: Final = re.compile(
    r"\b(?:we|us|our|ours|we're|we'll|we've|together|the two of us|both of us|you and me|you and i|just us|for two)\b",
    re.IGNORECASE,
)
_JUST_US: Final = re.compile(
    r"\b(?:just (?:the two of )?us|just us two|(?:the )?two of us|both of us|table for two|for two|date night|you and me|you and i|me and you)\b",
    re.IGNORECASE,
)
_WITH_YOU: Final = re.compile(
    r"\b(?:with you|you and (?:me|i)|me and you|you (?:two )?(?:both )?(?:came|come|joined|were there)|having (?:me|us)|"
    r"(?:coming|came) (?:over|round|along|to)|seeing you|see you|to see you|your company|wasn't (?:last|yester)|"
    r"(?:thank(?:s| you)|obrigad[oa]|danke|gracias|merci|grazie) (?:you )?(?:so much |again )?for (?:last|yester|to(?:day|night)|having|coming|dinner|lunch|the )|"
    r"the (?:two|three|four|five) of us|you (?:ate|drank|danced|left your|brought|laughed|sang|wore))",
    re.IGNORECASE,
)
_ABSENT: Final = re.compile(
    r"(?:\b(?:without|miss(?:ed|ing)?|minus|sorry|instead of|tell|told|ask(?:ed)?|texted|called|rang|from|for|to|thanks to|poor|remind|"
    r"gave|give|bought|because|said|says|owe|see)\s*$)",
    re.IGNORECASE,
)
_CANNOT: Final = re.compile(
    r"^\s*(?:can't|cannot|couldn't|could not|can not|isn't|wasn't|won't|didn't|is not|was not|is away|was away|stayed (?:at )?home|"
    r"bailed|cancelled|canceled|is sick|was sick|is ill|sends? (?:his|her|their)|had to (?:work|cancel|bail)|would have|"
    r"says|said|thinks|claims|told|texted|wants|keeps asking|recommended)\b",
    re.IGNORECASE,
)
_POSSESSIVE: Final = re.compile(r"^(?:['’]s?\b)")
_OF_HIM: Final = re.compile(
    r"^['’]s?\s+(?:birthday|bday|b-day|\d+(?:st|nd|rd|th)|party|do|place|house|flat|apartment|wedding|leaving|turn)",
    re.IGNORECASE,
)
_MINE: Final = re.compile(r"\b(?:my|mine|me|i|i'm|for me)\b", re.IGNORECASE)
_PLACE_OF: Final = re.compile(
    r"^['’]s?\s+(?:\w+\s+)?(?:house|flat|place|apartment|home|garden|kitchen|studio|cottage|garage)", re.IGNORECASE
)
_GIFT_BEFORE: Final = re.compile(
    r"\b(?:for|to|give|gave|gets?|buy|bought|present for|gift for|ordered|her|him|for my)\s*$", re.IGNORECASE
)
_AGE: Final = re.compile(
    r"^['’]?s?\s*(?:turns|turned|is turning|['’]s\s+(?:\w+\s+){0,2}(?:birthday|bday|b-day)|(?:birthday|bday))",
    re.IGNORECASE,
)


def participants(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Everybody who took part but the owner, as full names, in the order of the text."""
    best: dict[str, Found] = {}
    for mention in page.mentions:
        score = _took_part(page, mention, question)
        if score < 0.5 or mention.ambiguous and len(mention.names) > 1 and mention.how is not How.SAID:
            continue
        names = mention.names[:1] if mention.ambiguous else mention.names
        for name in names:
            _keep(best, page.found(name, mention.start, mention.end, score))
    for found in _unsaid(page, question):
        _keep(best, found)
    return tuple(sorted(best.values(), key=lambda found: (found.start == found.end, found.start)))


def person(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """The one person whom a key means: whose day it is, who is treated, who gets the present."""
    if key.name == "patient":
        return _patient(page, key, question)
    if key.name == "honoree":
        return _honoree(page, question)
    if key.name == "gift for":
        return _gift_for(page, question)
    tagged = [m for m in page.said if _marked(page, question, m.start, m.end)]
    return tuple(page.found(m.names[0], m.start, m.end, 0.7) for m in tagged[:1])


def _keep(best: dict[str, Found], found: Found) -> None:
    name = str(found.value)
    if name not in best or best[name].confidence < found.confidence:
        best[name] = found


def _marked(page: Page, question: str, start: int, end: int) -> bool:
    return any(span.start < end and start < span.end for span in page.tags.get(question, ()))


def _took_part(page: Page, mention: Mention, question: str) -> float:
    """How sure it is that somebody whom the text names took part."""
    if mention.how is How.SENDER or mention.how is How.RECIPIENT:
        return 0.0  # decided by what the text says of "you" and "we"
    if mention.how is How.UNKNOWN and not _is_listed(page, mention):
        return 0.0
    before, after = page.text[: mention.start], page.text[mention.end :]
    title = page.part("title")
    if page.document.kind is TextKind.CALENDAR and title[0] <= mention.start < title[1]:
        return 0.95
    marked = 0.3 if _marked(page, question, mention.start, mention.end) else 0.0
    if page.document.kind is TextKind.CALENDAR and _only_place(page, mention):
        return 0.3 + marked
    if _ABSENT.search(before[-24:]) or _CANNOT.match(after[:40]):
        return 0.35 + marked
    if _POSSESSIVE.match(after) and not _OF_HIM.match(after):
        return 0.3 + marked
    if _is_vocative(page, mention):
        return (0.6 if _joins(page) else 0.3) + marked
    if page.document.kind is TextKind.CALENDAR:
        return 0.7 + marked
    return 0.55 + marked


def _is_listed(page: Page, mention: Mention) -> bool:
    """Whether somebody whom the profile does not know stands in a list with people of a calendar's title."""
    title = page.part("title")
    return page.document.kind is TextKind.CALENDAR and title[0] <= mention.start < title[1] and mention.score >= 0.8


def _only_place(page: Page, mention: Mention) -> bool:
    location = page.part("location")
    return location[0] <= mention.start < location[1] and location != (0, 0)


def _is_vocative(page: Page, mention: Mention) -> bool:
    """Whether a body speaks to the person: the name stands between commas or at the head, in a text that says "you"."""
    body = page.part("body")
    if not body[0] <= mention.start < body[1] or not _ADDRESS.search(page.text[body[0] : body[1]]):
        return False
    before = page.text[body[0] : mention.start]
    after = page.text[mention.end : body[1]]
    head = _VOCATIVE_BEFORE.search(before) or not before.strip()
    return bool(head and _VOCATIVE_AFTER.match(after)) and not _in_list(page, mention)


def _in_list(page: Page, mention: Mention) -> bool:
    """Whether another person stands right beside the name, with only "and" or a comma between."""
    beside = re.compile(r"^\s*(?:,|&|\+|and|,\s*and)\s*$", re.IGNORECASE)
    for other in page.said:
        first, second = sorted((mention, other), key=lambda m: m.start)
        if first is not second and beside.match(page.text[first.end : second.start] or "x"):
            return True
    return False


def _joins(page: Page) -> bool:
    """Whether somebody to whom an entry speaks comes along: it says "we", or nobody else does."""
    title = page.part("title")
    others = [m for m in page.said if title[0] <= m.start < title[1]]
    return bool(_TOGETHER.search(page.text)) or not others


def _unsaid(page: Page, question: str) -> Iterable[Found]:
    """Those whom the text does not name: the partner in "just us", the sender and the addressee in "we" and "you"."""
    partner = page.life.partner
    just = _JUST_US.search(page.text)
    if page.document.kind in (TextKind.CALENDAR, TextKind.POST, TextKind.NOTE):
        if just and partner and not any(partner in m.names for m in page.said):
            yield page.found(partner, just.start(), just.end(), 0.65)
        return
    with_you = _WITH_YOU.search(page.text)
    tagged = [
        s
        for s in page.tags.get(question, ())
        if re.search(r"\b(?:you|we|us)\b", page.text[s.start : s.end], re.IGNORECASE)
    ]
    if not with_you and not tagged:
        return
    start, end = (with_you.start(), with_you.end()) if with_you else (tagged[0].start, tagged[0].end)
    for mention in page.mentions:
        wanted = How.RECIPIENT if page.document.by_owner else How.SENDER
        if mention.how is wanted:
            for name in mention.names:
                yield page.found(name, start, end, 0.6)


def _patient(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Who is treated: a pet or person whose name the text gives, but those it only speaks to; else the owner."""
    for pet in page.life.pets:
        at = re.search(rf"\b{re.escape(pet)}\b", page.text)
        if at and (_vet(page) or _marked(page, question, *at.span()) or at.start() < page.part("title")[1]):
            return (page.found(pet, *at.span(), 0.8),)
    children = [m for m in page.said if not _is_vocative(page, m) and _is_patient(page, m, question)]
    if children:
        best = children[0]
        return (page.found(best.names[0], best.start, best.end, 0.75),)
    if key.otherwise == "owner" and page.life.owner:
        return (page.found(page.life.owner, 0, 0, 0.6),)
    return ()


def _vet(page: Page) -> bool:
    return any(cue.value == "vet" for cue in page.cues_of("doctor_type"))


def _is_patient(page: Page, mention: Mention, question: str) -> bool:
    title = page.part("title")
    if _marked(page, question, mention.start, mention.end):
        return True
    if title[0] <= mention.start < title[1] and title != (0, 0):
        return True
    return bool(_POSSESSIVE.match(page.text[mention.end :])) or bool(
        re.search(r"\b(?:for|with|took|brought|take)\s*$", page.text[: mention.start])
    )


def _honoree(page: Page, question: str) -> tuple[Found, ...]:
    """Whose birthday or day it is: "Cormac's birthday", "Cormac turns 33", "my birthday"."""
    for mention in page.said:
        if _AGE.match(page.text[mention.end :]):
            return (page.found(mention.names[0], mention.start, mention.end, 0.9),)
    owner = page.life.owner
    mine = re.search(
        r"\b(?:my|mein\w*|mon|mi|meu|minha)\s+(?:\w+\s+){0,2}(?:birthday|bday|b-day|\d\dth|party)|\b(?:candles for me|i turn(?:ed)?|i'm \d\d)\b",
        page.text,
        re.IGNORECASE,
    )
    if mine and owner:
        return (page.found(owner, *mine.span(), 0.85),)
    tagged = [m for m in page.said if _marked(page, question, m.start, m.end)]
    if tagged:
        return (page.found(tagged[0].names[0], tagged[0].start, tagged[0].end, 0.6),)
    for span in page.tags.get(question, ()):
        if _MINE.fullmatch(page.text[span.start : span.end]) and owner:
            return (page.found(owner, span.start, span.end, span.score),)
    return ()


def _gift_for(page: Page, question: str) -> tuple[Found, ...]:
    """Who gets the present: whom the reader marks, else the name after "for"."""
    others = [m for m in page.said if not _is_vocative(page, m)]
    for mention in others:
        if _marked(page, question, mention.start, mention.end):
            return (page.found(mention.names[0], mention.start, mention.end, 0.8),)
    for mention in others:
        if re.search(r"\bfor\s*$", page.text[: mention.start], re.IGNORECASE):
            return (page.found(mention.names[0], mention.start, mention.end, 0.7),)
    for mention in others:
        if _GIFT_BEFORE.search(page.text[: mention.start]):
            return (page.found(mention.names[0], mention.start, mention.end, 0.5),)
    return ()


def names_equal(one: str, other: str) -> bool:
    """Whether two names are the same, without case and accents."""
    return fold(one) == fold(other)
