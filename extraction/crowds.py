"""Classes with more texts than can be read ahead: chats of years, a million messages.

Their texts are not read, embedded or taken into memory as a whole. A search finds the ones with the query's words by
the index, the best of them are its candidates, and only these are embedded and classified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ..ontology.namespaces import EV
from ..store.index.index import EventText, ValueIndex

if TYPE_CHECKING:
    from ..retrieval.search import Need

MANY: Final = 10_000
"""Messages up to which all texts of a class are read ahead."""
MOST: Final = 400
"""Candidates that a search takes from the classes with more."""
_SEARCHED: Final = 2000
_COMMON: Final = 50
"""A value that more events have than this (a sender, a chat) says nothing of what was said."""
CROWDED: Final = (EV + "ChatMessage", EV + "Message")
"""Classes that may be so large."""


def crowds(classes: Iterable[str], index: ValueIndex) -> tuple[str, ...]:
    """Those of the classes that have too many texts."""
    asked = frozenset(classes)
    return tuple(iri for iri, number in index.classes() if iri in asked and iri in CROWDED and number > MANY)


def candidates_in(classes: Sequence[str], needs: Sequence[Need], index: ValueIndex) -> tuple[EventText, ...]:
    """The events of such classes whose texts have most of the needed words, and the rarest."""
    said = {word for need in needs for word in (*need.group.same, *need.group.kinds, *need.group.hints)}
    ranked = index.with_any(sorted(said), limit=_SEARCHED)
    best = index.rare((value for value, _ in ranked), classes, most=_COMMON)[:MOST]
    return tuple(index.events_with(best, classes, limit=MOST))
