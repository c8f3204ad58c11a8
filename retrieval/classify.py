"""RETRIEVE's steps 2 to 4 on the candidates of a search: patterns first, then the events that they leave open.

Source: ReQAP section 3.2.1. Texts are read with what lexicons and profile know of their words (texts/hints.py), and
each distinct text once, however many events have it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..execution.context import RetrieveContext
from ..extraction.documents import TEXT_CLASSES, documents
from ..extraction.facts import facts_of
from ..extraction.hints import hints_of, with_hints
from ..extraction.readers.food import MEALS
from ..models.reading.reader import EventClassifier, PatternClassifier
from ..models.reading.verbalise import verbalise
from ..ontology.namespaces import EV
from ..store.index.index import EventText, Progress
from .judge import KEEP as LEAST
from .judge import Scored, Wanted, judged
from .patterns import record_line, sort_by_patterns
from .search import Hit

KEEP: Final = 0.5
"""Probability from which on a record is kept."""
WHOLLY: Final = 0.9
"""How much of the query the words of a record must tell besides, where the query does not name its class."""
SURE: Final = 0.6
"""Probability from which on a text is meant whatever its words are."""
LIKELY, TOLD = 0.5, 0.6
"""Probability from which on a text is meant if its words tell so much of the query besides. Where no text is meant in
one of these ways, nobody speaks of what is asked: there is no data of it, and what comes nearest is something else."""
SAID, SAID_SURE = 0.9, 0.7
"""Share of the query's words, and probability, from which on a text says just what is asked."""
BESIDE: Final = ((0.9, 0.3), (0.5, 0.15), (1e-9, 0.5), (0.0, 0.35), (-1.0, 0.6))
"""(share of the query's words, probability from which on) another text is kept beside such ones: what has a word or
none by chance must be likelier than what says most, and what has only the name most of all; calibrated on one
development persona."""
_AT_ONCE: Final = 256
_MOST_LINES: Final = 50_000
"""Lines of texts that are kept."""


@dataclass(frozen=True)
class Classifiers:
    """The models of steps 3 and 4; without `patterns` every candidate is classified by itself."""

    events: EventClassifier
    patterns: PatternClassifier | None


@dataclass(frozen=True)
class Known:
    """What step 1 found: candidates, their scores, what the query wants of the facts, and the classes that it names."""

    candidates: tuple[EventText, ...]
    scored: Mapping[str, Scored]
    want: Wanted
    named: frozenset[str]


@dataclass(frozen=True)
class Classified:
    """What was kept, best first, and how: for the note."""

    hits: tuple[Hit, ...]
    candidates: int
    patterns: int
    read: int
    """Distinct lines that the event classifier saw."""


def classify(query: str, known: Known, classifiers: Classifiers, context: RetrieveContext) -> Classified:
    """Steps 2 to 4 on the candidates that the search scored."""
    may_tell = frozenset(event.type for event in known.candidates) & TEXT_CLASSES.keys()
    found = sort_by_patterns(query, known.candidates, may_tell, context.vocabulary, classifiers.patterns)
    lines = lines_of(found.open, context)
    scores = relevance(query, tuple(dict.fromkeys(lines.values())), classifiers.events, context.progress)
    texts = [event for event in found.open if event.type in TEXT_CLASSES]
    chances = judged(texts, [scores[lines[e.iri]] for e in texts], known.scored, known.want, facts_of(context))
    hits = _kept(texts, chances.tolist(), known.scored, wide=known.want.company or _is_meal(query, context))
    records = [event for event in found.open if event.type not in TEXT_CLASSES]
    hits += [Hit(e.iri, score) for e in records if (score := _of_record(e, scores[lines[e.iri]], known)) >= KEEP]
    kept = [Hit(event.iri, 1.0) for event in found.kept]
    ordered = sorted((*kept, *hits), key=lambda hit: (-hit.score, hit.event))
    return Classified(tuple(ordered), len(known.candidates), found.patterns, len(scores))


def _kept(
    texts: Sequence[EventText], chances: Sequence[float], scored: Mapping[str, Scored], *, wide: bool
) -> list[Hit]:
    """The texts that are kept; none where nobody speaks of what is asked. Where some say it in nearly all its words,
    others must be likelier, and those without any of its words likelier still; not where company or a meal is asked for
    (`wide`), which is told in any words."""
    likely = [
        (event.iri, chance)
        for event, chance in zip(texts, chances, strict=True)
        if chance >= LEAST and not _is_off(event)
    ]
    if not any(chance >= SURE or (chance >= LIKELY and scored[iri].words >= TOLD) for iri, chance in likely):
        return []
    if not wide and any(chance >= SAID_SURE and scored[iri].words >= SAID for iri, chance in likely):
        likely = [(iri, chance) for iri, chance in likely if chance >= _least_beside(scored[iri].words)]
    return [Hit(iri, min(1.0, chance / (2 * LEAST))) for iri, chance in likely]


def _is_meal(query: str, context: RetrieveContext) -> bool:
    """Whether a query is about a meal: any restaurant tells of one."""
    return any(cue.value in MEALS for cue in context.lexicon.cues(query, ("activity", "meal")))


def _is_off(event: EventText) -> bool:
    """Whether an entry's title says that it did not take place."""
    return any(prop == _TITLE and _OFF.search(text) for prop, _, text in event.values)


_TITLE: Final = EV + "title"
_OFF: Final = re.compile(
    r"^\W*(?:cancel+ed|called off|crossed out|postponed|not going|no longer|scrapped|abgesagt|annul[ée]e?|cancelad[oa])"
    r"\b"
    r"|\b(?:cancel+ed|called off|postponed|abgesagt|crossed out)\W*$",
    re.IGNORECASE,
)


def _least_beside(told: float) -> float:
    """How likely a text must be that has such a share of the words, where others say just what is asked."""
    return next(least for share, least in BESIDE if told >= share)


def _of_record(event: EventText, chance: float, known: Known) -> float:
    """The score of a record: the search's, of a class that the query names; else the classifier's, if its words tell
    nearly all that is asked."""
    scored = known.scored[event.iri]
    if event.type in known.named:
        return scored.fused
    return chance if scored.told >= WHOLLY else 0.0


def lines_of(events: Sequence[EventText], context: RetrieveContext) -> dict[str, str]:
    """Each event as the classifier reads it, by IRI; those of texts are kept while the store is open."""
    read = context.once("lines of texts", dict[str, str])
    new = [e.iri for e in events if e.type in TEXT_CLASSES and e.iri not in read]
    if new and len(read) + len(new) > _MOST_LINES:
        read.clear()
        new = [e.iri for e in events if e.type in TEXT_CLASSES]
    texts = with_hints(documents(new, context.graph), hints_of(context)) if new else {}
    read.update((iri, verbalise(text).line) for iri, text in texts.items())
    return {event.iri: read.get(event.iri) or record_line(event, context.vocabulary) for event in events}


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
