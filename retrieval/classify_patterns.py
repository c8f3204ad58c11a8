"""Stage 3 of RETRIEVE: patterns are classified before events are.

A pattern that is wholly irrelevant drops its events, one that is wholly relevant keeps them; the others' events stay
open, to be classified one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ..execution.derivations.derive import Hit
from ..extraction.documents import TEXT_CLASSES
from ..store.vocabulary import Vocabulary
from .candidate_set import CandidateSet, Pattern, best_of
from .context import RetrieveContext
from .lines import pattern_line

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
