"""Stage 2 of RETRIEVE: patterns, the frequent key-value pairs and the whole sources among the candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..extraction.documents import TEXT_CLASSES
from ..store.index.index import EventText
from ..store.vocabulary import Vocabulary
from .candidate_set import CandidateSet, Pattern
from .context import RetrieveContext

FREQUENT: Final = 0.01
"""Share of the candidates from which on a key-value pair is a pattern."""
LEAST: Final = 8
"""Candidates that a pattern has at least: fewer are as quickly classified themselves."""
_MOST: Final = 200
_COMMON: Final = 0.3
"""Share of a class's events from which on a value is no pattern of a class that may tell of anything."""
_LONGEST: Final = 80
"""Signs of the longest value that can be a pattern's."""


def find_patterns(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The candidates with their patterns; with none where no model could classify them."""
    if found.search.models.patterns is None:
        return found
    return replace(found, patterns=patterns_of(found.open, context.vocabulary))


def patterns_of(events: Sequence[EventText], vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    """Frequent key-value pairs, most frequent first, after one pattern for each class of a source that tells of one
    kind of thing. Of texts, which may tell of anything, nothing can be said as a whole, nor by a value that most of
    them have, nor by a key that says nothing of what an event is about (the status of a calendar entry)."""
    classes = Counter(event.type for event in events)
    pairs = Counter((event.type, pair) for event in events for pair in event.values)
    least = max(LEAST, round(FREQUENT * len(events)))
    frequent = [
        p
        for p, n in ((Pattern(kind, *pair), n) for (kind, pair), n in pairs.most_common(_MOST))
        if n >= least
        and len(p.text) <= _LONGEST
        and (p.type not in TEXT_CLASSES or (n <= _COMMON * classes[p.type] and _tells(p, vocabulary)))
    ]
    return (*(Pattern(iri) for iri in sorted(classes) if iri not in TEXT_CLASSES), *frequent)


def _tells(pattern: Pattern, vocabulary: Vocabulary) -> bool:
    """Whether a key says what an event is about, where it was, or from whom it is."""
    info = vocabulary.properties.get(pattern.prop or "")
    return info is not None and (info.topical or bool(info.cue_words))
