"""The relevance score of a text in stage 4: the classifier's opinion, the search's score, and what EXTRACT reads.

A classifier sees one text; the search knows which words are rare in this life and what the vocabulary calls the same;
and EXTRACT has read who took part and which cuisine, occasion or doctor it was. A logistic regression over these few
numbers weighs them together. `python -m reqap_kg.training.relevance` fits its weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..extraction.extract_texts import KEYS, Confidences, texts_of
from ..store.vocabulary import Vocabulary
from ..store.words import normalise
from .candidate_set import Scores
from .context import RetrieveContext

FEATURES: Final = (
    "opinion",  # of the classifier, as a logit
    "fused",  # score of the search
    "told",  # share of the query's words
    "named took part",  # how surely somebody whom the query names took part
    "names",  # whether the query names anybody
    "anyone took part",  # the same where the query asks for company and names nobody
    "company",
    "agrees",  # how surely a value is as the query wants it
    "differs",  # or is another one
    "values",  # whether the query wants any value
    "opinion of values",  # the opinion, where it does
    "said twice",  # score of the search and share of the words, multiplied
    "opinion of found",  # the opinion and the score of the search, multiplied
)
WEIGHTS: Final = (0.91, 0.44, -0.83, 2.78, -2.0, 1.77, 0.09, 2.19, -0.99, -0.69, 0.09, 5.12, -1.07)
INTERCEPT: Final = -2.04
COMPANY: Final = re.compile(r"\b(?:someone|somebody|met|meet|with)\b", re.IGNORECASE)
"""Words of a query that is about company."""
_PEOPLE: Final = "participants"
_LEAST: Final = 1e-4


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


def features(relevance: float, scores: Scores, want: Wanted, said: Mapping[str, Confidences]) -> list[float]:
    """What the regression weighs, in the order of FEATURES."""
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
        max(0.0, scores.fused),
        max(0.0, scores.told),
        names * named,
        names,
        company * anyone,
        company,
        agrees,
        differs,
        concepts,
        concepts * opinion,
        max(0.0, scores.fused) * max(0.0, scores.told),
        opinion * max(0.0, scores.fused),
    ]


def weighed(
    rows: Sequence[Sequence[float]], weights: Sequence[float] = WEIGHTS, intercept: float = INTERCEPT
) -> NDArray[np.float64]:
    """The probability that each text is meant, from its row of features."""
    logits = np.array(rows, dtype=np.float64).reshape(len(rows), len(weights)) @ np.array(weights) + intercept
    return 1.0 / (1.0 + np.exp(-logits))


def _agreement(want: Wanted, said: Mapping[str, Confidences]) -> tuple[float, float]:
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
