"""Whether a question asks of what was or of what will be, by its verbs.

The finite verb decides: auxiliaries are a closed class, and main verbs are told by their forms (`texts/words.py`).
Where no verb tells, adverbs do ("my last appointment", "upcoming trips"), but more weakly: a named period goes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ...operators.reading.names import english_abbreviations, english_names
from ...texts import words as english
from ...texts.tokens import words


class Tense(StrEnum):
    """What time a question asks of; `OPEN` where it does not say."""

    PAST = "past"
    FUTURE = "future"
    OPEN = "open"


@dataclass(frozen=True)
class Told:
    """The tense of a question, and whether a verb says so."""

    tense: Tense
    by_verb: bool = False


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PAST: Final = frozenset({"did", "was", "were", "had"})
_PERFECT: Final = frozenset({"have", "has"})
_FUTURE: Final = frozenset({"will", "shall"})
_BE: Final = frozenset({"am", "is", "are", "be"})
_FINITE: Final = _PAST | _PERFECT | _FUTURE | _BE | {"do", "does", "can", "'s"}
_BASE_BEFORE: Final = _set("do does to can could would should may might must let lets")
"""What the infinitive of a verb follows, which some verbs have as their past, too."""
_SUBJECTS: Final = frozenset({"i", "we", "he", "she", "it", "they", "you", "who", "which", "that", "what"})
_ADVERBS: Final = _set("""
    ever never not already just also always often usually really actually only first last most recently next
    still yet all both even once
""")
_LOOKING_BACK: Final = _set("""
    last latest ever already ago lately recent recently previous previously past former so_far to_date until_now
    up_to_now till_now
""")
_LOOKING_AHEAD: Final = _set("next upcoming coming_up coming forthcoming ahead to_come about_to due_to")
_UNITS: Final = _set("""
    day days night nights week weeks weekend weekends fortnight month months quarter quarters year years decade
    decades hour hours minute minutes morning mornings afternoon evening evenings spring summer summers autumn
    fall winter winters season seasons christmas easter
""")
_NUMBERS: Final = _set("two three four five six seven eight nine ten twelve couple few several")
_NO_VERBS: Final = frozenset({"to", "a", "an", "the", "my", "our", "his", "her", "their", "your", "this", "that", "on"})
_ARRANGING: Final = _set("""
    plan book schedule arrange reserve organise organize intend promise agree invite want hope wish mean decide
    propose suggest register expect due
""")
"""Verbs whose object is usually yet to come: who booked a trip in the past may ask for one of the future."""
_PHRASES: Final = (
    ("so", "far"), ("to", "date"), ("until", "now"), ("up", "to", "now"), ("till", "now"), ("coming", "up"),
    ("to", "come"), ("about", "to"), ("due", "to"),
)  # fmt: skip
_QUOTED: Final = re.compile(r"[“\"][^“”\"]*+[”\"]|(?<!\w)['‘][^'‘’]*+['’](?!\w)")
_SHORT: Final = {"ll": "will", "ve": "have", "m": "am", "re": "are", "d": "'d", "s": "'s"}
_REACH: Final = 6
"""Words between an auxiliary and its verb at most: the subject and adverbs."""


def tense_of(question: str) -> Told:
    """The tense of a question in English; open where neither verbs nor adverbs tell."""
    words = plain_words(question)
    for place, word in enumerate(words):
        found = _of_auxiliary(words, place) or _of_main_verb(words, place)
        if found is not None:
            return Told(found, by_verb=True)
        if _is_ahead(words, place) and word not in ("coming", "about_to", "due_to"):
            return Told(Tense.FUTURE, by_verb=True)
    back = any(_is_back(words, place) for place in range(len(words)))
    ahead = any(_is_ahead(words, place) for place in range(len(words)))
    if back == ahead:
        return Told(Tense.OPEN)
    return Told(Tense.PAST if back else Tense.FUTURE)


def plain_words(question: str) -> list[str]:
    """The words in small letters, contractions apart, "going to" before a verb as "will"; no names inside quotes."""
    found: list[str] = []
    whole = _QUOTED.sub(" ", question)
    loud = whole.isupper()
    for word in words(whole):
        text = word.replace("’", "'")
        if found and not loud and text in ("Will", "May", "March") and found[-1] not in ("when", "what", "how", "who"):
            found.append(f"={text}")  # a name or a month
            continue
        found.extend(_apart(text.lower()))
    return list(_joined(found))


def _apart(word: str) -> tuple[str, ...]:
    if word in ("won't", "wont"):
        return ("will", "not")
    if word in ("gonna", "gunna"):
        return ("going", "to")
    if word.endswith("n't"):
        return (word[:-3], "not")
    head, mark, tail = word.partition("'")
    return (head, _SHORT[tail]) if mark and tail in _SHORT else (word.replace("'", ""),)


def _joined(words: Sequence[str]) -> Iterator[str]:
    """The words with phrases as one."""
    place = 0
    while place < len(words):
        phrase = next((one for one in _PHRASES if tuple(words[place : place + len(one)]) == one), None)
        yield "_".join(phrase) if phrase else words[place]
        place += len(phrase) if phrase else 1


def _of_auxiliary(words: Sequence[str], place: int) -> Tense | None:
    """What an auxiliary at this place says; None where none stands there, or one that leaves it to the next verb."""
    word = words[place]
    after = words[place + 1 : place + 1 + _REACH]
    if word == "used" and after[:1] == ["to"]:
        return Tense.PAST
    if word in _PAST or (word == "'d" and after and _is_past(after[0])):
        return Tense.OPEN if _arranges(after) else Tense.PAST
    if word in _PERFECT or (word == "'s" and after[:1] == ["been"]):
        return _of_perfect(after)
    if word in _FUTURE:
        return None if after[:1] == ["you"] else Tense.FUTURE  # "will you tell me …"
    if word in _BE or word == "'s":
        return _of_be(after)
    return None


def _of_perfect(after: Sequence[str]) -> Tense | None:
    """ "have I been" is past, "have I got" and "I have to" are not."""
    for verb in after:
        if verb in ("to", "got"):
            return Tense.OPEN if verb == "got" else None
        if _is_past(verb):
            return Tense.OPEN if _base(verb) in _ARRANGING else Tense.PAST
    return None


def _of_be(after: Sequence[str]) -> Tense | None:
    """ "am I going to see" is to come; "is" alone leaves it to the next verb."""
    for place, word in enumerate(after[:-2]):
        if word == "going" and after[place + 1] == "to":
            verb = after[place + 2]
            is_verb = verb not in _NO_VERBS and not verb.startswith("=") and not verb.endswith("ing")
            return Tense.FUTURE if is_verb else None
    return Tense.FUTURE if after[:1] in (["about_to"], ["due_to"]) or after[1:2] == ["about_to"] else None


def _of_main_verb(words: Sequence[str], place: int) -> Tense | None:
    """A main verb in the past after its subject: "which artist played", "songs I liked"; "I read" is none by its form
    alone, but no present fits there either."""
    word = words[place]
    if place == 0 or word in _PAST or not english.is_past(word):
        return None
    if english.is_own_past(word) and not _BASE_BEFORE.isdisjoint(words[max(0, place - _REACH) : place]):
        return None  # "how often do I read"
    before = place - 1
    while before > 0 and words[before] in _ADVERBS:
        before -= 1
    subject = words[before]
    if subject not in _SUBJECTS and (subject in _NO_VERBS or not _is_predicate(words, place)):
        return None
    if english.is_own_past(word) and subject not in ("i", "we", "he", "she", "they", "you"):
        return None
    return Tense.OPEN if _base(word) in _ARRANGING else Tense.PAST


def _arranges(after: Sequence[str]) -> bool:
    """Whether the verb that an auxiliary goes with is one of arranging; the first after the subject is that verb."""
    verbs = [word for word in after if word not in _SUBJECTS and word not in _ADVERBS]
    return any(_base(verb) in _ARRANGING for verb in verbs[:1]) or any(
        _base(verb) in _ARRANGING and _is_past(verb) for verb in verbs[:3]
    )


def _is_past(word: str) -> bool:
    """Whether a word may be a past or a participle."""
    return english.is_past(word) or english.is_past_participle(word)


def _is_predicate(words: Sequence[str], place: int) -> bool:
    """Whether a past behind a noun is the verb of a question that asks for its subject, "which artist played", and no
    participle, "which trips booked by me are …"."""
    asked = words[0] in ("which", "what", "who", "whose", "how")
    alone = not any(word in _FINITE for word in words[place + 1 :])
    return asked and (alone or not english.is_past_participle(words[place]))


def _base(word: str) -> str:
    """The infinitive of the past of a verb of arranging; other words as they are."""
    verbs = english.infinitives(word) if _is_past(word) else ()
    return next((verb for verb in verbs if verb in _ARRANGING), word)


def _is_back(words: Sequence[str], place: int) -> bool:
    """Whether the word looks back from now: "my last visit", not "last week", which is a period."""
    return words[place] in _LOOKING_BACK and not _begins_period(words, place)


def _is_ahead(words: Sequence[str], place: int) -> bool:
    """Whether the word looks ahead: "my next visit", not "next week", "the next day", "next to"."""
    if words[place] not in _LOOKING_AHEAD or _begins_period(words, place):
        return False
    return not (words[place] == "next" and words[place + 1 : place + 2] in (["to"], ["door"]))


def _is_unit(word: str) -> bool:
    return word in _UNITS or (word in english_names() and word not in english_abbreviations())


def _begins_period(words: Sequence[str], place: int) -> bool:
    after = [word.removeprefix("=").lower() for word in words[place + 1 : place + 3]]
    if after[:1] and (after[0] in _NUMBERS or after[0].isdigit()):
        after = after[1:]
    return after[:1] != [] and _is_unit(after[0])


_WILL: Final = re.compile(r"\b(?:will|shall)\s+(?P<who>i|we|he|she|it|they)\s+", re.IGNORECASE)
_GOING_TO: Final = re.compile(
    r"\b(?:am|are|is)\s+(?P<who>i|we|he|she|it|they)\s+(?:going\s+to|gonna)\s+", re.IGNORECASE
)
_WHEN: Final = re.compile(r"^\s*(?:when|on\s+(?:which|what)\s+day)\b", re.IGNORECASE)
_NEXT: Final = re.compile(r"\s?\bnext\b(?!\s+(?:to|door)\b)", re.IGNORECASE)


def in_the_past(question: str) -> str | None:
    """A question of what will be as it is asked of the past, "When did I first run?" for "When will I run next?"; None
    where no auxiliary says that it will be."""
    first = ""
    if _WHEN.match(question):
        found = _NEXT.search(question)
        if found is not None and not _begins_period(plain_words(question[found.start() :]), 0):
            question = question[: found.start()] + question[found.end() :]
        first = "first "
    for shape in (_WILL, _GOING_TO):
        made = shape.sub(lambda match: f"did {match['who']} {first}", question, count=1)
        if made != question:
            return made
    return None
