"""Readings of a question in one list: those of one answer are one candidate, and how likely it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reqap_kg.engine.asking.candidates import UNTOLD, Candidate, Reading, Weights, weighed
from reqap_kg.engine.asking.candidates import ranked as in_order
from reqap_kg.engine.asking.planned import Planned
from reqap_kg.operators.nodes import Retrieve
from reqap_kg.planner.search.plan import AnswerForm
from reqap_kg.planner.search.score import Parts

PLANNED = Planned(Retrieve("runs"), AnswerForm("number"), "model", 0.5)
RULES = replace(PLANNED, planner="rules", parts=Parts(0.8, 0.5, 1.0, 0.8))


def parsed(value: object, score: float) -> Reading:
    return Reading(PLANNED, score, str(value))


def ranked(rules: Sequence[Reading], read: Sequence[Reading]) -> list[Candidate]:
    return in_order(weighed(rules, read), Weights())


def test_readings_with_one_answer_are_one_candidate() -> None:
    found = ranked([], [parsed(3, 0.4), parsed(5, 0.35), parsed(3, 0.2)])
    assert [candidate.reading.value for candidate in found] == ["3", "5"]
    assert found[0].probability > found[1].probability


def test_many_less_likely_forms_with_one_answer_go_before_a_likelier_one() -> None:
    found = ranked([], [parsed(5, 0.16), *[parsed(3, 0.14)] * 6])
    assert found[0].reading.value == "3"


def test_rules_that_read_the_question_so_make_surer() -> None:
    alone = ranked([], [parsed(3, 0.5)])[0]
    agreed = ranked([Reading(RULES, 0.0, "3")], [parsed(3, 0.5)])[0]
    assert alone.reading.value == agreed.reading.value == "3"
    assert alone.probability < agreed.probability
    assert agreed.reading.planned == RULES


def test_what_answers_nothing_is_no_candidate() -> None:
    assert ranked([Reading(RULES, 0.0, None)], []) == []
    assert [one.reading.value for one in ranked([Reading(RULES, 0.0, None)], [parsed(3, 0.5)])] == ["3"]


def test_that_no_record_tells_is_an_answer_like_others() -> None:
    found = ranked([], [Reading(None, 0.8, UNTOLD), parsed(3, 0.1)])
    assert found[0].reading.planned is None


def test_probabilities_are_such() -> None:
    for score in (0.01, 0.5, 1.0):
        (one,) = ranked([], [parsed(1, score)])
        assert 0 < one.probability < 1
