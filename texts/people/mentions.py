"""The people whom a text names: by full name, first name, nickname or relation, as sender or recipient, or unknown.

EXTRACT reads with the person's profile as context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ..document import Document, TextKind
from .mention_scan import Found, names_in
from .mention_unknown import unknown_in
from .profile import Person, Profile, Word, words_in, words_of

__all__ = ["How", "Mention", "Person", "Profile", "mentions"]

_GREETING: Final = re.compile(
    r"\s*(?:(?:hi|hey|hello|hiya|heya|dear|dearest|morning|good\s(?:morning|afternoon|evening)|hallo|hola|ol[áa]|oi|ciao|salut|"
    r"bonjour|hej|salaam|darling|dearest|my\sdear|liebe[rs]?|cher|ch[èe]re|querid[oa]|caro|cara|namaste|alright|yo|thanks|thank\syou|cheers|happy\sbirthday)\b"
    r"(?:\s(?:there|again|both|all|my|dear|so\smuch))?[\s,!]*)",
    re.IGNORECASE,
)
_ADDRESSED: Final = re.compile(
    r"\s*(?:[,!:–—]|-\s|\n|\.{3}|…|\s(?:you|u|do|did|can|could|are|have|i|i'm|i've|we|it|just|thanks)\b)", re.I
)
_BETWEEN: Final = re.compile(r"\s*(?:,|&|\+|/|and|e|y|und|et)\s+", re.IGNORECASE)
_CLOSING: Final = re.compile(
    r"(?:\n|[.!?…)x❤]|love|cheers|best|regards|thanks|bye|hugs|xx?)[\s,~–—-]{0,40}$", re.IGNORECASE
)
_BEFORE_CALL: Final = re.compile(r",\s{1,20}$")
_AFTER_CALL: Final = re.compile(r"\s*(?:[.!?…,]|$|\n)")
_SENTENCE: Final = 400
"""A sentence is looked at so far back."""
_CLOSE: Final = 60
"""So many characters before a name what leads up to it begins."""
_YOU: Final = re.compile(r"\b(?:you|your|you'\w+|you’\w+|u|ur|yourself)\b", re.IGNORECASE)
_END: Final = re.compile(r"[\sxXoO.!,)❤️💕😘🥰-]*$")


class How(StrEnum):
    """How a person is in a text. Those who are greeted are recipients, who signs is the sender."""

    SAID = "said"
    SENDER = "sender"
    RECIPIENT = "recipient"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Mention:
    """People named at [start, end) of the document's text (both 0 for sender and recipients, who stand outside it).

    `names` are full names of the profile: one; several for a group ("Mum and Dad" is two mentions, "the in-laws" one of
    two people); or, where `ambiguous`, the candidates of whom one is meant. Of somebody unknown, the name as written.
    `possessive`: the text speaks of something of theirs ("Ann's mum", "at Nils's").
    """

    start: int
    end: int
    names: tuple[str, ...]
    how: How = How.SAID
    ambiguous: bool = False
    score: float = 1.0
    possessive: bool = False


def mentions(document: Document, profile: Profile) -> tuple[Mention, ...]:
    """Mentions in `document.text`, by place, then sender and recipients. The owner is left out."""
    text = document.text
    words = list(words_in(text))
    found = names_in(document, words, profile)
    said = [_mention(each, words, How.SAID) for each in found if each.names]
    said = _addressed(document, _sure(said, document, profile))
    strangers = [_mention(each, words, How.UNKNOWN) for each in unknown_in(text, words, found)]
    said += [stranger for stranger in strangers if not _greeted(document, stranger)]
    return (*sorted(said, key=lambda mention: mention.start), *_outside(document, profile))


def _mention(found: Found, words: list[Word], how: How) -> Mention:
    first, last = words[found.first], words[found.last]
    return Mention(first.start, last.end, found.names, how, found.ambiguous, found.score, last.possessive)


def _sure(said: list[Mention], document: Document, profile: Profile) -> list[Mention]:
    """Ambiguous mentions decided where only one of the candidates is otherwise in the text, or writes or reads it."""
    certain = {name for mention in said if not mention.ambiguous for name in mention.names}
    certain.update(name for mention in _outside(document, profile) for name in mention.names)
    decided: list[Mention] = []
    for mention in said:
        among = [name for name in mention.names if name in certain]
        sure = mention.ambiguous and len(among) == 1
        decided.append(replace(mention, names=(among[0],), ambiguous=False, score=0.8) if sure else mention)
    return decided


def _outside(document: Document, profile: Profile) -> list[Mention]:
    """Sender and recipients, as the profile calls them if it knows them; never the owner."""
    found: list[Mention] = []
    sender = () if document.by_owner else ((document.sender, How.SENDER),)
    for written, how in (*sender, *((name, How.RECIPIENT) for name in document.recipients)):
        names = known_as(written, profile)
        if names:
            found.append(Mention(0, 0, names, how, ambiguous=len(names) > 1))
    return found


def known_as(written: str, profile: Profile) -> tuple[str, ...]:
    """Full names for a name in a header; the name itself where the profile has none; empty for the owner."""
    name = re.sub(r"(?:(?<!\s)\s+)?<[^<>]*>", "", written).strip(" \"'")
    words = words_of(name)
    if not words:
        return (written.strip(),) if written.strip() else ()
    for call in profile.calls.get(words[0], ()):
        if call.words == words and (call.relation is None or call.names):
            return call.names
    return (name,)


def _addressed(document: Document, said: list[Mention]) -> list[Mention]:
    """Marks who is greeted at the beginning of the body, and who signs at its end."""
    place = document.place_of("body")
    if place is None:
        return said
    text, (start, end) = document.text, place
    greeting = _GREETING.match(text, start)
    greeted = _run(said, text, greeting.end() if greeting else start)
    ends = greeted and (greeting is not None or _ADDRESSED.match(text, greeted[-1].end))
    if not ends or (greeting is None and document.kind not in (TextKind.MAIL, TextKind.CHAT)):
        greeted = []
    greeted += _spoken_to(document, said)
    signed = _signed(document, said, end)
    recipients, senders = frozenset(greeted), frozenset(signed)
    return [
        replace(mention, how=How.RECIPIENT if mention in recipients else How.SENDER)
        if mention in recipients or mention in senders
        else mention
        for mention in said
    ]


def _greeted(document: Document, mention: Mention) -> bool:
    """Whether somebody unknown is spoken to at the beginning of the body."""
    place = document.place_of("body")
    greeting = _GREETING.match(document.text, place[0]) if place else None
    start = greeting.end() if greeting else place[0] if place else -1
    if mention.start != start or greeting is not None:
        return mention.start == start
    listed = re.match(r",\s*[^\W\d_]", document.text[mention.end :])
    called = _ADDRESSED.match(document.text, mention.end) and not (listed and listed[0][-1].isupper())
    return bool(called) and document.kind in (TextKind.MAIL, TextKind.CHAT)


def _spoken_to(document: Document, said: list[Mention]) -> list[Mention]:
    """Who is spoken to in the middle: "No, Anna, I can't", "before you woke up, Otto." """
    text = document.text
    found: list[Mention] = []
    for place, mention in enumerate(said):
        before, behind = (
            _BEFORE_CALL.search(text, max(0, mention.start - _CLOSE), mention.start),
            _AFTER_CALL.match(text, mention.end),
        )
        if not before or not behind or (place and said[place - 1].end > before.start() - 1):
            continue
        earliest = max(0, before.start() - _SENTENCE)
        start = max(text.rfind(mark, earliest, before.start()) for mark in (".", "!", "?", "\n", "|"))
        start = max(start, earliest - 1)
        sentence = text[start + 1 : mention.start] + text[mention.end : mention.end + 80].split(".")[0]
        if _YOU.search(sentence) or _to_recipient(document, mention):
            found.append(mention)
    return found


def _to_recipient(document: Document, mention: Mention) -> bool:
    return document.by_owner and any(words_of(name) == words_of(mention.names[0]) for name in document.recipients)


def _run(said: list[Mention], text: str, at: int) -> list[Mention]:
    """The mentions that stand in a row from `at` on."""
    run: list[Mention] = []
    for mention in said:
        if mention.start == at and not mention.possessive:
            run.append(mention)
            between = _BETWEEN.match(text, mention.end)
            at = between.end() if between else mention.end
    return run


def _signed(document: Document, said: list[Mention], end: int) -> list[Mention]:
    """Who signs a text that somebody else wrote: the last name, on a line of its own or behind a closing."""
    if document.by_owner or not said:
        return []
    last, text = said[-1], document.text
    alone = _END.fullmatch(text, last.end, end) and _CLOSING.search(text, max(0, last.start - _CLOSE), last.start)
    return [last] if alone and not last.possessive else []
