"""RETRIEVE's step 4 for texts: the classifier's opinion, the search's score, and what EXTRACT reads, weighed together.

A classifier sees one text; the search knows which words are rare in this life and what the vocabulary calls the same;
and EXTRACT has read who took part and which cuisine, occasion or doctor it was. A logistic regression over these few
numbers, fitted on one development persona (bench/fit_judge.py), decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..extraction.extract_texts import texts_of
from ..extraction.facts import KEYS, Facts, Said
from ..store.index.index import EventText
from ..store.vocabulary import Vocabulary
from ..store.words import normalise

if TYPE_CHECKING:
    from ..execution.context import RetrieveContext

WEIGHTS: Final = (0.93, 1.65, 2.50, 0.73, -1.00, 0.87, 1.31, 2.44, -1.51, -1.30, 0.44)
INTERCEPT: Final = -2.53
KEEP: Final = 0.1
"""Probability from which on a text is kept: missing one costs more than one too many."""
COMPANY: Final = re.compile(r"\b(?:someone|somebody|met|meet|with)\b", re.IGNORECASE)
"""Words of a query that is about company."""
_PEOPLE: Final = "participants"
_LEAST: Final = 1e-4


@dataclass(frozen=True)
class Scored:
    """What the search knows of a candidate: its fused score, and how much of the query its words tell; `besides` is how
    much of what the query says beside names, -1 where it has a name only."""

    fused: float
    told: float
    besides: float | None = None

    @property
    def words(self) -> float:
        """How much of the query's words it has, names left out where there are others."""
        return self.told if self.besides is None else self.besides


@dataclass(frozen=True)
class Wanted:
    """What a query wants of the facts: names of the person it names, values by key (any where there are none: "a
    doctor" wants some kind of doctor), and whether it is about company."""

    names: frozenset[str]
    values: Mapping[str, frozenset[str]]
    company: bool


def wanted(query: str, names: Iterable[str], context: RetrieveContext) -> Wanted:
    """What `query` wants; `names` are those of the people that it names."""
    values: dict[str, set[str]] = {}
    for cue in context.lexicon.cues(query, [key.replace(" ", "_") for key in KEYS]):
        key = cue.key.replace("_", " ")
        found = values.setdefault(key, set())
        if not cue.weak:
            called = texts_of(context).keys.called(key)
            found |= _narrower(cue.value, context.vocabulary) | {called.named.get(cue.value, "") if called else ""}
    for key in KEYS[1:]:
        if _names_key(query, key, context):
            values.setdefault(key, set())
    held = {key: frozenset(same(value) for value in found if value) for key, found in values.items()}
    return Wanted(frozenset(map(same, names)), held, bool(COMPANY.search(query)))


def _names_key(query: str, key: str, context: RetrieveContext) -> bool:
    """Whether a word of the query calls a key: "celebrated" an occasion, which is also called a celebration."""
    called = texts_of(context).keys.called(key)
    labels = {normalise(label) for label in called.labels} if called is not None else set()
    return not labels.isdisjoint(normalise(query).split())


def judged(
    events: Sequence[EventText],
    relevance: Sequence[float],
    scored: Mapping[str, Scored],
    want: Wanted,
    facts: Facts,
) -> NDArray[np.float64]:
    """Probability that each text is meant."""
    rows = [
        features(p, scored[event.iri], want, facts.get(event.iri, {}))
        for event, p in zip(events, relevance, strict=True)
    ]
    logits = np.array(rows, dtype=np.float64).reshape(len(rows), len(WEIGHTS)) @ np.array(WEIGHTS) + INTERCEPT
    return 1.0 / (1.0 + np.exp(-logits))


def features(relevance: float, scored: Scored, want: Wanted, said: Mapping[str, Said]) -> list[float]:
    """What the regression weighs, in the order of WEIGHTS."""
    told = min(1 - _LEAST, max(_LEAST, relevance))
    opinion = float(np.log(told / (1 - told)))
    people = said.get(_PEOPLE, {})
    named = max((sure for name, sure in people.items() if same(name) in want.names), default=0.0)
    anyone = max(people.values(), default=0.0)
    agrees, differs = _agreement(want, said)
    names, concepts = float(bool(want.names)), float(bool(want.values))
    company = float(want.company) * (1 - names)
    return [
        opinion,
        max(0.0, scored.fused),
        max(0.0, scored.told),
        names * named,
        names,
        company * anyone,
        company,
        agrees,
        differs,
        concepts,
        concepts * opinion,
    ]


def _agreement(want: Wanted, said: Mapping[str, Said]) -> tuple[float, float]:
    """How surely the facts say what is wanted, and how surely something else."""
    agrees = differs = 0.0
    for key, accepted in want.values.items():
        held = said.get(key, {})
        own = max((sure for value, sure in held.items() if not accepted or same(value) in accepted), default=0.0)
        agrees = max(agrees, own)
        if held and not own:
            differs = max(differs, max(held.values()))
    return agrees, differs


def _narrower(value: str, vocabulary: Vocabulary) -> set[str]:
    """A value and the vocabulary's narrower ones: Greek food is Mediterranean."""
    found = {value}
    for concept in vocabulary.concepts_named(value):
        found |= {label for iri in concept.narrower for label in vocabulary.concepts[iri].labels}
    return found


def same(value: str) -> str:
    """A value as it is compared: `new_years_eve` is "New Year's Eve"."""
    return normalise(re.sub("['’]", "", value.replace("_", " ")))
