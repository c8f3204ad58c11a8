"""RETRIEVE's steps 2 to 4 on the candidates of a search: patterns first, then the events that they leave open.

Source: ReQAP section 3.2.1. Texts are read with what lexicons and profile know of their words (texts/hints.py), and each
distinct text once, however many events have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..models.reader import EventClassifier, PatternClassifier
from ..models.verbalise import verbalise
from ..store.graph import Graph
from ..store.index import EventText, Progress
from ..store.vocabulary import Vocabulary
from .documents import TEXT_CLASSES, documents
from .patterns import distinct, record_line, sort_by_patterns
from .search import Hit
from .text_hints import Hints, with_hints

KEEP: Final = 0.5
"""Probability from which on an event is kept."""
_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Classifiers:
    """The models of steps 3 and 4; without `patterns` every candidate is classified by itself."""

    events: EventClassifier
    patterns: PatternClassifier | None


@dataclass(frozen=True)
class Classified:
    """What was kept, best first, and how: for the note."""

    hits: tuple[Hit, ...]
    candidates: int
    patterns: int
    read: int
    """Distinct lines that the event classifier saw."""


def classify(
    query: str,
    candidates: Sequence[EventText],
    classifiers: Classifiers,
    graph: Graph,
    vocabulary: Vocabulary,
    hints: Hints,
    progress: Progress | None = None,
) -> Classified:
    """Steps 2 to 4."""
    may_tell = frozenset(event.type for event in candidates) & TEXT_CLASSES.keys()
    found = (
        sort_by_patterns(query, candidates, may_tell, vocabulary, classifiers.patterns)
        if classifiers.patterns is not None
        else None
    )
    left = found.open if found else tuple(candidates)
    lines = lines_of(left, graph, vocabulary, hints)
    scores = relevance(query, tuple(distinct(lines.values())), classifiers.events, progress)
    hits = [Hit(event.iri, scores[lines[event.iri]]) for event in left if scores[lines[event.iri]] >= KEEP]
    kept = [Hit(event.iri, 1.0) for event in found.kept] if found else []
    ordered = sorted((*kept, *hits), key=lambda hit: (-hit.score, hit.event))
    return Classified(tuple(ordered), len(candidates), found.patterns if found else 0, len(scores))


def lines_of(events: Sequence[EventText], graph: Graph, vocabulary: Vocabulary, hints: Hints) -> dict[str, str]:
    """Each event as the classifier reads it, by IRI."""
    texts = with_hints(documents([e.iri for e in events if e.type in TEXT_CLASSES], graph), hints)
    return {
        event.iri: verbalise(texts[event.iri]).line if event.iri in texts else record_line(event, vocabulary)
        for event in events
    }


def relevance(
    query: str, lines: Sequence[str], classifier: EventClassifier, progress: Progress | None = None
) -> Mapping[str, float]:
    """Probability by line."""
    found: dict[str, float] = {}
    for start in range(0, len(lines), _AT_ONCE):
        if progress and len(lines) > _AT_ONCE:
            progress("read events", start, len(lines))
        chunk = lines[start : start + _AT_ONCE]
        scores = classifier.relevance([(query, line) for line in chunk])
        found.update(zip(chunk, scores.tolist(), strict=True))
    if progress and len(lines) > _AT_ONCE:
        progress("read events", len(lines), len(lines))
    return found
