"""RETRIEVE's step 1, candidates with high recall, and what becomes of them: classified where there are classifiers,
else taken by their scores (ReQAP section 3.2.1; DESIGN section 3).

Candidates are events whose words or whose meaning come near the query, and texts in which a lexicon finds what it
finds in the query too (bacalhau for Portuguese food); of a life with few texts, all of these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..errors import ConfigError
from ..extraction.crowds import candidates_in, crowds
from ..extraction.documents import TEXT_CLASSES
from ..extraction.hints import Hints, hints_of
from ..models.encoder import Encoder
from ..store.index.index import EventText
from ..store.index.vectors import DenseIndex, open_dense
from ..store.words import normalise
from ..texts.hints import concepts
from .classify import SAID, Classifiers, Known, classify
from .judge import Scored, wanted
from .search import Hit, Scope, fused, lexical_scores, taken, tellers

if TYPE_CHECKING:
    from ..execution.context import RetrieveContext

LEXICAL: Final = "lexical"
"""What stands for the model where a search had none."""
FEW: Final = 5000
"""Texts up to which all are candidates: what was read of them is kept, so that classifying them costs little."""
_HELD: Final = "events of the latest search"
NEAR: Final = 0.25
"""Cosine of an event's nearest value from which on it is a candidate, as is every event that tells any word."""


@dataclass(frozen=True)
class Models:
    """What a search can use, and what to say of what is missing."""

    encoder: Encoder | None
    classifiers: Classifiers | None
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Names of the models, for provenance."""
        held = [self.encoder] if self.encoder else []
        own = [self.classifiers.events] if self.classifiers else []
        names = dict.fromkeys(model.name for model in (*held, *own))
        return " + ".join(names) or LEXICAL

    @property
    def identity(self) -> str:
        """Hash of all their weights."""
        parts = [self.encoder.identity] if self.encoder else []
        if self.classifiers:
            parts += [self.classifiers.events.identity]
            parts += [self.classifiers.patterns.identity] if self.classifiers.patterns else []
        if len(parts) <= 1:
            return parts[0] if parts else LEXICAL
        return f"sha256:{hashlib.sha256(' '.join(parts).encode()).hexdigest()}"


@dataclass(frozen=True)
class Search:
    """What a search found, and how, for its note."""

    hits: tuple[Hit, ...]
    how: str = ""


def find_models(context: RetrieveContext) -> Models:
    """The models that are there, and warnings for those that are not: words alone still find much."""
    try:
        encoder = context.encoder_factory()
    except ConfigError as missing:
        return Models(None, None, (f"searched by words only: {missing}",))
    if context.readers is None or not context.classify:
        return Models(encoder, None)
    try:
        return Models(encoder, Classifiers(context.readers.events, context.readers.patterns))
    except ConfigError as missing:
        return Models(encoder, None, (f"searched without classifiers: {missing}",))


def search(query: str, scope: Scope, models: Models, context: RetrieveContext) -> Search:
    """The events that a search finds, best first."""
    if models.classifiers is None:
        events, lexical, cosines = _scored(scope, models, context)
        return Search(taken(fused(events, lexical, cosines, context.weights)))
    found = classify(query, find_candidates(query, scope, models, context), models.classifiers, context)
    how = f" of {found.candidates} candidates, {found.patterns} patterns and {found.read} texts classified"
    return Search(found.hits, how)


def find_candidates(query: str, scope: Scope, models: Models, context: RetrieveContext) -> Known:
    """Step 1: all events of the scope that might be meant, and what the search knows of them."""
    events, lexical, cosines = _scored(scope.widened, models, context)
    scores = fused(events, lexical, cosines, context.weights)
    same = _told_alike(query, events, hints_of(context), context)
    possible = [(event, told) for event, told in zip(events, lexical, strict=True) if told >= 0]
    everything = sum(event.type in TEXT_CLASSES for event, _ in possible) <= FEW
    candidates = tuple(
        event for event, told in possible if told > 0 or event.iri in same or _is_near(event, cosines or {}, everything)
    )
    besides = _besides_names(scope.widened, [event for event, _ in possible], context)
    scored = {e.iri: Scored(scores[e.iri], t, b) for (e, t), b in zip(possible, besides, strict=True)}
    names = (name for need in scope.needs for name in context.people.names(need.group.words))
    return Known(candidates, scored, wanted(query, names, context), scope.named)


GENERAL: Final = frozenset(
    normalise(word)
    for word in (
        "class",
        "session",
        "visit",
        "evening",
        "night",
        "game",
        "time",
        "event",
        "appointment",
        "meeting",
        "date",
    )
)
"""Words for happenings of any kind: a text about pottery need not call it a class."""


def _besides_names(scope: Scope, events: Sequence[EventText], context: RetrieveContext) -> Sequence[float | None]:
    """How much each event tells of what the query says beside names and general words; None where it has none of
    these, or nothing else. Of a name alone, a part of it says nothing."""
    others = tuple(n for n in scope.needs if not n.required and normalise(n.group.words) not in GENERAL)
    if scope.needs and all(need.required for need in scope.needs):
        told = lexical_scores(scope, events, context.index, context.weights)
        return [score if score >= SAID else 0.0 for score in told]
    if not others or len(others) == len(scope.needs):
        return [None] * len(events)
    scores = lexical_scores(replace(scope, needs=others), events, context.index, context.weights)
    named = any(need.required for need in scope.needs)
    return [score if score > 0 or not named else -1.0 for score in scores]


def _scored(
    scope: Scope, models: Models, context: RetrieveContext
) -> tuple[tuple[EventText, ...], list[float], Mapping[int, float] | None]:
    """The scope's events, how much of the query the words of each tell, and cosines by value."""
    events = _events(scope, context)
    lexical = lexical_scores(scope, events, context.index, context.weights)
    if models.encoder is None or all(score < 0 for score in lexical):
        return events, lexical, None
    return events, lexical, _cosines(scope, events, models.encoder, context)


def _events(scope: Scope, context: RetrieveContext) -> tuple[EventText, ...]:
    """The scope's events with their texts; of classes that have too many, those whose words come near."""
    crowded = crowds(scope.classes, context.index)
    all_of = _all_events(tuple(iri for iri in scope.classes if iri not in crowded), context)
    return (*all_of, *candidates_in(crowded, scope.needs, context.index)) if crowded else all_of


def _all_events(classes: tuple[str, ...], context: RetrieveContext) -> tuple[EventText, ...]:
    """The events of classes; those of the latest search are kept for the next."""
    held = context.known.get(_HELD)
    if held is None or held[0] != classes:
        held = context.known[_HELD] = (classes, tuple(context.index.events_of(classes)))
    return held[1]


def embed_ahead(context: RetrieveContext) -> int:
    """Makes the vectors that searches will need, so that the first question need not wait; returns how many there are.

    Raises ConfigError where the encoder's weights are missing.
    """
    anything, _ = tellers(context.index, context.vocabulary)
    crowded = crowds(anything, context.index)
    return len(_dense(tuple(iri for iri in anything if iri not in crowded), context.encoder_factory(), context))


def _is_near(event: EventText, cosines: Mapping[int, float], everything: bool) -> bool:
    """Whether an event's meaning comes near enough; where there are few texts, all do."""
    if everything and event.type in TEXT_CLASSES:
        return True
    return any(cosines.get(value, 0.0) >= NEAR for _, value, _ in event.values)


def _told_alike(query: str, events: Sequence[EventText], hints: Hints, context: RetrieveContext) -> frozenset[str]:
    """Texts in which the lexicons find what they find in the query."""
    asked = frozenset(concepts(query, context.lexicon))
    return frozenset(e.iri for e in events if not asked.isdisjoint(hints.get(e.iri, ()))) if asked else frozenset()


def _cosines(scope: Scope, events: Sequence[EventText], encoder: Encoder, context: RetrieveContext) -> dict[int, float]:
    """Cosine of the query to each value of the scope, by value id; of crowded classes, to the candidates' values."""
    crowded = frozenset(crowds(scope.classes, context.index))
    classes = tuple(iri for iri in scope.classes if iri not in crowded)
    dense = context.once(("dense", classes, encoder.identity), lambda: _dense(classes, encoder, context))
    texts = {value: text for event in events if event.type in crowded for _, value, text in event.values}
    if not events or not (len(dense) or texts):
        return {}
    vector = context.cache.vectors([scope.text], identity=encoder.identity, encode=encoder.encode)[0]
    found = dense.scores(vector) if len(dense) else {}
    if texts:
        vectors = context.cache.vectors(list(texts.values()), identity=encoder.identity, encode=encoder.encode)
        found |= {value: float(cosine) for value, cosine in zip(texts, vectors @ vector, strict=True)}
    return found


def _dense(classes: Sequence[str], encoder: Encoder, context: RetrieveContext) -> DenseIndex:
    return open_dense(
        context.index_folder,
        context.index.of_classes(classes),
        context.cache,
        identity=encoder.identity,
        encode=encoder.encode,
        progress=context.progress,
    )
