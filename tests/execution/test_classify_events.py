"""Stages 2 to 4 of RETRIEVE together, with models whose opinions are known."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from reqap_kg.execution.derivations.derive import Hit
from reqap_kg.extraction.extract_texts import facts_of
from reqap_kg.extraction.hints import HINTS
from reqap_kg.models.reading.reader import Scores as Probabilities
from reqap_kg.ontology.namespaces import EV
from reqap_kg.retrieval import candidate_set as classified_lines
from reqap_kg.retrieval.candidate_set import LINES, CandidateSet, Scores, Search, SearchModels, classify_lines, lines_of
from reqap_kg.retrieval.classify_events import KEEP, NONE_IS_RIGHT, WHOLLY, classify_events, meant_texts
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.patterns import classify_patterns, find_patterns
from reqap_kg.retrieval.relevance_score import features, wanted, weighed
from reqap_kg.retrieval.scope import Scope
from reqap_kg.retrieval.scoring import TAKEN
from reqap_kg.store.index.index import EventText

T = "https://w3id.org/reqap-kg/data/t/"
ENTRY, BUYING = EV + "CalendarEntry", EV + "Purchase"
PREFIXES = """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
"""


class Opinion:
    """An event classifier that finds lines with one of its words relevant, and remembers what it was asked."""

    name = "opinion"
    identity = "sha256:opinion"

    def __init__(self, *words: str, sure: float = 0.95, other: float = 0.02):
        self.words, self.sure, self.other = words, sure, other
        self.batches: list[list[tuple[str, str]]] = []

    @property
    def lines(self) -> list[str]:
        return [line for batch in self.batches for _, line in batch]

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Probabilities:
        self.batches.append(list(pairs))
        found = [self.sure if any(word in line for word in self.words) else self.other for _, line in pairs]
        return np.array(found, dtype=np.float32)


class PatternOpinion:
    """A pattern classifier that is sure of some lines: none (0) or all (2) of them."""

    name = "pattern opinion"
    identity = "sha256:pattern opinion"

    def __init__(self, **sure: int):
        self.sure = sure

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Probabilities:
        rows = np.full((len(pairs), 3), 0.005, dtype=np.float32)
        for row, (_, line) in zip(rows, pairs, strict=True):
            row[next((place for word, place in self.sure.items() if word in line), 1)] = 0.99
        return rows


Scoring = Callable[[EventText], Scores]


def candidates(
    query: str,
    context: RetrieveContext,
    classes: Iterable[str],
    named: Iterable[str] = (),
    score: Scoring = lambda _: Scores(0.1, 0.0),
) -> CandidateSet:
    """What stage 1 finds that takes all events of classes."""
    events = tuple(sorted(context.index.events_of(tuple(classes)), key=lambda event: event.iri))
    scope = Scope(tuple(classes), frozenset(named), (), (), query)
    scores = {event.iri: score(event) for event in events}
    return CandidateSet(Search(query, scope, SearchModels()), events, scores, candidates=len(events))


def classified(
    found: CandidateSet, context: RetrieveContext, events: Opinion, patterns: PatternOpinion | None = None
) -> CandidateSet:
    """The candidates after stages 2 to 4."""
    found = replace(found, search=replace(found.search, models=SearchModels(None, events, patterns)))
    return classify_events(classify_patterns(find_patterns(found, context), context), context)


def kept(found: CandidateSet) -> list[str]:
    assert found.open == ()
    return [hit.event.removeprefix(T) for hit in found.kept]


def test_a_text_is_kept_by_the_judgement_of_opinion_search_and_facts(life):
    query, opinion = "I ate Italian food", Opinion("Trattoria", "Team")
    of = candidates(query, life, [ENTRY])
    found = classified(of, life, opinion)
    lines = lines_of(of.open, life)
    told = [opinion.sure if "Trattoria" in lines[e.iri] or "Team" in lines[e.iri] else 0.02 for e in of.open]
    want, facts = wanted(query, (), life), facts_of(life)
    rows = [features(p, of.scores[e.iri], want, facts.get(e.iri, {})) for e, p in zip(of.open, told, strict=True)]
    chances = dict(zip((e.iri for e in of.open), weighed(rows).tolist(), strict=True))
    expected = {event: (1 + chance) / 2 for event, chance in meant_texts(chances).items()}
    assert {hit.event: hit.score for hit in found.kept} == pytest.approx(expected, abs=1e-4)
    assert kept(found)[0] == "c2"
    assert "c3" not in kept(found)
    assert (found.candidates, len(found.patterns), found.read) == (6, 0, 6)


def test_the_classifier_reads_texts_with_what_is_known_of_their_words(life):
    opinion = Opinion()
    classified(candidates("I ate", life, [ENTRY]), life, opinion)
    assert "calendar entry (doctor type dentist): Dentist: filling | City Dental" in opinion.lines
    assert {query for batch in opinion.batches for query, _ in batch} == {"I ate"}


def test_a_record_is_read_only_where_the_classifier_decides_of_it(life):
    told = {T + "b1": 1.0, T + "b2": 0.5}
    for named, read in (((BUYING,), 0), ((), 1)):
        opinion = Opinion()
        of = candidates("diapers", life, [BUYING], named=named, score=lambda e: Scores(0.1, told.get(e.iri, 0.0)))
        assert classified(of, life, opinion).read == len(opinion.lines) == read


def test_a_record_of_a_class_that_is_named_has_the_score_of_the_search(life):
    scores = {T + "b1": Scores(KEEP, 0.0), T + "b2": Scores(KEEP - 0.01, 1.0)}
    of = candidates("diapers", life, [BUYING], named=[BUYING], score=lambda e: scores[e.iri])
    found = classified(of, life, Opinion("Diapers"))
    assert [(hit.event, hit.score) for hit in found.kept] == [(T + "b1", KEEP)]


@pytest.mark.parametrize(
    ("told", "sure", "is_kept"),
    [(WHOLLY, 0.9, True), (WHOLLY - 0.01, 0.9, False), (1.0, KEEP - 0.01, False), (1.0, KEEP + 0.01, True)],
)
def test_another_record_is_kept_by_the_classifier_if_it_tells_nearly_all(life, told, sure, is_kept):
    of = candidates("diapers", life, [BUYING], score=lambda _: Scores(1.0, told))
    found = classified(of, life, Opinion("Diapers", sure=sure))
    assert kept(found) == (["b2"] if is_kept else [])
    assert all(hit.score == pytest.approx(sure) for hit in found.kept)


def test_what_patterns_decide_is_not_read(life):
    of = candidates("I ate", life, [ENTRY, BUYING], named=[BUYING], score=lambda _: Scores(1.0, 1.0))
    opinion = Opinion()
    found = classified(of, life, opinion, PatternOpinion(purchases=0))
    assert {"b1", "b2"}.isdisjoint(kept(found))
    assert not any(line.startswith("purchase") for line in opinion.lines)
    assert (found.candidates, len(found.patterns), found.read) == (8, 1, 6)


def entries(context_of, titles: Iterable[str]) -> RetrieveContext:
    said = (f'd:c{n:03} a ev:CalendarEntry ; ev:title "{title}" .' for n, title in enumerate(titles))
    return context_of(PREFIXES + "\n".join(said))


def test_what_a_pattern_keeps_stands_first_with_the_full_score(context_of):
    context = entries(context_of, ["Yoga"] * 9 + [f"Meeting {n}" for n in range(31)])
    opinion = Opinion("Meeting 7", sure=0.9)
    of = candidates("I did yoga", context, [ENTRY])
    found = classified(of, context, opinion, PatternOpinion(Yoga=2))
    assert kept(found)[:9] == [f"c{n:03}" for n in range(9)]
    assert {hit.score for hit in found.kept[:9]} == {1.0}
    assert "calendar entry: Yoga" not in " ".join(opinion.lines)
    assert found.read == 31


def test_events_that_say_the_same_are_read_once(context_of):
    context = entries(context_of, ["Yoga", "Yoga", "Yoga", "Lunch"])
    opinion = Opinion("Yoga")
    of = candidates("yoga", context, [ENTRY], score=lambda _: Scores(0.5, 1.0))
    found = classified(of, context, opinion)
    assert len(opinion.lines) == found.read == 2
    assert kept(found)[:3] == ["c000", "c001", "c002"]
    assert len({hit.score for hit in found.kept[:3]}) == 1


def test_the_texts_with_the_best_expected_f1_are_meant():
    """Compared with all sets of texts, each of which is meant by its own chance."""
    rng = random.Random(3)
    for _ in range(60):
        chances = {f"t{n}": rng.random() ** rng.choice((1, 4)) for n in range(6)}
        best = max(sets_of(chances), key=lambda kept: expected_f1(kept, chances))
        found = frozenset(meant_texts(chances))
        assert expected_f1(found, chances) >= expected_f1(best, chances) - 0.06


def sets_of(chances):
    return [frozenset(kept) for size in range(len(chances) + 1) for kept in combinations(chances, size)]


def expected_f1(kept, chances):
    """Over all worlds: of each, its probability times the F1 of what is kept, or times what nothing is worth."""
    total = 0.0
    for meant in sets_of(chances):
        odds = math.prod(p if text in meant else 1 - p for text, p in chances.items())
        total += odds * (2 * len(kept & meant) / (len(kept) + len(meant)) if kept or meant else NONE_IS_RIGHT)
    return total


def test_where_nobody_speaks_of_what_is_asked_nothing_is_kept(context_of):
    context = entries(context_of, ["Board games", "Lunch", "Dinner"])
    of = candidates("cups of water", context, [ENTRY], score=lambda _: Scores(0.1, 0.0))
    assert kept(classified(of, context, Opinion("Board", sure=0.1))) == []


def test_a_text_that_surely_tells_it_is_kept_whatever_its_words(context_of):
    context = entries(context_of, ["Board games", "Lunch", "Dinner"])
    of = candidates("an evening of play", context, [ENTRY], score=lambda _: Scores(0.1, 0.0))
    assert kept(classified(of, context, Opinion("Board"))) == ["c000"]


def test_of_no_candidates_nothing_is_kept(life):
    found = classified(candidates("yoga", life, []), life, Opinion())
    assert (found.kept, found.candidates, found.patterns, found.read) == ((), 0, (), 0)


def test_what_is_told_already_is_kept_with_its_better_score(life):
    of = replace(candidates("yoga", life, [ENTRY]), kept=(Hit(T + "c3", 0.9),))
    assert classified(of, life, Opinion()).kept == (Hit(T + "c3", 0.9),)
    better = classified(of, life, Opinion("Pottery", sure=0.99))
    assert [hit.event for hit in better.kept] == [T + "c3"]
    assert 0.9 < better.kept[0].score < 1.0


def test_without_a_classifier_the_scores_of_the_search_decide(life):
    scores = {T + "b1": Scores(TAKEN, 0.0), T + "b2": Scores(TAKEN - 0.01, 1.0)}
    of = candidates("diapers", life, [BUYING], score=lambda e: scores[e.iri])
    found = classify_events(classify_patterns(find_patterns(of, life), life), life)
    assert found.kept == (Hit(T + "b1", TAKEN),)
    assert (found.open, found.patterns, found.read) == ((), (), 0)


def test_many_lines_are_read_in_parts_with_their_progress():
    told: list[tuple[str, int, int]] = []
    lines = [f"line {n}" for n in range(600)]
    opinion = Opinion("line 299", "line 599")
    found = classify_lines("q", lines, opinion, lambda *said: told.append(said))
    assert [len(batch) for batch in opinion.batches] == [256, 256, 88]
    assert list(found) == lines
    assert [line for line, score in found.items() if score > 0.5] == ["line 299", "line 599"]
    assert told == [("read events", n, 600) for n in (0, 256, 512, 600)]


def test_few_lines_make_no_progress():
    told: list[object] = []
    assert classify_lines("q", ["a"], Opinion("a"), lambda *said: told.append(said)) == {"a": pytest.approx(0.95)}
    assert classify_lines("q", [], Opinion()) == {}
    assert told == []


def test_lines_of_texts_and_records(life):
    events = tuple(life.index.events_of((ENTRY, BUYING)))
    life.known[HINTS][None] = {T + "c3": ("activity pottery",)}
    found = lines_of(events, life)
    assert found.keys() == {event.iri for event in events}
    assert found[T + "c3"] == "calendar entry (activity pottery): Pottery class | Clay House"
    assert found[T + "c4"] == "calendar entry: Team stand-up | Office"
    assert found[T + "b2"].startswith("purchase: ")
    assert "product = Diapers size 3" in found[T + "b2"]


def test_lines_of_texts_are_kept_up_to_a_number(life, monkeypatch):
    monkeypatch.setattr(classified_lines, "_MOST_LINES", 3)
    events = tuple(life.index.events_of((ENTRY,)))
    first, second, every = (lines_of(some, life) for some in (events[:3], events[3:6], events))
    assert {**first, **second} == every
    assert len(life.known[LINES]) == len(events)
    monkeypatch.setattr(classified_lines, "documents", None)
    assert lines_of(events[:2], life) == {e.iri: every[e.iri] for e in events[:2]}
