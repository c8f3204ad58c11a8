"""Stage 1 of RETRIEVE: candidates with high recall.

Candidates are events whose words or whose meaning come near the query, and texts in which a lexicon finds what it
finds in the query too (bacalhau for Portuguese food); of a life with few texts, all of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..execution.context import Table
from ..extraction.documents import TEXT_CLASSES, large_classes
from ..extraction.hints import hints_of
from ..models.encoder import Encoder
from ..store.index.index import EventText, ValueIndex
from ..store.index.vectors import DenseIndex, open_dense
from ..texts.hints import concepts
from .candidate_set import CandidateSet, Scores, Search
from .context import RetrieveContext
from .scope import Scope, tellers
from .scoring import fused, lexical_scores

FEW: Final = 5000
"""Texts up to which all are candidates: what was read of them is kept, so that classifying them costs little."""
NEAR: Final = 0.25
"""Cosine of an event's nearest value from which on it is a candidate, as is every event that tells any word."""
MOST: Final = 400
"""Candidates that a search takes from the classes with too many texts to be read ahead."""
_SEARCHED: Final = 2000
_COMMON: Final = 50
"""A value that more events have than this (a sender, a chat) says nothing of what was said."""
_LATEST: Final = Table[None, tuple[tuple[str, ...], tuple[EventText, ...]]]("events of the latest search")
"""Classes that can all be read, and their events."""
_DENSE: Final = Table[tuple[tuple[str, ...], str], DenseIndex]("dense indexes")
"""By classes and encoder."""

Cosines = Mapping[int, float]
"""Cosine of the query to a value, by value id."""


def find_candidates(search: Search, context: RetrieveContext) -> CandidateSet:
    """All events of the scope that might be meant, with their scores."""
    decided = search.models.events is not None
    scope = search.scope.widened if decided else search.scope
    events = _events(scope, context)
    told = lexical_scores(scope, events, context.index)
    cosines = _cosines(scope, events, search.models.encoder, context) if any(t >= 0 for t in told) else None
    near = fused(events, told, cosines)
    possible = [(event, share) for event, share in zip(events, told, strict=True) if share >= 0]
    scores = {event.iri: Scores(near[event.iri], told) for event, told in possible}
    alike = _told_alike(search.query, events, context) if decided else frozenset[str]()
    everything = sum(event.type in TEXT_CLASSES for event, _ in possible) <= FEW
    found = tuple(
        event
        for event, share in possible
        if share > 0 or event.iri in alike or _is_near(event, cosines or {}, everything)
    )
    return CandidateSet(search, found, scores, kept=search.told, candidates=len(found))


def embed_ahead(context: RetrieveContext) -> int:
    """Makes the vectors that searches will need, so that the first question need not wait; returns how many there are.

    Raises ConfigError where the encoder's weights are missing.
    """
    anything, _ = tellers(context.index, context.vocabulary)
    return len(_dense(_small(anything, context), context.encoder_factory(), context))


def _events(scope: Scope, context: RetrieveContext) -> tuple[EventText, ...]:
    """The scope's events with their texts; of classes that are too large, those whose words come near."""
    small = _small(scope.classes, context)
    held = context.known[_LATEST].get(None)
    if held is None or held[0] != small:  # those of the latest search are kept for the next
        held = context.known[_LATEST][None] = (small, tuple(context.index.events_of(small)))
    words = {w for need in scope.needs for w in (*need.group.same, *need.group.kinds, *need.group.hints)}
    return (*held[1], *found_in_large(large_classes(scope.classes, context.index), words, context.index))


def found_in_large(classes: Sequence[str], words: Iterable[str], index: ValueIndex) -> tuple[EventText, ...]:
    """The events of large classes whose texts have most of the words (in stems), and the rarest."""
    if not classes:
        return ()
    ranked = index.with_any(sorted(words), limit=_SEARCHED)
    best = index.rare((value for value, _ in ranked), classes, most=_COMMON)[:MOST]
    return tuple(index.events_with(best, classes, limit=MOST))


def _small(classes: Sequence[str], context: RetrieveContext) -> tuple[str, ...]:
    """The classes whose events can all be read."""
    large = large_classes(classes, context.index)
    return tuple(iri for iri in classes if iri not in large)


def _is_near(event: EventText, cosines: Cosines, everything: bool) -> bool:
    """Whether an event's meaning comes near enough; where there are few texts, all do."""
    if everything and event.type in TEXT_CLASSES:
        return True
    return any(cosines.get(value, 0.0) >= NEAR for _, value, _ in event.values)


def _told_alike(query: str, events: Sequence[EventText], context: RetrieveContext) -> frozenset[str]:
    """Texts in which the lexicons find what they find in the query."""
    hints = hints_of(context)
    asked = frozenset(concepts(query, context.lexicon))
    return frozenset(e.iri for e in events if not asked.isdisjoint(hints.get(e.iri, ())))


def _cosines(
    scope: Scope, events: Sequence[EventText], encoder: Encoder | None, context: RetrieveContext
) -> Cosines | None:
    """Cosines of the scope's values, of large classes those of the events that were found; None without a model."""
    if encoder is None:
        return None
    small = _small(scope.classes, context)
    dense = context.once(_DENSE, (small, encoder.identity), lambda: _dense(small, encoder, context))
    texts = {value: text for event in events if event.type not in small for _, value, text in event.values}
    if not (len(dense) or texts):
        return {}
    vector = context.cache.vectors([scope.text], identity=encoder.identity, encode=encoder.encode)[0]
    found = dense.scores(vector) if len(dense) else {}
    if not texts:
        return found
    vectors = context.cache.vectors(list(texts.values()), identity=encoder.identity, encode=encoder.encode)
    return found | {value: float(cosine) for value, cosine in zip(texts, vectors @ vector, strict=True)}


def _dense(classes: Sequence[str], encoder: Encoder, context: RetrieveContext) -> DenseIndex:
    return open_dense(
        context.index_folder,
        context.index.of_classes(classes),
        context.cache,
        identity=encoder.identity,
        encode=encoder.encode,
        progress=context.progress,
    )
