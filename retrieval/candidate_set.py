"""What goes through RETRIEVE's stages: the search with its models, the events that it considers, and the line of text
in which the classifiers read an event or a pattern."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..errors import ConfigError
from ..execution.context import Table
from ..execution.derivations.derive import Hit
from ..extraction.documents import TEXT_CLASSES, documents
from ..extraction.hints import hints_of, with_hints
from ..models.encoder import Encoder
from ..models.reading.reader import EventClassifier, PatternClassifier, ReadsAhead
from ..models.reading.verbalise import verbalise, verbalise_pairs
from ..store.index.index import EventText, Progress
from ..store.vocabulary import Vocabulary
from .context import RetrieveContext
from .scope import Scope

LEXICAL: Final = "lexical"
"""What stands for the model where a search had none."""


@dataclass(frozen=True)
class SearchModels:
    """What a search can use, and warnings of what is missing. Without `events` the search's own scores decide; without
    `patterns` every candidate is classified by itself."""

    encoder: Encoder | None = None
    events: EventClassifier | None = None
    patterns: PatternClassifier | None = None
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Names of the models, for provenance."""
        names = dict.fromkeys(model.name for model in (self.encoder, self.events) if model is not None)
        return " + ".join(names) or LEXICAL

    @property
    def identity(self) -> str:
        """Hash of all their weights."""
        models = (self.encoder, self.events, self.patterns)
        parts = [model.identity for model in models if model is not None] or [LEXICAL]
        return parts[0] if len(parts) == 1 else f"sha256:{hashlib.sha256(' '.join(parts).encode()).hexdigest()}"


@dataclass(frozen=True)
class Search:
    """What is looked for, where, and with which models; the same in all stages. `told` are events that are meant
    whatever the search finds."""

    query: str
    scope: Scope
    models: SearchModels
    told: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Scores:
    """What stage 1 knows of an event: its fused score, and how much of the query its words tell."""

    fused: float
    told: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """A key-value pair of events of one class; the whole class (`prop` None)."""

    type: str
    prop: str | None = None
    value: int | None = None
    text: str = ""


@dataclass(frozen=True)
class CandidateSet:
    """The events of a search between two stages. A stage takes one and returns another; it changes nothing else.

    | after the stage | `open` | `kept` |
    |---|---|---|
    | 1 candidates | all events that might be meant | what is told already |
    | 2 patterns | the same, and their `patterns` | the same |
    | 3 classify patterns | events that no pattern decided | also those of relevant patterns |
    | 4 classify events | none | all events that are meant |
    | 5 occurrences | none | these, and what tells of the same happenings |
    """

    search: Search
    open: tuple[EventText, ...]
    """Events that no stage decided yet."""
    scores: Mapping[str, Scores] = field(default_factory=dict)
    """What stage 1 knows of each event, by IRI."""
    kept: tuple[Hit, ...] = ()
    """Events that are meant."""
    patterns: tuple[Pattern, ...] = ()
    """Key-value pairs that many of the events have."""
    candidates: int = 0
    """How many events stage 1 found."""
    read: int = 0
    """How many distinct lines the event classifier read."""


def find_models(context: RetrieveContext) -> SearchModels:
    """The models that are there, and warnings for those that are not: words alone still find much."""
    try:
        encoder = context.encoder_factory()
    except ConfigError as missing:
        return SearchModels(warnings=(f"searched by words only: {missing}",))
    if context.readers is None or not context.classify:
        return SearchModels(encoder)
    try:
        return SearchModels(encoder, context.readers.events, context.readers.patterns)
    except ConfigError as missing:
        return SearchModels(encoder, warnings=(f"searched without classifiers: {missing}",))


def best_of(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each event once, with its best score, best first."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.event] = max(hit.score, best.get(hit.event, 0.0))
    return tuple(Hit(event, score) for event, score in sorted(best.items(), key=lambda entry: (-entry[1], entry[0])))


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
    if len(lines) > _AT_ONCE and isinstance(classifier, ReadsAhead):
        classifier.read_ahead(lines, progress)
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
