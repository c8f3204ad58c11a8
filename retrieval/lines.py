"""Patterns and events as the classifiers read them: one line of text each.

Texts are read with what lexicons and profile know of their words (texts/hints.py), and each distinct line once, however
many events have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..execution.context import Table
from ..extraction.documents import TEXT_CLASSES, documents
from ..extraction.hints import hints_of, with_hints
from ..models.reading.reader import EventClassifier
from ..models.reading.verbalise import verbalise, verbalise_pairs
from ..store.index.index import EventText, Progress
from ..store.vocabulary import Vocabulary
from .candidate_set import Pattern
from .context import RetrieveContext

_LONGEST: Final = 80
"""Signs of a record's value that are read."""
_AT_ONCE: Final = 256
LINES: Final = Table[str, str]("lines of texts")
"""The line of each text that was read."""
_MOST_LINES: Final = 50_000
"""Lines of texts that are kept."""


def lines_of(events: Sequence[EventText], context: RetrieveContext) -> dict[str, str]:
    """The line of each event, by IRI; those of texts are kept while the store is open."""
    read = context.known[LINES]
    new = [e.iri for e in events if e.type in TEXT_CLASSES and e.iri not in read]
    if new and len(read) + len(new) > _MOST_LINES:
        read.clear()
        new = [e.iri for e in events if e.type in TEXT_CLASSES]
    texts = with_hints(documents(new, context.graph), hints_of(context)) if new else {}
    read.update((iri, verbalise(text).line) for iri, text in texts.items())
    return {event.iri: read.get(event.iri) or record_line(event, context.vocabulary) for event in events}


def classify_lines(
    query: str, lines: Sequence[str], classifier: EventClassifier, progress: Progress | None = None
) -> Mapping[str, float]:
    """The probability that a line is meant by the query, by line."""
    found: dict[str, float] = {}
    told = progress if len(lines) > _AT_ONCE else None
    for start in range(0, len(lines), _AT_ONCE):
        if told:
            told("read events", start, len(lines))
        chunk = lines[start : start + _AT_ONCE]
        scores = classifier.relevance([(query, line) for line in chunk])
        found.update(zip(chunk, scores.tolist(), strict=True))
    if told:
        told("read events", len(lines), len(lines))
    return found


def pattern_line(pattern: Pattern, vocabulary: Vocabulary) -> str:
    """A pattern: "source = music streams", "workout: workout type = running"."""
    kind = class_name(pattern.type, vocabulary)
    if pattern.prop is None:
        return f"source = {kind}s"
    return verbalise_pairs(kind, [(property_name(pattern.prop, vocabulary), pattern.text)])


def record_line(event: EventText, vocabulary: Vocabulary) -> str:
    """A record; the same form as a pattern."""
    pairs = [(property_name(prop, vocabulary), text[:_LONGEST]) for prop, _, text in event.values]
    return verbalise_pairs(class_name(event.type, vocabulary), pairs)


def class_name(iri: str, vocabulary: Vocabulary) -> str:
    """How a class is called in a line."""
    info = vocabulary.classes.get(iri)
    return info.label if info else iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def property_name(iri: str, vocabulary: Vocabulary) -> str:
    """How a key is called in a line."""
    return vocabulary.property_label(iri) or iri
