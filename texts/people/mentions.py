"""The people whom a text names: by full name, first name, nickname or relation, and its sender and recipients.

EXTRACT reads with the person's profile as context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ...operators.reading.names import english_month
from ..document import Document
from .profile import (
    FAMILY_TITLES,
    NAME_WORDS,
    TITLES,
    Call,
    Person,
    Profile,
    Word,
    canonical,
    is_no_name,
    word_set,
    words_in,
    words_of,
)

__all__ = ["How", "Mention", "Person", "Profile", "mentions"]

_MINE: Final = word_set("""
my our me ma mon mes mein meine meinem meinen meiner unser unsere unseren mi mis minha meu meus minhas mia mio miei
mie il la moj moja moje mijn onze min mitt mina mine
""")
_YOURS: Final = word_set("your ur yr yer thy")
_OTHERS: Final = word_set("""
his her their its whose hers theirs dein deine sein seine ihr ihre su sus seu sua
""")
_NOBODYS: Final = word_set("a an another some any every no each other first new ex former single step")
_THE: Final = word_set("the both these those all dear")
_THE_RELATIONS: Final = frozenset(
    ("wife", "husband", "children", "parents", "parents-in-law", "partner", "grandparents", "grandchildren")
)
_ADJECTIVES: Final = word_set("""
little big older younger elder eldest youngest oldest dear darling lovely poor dearest whole entire two three own
late old baby wee twin beautiful favourite favorite sweet amazing long suffering beloved only crazy brilliant
wonderful gorgeous lil kid young
""")
_JOINED: Final = re.compile(r"\s*+(?:[,&+/]|(?:,\s++|(?<=\s))(?:and|e|y|und|et|og|och))\s*", re.IGNORECASE)
_LONGEST_JOIN: Final = 40
_WITH: Final = word_set("with w mit com con avec and med met z")
_PLACE_BEFORE: Final = word_set("""
san santa santo sao st saint sankt villa casa via rua port lake mount mt fort cape
""")
_BEFORE_MONTH: Final = word_set("in of this next last by until till since early late mid from during through to")
_ASKING: Final = word_set("you i we they he she it the this that there be not always also ever my your our")
_DIGIT_BEFORE: Final = re.compile(r"\d(?:st|nd|rd|th)?\s*(?:of\s)?$")
_SENTENCE_END: Final = re.compile(r"[.!?…\n|:;]\s{0,9}$|^\s*$")


@dataclass(frozen=True, slots=True)
class Found:
    """People named by the words `first` to `last`; no names for the owner, and for somebody else's relation."""

    first: int
    last: int
    names: tuple[str, ...]
    ambiguous: bool = False
    score: float = 1.0
    mine: bool | None = None
    """Of a relation: whether it is the owner's."""


def names_in(document: Document, words: list[Word], profile: Profile) -> list[Found]:
    """The people of the profile in a text, by place; parts that name the owner or other people's relations stand among
    them without names, so that nothing else is read there."""
    scan = _Scan(document, words, profile)
    at = 0
    while at < len(words):
        at = scan.step(at)
    return scan.found


class _Scan:
    """One pass over the words of a document."""

    def __init__(self, document: Document, words: list[Word], profile: Profile) -> None:
        self.document = document
        self.text = document.text
        self.words = words
        self.profile = profile
        self.found: list[Found] = []
        called = () if document.by_owner else known_as(document.sender, profile)
        self.writer = profile.by_name.get(called[0]) if len(called) == 1 else None

    def step(self, at: int) -> int:
        """Reads what begins at a word; returns the word to go on with."""
        found = self._called(at)
        if found is None:
            return at + 1
        self.found.append(found)
        return found.last + 1

    def _called(self, at: int) -> Found | None:
        for call in self.profile.calls.get(self.words[at].plain, ()):
            last = at + len(call.words) - 1
            run = self.words[at : last + 1]
            if tuple(word.plain for word in run) != call.words or not self._unbroken(at, last):
                continue
            found = self._name(call, at, last) if call.relation is None else self._relation(call, at, last)
            if found is not None:
                return found
            if call.relation and last > at:
                return Found(at, last, ())  # "mum-in-law" is no mum
        return None

    def _unbroken(self, first: int, last: int) -> bool:
        """Whether only spaces, dots of initials and hyphens part the words."""
        gaps = (self._gap(at) for at in range(first + 1, last + 1))
        return all(len(gap) <= 3 and not gap.strip(" -.\n‐") for gap in gaps)

    def _gap(self, at: int) -> str:
        """What stands before a word, back to the word before it."""
        return self.text[self.words[at - 1].after if at else 0 : self.words[at].start]

    def _name(self, call: Call, at: int, last: int) -> Found | None:
        if not self._reads_as_name(call, at, last):
            return None
        if len(call.words) == 1 and (stranger := self._other_surname(at)) is not None:
            return stranger
        score = (1.0, 0.95, 0.8)[call.rank]
        return Found(at, last, call.names, len(call.names) > 1, score / max(1, len(call.names)))

    def _reads_as_name(self, call: Call, at: int, last: int) -> bool:
        """Capitals where a name is also a word; no month, no place named after somebody, no question."""
        word, single = self.words[at], len(call.words) == 1
        before = self.words[at - 1].plain if at and self._gap(at).isspace() else ""
        if before in _PLACE_BEFORE:
            return False
        if not word.capital and word.plain[0].isascii():
            long_enough = len(word.plain) > (3 if call.rank == 2 else 2)
            return long_enough and not (single and word.plain in NAME_WORDS) and call.rank < 2
        if not single:
            return True
        behind = self.text[word.end : word.end + 6]
        if english_month(word.plain) is not None and (
            before in _BEFORE_MONTH or re.match(r"\s*\d", behind) or self._digit_before(at)
        ):
            return False
        follower = self.words[last + 1].plain if last + 1 < len(self.words) and behind[:1] == " " else ""
        starts = bool(_SENTENCE_END.search(self.text, max(0, word.start - 4), word.start))
        return not (
            word.plain in NAME_WORDS and starts and follower in _ASKING and word.plain in ("will", "may", "can")
        )

    def _digit_before(self, at: int) -> bool:
        return _DIGIT_BEFORE.search(self.text, max(0, self.words[at].start - 10), self.words[at].start) is not None

    def _other_surname(self, at: int) -> Found | None:
        """Somebody else of the same first name, in running text: "Anna Schumann" is not our Anna."""
        if at + 1 >= len(self.words) or self.words[at].possessive:
            return None
        following = self.words[at + 1]
        title = self.document.place_of("title")
        if title and self.words[at].start < title[1]:
            return None
        plain = following.plain
        if not following.capital or self._gap(at + 1) != " " or is_no_name(plain) or plain in self.profile.calls:
            return None
        if self.text[following.start : following.end].isupper() or plain in TITLES:
            return None
        return Found(at, at + 1, ()) if len(plain) > 2 else None

    def _relation(self, call: Call, at: int, last: int) -> Found | None:
        """Somebody by relation. None where the word is none here; without names where it is somebody else's."""
        mine, score = self._is_owners(call, at)
        if mine is None:
            return None
        following = self.words[last + 1] if last + 1 < len(self.words) and self._gap(last + 1) == " " else None
        if following and following.capital:
            if self.words[last].plain in FAMILY_TITLES and self.words[last].capital:
                return None  # "Uncle Randy"
            if following.plain in self.profile.calls and not self.words[last].possessive:
                return Found(at, last, (), mine=mine)  # "my sister Meera": the name says who
        names = call.names if mine else ()
        return Found(at, last, names, len(names) > 1 and not call.group, score, mine)

    def _is_owners(self, call: Call, at: int) -> tuple[bool | None, float]:
        """Whether it is the owner's relation, and how sure that is; None where it is no relation here."""
        before, own = self._determiner(at), self.document.by_owner
        if before is None:
            return self._undetermined(call, at)
        word = before.plain
        if before.possessive or word in _OTHERS:
            return False, 1.0
        if word in _MINE:
            return own, 1.0
        if word in _YOURS:
            return not own and self.writer is not None, 0.8
        if word in _NOBODYS:
            return None, 0.0
        if word in _THE:
            return (own, 0.8) if call.relation in _THE_RELATIONS and word != "these" else (None, 0.0)
        return self._undetermined(call, at)

    def _undetermined(self, call: Call, at: int) -> tuple[bool | None, float]:
        """A relation without "my": used like a name, or in a row with another one, or terse."""
        previous = self.found[-1] if self.found else None
        if previous and previous.mine is not None and self._joins(previous, at):
            return previous.mine, 0.9
        if call.bare:
            return self.document.by_owner or self._family_writes(), 0.95
        joined = self.words[at - 1].plain in _WITH or bool(re.search(r"[&+]\s*$", self._gap(at)))
        terse = self.document.by_owner and (self.words[at].capital or joined)
        return (True, 0.6) if terse and not self.words[at].plain.endswith("s") else (None, 0.0)

    def _family_writes(self) -> bool:
        """Whether the writer calls the same people Mum and Dad as the owner does, or is one of them."""
        kin = canonical(self.writer.relation) if self.writer and self.writer.relation else ""
        return kin in ("brother", "sister", "mother", "father")

    def _joins(self, previous: Found, at: int) -> bool:
        """Whether only a joining word or sign stands between the mention before and a word."""
        start, end = self.words[previous.last].after, self.words[at].start
        return end - start <= _LONGEST_JOIN and _JOINED.fullmatch(self.text, start, end) is not None

    def _determiner(self, at: int) -> Word | None:
        """The word before that says whose it is, over adjectives; None where a sign comes between."""
        place = at
        while place > 0 and not self._gap(place).strip(" \n-‐’'"):
            word = self.words[place - 1]
            if word.plain not in _ADJECTIVES or word.possessive:
                return word
            place -= 1
        return None


class How(StrEnum):
    """How a person is in a text: named by its words, or in its header."""

    SAID = "said"
    SENDER = "sender"
    RECIPIENT = "recipient"


@dataclass(frozen=True, slots=True)
class Mention:
    """People named at [start, end) of the document's text (both 0 for sender and recipients, who stand outside it).

    `names` are full names of the profile: one; several for a group ("Mum and Dad" is two mentions, "the in-laws" one of
    two people); or, where `ambiguous`, the candidates of whom one is meant. `possessive`: the text speaks of something
    of theirs ("Ann's mum", "at Nils's").
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
    words = list(words_in(document.text))
    said = [_mention(each, words) for each in names_in(document, words, profile) if each.names]
    return (*_sure(said, document, profile), *_outside(document, profile))


def _mention(found: Found, words: list[Word]) -> Mention:
    first, last = words[found.first], words[found.last]
    return Mention(first.start, last.end, found.names, How.SAID, found.ambiguous, found.score, last.possessive)


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
