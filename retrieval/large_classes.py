"""Classes with more texts than can be read ahead: chats of years, a million messages.

Their texts are not read, embedded or taken into memory as a whole. A search finds the ones with the query's words by
the index, the best of them are its candidates, and only these are embedded and classified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..ontology.namespaces import EV
from ..store.index.index import EventText, ValueIndex

MANY: Final = 10_000
"""Messages up to which all texts of a class are read ahead."""
MOST: Final = 400
"""Candidates that a search takes from the classes with more."""
MAY_BE_LARGE: Final = (EV + "ChatMessage", EV + "Message")
"""Classes that may have so many."""
_SEARCHED: Final = 2000
_COMMON: Final = 50
"""A value that more events have than this (a sender, a chat) says nothing of what was said."""


def large_classes(classes: Iterable[str], index: ValueIndex) -> tuple[str, ...]:
    """Those of the classes that have too many texts."""
    asked = frozenset(classes)
    return tuple(iri for iri, number in index.classes() if iri in asked and iri in MAY_BE_LARGE and number > MANY)


def found_in_large(classes: Sequence[str], words: Iterable[str], index: ValueIndex) -> tuple[EventText, ...]:
    """The events of such classes whose texts have most of the words (in stems), and the rarest."""
    if not classes:
        return ()
    ranked = index.with_any(sorted(words), limit=_SEARCHED)
    best = index.rare((value for value, _ in ranked), classes, most=_COMMON)[:MOST]
    return tuple(index.events_with(best, classes, limit=MOST))
