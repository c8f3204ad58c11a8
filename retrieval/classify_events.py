"""Stage 4 of RETRIEVE: what no pattern decided is classified event by event.

Texts are kept by their relevance scores (`relevance_score.py`), a record by the score of the search where the query
names its class, else by the classifier. Without a classifier the search's scores decide all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..execution.derivations.derive import Hit
from ..extraction.documents import TEXT_CLASSES
from ..extraction.extract_texts import facts_of
from ..ontology.namespaces import EV
from ..store.index.index import EventText
from .candidate_set import CandidateSet, Scores, best_of, classify_lines, lines_of
from .context import RetrieveContext
from .relevance_score import features, wanted, weighed
from .scoring import TAKEN

KEEP: Final = 0.5
"""Probability from which on a record is kept."""
WHOLLY: Final = 0.9
"""How much of the query the words of a record must tell besides, where the query does not name its class."""
NONE_IS_RIGHT: Final = 0.5
"""What it is worth to keep nothing where nothing is meant; to keep just what is meant is worth 1."""
_TITLE: Final = EV + "title"
_OFF: Final = re.compile(
    r"^\W*(?:cancel+ed|called off|crossed out|postponed|not going|no longer|scrapped|abgesagt|annul[ée]e?|cancelad[oa])"
    r"\b"
    r"|\b(?:cancel+ed|called off|postponed|abgesagt|crossed out)\W*$",
    re.IGNORECASE,
)


def classify_events(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The candidates that are meant; none stays open."""
    if found.search.models.events is None:
        taken = [Hit(event.iri, found.scores[event.iri].fused) for event in found.open]
        return _decided(found, [hit for hit in taken if hit.score >= TAKEN])
    opinions, read = classifier_opinions(found, context)
    evidence = text_evidence(found, opinions, context)
    texts = meant_texts(dict(zip(evidence, weighed([*evidence.values()]).tolist(), strict=True)))
    hits = (Hit(event, (1.0 + score) / 2) for event, score in texts.items())
    return replace(_decided(found, [*hits, *_records(found, opinions)]), read=read)


def _decided(found: CandidateSet, hits: Sequence[Hit]) -> CandidateSet:
    return replace(found, open=(), kept=best_of((*found.kept, *hits)))


def classifier_opinions(found: CandidateSet, context: RetrieveContext) -> tuple[Mapping[str, float], int]:
    """The probability that the event classifier gives each open event that it decides, and how many lines it read for
    it: a text or a record takes it a twentieth of a second."""
    classifier = found.search.models.events
    if classifier is None:
        return {}, 0
    lines = lines_of([event for event in found.open if _is_for_classifier(event, found)], context)
    chances = classify_lines(found.search.query, [*dict.fromkeys(lines.values())], classifier, context.progress)
    return {event: chances[line] for event, line in lines.items()}, len(chances)


def text_evidence(
    found: CandidateSet, opinions: Mapping[str, float], context: RetrieveContext
) -> dict[str, Sequence[float]]:
    """The features of the open texts by event; those that were called off are left out."""
    query, facts = found.search.query, facts_of(context)
    names = (name for need in found.search.scope.needs for name in context.people.names(need.group.words))
    want = wanted(query, names, context)
    texts = [e.iri for e in found.open if e.type in TEXT_CLASSES and not _is_called_off(e)]
    return {iri: features(opinions[iri], found.scores[iri], want, facts.get(iri, {})) for iri in texts}


def meant_texts(chances: Mapping[str, float]) -> Mapping[str, float]:
    """The texts that are meant, of those with the probability of each.

    The most probable ones, as many as have the best expected F1, if that is better than half the probability that none
    is meant: an event too many can be seen in the evidence, a missing one cannot. Source: Ye et al. 2012, "Optimizing
    F-measure"; the ratio of expectations stands for the expected ratio.
    """
    ranked = sorted(chances.items(), key=lambda one: (-one[1], one[0]))
    every, told, most = sum(chances.values()), 0.0, 0
    best = NONE_IS_RIGHT * math.prod(1.0 - chance for chance in chances.values())
    for number, (_, chance) in enumerate(ranked, start=1):
        told += chance
        expected = 2.0 * told / (number + every)
        if expected > best:
            best, most = expected, number
    return dict(ranked[:most])


def _records(found: CandidateSet, opinions: Mapping[str, float]) -> list[Hit]:
    """The records that are meant: of a class that the query names by the search's score; else by the classifier's, if
    their words tell nearly all that is asked."""
    named = found.search.scope.named

    def score(event: EventText, scores: Scores) -> float:
        return scores.fused if event.type in named else opinions.get(event.iri, 0.0)

    records = (event for event in found.open if event.type not in TEXT_CLASSES)
    hits = (Hit(event.iri, score(event, found.scores[event.iri])) for event in records)
    return [hit for hit in hits if hit.score >= KEEP]


def _is_for_classifier(event: EventText, found: CandidateSet) -> bool:
    """Whether the classifier decides of an event: texts, and records whose words alone may be what is asked."""
    is_told = event.type not in found.search.scope.named and found.scores[event.iri].told >= WHOLLY
    return event.type in TEXT_CLASSES or is_told


def _is_called_off(event: EventText) -> bool:
    """Whether an entry's title says that it did not take place."""
    return any(prop == _TITLE and _OFF.search(text) for prop, _, text in event.values)
