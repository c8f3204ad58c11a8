"""What kind of answer a question asks for, by its interrogative: a time, a number, a person, a place, a thing, whether.

Interrogatives are a closed class. A clause that begins with one ("when I was in Berlin, …", "the friend who …") asks
nothing. What a tree gives has to be of the kind that is asked; where the question does not say, anything is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ...texts import words as english
from .tense import plain_words


class Kind(StrEnum):
    """What is asked for; `OPEN` where the question does not say."""

    WHEN = "when"
    TIME = "what time"
    DAY = "which day"
    MONTH = "which month"
    YEAR = "which year"
    DURATION = "how long"
    DISTANCE = "how far"
    COUNT = "how many"
    AMOUNT = "how much"
    PERSON = "who"
    PLACE = "where"
    THING = "which"
    WHETHER = "whether"
    OPEN = "anything"


@dataclass(frozen=True)
class Asked:
    """The kind of answer; `one` where a single one is asked for; `unit` is the word of the unit that the answer shall
    have; `each` the part of time for each of which one is asked ("by month")."""

    kind: Kind
    one: bool = False
    unit: str = ""
    each: str = ""

    def fits(self, answer_type: str) -> bool:
        """Whether an answer of a type is of this kind."""
        if self.each and (self.kind is Kind.OPEN or TABLE in _TYPES[self.kind]):
            return answer_type == TABLE
        return self.kind is Kind.OPEN or answer_type in _TYPES[self.kind]


TABLE: Final = "table"
"""The type of an answer of groups."""
_TYPES: Final = {
    Kind.WHEN: frozenset({"date", "datetime", "time", "month", "weekday", "year"}),
    Kind.TIME: frozenset({"time", "datetime"}),
    Kind.DAY: frozenset({"date", "datetime", "weekday"}),
    Kind.MONTH: frozenset({"month"}),
    Kind.YEAR: frozenset({"year", "number"}),
    Kind.DURATION: frozenset({"duration", "number", TABLE}),
    Kind.DISTANCE: frozenset({"number", TABLE}),
    Kind.COUNT: frozenset({"number", "duration", TABLE}),
    Kind.AMOUNT: frozenset({"number", "duration", TABLE}),
    Kind.PERSON: frozenset({"text"}),
    Kind.PLACE: frozenset({"text", "events"}),
    Kind.THING: frozenset({"text", "events"}),
    Kind.WHETHER: frozenset({"boolean"}),
}
"""Types of answers by kind."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_AUXILIARIES: Final = _set(
    "did do does have has had was were is are am be been being will would can could shall should may might must 's"
)
_DOING: Final = _set("did do does have")
_PRONOUNS: Final = _set("i we he she it they you my our his her their your the a an this that these those there")
_INTERROGATIVES: Final = _set("when where who whom whose which what how")
_ASKING: Final = _set(
    """tell know knows remember recall wonder wondering idea say see check me us out show give asking ask curious clue
    list find question so and but or well ok okay hey then now also please again sure forget forgot remind exactly of
    with for to by from at in on about during since until till after before through into"""
)
"""Words before an interrogative that asks; other words are what it relates to ("the day when")."""
_ASKING_CLAUSE: Final = _set(
    "tell know knows remember recall wonder wondering idea check me us out forget forgot ask clue remind say"
)
"""Words before an interrogative and a clause in the order of a statement ("tell me when I …")."""
_SPANS: Final = _set("second minute hour day night week weekend month year")
_TIMES: Final = {
    "time": Kind.TIME, "hour": Kind.TIME, "day": Kind.DAY, "date": Kind.DAY, "weekday": Kind.DAY, "month": Kind.MONTH,
    "year": Kind.YEAR,
}  # fmt: skip
_HOW: Final = {
    "many": Kind.COUNT, "often": Kind.COUNT, "frequently": Kind.COUNT, "much": Kind.AMOUNT, "long": Kind.DURATION,
    "far": Kind.DISTANCE, "late": Kind.TIME, "early": Kind.TIME,
}  # fmt: skip
_EACH: Final = _set("each by")
_PARTS: Final = _set("day week month year quarter weekday")
_EVENLY: Final = _set("average avg mean typical typically usually median")


def asked_of(question: str) -> Asked:
    """What a question in English asks for."""
    words = plain_words(question)
    place = next((at for at in range(len(words)) if _asks(words, at)), None)
    each = _each(words)
    if place is None:
        kind = Kind.WHETHER if _is_whether(words) else Kind.THING if _names_one(words) else Kind.OPEN
        return Asked(kind, each=each, unit=_stated(words))
    kind, one, unit = _of_interrogative(words, place)
    return Asked(kind, one and not each, unit or _stated(words), each)


def _asks(words: Sequence[str], place: int) -> bool:
    """Whether an interrogative at this place asks, and begins no clause of its own."""
    word = words[place]
    if word not in _INTERROGATIVES:
        return False
    after = words[place + 1] if place + 1 < len(words) else ""
    before = words[place - 1] if place else ""
    if word in ("how", "what"):
        return True
    if word in ("when", "where") and after in _PRONOUNS:
        return before in _ASKING_CLAUSE
    asked = not before or before in _ASKING or before in _AUXILIARIES
    return asked or (after in _DOING and word != "which") or (before[:1].isdigit() and word != "who")


def _of_interrogative(words: Sequence[str], place: int) -> tuple[Kind, bool, str]:
    """The kind, whether one is asked for, and the word of a unit."""
    word, after = words[place], words[place + 1 : place + 3]
    first, second = (*after, "", "")[:2]
    if word == "how":
        if first == "much" and second == "time":
            return Kind.DURATION, True, ""
        unit = second if first == "many" and english.singular(second) in _SPANS else ""
        return _HOW.get(first, Kind.OPEN), True, unit
    if word == "when":
        return Kind.WHEN, _is_definite(words[place + 1 :]), ""
    if word == "where":
        return Kind.PLACE, False, ""
    if word in ("who", "whom"):
        return Kind.PERSON, False, ""
    if word == "whose" or (word == "what" and (not first or first in _AUXILIARIES)):
        return _of_what(words, place)
    noun = second if first in ("exact", "single", "one", "other") and second else first
    one = english.singular(noun) == noun and noun not in ("of", "ones")
    if english.singular(noun) in _TIMES:
        return _TIMES[english.singular(noun)], one, ""
    return (Kind.THING, one, "") if word == "which" or noun in ("kind", "sort", "type") else (Kind.OPEN, one, "")


def _of_what(words: Sequence[str], place: int) -> tuple[Kind, bool, str]:
    """What "what" asks with a verb: "what did I buy" is a thing, "what was my longest run" may be anything."""
    after = words[place + 1 : place + 5]
    if words[place] == "what" and after[:1] in (["did"], ["do"], ["does"], ["have"]) and after[1:2] in (["i"], ["we"]):
        verb = after[2] if len(after) > 2 else ""
        return (Kind.OPEN if verb in _MEASURING else Kind.THING), False, ""
    named = [word for word in after[1:] if word in _TIMES]
    told = words[place + 1 : place + 2] in (["is"], ["was"], ["'s"]) and bool(named)
    return (_TIMES[named[0]], True, "") if told and named[0] in ("time", "date", "day") else (Kind.OPEN, False, "")


_MEASURING: Final = _set("spend spent pay paid average weigh weighed cost burn burned earn earned owe total")
"""Verbs whose object may be an amount."""


def _is_definite(after: Sequence[str]) -> bool:
    """Whether a question of when asks for one time: of the first, the last, of what is called by "the" or "my"."""
    rest = [word for word in after if word not in _AUXILIARIES]
    return rest[:1] in (["the"], ["my"], ["our"]) or any(word in ("first", "last", "latest") for word in after)


def _is_whether(words: Sequence[str]) -> bool:
    begin = next((word for word in words if word not in ("so", "and", "but", "ok", "okay", "hey", "well", "then")), "")
    at = list(words).index(begin) if begin else 0
    subject = words[at + 1 : at + 2]
    polite = begin in ("can", "could", "would", "will", "may") and subject in (["you"], ["i"], ["we"])
    return begin in _AUXILIARIES and begin != "'s" and not polite and subject != ["you"] and "or" not in words


def _names_one(words: Sequence[str]) -> bool:
    """Whether a question without a verb of asking names what it wants: "the last film I rented"."""
    named = list(words[2:3])
    return (
        words[:1] == ["the"]
        and words[1:2] in (["last"], ["latest"], ["first"])
        and bool(named)
        and (named[0] not in _TIMES and "i" in words[3:])
    )


def _each(words: Sequence[str]) -> str:
    """The part of time for each of which an answer is asked for; none where their average is."""
    if not _EVENLY.isdisjoint(words):
        return ""
    for place, word in enumerate(words[:-1]):
        if word in _EACH and words[place + 1] in _PARTS:
            return words[place + 1]
    return ""


def _stated(words: Sequence[str]) -> str:
    """The word of a unit behind "in" at the end of a question or before a comma: "in minutes"."""
    if len(words) > 1 and words[-2] == "in" and words[-1].isalpha():
        return words[-1]
    return ""
