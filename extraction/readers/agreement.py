"""What other texts of the person tell of the same place or doctor, where one text does not.

A restaurant has one cuisine and a doctor one specialty: an entry that names only the restaurant or doctor is read as
most others that say more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...store.words import fold
from ..keys import TextKey, ValueKind
from ..page import Found, Page
from .concepts import concepts
from .food import MEALS
from .health import doctors
from .phrases import phrase
from .places import HOME, place

AGREEING: Final = frozenset({"cuisine", "doctor"})
_DOCTOR: Final = TextKey("doctor name", ValueKind.PHRASE, read_as="doctor name")
_SURE: Final = 0.55
_OUTVOTED: Final = 0.88
"""How sure a value may be to be outvoted by the other texts."""
_SHARE: Final = 0.6


def agreed(
    pages: Sequence[Page], found: Mapping[str, tuple[Found, ...]], everything: Iterable[Page], key: TextKey
) -> dict[str, tuple[Found, ...]]:
    """The values with those of texts that say none or one that the others do not."""
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for page in everything:
        whom = _of_whom(page, key)
        best = next(iter(_say(page, key)), None) if whom else None
        if best is not None and best.confidence >= _SURE:
            votes[whom][str(best.value)] += _weight(best, page)
    read = dict(found)
    for page in pages:
        own = read.get(page.document.event, ())
        if (own and own[0].confidence >= _OUTVOTED) or not (own or _concerns(page, key)):
            continue
        whom = _of_whom(page, key)
        if whom and votes.get(whom):
            value, count = max(votes[whom].items(), key=lambda entry: (entry[1], entry[0]))
            if count >= _SHARE * sum(votes[whom].values()) and (not own or count > 1):
                read[page.document.event] = (_borrowed(value, own),)
    return read


def _weight(found: Found, page: Page) -> int:
    """How much a text's word counts: more where it names the cuisine ("Irish stew"), or one that the person likes."""
    named = fold(str(found.value)) in fold(found.evidence)
    return 1 + (3 if named else 0) + (1 if str(found.value) in page.life.liked else 0)


def _concerns(page: Page, key: TextKey) -> bool:
    """Whether a text is about what the key is of: a meal for a cuisine."""
    if key.read_as != "cuisine":
        return True
    return any(cue.key != "activity" or cue.value in MEALS for cue in page.cues_of("dish_kind", "meal", "activity"))


def _borrowed(value: str, own: Sequence[Found]) -> Found:
    same = next((one for one in own if one.value == value), None)
    return same or Found(value, 0, 0, 0.6, "")


def _say(page: Page, key: TextKey) -> tuple[Found, ...]:
    return doctors(page, key, "") if key.read_as == "doctor" else concepts(page, key, "")


def _of_whom(page: Page, key: TextKey) -> str:
    """The doctor's name, or the restaurant."""
    if key.read_as == "doctor":
        named = next(iter(phrase(page, _DOCTOR, "")), None)
        return fold(str(named.value)) if named is not None and named.confidence >= _SURE else ""
    where = next(iter(place(page, "")), None)
    known = where is not None and where.confidence >= _SURE and where.value != HOME
    return fold(str(where.value)) if known and where is not None else ""
