"""Stages 2 and 3 of RETRIEVE: patterns, the frequent key-value pairs and the whole sources among the candidates, are
found and classified before events are.

A pattern that is wholly irrelevant drops its events, one that is wholly relevant keeps them; the others' events stay
open, to be classified one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..execution.derivations.derive import Hit
from ..extraction.documents import TEXT_CLASSES
from ..store.index.index import EventText
from ..store.vocabulary import Vocabulary
from .candidate_set import CandidateSet, Pattern, best_of, pattern_line
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


SURE: Final = 0.8
"""Probability from which on a whole source is taken for irrelevant."""
SURER: Final = 0.97
"""The same for a key-value pair, which is also taken for relevant then, if it says what an event is about."""


def classify_patterns(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The candidates that no pattern decided, and those that one keeps; what keeps loses against what drops, since a
    second key may say otherwise."""
    classifier, vocabulary = found.search.models.patterns, context.vocabulary
    if classifier is None or not found.patterns:
        return found
    scores = classifier.patterns([(found.search.query, pattern_line(p, vocabulary)) for p in found.patterns])
    rated = list(zip(found.patterns, scores.tolist(), strict=True))
    none = _keys(p for p, (no, _, _) in rated if no >= (SURE if p.prop is None else SURER))
    whole = _keys(p for p, (_, _, yes) in rated if yes >= SURER and _decides(p, vocabulary))
    kept, left = [], []
    for event in found.open:
        own = [(event.type, None), *((event.type, pair) for pair in event.values)]
        if none.isdisjoint(own):
            (left if whole.isdisjoint(own) else kept).append(event)
    hits = best_of((*found.kept, *(Hit(event.iri, 1.0) for event in kept)))
    return replace(found, open=tuple(left), kept=hits)


def _keys(patterns: Iterable[Pattern]) -> set[tuple[str, tuple[str, int, str] | None]]:
    """Patterns as the class and pair by which events have them; a whole class has no pair."""
    return {(p.type, None if p.prop is None or p.value is None else (p.prop, p.value, p.text)) for p in patterns}


def _decides(pattern: Pattern, vocabulary: Vocabulary) -> bool:
    """Whether a relevant pattern alone keeps its events: one of a text, whose key says what the text is about."""
    info = vocabulary.properties.get(pattern.prop or "")
    return pattern.type in TEXT_CLASSES and info is not None and info.topical
