"""EXTRACT from texts: the values of one key in many documents, each with the words that say it and how sure it is.

Source: ReQAP section 3.2.2. Candidates come from lexicon cues, people, times and sums of the text,
from fields of the record, from what the person's other records hold and from the words that a reader marks; the surest
is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..operators.nodes import AttributeType
from ..store.words import fold
from ..texts.document import Document
from .context import Texts
from .keys import TextKey, ValueKind
from .page import Found, Page
from .readers.agreement import AGREEING, agreed
from .readers.concepts import by_date, by_profile, concepts, nearest, shaped
from .readers.health import doctors
from .readers.people import participants, person
from .readers.phrases import phrase
from .readers.places import activity, marked, place
from .readers.quantities import quantity
from .readers.towns import local_cuisine, towns

LEAST: Final = 0.4
"""How sure a value must be to be taken."""
SURE: Final = 0.84
"""How sure a value must be for the reader not to be asked."""
METHOD: Final = "7"
"""Changes when the same text may give another value."""
_NEVER_MARKED: Final = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME, ValueKind.CURRENCY})
_MEASURES: Final = frozenset({ValueKind.MONEY, ValueKind.DISTANCE, ValueKind.DURATION})
_MEASURED: Final = 0.25
"""A measure that a text states is rarely another's; what it is of is what may be unsure."""
_OF_LIST: Final = 0.45
_OF_MARKS: Final = 0.6
"""How sure a value is that only the reader marks, as a part of its score; fitted on four lives that it had not seen."""


def read_values(
    documents: Sequence[Document], key: TextKey, kind: AttributeType, texts: Texts
) -> dict[str, tuple[Found, ...]]:
    """Values by event, of those documents that say any; of a key of one value at most one."""
    pages = texts.pages(documents, key)
    found = {page.document.event: _taken(_candidates(page, key), key, kind) for page in pages}
    if texts.tagger is not None:
        unsure = [page for page in pages if not _is_sure(page, key, found[page.document.event])]
        texts.mark(unsure, key.question)
        found |= {page.document.event: _taken(_candidates(page, key), key, kind) for page in unsure}
    if key.kind is ValueKind.CONCEPT and texts.encode is not None:
        found |= nearest([page for page in pages if not found[page.document.event]], key, texts)
    if key.read_as in AGREEING:
        found = agreed(pages, found, texts.everything(), key)
    return {event: values for event, values in found.items() if values}


def _is_sure(page: Page, key: TextKey, found: Sequence[Found]) -> bool:
    """Whether the reader need not be asked: all values are sure, and nothing else could be one."""
    if key.kind in _NEVER_MARKED:
        return True
    if key.kind is ValueKind.PEOPLE:
        named = {name for mention in page.said for name in mention.names}
        return (
            page.is_entry and bool(found) and all(one.confidence >= SURE for one in found) and len(named) == len(found)
        )
    return not key.multiple and bool(found) and all(one.confidence >= SURE for one in found)


def _candidates(page: Page, key: TextKey) -> tuple[Found, ...]:
    """What rules and lexicons find, and what the reader marks."""
    said = (replace(one, confidence=one.confidence * _OF_MARKS) for one in marked(page, key, key.question))
    return (*_by_rules(page, key), *said)


def _by_rules(page: Page, key: TextKey) -> tuple[Found, ...]:
    question = key.question
    reader = _READERS.get(key.read_as or "")
    if reader is not None:
        return tuple(reader(page, key, question))
    match key.kind:
        case ValueKind.PEOPLE:
            return participants(page, question)
        case ValueKind.PERSON:
            return person(page, key, question)
        case ValueKind.PLACE:
            return (*phrase(page, key, question), *place(page, question))
        case ValueKind.CONCEPT:
            return (*concepts(page, key, question), *(by_date(page, key) if key.by_date else ()))
        case ValueKind.PHRASE:
            return phrase(page, key, question)
        case _:
            return quantity(page, key, question)


def _towns(page: Page, _key: TextKey, _question: str) -> tuple[Found, ...]:
    return towns(page)


def _places(page: Page, _key: TextKey, question: str) -> tuple[Found, ...]:
    return place(page, question)


def _milestones(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    return (*concepts(page, key, question), *by_profile(page, key))


def _cuisines(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    return (*concepts(page, key, question), *local_cuisine(page, key))


_READERS: Final[Mapping[str, Callable[[Page, TextKey, str], Iterable[Found]]]] = {
    "town": _towns,
    "place": _places,
    "accommodation": phrase,
    "activity": activity,
    "doctor": doctors,
    "milestone": _milestones,
    "cuisine": _cuisines,
}
"""By what `ev:readAs` names; readers of phrases stand in `readers/phrases.py`, of a person in `readers/people.py`."""


def _taken(candidates: Sequence[Found], key: TextKey, kind: AttributeType) -> tuple[Found, ...]:
    """The candidates that are sure enough: all of a list, else the best; else what is meant where nothing is said."""
    several = key.multiple or kind is AttributeType.LIST
    if several:
        return _list(candidates, _OF_LIST)
    best = max(candidates, key=lambda found: found.confidence, default=None)
    if best is not None and best.confidence >= (_MEASURED if key.kind in _MEASURES else LEAST):
        return (best,)
    if key.otherwise and key.kind is ValueKind.CONCEPT:
        return (Found(shaped(key.otherwise, key), 0, 0, LEAST, ""),)
    return ()


def _list(candidates: Sequence[Found], least: float) -> tuple[Found, ...]:
    """Each value once, in the order of the text; none inside another."""
    kept: list[Found] = []
    for one in sorted(candidates, key=lambda found: (-found.confidence, found.start)):
        same = any(fold(str(other.value)) == fold(str(one.value)) for other in kept)
        inside = any(other.start < one.end and one.start < other.end for other in kept if other.end)
        if (
            one.confidence >= least
            and not same
            and (
                not inside or one.end == 0 or (isinstance(one.value, str) and " " in one.value and one.confidence > 0.9)
            )
        ):
            kept.append(one)
    return tuple(sorted(kept, key=lambda found: found.start))
