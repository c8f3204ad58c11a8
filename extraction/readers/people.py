"""Who took part in what a text tells, and whose birthday, appointment or present it is.

EXTRACT reads with the profile as context. Whom a text only talks to or about takes no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...texts.document import TextKind
from ...texts.people.mentions import How, Mention
from ..keys import TextKey
from ..page import Found, Page


def _words(*patterns: str) -> re.Pattern[str]:
    """Any of the patterns, as whole words."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


_YOU: Final = _words("you", "your", "yours", "you're", "you'd", "you'll", "you've", "u", "ur")
_WE: Final = _words("we", "us", "our", "ours", "we're", "we'll", "we've", "we'd", "together", "both of us", "for two")
_JUST_US: Final = _words(
    *("just (?:the two of )?us", "just us two", "(?:the )?two of us", "both of us", "table for two", "for two"),
    *("date night", "you and me", "you and i", "me and you"),
)
_WITH_YOU: Final = _words(
    *("with you", "you and (?:me|i)", "you, me", "me and you", "just you", "seeing you", "see you", "to see you"),
    "you (?:both |two )?(?:came|come|joined|were there|ate|drank|danced|left your|brought|laughed|sang|wore)",
    *("having (?:me|us)", "(?:coming|came) (?:over|round|along)", "your company", "the (?:two|three|four|five) of us"),
    "(?:thanks|thank you) (?:so much |again )?for (?:last|yester|today|tonight|having|coming|dinner|lunch|the )\\w*",
    *("(?:obrigad[oa]|danke|gracias|merci|grazie) (?:por|für|pour|per) \\w+", "we both"),
)
_ABSENT: Final = re.compile(
    r"\b(?:without|miss(?:ed|ing)?|minus|sorry|instead of|tell|told|ask(?:ed)?|texted|called|rang|from|for|thanks to|"
    r"poor|remind|no|apologies:|babysitter\s*[:=]|gave|give|bought|because|owe)\s*$",
    re.IGNORECASE,
)
_CANNOT: Final = re.compile(
    r"\s*(?:can't|cannot|couldn't|could not|can not|isn't|wasn't|won't|didn't|is not|was not|is away|was away|bailed|"
    r"stayed (?:at )?home|cancelled|canceled|(?:is|was) (?:sick|ill|stuck)|sends? (?:his|her|their)|would have|"
    r"had to (?:work|cancel|bail)|says|thinks|claims|told|texted|keeps asking|recommended|has not been|"
    r"needs to be|owes)\b",
    re.IGNORECASE,
)
_TASK: Final = _words(
    *("you do the", "you take the", "you have the", "you stay", "you keep", "could you", "can you", "please collect"),
    *("i'll be back", "back by", "don't wait up", "don't forget to"),
)
_OF_THEIRS: Final = re.compile(
    r"['’]?s?\s+(?:\w+\s+){0,2}(?:birthday|bday|b-day|\d+(?:st|nd|rd|th)|party|wedding|christening|graduation|shower|turn|"
    r"hen|stag|leaving|farewell|anniversary)",
    re.IGNORECASE,
)
_TURNS: Final = re.compile(r"\s*(?:turns|turned|is turning|was turning|will be|is)\s+\d", re.IGNORECASE)
_MINE: Final = re.compile(
    r"\b(?:my|mein\w*|mon|mi|meu|minha)\s+(?:own\s+)?(?:\w+\s+){0,2}(?:birthday|bday|b-day|\d\dth|party|hen|stag|graduation)|"
    r"\b(?:candles for me|i turn(?:ed)?|i'm \d\d|i was \d\d)\b",
    re.IGNORECASE,
)
_YOURS: Final = re.compile(
    r"\byour\s+(?:\w+\s+){0,2}(?:birthday|bday|b-day|\d\dth|party)|\bhappy (?:birthday|bday|\d\d)", re.IGNORECASE
)
_ALONE: Final = re.compile(r"(?:you|we|us)$", re.IGNORECASE)
_AT: Final = re.compile(r"(?:\b(?:at|to|round|over)|@)\s+(?:my\s+|the\s+)?$", re.IGNORECASE)
_MY: Final = re.compile(r"\b(?:my|our)\s+$", re.IGNORECASE)
_OWN_PLACE: Final = re.compile(
    r"['’]?s?(?:\s+(?:house|flat|place|apartment|garden|home|kitchen|cottage))?\s*(?:[.,;:!?)\n]|$|\s(?:on|last|for|with|and|"
    r"yesterday|today|tonight|this|came|instead|in)\b)",
    re.IGNORECASE,
)
_POSSESSIVE: Final = 0.46
_CASUAL: Final = (TextKind.CHAT, TextKind.POST, TextKind.NOTE)
_OWN_TEXTS: Final = (TextKind.CALENDAR, TextKind.POST, TextKind.NOTE)


def participants(page: Page, question: str) -> tuple[Found, ...]:
    """Everybody who took part but the owner, as full names, in the order of the text."""
    best: dict[str, Found] = {}
    for mention in page.mentions:
        score = _took_part(page, mention, question)
        for name in mention.names[:1] if mention.ambiguous else mention.names:
            if score >= 0.4:
                _keep(best, page.found(name, mention.start, mention.end, score))
    for found in _unsaid(page, question):
        _keep(best, found)
    return tuple(sorted(best.values(), key=lambda found: (found.start == found.end, found.start)))


def person(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """The one person whom a key means: whose day it is, who is treated, who gets the present."""
    if key.read_as == "patient":
        return _patient(page, key, question)
    if key.read_as == "honoree":
        return _honoree(page, question)
    if key.read_as == "present":
        return _gift_for(page, question)
    tagged = [m for m in page.said if _marked(page, question, m.start, m.end)]
    return tuple(page.found(m.names[0], m.start, m.end, 0.7) for m in tagged[:1])


def _keep(best: dict[str, Found], found: Found) -> None:
    name = str(found.value)
    if name not in best or best[name].confidence < found.confidence:
        best[name] = found


def _marked(page: Page, question: str, start: int, end: int) -> bool:
    return any(span.start < end and start < span.end for span in page.tags.get(question, ()))


def _in(page: Page, mention: Mention, part: str) -> bool:
    start, end = page.part(part)
    return start <= mention.start < end


def _took_part(page: Page, mention: Mention, question: str) -> float:
    """How sure it is that somebody whom the text names took part."""
    if mention.start == mention.end:  # a header's: what the text says of "you" and "we" decides
        return 0.0
    if not page.people & set(mention.names):
        return 0.0
    entry = page.document.kind is TextKind.CALENDAR
    if entry and _in(page, mention, "title") and mention.how is How.SAID:
        return 0.95
    marked = 0.3 if _marked(page, question, mention.start, mention.end) else 0.0
    return _base(page, mention, entry=entry) + marked


def _base(page: Page, mention: Mention, *, entry: bool) -> float:
    before, after = page.before(mention.start), page.after(mention.end)
    if entry and _in(page, mention, "location"):
        return 0.2
    if entry and mention.how is How.SAID and _is_spoken_to(page, mention):
        return 0.6 if _joins(page) else 0.2
    if mention.how is How.RECIPIENT and page.document.kind not in (TextKind.POST, TextKind.NOTE):
        if page.document.kind is TextKind.MAIL and not page.is_from_person and not page.document.by_owner:
            return 0.55  # a company names its guests
        return (0.6 if _joins(page) else 0.2) if entry else 0.0
    if mention.how is How.SENDER:
        return 0.0
    if _OF_THEIRS.match(after):
        return 0.6
    if _ABSENT.search(before[-24:]) or _CANNOT.match(after[:40]):
        return 0.25
    if mention.possessive:
        return 0.55 if _AT.search(before[-12:]) and _OWN_PLACE.match(after) else _POSSESSIVE
    sure = (0.7 if entry else 0.55) * mention.score
    casual = page.document.kind in _CASUAL or _MY.search(before[-8:])
    return sure if casual or page.text[mention.start].isupper() else sure - 0.2


def _is_spoken_to(page: Page, mention: Mention) -> bool:
    """Whether a sentence of an entry's body begins with a name and a comma, and speaks to somebody."""
    start, end = page.part("body")
    if not start <= mention.start < end or not _YOU.search(page.text[start:end]):
        return False
    before = page.text[start : mention.start]
    last = before.rstrip()
    gap = before[len(last) :]
    begins = not last or "\n" in gap or (bool(gap) and last[-1] in ".!?…")
    listed = any(other.how is How.SAID for other in page.said_in(mention.end + 1, mention.end + 6))
    return begins and page.text.startswith(",", mention.end) and not listed


def _joins(page: Page) -> bool:
    """Whether somebody to whom an entry speaks comes along."""
    start, end = page.part("title")
    title = page.text[start:end]
    if _YOU.search(title):
        return True
    others = [m for m in page.said if _in(page, m, "title")]
    if _TASK.search(page.text) and not _WE.search(page.text):
        return False
    return not others


def _unsaid(page: Page, question: str) -> Iterable[Found]:
    """Those whom the text does not name: the partner in "just us", the sender and the addressee in "we" and "you"."""
    partner = page.life.partner
    just = _JUST_US.search(page.text)
    if page.document.kind in _OWN_TEXTS:
        if just and partner and not any(partner in m.names for m in page.said):
            yield page.found(partner, just.start(), just.end(), 0.65)
        return
    wanted = How.RECIPIENT if page.document.by_owner else How.SENDER
    with_you = _WITH_YOU.search(page.text) or (None if page.document.by_owner else _WE.search(page.text))
    tagged = [s for s in page.tags.get(question, ()) if _ALONE.match(page.text[s.start : s.end])]
    if not with_you and not tagged:
        return
    start, end = (with_you.start(), with_you.end()) if with_you else (tagged[0].start, tagged[0].end)
    for mention in page.mentions:
        if mention.how is wanted:
            for name in mention.names:
                if name in page.people:
                    yield page.found(name, start, end, 0.6)


def _patient(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Who is treated: a pet or person whose name the text gives, but those it only speaks to; else the owner."""
    for pet in page.life.pets:
        at = re.search(rf"\b{re.escape(pet)}\b", page.text)
        vet = any(cue.value == "vet" for cue in page.cues_of("doctor_type"))
        if at and (vet or _marked(page, question, *at.span()) or at.start() < page.part("title")[1]):
            return (page.found(pet, *at.span(), 0.8),)
    treated = [m for m in page.said if _is_patient(page, m, question)]
    if treated:
        return (page.found(treated[0].names[0], treated[0].start, treated[0].end, 0.75),)
    if key.otherwise == "owner" and page.life.owner:
        return (page.found(page.life.owner, 0, 0, 0.6),)
    return ()


def _is_patient(page: Page, mention: Mention, question: str) -> bool:
    if _marked(page, question, mention.start, mention.end) or _in(page, mention, "title"):
        return True
    before = page.before(mention.start)
    return mention.possessive or bool(re.search(r"\b(?:for|with|took|brought|take|drove)\s*$", before, re.IGNORECASE))


def _honoree(page: Page, question: str) -> tuple[Found, ...]:
    """Whose birthday or day it is: "Otto's birthday", "Otto turns 33", "my birthday", whose date the day is."""
    for mention in page.said:
        after = page.after(mention.end)
        if _TURNS.match(after) or _OF_THEIRS.match(after) or _before_occasion(page, mention):
            return (page.found(mention.names[0], mention.start, mention.end, 0.9),)
    if (found := _pet_or_pronoun(page)) is not None:
        return (found,)
    tagged = [m for m in page.said if _marked(page, question, m.start, m.end)]
    if tagged:
        return (page.found(tagged[0].names[0], tagged[0].start, tagged[0].end, 0.6),)
    born = page.life.birthday(page.day)
    if born is not None:
        return (page.found(born, 0, 0, 0.5),)
    return ()


def _pet_or_pronoun(page: Page) -> Found | None:
    """A pet's day; "my birthday" is the writer's, "your birthday" the reader's."""
    for pet in page.life.pets:
        at = re.search(rf"\b{re.escape(pet)}['’]s?\b", page.text)
        if at:
            return page.found(pet, at.start(), at.start() + len(pet), 0.85)
    own = page.document.by_owner or page.document.kind in _OWN_TEXTS
    mine, yours = _MINE.search(page.text), _YOURS.search(page.text)
    writer = page.life.owner if own else _writer(page, How.SENDER)
    reader = _writer(page, How.RECIPIENT) if own else page.life.owner
    if mine and writer:
        return page.found(writer, *mine.span(), 0.85)
    if yours and reader:
        return page.found(reader, *yours.span(), 0.8)
    return None


def _before_occasion(page: Page, mention: Mention) -> bool:
    """Whether an occasion follows that is theirs ("Nana's party"), or stands before ("a shower for Jess")."""
    for cue in page.cues_of("occasion"):
        if mention.possessive and 0 <= cue.start - mention.end < 24 and "\n" not in page.text[mention.end : cue.start]:
            return True
        if not cue.weak and re.fullmatch(r"\s*(?:\w+\s+)?(?:for|of)\s+", page.text[cue.end : mention.start]):
            return True
    return False


def _writer(page: Page, how: How) -> str | None:
    return next((m.names[0] for m in page.mentions if m.how is how and m.names[0] in page.people), None)


def _gift_for(page: Page, question: str) -> tuple[Found, ...]:
    """Who gets the present: whom the reader marks, else the name after "for"."""
    tests = (
        (0.8, lambda m: _marked(page, question, m.start, m.end)),
        (0.7, lambda m: re.search(r"\bfor\s*(?:my\s+)?$", page.before(m.start), re.IGNORECASE)),
        (
            0.5,
            lambda m: re.search(
                r"\b(?:to|give|gave|gets?|buy|bought|him|her)\s*$", page.before(m.start), re.IGNORECASE
            ),
        ),
    )
    for confidence, test in tests:
        for mention in page.said:
            if test(mention):
                return (page.found(mention.names[0], mention.start, mention.end, confidence),)
    return ()
