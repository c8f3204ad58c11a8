"""A question that is declined, as one sentence: what was not understood, what was, and a nearby question that works.

The question that is offered was asked and has an answer. It is put together without inflecting a word: "When was the
last purchase in May 2024?", or is an example question of the domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from rapidfuzz import fuzz

from ...config import own_text
from ...errors import Declined, NotUnderstood, ReqapError
from ...ontology.namespaces import PG
from ...planner.patterns.inflection import Forms
from ...planner.search.plan import Planner
from ...store.index.statistics import Statistics
from ...store.rdf import parse_turtle
from ...store.vocabulary import ClassInfo, Vocabulary
from ...store.words import fold
from ..answers.answer import Answer
from ..answers.outcomes import Missing, Reason, quoted
from ..authoring.domain import Domain

LONGEST: Final = 300
"""Letters of a refusal."""
MOST_WORDS: Final = 3
"""Words that were not understood that a refusal names."""
MOST_TRIED: Final = 4
"""Questions that are tried before none is offered."""
LONGEST_READ: Final = 2000
"""Letters of a question from which on nothing near it is looked for."""
_LONGEST_LABEL: Final = 3
_NEAR: Final = 84.0
_REASONS: Final = {reason.value: reason for reason in Reason}


@dataclass(frozen=True)
class Nearby:
    """What questions that work are made of: the data, the words that name it, and a way to try them."""

    planner: Planner
    vocabulary: Vocabulary
    statistics: Statistics
    domain: Domain | None
    ask: Callable[[str], Answer]


def refused(question: str, bad: NotUnderstood, nearby: Nearby, *, now: datetime) -> Answer:
    """The answer of a question that nobody reads: none, with the reason and a sentence that offers another."""
    clear = _understood(question, nearby.planner, now)
    offered = nearest(question, clear, nearby) if not bad.reading else None
    reason = _REASONS.get(bad.reason, Reason.NOT_UNDERSTOOD)
    missing = Missing(reason, sentence_of(question, bad, clear, offered, nearby.planner.book.stop_words), offered)
    return Answer(question, (), "none", plan="", sparql="", planner="", score=0.0, missing=missing)


def sentence_of(
    question: str, bad: NotUnderstood, clear: Sequence[str], offered: str | None, stop: Iterable[str]
) -> str:
    """One sentence of at most LONGEST letters."""
    said = _reason(question, bad, frozenset(stop))
    doubt = f"{said}; do you mean: {bad.reading}?"
    if bad.reading and len(doubt) < LONGEST:
        return doubt
    known = [quoted(words) for words in clear if words not in bad.words]
    parts = [said]
    if known and not isinstance(bad, Declined):
        parts.append(f", though I do understand “{known[0]}”")
    if offered:
        parts.append(f"; I can answer “{offered}”")
    text = "".join(parts)
    return (text if len(text) < LONGEST else said[: LONGEST - 2] + "…").rstrip(".") + "."


def _reason(question: str, bad: NotUnderstood, stop: frozenset[str]) -> str:
    if isinstance(bad, Declined):
        told = " ".join(str(bad).split()).rstrip(".")
        return told[:1].upper() + told[1:]
    telling = [w for w in dict.fromkeys(bad.words) if fold(w) not in stop and any(c.isalnum() for c in w)]
    if telling:
        listed = ", ".join(f"“{quoted(word)}”" for word in telling[:MOST_WORDS])
        return f"I do not understand {listed}{' and more' if len(telling) > MOST_WORDS else ''} in this question"
    asked = quoted(question)
    return f"I do not understand what “{asked}” asks for" if asked else "There is no question here"


def _understood(question: str, planner: Planner, now: datetime) -> tuple[str, ...]:
    """The periods and other limits of a question that were read."""
    if len(question) > LONGEST_READ:
        return ()
    try:
        read = planner.readings(question, now=now)
    except ReqapError:  # a question that passes a limit has no part that is understood
        return ()
    return tuple(f.words for f in read[0].filters if "Refused" not in f.annotation.kinds) if read else ()


def nearest(question: str, clear: Sequence[str], nearby: Nearby) -> str | None:
    """A question near to another that has an answer; None where none of a few has one."""
    for candidate in islice(dict.fromkeys(_candidates(question, clear, nearby)), MOST_TRIED):
        if candidate == question:
            continue
        try:
            found = nearby.ask(candidate)
        except ReqapError:  # this one does not work either
            continue
        if found.values and found.missing is None:
            return candidate
    return None


def _candidates(question: str, clear: Sequence[str], nearby: Nearby) -> Iterator[str]:
    near = examples_of(nearby.domain)  # those that share most words first
    near.sort(key=lambda one: (-fuzz.token_set_ratio(question.lower(), one.lower()), len(one), one))
    yield from near[:2]
    for name in _names(question[:LONGEST_READ], nearby):
        for words in clear[:1]:
            if len(words) <= 40:
                yield f"When was the last {name} {words}?"
        yield f"When was the last {name}?"


def examples_of(domain: Domain | None) -> list[str]:
    """The example questions of a domain, in their order by letters; none where it has none."""
    if domain is None or domain.questions is None:
        return []
    text = own_text(domain.questions)
    asked = {
        getattr(quad.object, "value", "")
        for quad in parse_turtle(text, path=str(domain.questions))
        if quad.predicate.value == PG + "question"
    }
    return sorted(asked)


def _names(question: str, nearby: Nearby) -> Iterator[str]:
    """What the question names: values by which events are called ("run"), then kinds of events."""
    kinds = {c.kind_property for c in held_kinds(nearby) if c.kind_property}
    for word in question.replace("?", " ").split():
        concepts = (c for c in nearby.vocabulary.concepts_named(word) if c.property in kinds and c.labels)
        yield from (_noun(concept.labels, nearby.planner.book.forms) for concept in concepts)
    for info in _kinds(question, nearby):
        yield info.label


def _noun(labels: Sequence[str], forms: Forms) -> str:
    """The label that goes with an article: 'run' rather than 'running' or 'ran'."""
    plain = (label for label in labels if not label.endswith("ing") and forms.past(label) != label)
    return next(plain, labels[0])


def held_kinds(nearby: Nearby) -> list[ClassInfo]:
    """Kinds of events that the data has."""
    counts = nearby.statistics.classes
    return [c for c in nearby.vocabulary.event_classes() if c.iri in counts and counts[c.iri].events]


def frequent_kinds(nearby: Nearby) -> list[ClassInfo]:
    """The same, those with most events first."""
    counts = nearby.statistics.classes
    return sorted(held_kinds(nearby), key=lambda one: (-counts[one.iri].events, one.iri))


def _kinds(question: str, nearby: Nearby) -> Iterator[ClassInfo]:
    """Kinds of events of the data that the question names, then those spelt nearly so, then the most frequent one."""
    kinds = held_kinds(nearby)
    held = {c.iri for c in kinds}
    words = question.replace("?", " ").split()
    spans = [" ".join(words[i : i + n]) for n in range(_LONGEST_LABEL, 0, -1) for i in range(len(words) - n + 1)]
    for span in spans:
        named = (*nearby.vocabulary.classes_named(span), *nearby.vocabulary.classes_with_verb(span))
        yield from (info for info in named if info.iri in held)
    for word in (word for word in words if len(word) > 3):
        yield from (c for c in kinds if any(fuzz.ratio(word.lower(), label.lower()) >= _NEAR for label in c.labels))
    yield from frequent_kinds(nearby)[:1]
