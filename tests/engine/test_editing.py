"""Trees taken apart and changed: what each part says, what is left without it, what stands in its place."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from shutil import copytree

import pytest

from reqap_kg.engine.editing.parts import Part, Role
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import TreeSyntaxError, UsageError
from reqap_kg.operators.syntax.text import format_tree

NOW = datetime(2025, 3, 1, 12)
RUNS = "How many runs did I do in 2024?"


@pytest.fixture(scope="module")
def known(imported_demo, tmp_path_factory):
    store = Path(copytree(imported_demo, tmp_path_factory.mktemp("editing") / "store"))
    with KnowledgeGraph.open(store) as opened:
        yield opened


def _parts(known: KnowledgeGraph, question: str) -> dict[Role, list[Part]]:
    found: dict[Role, list[Part]] = {}
    for part in known.parts(known.ask(question, now=NOW).plan, now=NOW):
        found.setdefault(part.role, []).append(part)
    return found


def _values(known: KnowledgeGraph, tree) -> list:
    return list(known.run(format_tree(tree), now=NOW).values)


def test_a_question_is_told_part_by_part(known):
    found = _parts(known, RUNS)
    assert {role: [part.text for part in same] for role, same in found.items()} == {
        Role.EVENTS: ["workouts"],
        Role.CONDITION: ["workout type: running"],
        Role.PERIOD: ["in 2024"],
        Role.MEASURE: ["counted"],
    }


def test_a_part_that_is_taken_away_leaves_all_others(known):
    found = _parts(known, RUNS)
    asked = known.run('APPLY(l=RETRIEVE(query="runs"), fct=len)', now=NOW).values
    assert _values(known, found[Role.PERIOD][0].without) == list(asked)
    workouts = known.ask("How many workouts did I do in 2024?", now=NOW).values
    assert _values(known, found[Role.CONDITION][0].without) == list(workouts)


@pytest.mark.parametrize(
    ("role", "text", "question"),
    [
        (Role.PERIOD, "in 2023", "How many runs did I do in 2023?"),
        (Role.EVENTS, "purchases", "How many purchases did I make in 2024?"),
        (Role.MEASURE, "total distance", "How far did I run in 2024?"),
    ],
)
def test_another_in_its_place_is_the_other_question(known, role, text, question):
    (part,) = _parts(known, RUNS)[role]
    change = next(one for one in part.others if one.text == text)
    assert _values(known, change.tree) == list(known.ask(question, now=NOW).values)


def test_another_value_in_its_place_is_of_the_same_kind_and_days(known):
    (part,) = _parts(known, RUNS)[Role.CONDITION]
    swimming = next(one for one in part.others if one.text == "swimming")
    workouts = known.ask("How many workouts did I do in 2024?", now=NOW).plan
    assert _values(known, swimming.tree) == _values(known, known.narrowed(workouts, "workout_type", "swimming")) == [5]


def test_how_many_events_a_value_has_is_told(known):
    (part,) = _parts(known, "How many runs did I do?")[Role.CONDITION]
    told = {change.text: change.count for change in part.others}
    assert told["soccer"] == known.run('APPLY(l=RETRIEVE(query="soccer workouts"), fct=len)', now=NOW).values[0]


def test_a_number_that_a_period_makes_less_is_not_told(known):
    found = _parts(known, RUNS)
    assert {change.count for role in (Role.CONDITION, Role.EVENTS) for change in found[role][0].others} == {None}


def test_what_is_told_of_events_stays_where_a_condition_goes(known):
    found = _parts(known, "Which Gwenno songs did I play in January 2024?")
    assert 'attr_names=["song"]' in format_tree(found[Role.PERIOD][0].without)


def test_a_condition_goes_wherever_it_stands(known):
    question = "How often did I eat Italian food after playing football?"
    tree = known.plan(question, now=NOW).node
    conditions = [part for part in known.parts(format_tree(tree), now=NOW) if part.role == Role.CONDITION]
    cuisine = next(part for part in conditions if part.text == "cuisine: italian")
    assert format_tree(tree).count('"cuisine"') > 2
    assert "cuisine" not in format_tree(cuisine.without)
    assert [part.text for part in conditions] == ["cuisine: italian", "the same day after “playing football”"]


def test_any_days_may_be_asked_for(known):
    tree = known.ask(RUNS, now=NOW).plan
    spring = known.in_period(tree, date(2024, 3, 1), date(2024, 5, 31))
    monthly = [known.in_period(tree, date(2024, m, 1), date(2024, m, d)) for m, d in ((3, 31), (4, 30), (5, 31))]
    assert _values(known, spring) == [sum(_values(known, one)[0] for one in monthly)]
    every = known.in_period('APPLY(l=RETRIEVE(query="runs"), fct=len)', date(2024, 1, 1), date(2024, 12, 31))
    assert _values(known, every) == [57]
    with pytest.raises(UsageError, match="before it begins"):
        known.in_period(tree, date(2024, 3, 2), date(2024, 3, 1))


def test_conditions_are_offered_that_part_the_events(known):
    tree = known.ask("How many workouts did I do in 2024?", now=NOW).plan
    (found,) = [one for one in known.additions(tree, now=NOW) if one.name == "workout_type"]
    assert dict(found.values)["running"] == 104
    assert _values(known, known.narrowed(tree, found.name, "RUNNING")) == [57]
    events = [event.iri for event in known.ask("How many workouts did I do in 2024?", now=NOW).events]
    (here,) = [one for one in known.additions(tree, now=NOW, among=events) if one.name == "workout_type"]
    told = dict(here.values)
    assert (told["running"], told["swimming"]) == (57, 5)
    assert sum(told.values()) == len(events) == 120
    names = [one.name for one in known.additions(known.ask("How many purchases did I make?", now=NOW).plan, now=NOW)]
    assert "shop" in names
    assert "order_id" not in names  # which of one event each


def test_months_have_the_months_beside_them(known):
    (part,) = _parts(known, "How much did I spend at Amazon in March 2024?")[Role.PERIOD]
    assert [change.text for change in part.others] == ["in February 2024", "in April 2024"]


def test_what_is_no_tree_is_refused(known):
    with pytest.raises(TreeSyntaxError):
        known.parts("APPLY(l=", now=NOW)
    with pytest.raises(UsageError):
        known.narrowed('QUD("x")', "shop", "x")
