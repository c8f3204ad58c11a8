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


@pytest.mark.parametrize(
    ("question", "tree"),
    [
        (
            "Did I watch more films at home or at work?",
            'APPLY(l=APPLY(l=RETRIEVE(query="films I watched at home"), fct=len), fct=lambda n: "home" if n > '
            'APPLY(l=RETRIEVE(query="films I watched at work"), fct=len).result else "work" if '
            'APPLY(l=RETRIEVE(query="films I watched at work"), fct=len).result > n else None)',
        ),
        (
            "Did I run more than I swam?",
            'APPLY(l=APPLY(l=RETRIEVE(query="I ran"), fct=len), fct=lambda n: n > '
            'APPLY(l=RETRIEVE(query="I swam"), fct=len).result)',
        ),
        (
            "What share of my films did I watch at home?",
            'APPLY(l=APPLY(l=RETRIEVE(query="films I watched at home"), fct=len), fct=lambda n: 100 * n / '
            'APPLY(l=RETRIEVE(query="films"), fct=len).result)',
        ),
        (
            "How many runs did I do per week in 2024?",
            'APPLY(l=APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="runs I did"), attr_names=["start_date"], '
            'attr_types=[date]), filter=lambda attr: attr["start_date"] >= date(2024, 1, 1) and '
            'attr["start_date"] <= date(2024, 12, 31)), fct=len), fct=lambda n: n * 7 / (((date(2024, 12, 31) if '
            "date(2024, 12, 31) < date.today() else date.today()) - date(2024, 1, 1)).days + 1))",
        ),
        (
            "My longest streak of days with a run",
            'APPLY(l=APPLY(l=RETRIEVE(query="run"), fct=lambda events: sorted(set(event["start_date"] for event in '
            "events))), fct=lambda days: max(next(n for n in range(1, 4000) if start + timedelta(days=n) not in "
            "days) for start in days))",
        ),
        (
            "How many weeks ago did I last swim?",
            'APPLY(l=MAX(l=EXTRACT(l=RETRIEVE(query="I swam"), attr_names=["start_date"], attr_types=[date]), '
            'attr_name="start_date"), fct=lambda day: (date.today() - day).days // 7)',
        ),
    ],
)
def test_compared_shared_and_counted(planner, question, tree):
    assert format_tree(planner.plan(question, now=NOW).tree) == format_tree(parse_tree(tree))


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
