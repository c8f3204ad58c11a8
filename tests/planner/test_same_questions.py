"""Questions that say the same in other words become the same tree; the table is phrasings/same.json."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.search.plan import Planner

from .test_phrasings import LIFE, TABLES

NOW = datetime(2025, 9, 14, 10, 30)
SAME = [
    pytest.param(first, other, id=other)
    for first, *others in json.loads((TABLES / "same.json").read_text(encoding="utf-8"))
    for other in others
]


@pytest.fixture(scope="module")
def planner(vocabulary):
    return Planner(LIFE, vocabulary)


@pytest.mark.sampled(3)
@pytest.mark.sampled(4)
@pytest.mark.parametrize(("first", "other"), SAME)
def test_the_same_in_other_words(planner, first, other):
    assert format_tree(planner.plan(other, now=NOW).tree) == format_tree(planner.plan(first, now=NOW).tree)


def test_so_many_a_week_are_divided_by_all_weeks_of_the_period(planner):
    tree = parse_tree(
        'APPLY(l=APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="runs I did"), attr_names=["start_date"], '
        'attr_types=[date]), filter=lambda attr: attr["start_date"] >= date(2024, 1, 1) and '
        'attr["start_date"] <= date(2024, 12, 31)), fct=len), fct=lambda n: n * 7 / (((date(2024, 12, 31) if '
        "date(2024, 12, 31) < date.today() else date.today()) - date(2024, 1, 1)).days + 1))"
    )
    assert format_tree(planner.plan("How many runs did I do per week in 2024?", now=NOW).tree) == format_tree(tree)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old was I when I started at Deltakaart?", "lambda events: 31"),
        ("How old is my sister?", "lambda events: 38"),
        ("On what weekday was my sister born?", "lambda events: date(1987, 5, 12).strftime("),
        ("When was my sister born?", "lambda events: date(1987, 5, 12)"),
    ],
)
def test_ages_and_births_of_the_profile(planner, question, answer):
    assert answer in format_tree(planner.plan(question, now=NOW).tree)


def test_an_age_at_an_event_is_computed_from_its_day(planner):
    tree = format_tree(planner.plan("How old was I when I ran my first marathon?", now=NOW).tree)
    assert "fct=lambda day: (day - date(" in tree
