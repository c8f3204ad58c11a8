"""The stages of RETRIEVE together: what each may change, whatever the classifiers think."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.models.reading.reader import Scores as Probabilities
from reqap_kg.retrieval.candidate_set import CandidateSet, Search, SearchModels
from reqap_kg.retrieval.candidates import find_candidates
from reqap_kg.retrieval.classify_events import classify_events
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.occurrences import find_occurrences
from reqap_kg.retrieval.patterns import classify_patterns, find_patterns
from reqap_kg.retrieval.phrases.named import entries_on_topic, read_query
from reqap_kg.retrieval.retrieve import search_events

from .conftest import LIFE, WordEncoder, make_context

QUERIES = ("I ate Italian food", "I met Otto", "a ceramics lesson", "I ran with Otto", "entries about yoga", "Zaphod")
ALIKE = "".join(
    [f'd:y{n} a ev:CalendarEntry ; ev:title "Yoga" ; ev:location "Hall" .' for n in range(9)]
    + [f'd:z{n} a ev:CalendarEntry ; ev:title "Otto for tea" .' for n in range(9)]
    + [f'd:l{n} a ev:CalendarEntry ; ev:title "Lunch {n}" .' for n in range(30)]
)


@dataclass(frozen=True)
class Whims:
    """Classifiers that think anything of a line, but always the same."""

    seed: int
    name: str = "whims"

    @property
    def identity(self) -> str:
        return f"sha256:{self.seed}"

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Probabilities:
        return np.array([self._number("event", *pair) for pair in pairs], dtype=np.float32)

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Probabilities:
        rows = np.full((len(pairs), 3), 0.01, dtype=np.float32)
        for row, pair in zip(rows, pairs, strict=True):
            row[int(self._number("pattern", *pair) * 3)] = 0.98
        return rows

    def _number(self, *about: str) -> float:
        digest = hashlib.sha256(" ".join((str(self.seed), *about)).encode()).digest()
        return int.from_bytes(digest[:4], "big") / 2**32


class Undecided(Whims):
    """One that finds every pattern mixed."""

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Probabilities:
        return np.tile(np.array([0.1, 0.8, 0.1], dtype=np.float32), (len(pairs), 1))


@pytest.fixture(scope="module")
def context() -> RetrieveContext:
    return make_context(LIFE + ALIKE, encoder=WordEncoder())


def search_of(query: str, context: RetrieveContext, models: SearchModels) -> Search:
    read = read_query(query, context)
    return Search(query, read.scope, models, entries_on_topic(read, context))


def iris(found: CandidateSet) -> list[str]:
    return [event.iri for event in found.open]


@settings(max_examples=40)
@given(seed=st.integers(0, 2**16), query=st.sampled_from(QUERIES), with_patterns=st.booleans())
def test_a_stage_changes_only_what_is_its_own(context, seed, query, with_patterns):
    whims = Whims(seed)
    models = SearchModels(WordEncoder(), whims, whims if with_patterns else None)
    one = find_candidates(search_of(query, context, models), context)
    assert len(set(iris(one))) == len(one.open) == one.candidates
    assert {iri for iri, scores in one.scores.items() if scores.told > 0} <= set(iris(one)) <= one.scores.keys()
    two = find_patterns(one, context)
    assert replace(two, patterns=()) == one
    three = classify_patterns(two, context)
    kept = {hit.event for hit in three.kept} - {hit.event for hit in one.search.told}
    assert kept.isdisjoint(iris(three))
    assert kept.union(iris(three)) <= set(iris(one))
    assert iris(three) == [iri for iri in iris(one) if iri in set(iris(three))]
    four = classify_events(three, context)
    assert four.open == ()
    assert {hit.event for hit in four.kept} <= set(iris(one)) | {hit.event for hit in one.search.told}
    assert {hit.event for hit in three.kept} <= {hit.event for hit in four.kept}
    assert list(four.kept) == sorted(four.kept, key=lambda hit: (-hit.score, hit.event))
    assert all(0 < hit.score <= 1 for hit in four.kept)
    assert search_events(one.search, context) == find_occurrences(four, context)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), query=st.sampled_from(QUERIES))
def test_patterns_that_decide_nothing_change_nothing(context, seed, query):
    """Classifying every candidate by itself is the naive way."""
    naive = search_events(search_of(query, context, SearchModels(WordEncoder(), Whims(seed))), context)
    models = SearchModels(WordEncoder(), Undecided(seed), Undecided(seed))
    assert search_events(search_of(query, context, models), context).kept == naive.kept


def test_some_patterns_decide(context):
    """Else the tests above would say little."""
    decided = set()
    for seed in range(30):
        models = SearchModels(WordEncoder(), Whims(seed), Whims(seed))
        found = find_patterns(find_candidates(search_of("I ate Italian food", context, models), context), context)
        after = classify_patterns(found, context)
        decided |= {"dropped"} if len(after.open) + len(after.kept) < len(found.open) else set()
        decided |= {"kept"} if len(after.kept) > len(found.kept) else set()
    assert decided == {"dropped", "kept"}
