"""Plans: answer forms, steps, notes, scores; values against filters; the time of asking."""

import subprocess
import sys

import pytest

from reqap_kg.operators.syntax.text import format_tree
from reqap_kg.planner.search.plan import parse_graph, plans


@pytest.mark.parametrize(
    ("question", "kind", "unit"),
    [
        ("How many songs did I stream?", "number", None),
        ("How long did I work out in hours?", "duration", "h"),
        ("How far did I run in miles?", "number", "mi"),
        ("how many km did I run", "number", "km"),
        ("How much did I spend on books?", "number", None),
        ("When did I last run?", "date", None),
        ("In which month did I run most?", "month", None),
        ("On which weekday did I run most?", "weekday", None),
        ("Which movie did I watch most?", "text", None),
        ("What time did I start my last run?", "time", None),
        ("list my workouts", "events", None),
        ("how long was my last run", "duration", None),
    ],
)
def test_answer_forms(planned, question, kind, unit):
    form = planned(question).answer
    assert (form.type, form.unit) == (kind, unit)


def test_lists_name_their_column(planned):
    form = planned("Which movies did I watch?").answer
    assert (form.column, form.distinct) == ("movie_title", True)


def test_the_time_of_asking_is_an_argument(planned):
    from datetime import datetime

    question = "How many songs did I stream last month?"
    assert "date(2025, 8, 1)" in format_tree(planned(question).tree)
    assert "date(2020, 2, 29)" in format_tree(planned(question, datetime(2020, 3, 31)).tree)


def test_steps_name_the_rules_and_their_questions(planned):
    steps = planned("How many songs did I stream last month?").steps
    assert [step.rule.rsplit("#", 1)[1] for step in steps] == ["countEvents", "filterDays", "retrieve"]
    assert [step.question for step in steps] == [
        "How many songs did I stream last month?",
        "songs I streamed, last month",
        "songs I streamed",
    ]


def test_assumptions_are_noted(planned):
    notes = planned("How many songs did I stream in March?").notes
    assert notes == ("“in March” is read as 2025-03",)
    assert planned("How many songs did I stream in March 2024?").notes == ()


def test_words_that_say_nothing_are_told(planned):
    assert planned("Please tell me, how many songs did I ever stream in total?").ignored


def test_scores_are_between_0_and_1_and_known_words_score_more(planned):
    known = planned("How many songs did I stream?").score
    unknown = planned("How many blorps did I zork?").score
    assert 0 < unknown < known <= 1


def test_several_plans_best_first(life, vocabulary):
    from .conftest import NOW

    found = plans("which song did I play most", graph=life, vocabulary=vocabulary, now=NOW, top=3)
    assert 1 <= len(found) <= 3
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_values_of_the_data_are_no_filters(planned):
    assert 'query="I listened to Last Christmas"' in format_tree(
        planned("How often did I listen to Last Christmas?").tree
    )
    found = planned("How often did I listen to Last Christmas in December 2024?").tree
    assert 'RETRIEVE(query="I listened to Last Christmas")' in format_tree(found)
    assert "date(2024, 12, 1)" in format_tree(found)
    assert 'query="I played Most Girls"' in format_tree(planned("How often did I play Most Girls?").tree)
    assert 'query="I watched Summer of 2022"' in format_tree(planned("When did I last watch Summer of 2022?").tree)


def test_a_value_in_another_spelling_loses_to_a_filter(planned):
    found = format_tree(planned("How many songs did I play yesterday?").tree)
    assert "date(2025, 9, 13)" in found
    assert 'query="songs I played"' in found


def test_quoted_words_are_a_value(planned):
    found = format_tree(planned('How often did I listen to "In the Morning"?').tree)
    assert "start_time" not in found
    assert "In the Morning" in found


def test_source_keys_that_the_data_has_are_attributes(planned):
    found = format_tree(planned("Which mood did I have most?").tree)
    assert 'attr_names=["mood"]' in found


def test_planning_needs_no_model():
    code = """
import sys
from datetime import datetime
from reqap_kg.planner.search.plan import plan
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.vocabulary import load_vocabulary

graph = MemoryGraph(ontology_quads())
vocabulary = load_vocabulary(graph)
plan("How many songs did I stream last month?", graph=graph, vocabulary=vocabulary, now=datetime(2025, 3, 1))
sys.exit(bool({"torch", "spacy", "sentence_transformers"} & set(sys.modules)))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_parse_graph_holds_annotations_and_their_variables(life, vocabulary):
    from .conftest import NOW

    triples = parse_graph("Which artist did I listen to most in 2024?", graph=life, vocabulary=vocabulary, now=NOW)
    text = {(t.predicate.value.rsplit("#", 1)[-1], getattr(t.object, "value", "")) for t in triples}
    assert ("core", "Which artist did I listen to most") in text
    assert ("filters", ", in 2024") in text
    assert ("begin", "2024-01-01") in text
    assert ("matches", "https://w3id.org/reqap-kg/event#artist") in text


def test_a_planner_gives_the_same_for_every_question_it_was_asked(life, vocabulary, monkeypatch):
    from reqap_kg.planner.search import plan as planning

    from .conftest import NOW

    monkeypatch.setattr(planning, "FORGET_AFTER", 3)
    planner = planning.Planner(life, vocabulary)
    asked = ["how many songs did I play in 2024", "which artist did I listen to most", "did I play Yesterday?"]
    first = [planner.plan(question, now=NOW) for question in asked]
    for _ in range(3):
        assert [planner.plan(question, now=NOW) for question in asked] == first
    assert planner.plan("how many songs did I play last year", now=NOW.replace(year=2020)).notes == ()
    assert "date(2019, 1, 1)" in format_tree(
        planner.plan("how many songs did I play last year", now=NOW.replace(year=2020)).tree
    )
