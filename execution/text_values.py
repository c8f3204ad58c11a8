"""EXTRACT from texts: the values of one key in many documents, each with the words that say it and how sure it is.

Source: ReQAP section 3.2.2; DESIGN section 3. Candidates come from lexicon cues, people, times and sums of the text, from
fields of the record, from what the person's other records hold and from the words that a reader marks; the surest is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from ..ontology.namespaces import EV
from ..operators.nodes import AttributeType
from ..store.words import fold
from ..texts.document import Document
from .keys import TextKey, ValueKind
from .text_activities import activity
from .text_concepts import concepts, shaped
from .text_context import Texts
from .text_page import Found, Page
from .text_people import participants, person
from .text_phrases import phrase
from .text_places import place, towns
from .text_quantities import quantity

LEAST: Final = 0.4
"""How sure a value must be to be taken."""
_OF_LIST: Final = 0.45
_BY_LIST: Final = frozenset({"city", "trip destination", "country"})


def read_values(
    documents: Sequence[Document], key: TextKey, kind: AttributeType, texts: Texts
) -> dict[str, tuple[Found, ...]]:
    """Values by event, of those documents that say any; of a key of one value at most one."""
    pages = texts.pages(documents, key)
    found = {page.document.event: _taken(_candidates(page, key), page, key, kind) for page in pages}
    if key.name == "cuisine":
        found = _by_place(pages, found)
    return {event: values for event, values in found.items() if values}


def _candidates(page: Page, key: TextKey) -> tuple[Found, ...]:
    question = key.question
    match key.kind:
        case ValueKind.PEOPLE:
            return participants(page, key, question)
        case ValueKind.PERSON:
            return person(page, key, question)
        case ValueKind.PLACE:
            return (
                (*phrase(page, key, question), *place(page, key, question))
                if key.name != "place"
                else place(page, key, question)
            )
        case ValueKind.CONCEPT:
            return _concept(page, key, question)
        case ValueKind.PHRASE:
            return phrase(page, key, question)
        case _:
            return quantity(page, key, question)


def _concept(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    if key.name in ("city", "trip destination"):
        return towns(page)
    if key.name == "activity":
        return activity(page, key, question)
    found = concepts(page, key, question)
    if key.name == "country":
        return tuple(one for one in found if one.confidence >= 0.5)
    return found


def _taken(candidates: Sequence[Found], page: Page, key: TextKey, kind: AttributeType) -> tuple[Found, ...]:
    """The candidates that are sure enough: all of a list, else the best; else what is meant where nothing is said."""
    several = key.multiple or kind is AttributeType.LIST
    if several:
        return _list(candidates, _OF_LIST)
    best = max(candidates, key=lambda found: found.confidence, default=None)
    if best is not None and best.confidence >= LEAST:
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
            and (not inside or one.end == 0 or isinstance(one.value, str) and " " in one.value and one.confidence > 0.9)
        ):
            kept.append(one)
    return tuple(sorted(kept, key=lambda found: found.start))


def _by_place(pages: Sequence[Page], found: Mapping[str, tuple[Found, ...]]) -> dict[str, tuple[Found, ...]]:
    """Where a text does not say the cuisine, that of most other visits to the same place."""
    return dict(found)
