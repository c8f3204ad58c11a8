"""What the data would know of a question's words, for the parser to learn to use and to doubt.

Most lives of the corpus are described and have no data, so marks are drawn by chance: most values of a condition are
known, some as values of another attribute, too, and now and then another word is. Whose life it is has no attribute: a
name that the form leaves out is taken for the owner's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from ..operators.forms.decoding import OWNER, PERSON
from .corpus import Taught, copied, slots

PEOPLE: Final = frozenset(
    ["participant", "sender", "recipient", "honoree", "patient", "gift_for", "doctor", "host", "opponent"]
)
"""Attributes whose values are people."""
UNKNOWN: Final = frozenset(
    ["time", "text", "title", "subject", "reason", "date", "day", "weekday", "week", "month", "year", "hour",
     "start_time", "end_time", "distance", "duration", "price", "energy", "heart_rate", "speed", "quantity", "nights"]
)  # fmt: skip
"""Attributes whose values are times, amounts or free text, which are not looked up."""
KNOWN_VALUE: Final = 0.6
KNOWN_PERSON: Final = 0.85
KNOWN_OWNER: Final = 0.8
ALSO: Final = 0.2
"""How often a known value is one of another attribute, too."""
BESIDES: Final = 0.04
"""How often a word beside is a value of some attribute."""
PRONOUNS: Final = frozenset(
    ["i", "me", "my", "mine", "myself", "we", "us", "our", "you", "your", "he", "him", "his", "himself", "she", "her",
     "hers", "herself", "they", "them", "their", "it", "who"]
)  # fmt: skip


def marks(one: Taught, keys: Sequence[str], rng: random.Random) -> tuple[frozenset[str], ...]:
    """Marks for each word of an example; `keys` are attributes to draw wrong ones from."""
    found: list[set[str]] = [set() for _ in one.words]
    inside: set[int] = set()
    for slot in slots(one):
        span = range(slot.first, slot.last + 1)
        inside.update(span)
        said = {one.words[at].casefold() for at in span}
        if slot.key in UNKNOWN or said <= PRONOUNS:
            continue
        person = slot.key in PEOPLE
        if rng.random() < (KNOWN_PERSON if person else KNOWN_VALUE):
            _mark(found, span, PERSON if person else slot.key)
            if not person and rng.random() < ALSO:
                _mark(found, span, rng.choice(keys))
    for at in _names_left_out(one, inside):
        if rng.random() < KNOWN_OWNER:
            found[at].add(OWNER)
    for at in range(len(one.words)):
        if at not in inside and one.words[at].isalpha() and rng.random() < BESIDES:
            found[at].add(rng.choice(keys))
    return tuple(map(frozenset, found))


def _mark(found: list[set[str]], span: range, mark: str) -> None:
    for at in span:
        found[at].add(mark)


def _names_left_out(one: Taught, inside: set[int]) -> Iterator[int]:
    """Words in capitals, not at the beginning, that no piece of the form rests on."""
    rests = {at for first, last in copied(one) for at in range(first, last + 1)}
    for at, word in enumerate(one.words):
        name = len(word) > 1 and word[0].isupper() and word[1:].islower() and word.isalpha()
        if name and at not in rests and at not in inside and at > 0 and one.words[at - 1].isalpha():
            yield at
