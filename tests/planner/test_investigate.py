"""Investigations: all plans, every rule tried, and the graph in which to ask why one did not fire."""

from datetime import datetime

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.planner.search.plan import Investigation, investigate, plan
from reqap_kg.planner.search.trace import Outcome

from .conftest import NOW

PG = "https://w3id.org/reqap-kg/parse#"
QUESTION = "How many songs did I stream last month?"


@pytest.fixture
def investigated(life, vocabulary):
    def _investigated(question: str, now: datetime = NOW) -> Investigation:
        return investigate(question, graph=life, vocabulary=vocabulary, now=now)

    return _investigated


def test_the_first_plan_is_the_plan(investigated, planned):
    found = investigated(QUESTION)
    assert found.failure is None
    assert found.plans[0] == planned(QUESTION)


def test_every_rule_is_accounted_for_on_every_reading(investigated, book):
    found = investigated(QUESTION)
    assert [asked.question for asked in found.asked] == [
        QUESTION,
        "songs I streamed, last month",
        "songs I streamed",
    ]
    assert [asked.depth for asked in found.asked] == [0, 1, 2]
    for asked in found.asked:
        assert [trial.rule for trial in asked.trials] == list(book.rules)


def test_outcomes_tell_why_a_rule_did_not_lead_to_a_tree(investigated):
    top = investigated(QUESTION).asked[0]
    fired = top.trial(PG + "countEvents")
    assert fired is not None
    assert fired.outcome is Outcome.FIRED
    assert (fired.solutions, len(fired.pieces), fired.trees) == (1, 1, 1)
    waiting = top.trial(PG + "anyEvent")
    assert waiting is not None
    assert waiting.outcome is Outcome.WAITS
    assert waiting.solutions == 0
    later = top.trial(PG + "retrieve")
    assert later is not None
    assert later.outcome is Outcome.NOT_REACHED
    tried = next(t for t in top.trials if t.outcome is Outcome.NO_SOLUTION)
    assert tried.rule.order <= fired.rule.order


def test_parts_of_a_rule_can_be_asked_of_the_knowledge(investigated):
    found = investigated(QUESTION)
    asked = found.asked[0]
    assert found.knowledge.ask("ASK { $this a pg:Question ; pg:annotation/a pg:Frame }", {"this": asked.node})
    assert not found.knowledge.ask("ASK { $this a pg:Phrase }", {"this": asked.node})


def test_a_question_that_is_not_understood_is_investigated_too(investigated, life, vocabulary):
    question = "How did I zork the blorps?"
    found = investigated(question)
    assert found.plans == ()
    with pytest.raises(NotUnderstood) as raised:
        plan(question, graph=life, vocabulary=vocabulary, now=NOW)
    assert str(found.failure) == str(raised.value)
    assert found.asked
    assert found.asked[0].words


def test_pieces_without_a_whole_tree_tell_what_was_open(investigated):
    found = investigated("How many songs did I stream without dancing?")
    refused = [t for asked in found.asked for t in asked.trials if t.outcome is Outcome.REFUSED]
    assert refused
    assert all(t.refusals for t in refused)
    assert any("no rule reads" in refusal.reason for t in refused for refusal in t.refusals)
