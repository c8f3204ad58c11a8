"""RETRIEVE's steps 2 and 3: frequent key-value pairs and whole sources among the candidates, classified before events
are.

A pattern that is wholly irrelevant drops its events, one that is wholly relevant keeps them; the others' events are
classified one by one. Source: ReQAP section 3.2.1, steps 2 and 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..models.reading.reader import PatternClassifier
from ..models.reading.verbalise import verbalise_pairs
from ..store.index.index import EventText
from ..store.vocabulary import Vocabulary, key_label

FREQUENT: Final = 0.01
"""Share of the candidates from which on a key-value pair is a pattern."""
LEAST: Final = 8
"""Candidates that a pattern has at least: fewer are as quickly classified themselves."""
_MOST: Final = 200
_COMMON: Final = 0.3
"""Share of a class's events from which on a value is no pattern of a class that may tell of anything."""
_LONGEST: Final = 80
"""Signs of the longest value that can be a pattern's."""
SURE: Final = 0.8
"""Probability from which on a whole source is taken for irrelevant."""
SURER: Final = 0.97
"""The same for a key-value pair, which is also taken for relevant then, if it says what an event is about."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A key-value pair of events of one class; the whole class (`prop` None)."""

    type: str
    prop: str | None = None
    value: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Sorted:
    """Candidates after their patterns were classified: kept, or open; and how many patterns these were."""

    kept: tuple[EventText, ...]
    open: tuple[EventText, ...]
    patterns: int


def find_patterns(events: Sequence[EventText], may_tell: frozenset[str], vocabulary: Vocabulary) -> tuple[Pattern, ...]:
    """Frequent key-value pairs, most frequent first, after one pattern for each class of a source that tells of one
    kind of thing. Classes of `may_tell` tell of anything: nothing can be said of them as a whole, nor by a value that
    most of their events have, nor by a key that says nothing of what an event is about (the status of a calendar
    entry)."""
    classes = Counter(event.type for event in events)
    pairs = Counter((event.type, pair) for event in events for pair in event.values)
    least = max(LEAST, round(FREQUENT * len(events)))
    frequent = [
        p
        for p, n in ((Pattern(kind, *pair), n) for (kind, pair), n in pairs.most_common(_MOST))
        if n >= least
        and len(p.text) <= _LONGEST
        and (p.type not in may_tell or (n <= _COMMON * classes[p.type] and _tells(p, vocabulary)))
    ]
    return (*(Pattern(iri) for iri in sorted(classes) if iri not in may_tell), *frequent)


def sort_by_patterns(
    query: str,
    events: Sequence[EventText],
    may_tell: frozenset[str],
    vocabulary: Vocabulary,
    classifier: PatternClassifier | None,
) -> Sorted:
    """Candidates that are kept, dropped or left open by the patterns that they are of; what keeps loses against what
    drops, since a second key may say otherwise."""
    patterns = find_patterns(events, may_tell, vocabulary) if classifier is not None else ()
    if classifier is None or not patterns:
        return Sorted((), tuple(events), 0)
    scores = classifier.patterns([(query, pattern_line(pattern, vocabulary)) for pattern in patterns])
    rated = list(zip(patterns, scores.tolist(), strict=True))
    none = _keys(p for p, (no, _, _) in rated if no >= (SURE if p.prop is None else SURER))
    whole = _keys(p for p, (_, _, yes) in rated if yes >= SURER and p.type in may_tell and _says_what(p, vocabulary))
    kept, left = [], []
    for event in events:
        own = [(event.type, None), *((event.type, pair) for pair in event.values)]
        if none.isdisjoint(own):
            (left if whole.isdisjoint(own) else kept).append(event)
    return Sorted(tuple(kept), tuple(left), len(patterns))


def _keys(patterns: Iterable[Pattern]) -> set[tuple[str, tuple[str, int, str] | None]]:
    """Patterns as the class and pair by which events have them; a whole class has no pair."""
    return {(p.type, None if p.prop is None or p.value is None else (p.prop, p.value, p.text)) for p in patterns}


def _tells(pattern: Pattern, vocabulary: Vocabulary) -> bool:
    """Whether a key says what an event is about, where it was, or from whom it is."""
    info = vocabulary.properties.get(pattern.prop or "")
    return info is not None and (info.topical or bool(info.cue_words))


def _says_what(pattern: Pattern, vocabulary: Vocabulary) -> bool:
    info = vocabulary.properties.get(pattern.prop or "")
    return info is not None and info.topical


def pattern_line(pattern: Pattern, vocabulary: Vocabulary) -> str:
    """A pattern as the classifier reads it: "source = music streams", "workout: workout type = running"."""
    kind = class_name(pattern.type, vocabulary)
    if pattern.prop is None:
        return f"source = {kind}s"
    return verbalise_pairs(kind, [(property_name(pattern.prop, vocabulary), pattern.text)])


def record_line(event: EventText, vocabulary: Vocabulary) -> str:
    """A record as the event classifier reads it; the same form as a pattern."""
    pairs = [(property_name(prop, vocabulary), text[:_LONGEST]) for prop, _, text in event.values]
    return verbalise_pairs(class_name(event.type, vocabulary), pairs)


def class_name(iri: str, vocabulary: Vocabulary) -> str:
    """How a class is called in a line."""
    info = vocabulary.classes.get(iri)
    return info.label if info else iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def property_name(iri: str, vocabulary: Vocabulary) -> str:
    """How a key is called in a line."""
    info = vocabulary.properties.get(iri)
    return info.label if info else key_label(iri) or iri
