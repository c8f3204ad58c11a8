"""The relevance score of texts: what is wanted of the facts, and how opinions are weighed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.retrieval.candidate_set import Scores
from reqap_kg.retrieval.relevance_score import (
    FEATURES,
    INTERCEPT,
    WEIGHTS,
    Wanted,
    features,
    same,
    wanted,
    weighed,
)

NOTHING = Wanted(frozenset(), {}, company=False)
ITALIAN = Wanted(frozenset(), {"cuisine": frozenset({"italian"})}, company=False)
DOCTOR = Wanted(frozenset(), {"doctor type": frozenset()}, company=False)
COMPANY = Wanted(frozenset(), {}, company=True)
MAJA = Wanted(frozenset({"maja lind"}), {}, company=True)
GREEK = {"cuisine": {"Greek": 0.9}}
UNKNOWN = Scores(0.0, 0.0)
(OPINION, FUSED, TOLD, NAMED, NAMES, ANYONE, ABOUT_COMPANY, AGREES, DIFFERS, CONCEPTS, CONCEPT_OPINION) = range(11)


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("I ate Italian food", {"cuisine": {"italian"}}),
        ("I ate Greek food", {"cuisine": {"greek"}}),
        ("I went to a doctor", {"doctor type": set()}),
        ("I celebrated something", {"occasion": set()}),
        ("I read a book", {}),
    ],
)
def test_values_that_a_query_wants(life, query, values):
    assert wanted(query, [], life).values == values


def test_a_broader_value_takes_the_narrower_ones(life):
    accepted = wanted("I ate Mediterranean food", [], life).values["cuisine"]
    assert accepted > {"mediterranean", "greek"}
    assert "mediterranean" not in wanted("I ate Greek food", [], life).values["cuisine"]


@pytest.mark.parametrize(
    ("query", "company"),
    [("I met Maja", True), ("Dinner WITH someone", True), ("I ran alone", False), ("the weather without rain", False)],
)
def test_a_query_about_company(life, query, company):
    assert wanted(query, [], life).company is company


def test_names_are_compared_without_case_and_accents(life):
    assert wanted("I met Zoë", ["Zoë Lindström"], life).names == {same("zoe LINDSTROM")}


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("new_years_eve", "New Year's Eve", True),
        ("New Year’s Eve", "New Year's Eve", True),
        ("runs", "Running", True),
        ("Café", "cafe", True),
        ("Italian", "Greek", False),
        ("New Year's Eve", "New Year's Day", False),
    ],
)
def test_same(one, other, alike):
    assert (same(one) == same(other)) is alike


def test_there_is_a_weight_for_each_feature():
    assert len(features(0.5, UNKNOWN, NOTHING, {})) == len(WEIGHTS) == len(FEATURES)


def test_of_a_text_that_says_nothing_only_opinion_and_search_count():
    row = features(0.5, Scores(0.25, 0.75), NOTHING, {"cuisine": {"Italian": 0.9}, "participants": {"Otto Berg": 0.9}})
    assert row[FUSED] == 0.25
    assert row[TOLD] == 0.75
    assert [row[n] for n in range(11) if n not in (FUSED, TOLD)] == [0.0] * 9


def test_no_score_of_the_search_counts_against():
    assert features(0.5, Scores(-0.2, -0.1), NOTHING, {})[FUSED : TOLD + 1] == [0.0, 0.0]


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_a_wholly_certain_classifier_is_finite(certain):
    row = features(certain, UNKNOWN, ITALIAN, {})
    assert np.isfinite(row).all()
    assert row[OPINION] == pytest.approx(float(np.log(0.9999 / 0.0001)) * (1 if certain else -1))
    assert row[CONCEPT_OPINION] == row[OPINION]


def test_the_person_who_is_named_took_part_or_another_did():
    said = {"participants": {"Otto Berg": 0.9, "Maja Lind": 0.6}}
    row = features(0.5, UNKNOWN, MAJA, said)
    assert (row[NAMED], row[NAMES]) == (0.6, 1.0)
    assert (row[ANYONE], row[ABOUT_COMPANY]) == (0.0, 0.0)
    other = features(0.5, UNKNOWN, MAJA, {"participants": {"Otto Berg": 0.9}})
    assert (other[NAMED], other[NAMES]) == (0.0, 1.0)


def test_a_query_about_company_takes_anyone():
    row = features(0.5, UNKNOWN, COMPANY, {"participants": {"Otto Berg": 0.9, "Maja Lind": 0.6}})
    assert (row[NAMED], row[NAMES], row[ANYONE], row[ABOUT_COMPANY]) == (0.0, 0.0, 0.9, 1.0)


@pytest.mark.parametrize(
    ("want", "said", "agrees", "differs"),
    [
        (ITALIAN, {"cuisine": {"Italian": 0.7, "Greek": 0.9}}, 0.7, 0.0),
        (ITALIAN, {"cuisine": {"Greek": 0.9}}, 0.0, 0.9),
        (ITALIAN, {"occasion": {"birthday": 0.9}}, 0.0, 0.0),
        (DOCTOR, {"doctor type": {"dentist": 0.8}}, 0.8, 0.0),
        (DOCTOR, {}, 0.0, 0.0),
    ],
)
def test_facts_agree_or_differ(want, said, agrees, differs):
    row = features(0.5, UNKNOWN, want, said)
    assert (row[AGREES], row[DIFFERS], row[CONCEPTS]) == (agrees, differs, 1.0)


def test_the_score_is_the_logistic_regression_of_the_features():
    rows = [features(0.7, Scores(0.4, 0.5), ITALIAN, {}), features(0.2, Scores(0.1, 0.0), ITALIAN, GREEK)]
    logits = [sum(w * x for w, x in zip(WEIGHTS, row, strict=True)) + INTERCEPT for row in rows]
    assert weighed(rows) == pytest.approx([1 / (1 + np.exp(-logit)) for logit in logits])


def test_no_texts_have_no_scores():
    assert weighed([]).shape == (0,)


def chance(relevance: float, scores: Scores = UNKNOWN, want: Wanted = NOTHING, said=None) -> float:
    return float(weighed([features(relevance, scores, want, said or {})])[0])


@given(low=st.floats(0.001, 0.999), high=st.floats(0.001, 0.999), told=st.floats(0, 1))
def test_a_better_opinion_never_counts_against(low, high, told):
    low, high = sorted((low, high))
    for want in (NOTHING, ITALIAN, MAJA):
        assert 0 <= chance(low, Scores(0.1, told), want) <= chance(high, Scores(0.1, told), want) <= 1


@given(relevance=st.floats(0, 1), sure=st.floats(0.01, 1))
def test_facts_that_agree_speak_for_a_text_and_others_against_it(relevance, sure):
    silent = chance(relevance, want=ITALIAN)
    assert chance(relevance, want=ITALIAN, said={"cuisine": {"Italian": sure}}) > silent
    assert chance(relevance, want=ITALIAN, said={"cuisine": {"Greek": sure}}) < silent
    assert chance(relevance, want=MAJA, said={"participants": {"Maja Lind": sure}}) > chance(relevance, want=MAJA)
    assert chance(relevance, want=COMPANY, said={"participants": {"Otto Berg": sure}}) > chance(relevance, want=COMPANY)


def test_what_the_search_found_speaks_for_a_text():
    assert chance(0.5, Scores(0.5, 0.0)) > chance(0.5)
    assert chance(0.5, Scores(0.5, 0.5)) > chance(0.5, Scores(0.5, 0.0))
    assert chance(0.5, replace(UNKNOWN, told=1.0, fused=0.5)) > chance(0.5, replace(UNKNOWN, told=0.5, fused=0.5))
