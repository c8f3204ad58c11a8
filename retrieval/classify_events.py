"""Stage 4 of RETRIEVE: what no pattern decided is classified event by event.

A text is kept by its relevance score (`relevance_score.py`), a record by the score of the search where the query names
its class, else by the classifier. Without a classifier the search's scores decide all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..execution.context import RetrieveContext
from ..extraction.documents import TEXT_CLASSES
from ..extraction.facts import facts_of
from ..extraction.readers.food import MEALS
from ..ontology.namespaces import EV
from ..store.index.index import EventText
from .candidate_set import CandidateSet, Scores
from .hits import Hit, best_of
from .lines import classify_lines, lines_of
from .relevance_score import KEEP as LEAST
from .relevance_score import features, wanted, weighed
from .scoring import SAID, TAKEN

KEEP: Final = 0.5
"""Probability from which on a record is kept."""
WHOLLY: Final = 0.9
"""How much of the query the words of a record must tell besides, where the query does not name its class."""
SURE: Final = 0.6
"""Probability from which on a text is meant whatever its words are."""
LIKELY, TOLD = 0.5, 0.6
"""Probability from which on a text is meant if its words tell so much of the query besides. Where no text is meant in
one of these ways, nobody speaks of what is asked: there is no data of it, and what comes nearest is something else."""
SAID_SURE: Final = 0.7
"""Probability from which on a text that has the query's words says just what is asked."""
BESIDE: Final = ((0.9, 0.3), (0.5, 0.15), (1e-9, 0.5), (0.0, 0.35), (-1.0, 0.6))
"""(share of the query's words, probability from which on) another text is kept beside such ones: what has a word or
none by chance must be likelier than what says most, and what has only the name most of all; calibrated on one
development persona."""
_TITLE: Final = EV + "title"
_OFF: Final = re.compile(
    r"^\W*(?:cancel+ed|called off|crossed out|postponed|not going|no longer|scrapped|abgesagt|annul[ée]e?|cancelad[oa])"
    r"\b"
    r"|\b(?:cancel+ed|called off|postponed|abgesagt|crossed out)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TextEvidence:
    """What decides which texts are meant: the `rows` of features and the share of the query's `words`, by event. `wide`
    is asked for what is told in any words: company, or a meal."""

    rows: Mapping[str, Sequence[float]]
    words: Mapping[str, float]
    wide: bool


def classify_events(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The candidates that are meant; none stays open."""
    if found.search.models.events is None:
        taken = [Hit(event.iri, found.scores[event.iri].fused) for event in found.open]
        return _decided(found, [hit for hit in taken if hit.score >= TAKEN])
    opinions, read = classifier_opinions(found, context)
    evidence = text_evidence(found, opinions, context)
    texts = meant_texts(evidence, weighed([*evidence.rows.values()]).tolist())
    hits = (Hit(event, min(1.0, score / (2 * LEAST))) for event, score in texts.items())
    return replace(_decided(found, [*hits, *_records(found, opinions)]), read=read)


def _decided(found: CandidateSet, hits: Sequence[Hit]) -> CandidateSet:
    return replace(found, open=(), kept=best_of((*found.kept, *hits)))


def classifier_opinions(found: CandidateSet, context: RetrieveContext) -> tuple[Mapping[str, float], int]:
    """The probability that the event classifier gives each open event, and how many lines it read for it."""
    classifier, lines = found.search.models.events, lines_of(found.open, context)
    if classifier is None:
        return {}, 0
    chances = classify_lines(found.search.query, [*dict.fromkeys(lines.values())], classifier, context.progress)
    return {event: chances[line] for event, line in lines.items()}, len(chances)


def text_evidence(found: CandidateSet, opinions: Mapping[str, float], context: RetrieveContext) -> TextEvidence:
    """What is known of the open texts; those that were called off are left out."""
    query, facts = found.search.query, facts_of(context)
    names = (name for need in found.search.scope.needs for name in context.people.names(need.group.words))
    want = wanted(query, names, context)
    texts = [e.iri for e in found.open if e.type in TEXT_CLASSES and not _is_called_off(e)]
    rows = {iri: features(opinions[iri], found.scores[iri], want, facts.get(iri, {})) for iri in texts}
    words = {iri: found.scores[iri].words for iri in texts}
    return TextEvidence(rows, words, wide=want.company or _is_meal(query, context))


def meant_texts(evidence: TextEvidence, scores: Sequence[float]) -> Mapping[str, float]:
    """The texts that are meant, with their relevance scores.

    None where nobody speaks of what is asked. Where some say it in nearly all its words, others must be likelier, and
    those without any of its words likelier still.
    """
    words = evidence.words
    likely = {iri: score for iri, score in zip(evidence.rows, scores, strict=True) if score >= LEAST}
    if not any(score >= SURE or (score >= LIKELY and words[iri] >= TOLD) for iri, score in likely.items()):
        return {}
    if not evidence.wide and any(score >= SAID_SURE and words[iri] >= SAID for iri, score in likely.items()):
        likely = {iri: score for iri, score in likely.items() if score >= _least_beside(words[iri])}
    return likely


def _records(found: CandidateSet, opinions: Mapping[str, float]) -> list[Hit]:
    """The records that are meant: of a class that the query names by the search's score; else by the classifier's, if
    their words tell nearly all that is asked."""
    named = found.search.scope.named

    def score(event: EventText, scores: Scores) -> float:
        if event.type in named:
            return scores.fused
        return opinions[event.iri] if scores.told >= WHOLLY else 0.0

    records = (event for event in found.open if event.type not in TEXT_CLASSES)
    hits = (Hit(event.iri, score(event, found.scores[event.iri])) for event in records)
    return [hit for hit in hits if hit.score >= KEEP]


def _is_meal(query: str, context: RetrieveContext) -> bool:
    """Whether a query is about a meal: any restaurant tells of one."""
    return any(cue.value in MEALS for cue in context.lexicon.cues(query, ("activity", "meal")))


def _is_called_off(event: EventText) -> bool:
    """Whether an entry's title says that it did not take place."""
    return any(prop == _TITLE and _OFF.search(text) for prop, _, text in event.values)


def _least_beside(told: float) -> float:
    """How likely a text must be that has such a share of the words, where others say just what is asked."""
    return next(least for share, least in BESIDE if told >= share)
