"""Trees in plain English: what was read is said, and nothing of a tree is left out."""

from __future__ import annotations

import re

import pytest
from drawing import drawn
from hypothesis import given, settings
from random_trees import trees

from reqap_kg.operators.nodes import Filter, Retrieve, walk
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.operators.wording import told_in_words, wording

RUNS = 'RETRIEVE(query="runs I did")'
DISTANCE = f'EXTRACT(l={RUNS}, attr_names=["distance"], attr_types=[float])'
IN_MAY = (
    f'FILTER(l={RUNS}, filter=lambda attr: attr["start_date"] >= date(2024, 5, 1) and '
    'attr["start_date"] <= date(2024, 5, 31))'
)


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        (f"APPLY(l={IN_MAY}, fct=len)", "the number of “runs I did”, from 2024-05-01, until 2024-05-31"),
        (
            f'JOIN(l1={RUNS}, l2=RETRIEVE(query="football"), condition="i1.start_date == i2.start_date and '
            'i2.start_datetime <= i1.start_datetime")',
            "“runs I did” the same day after “football”",
        ),
        (f'SUM(l={DISTANCE}, attr_name="distance")', "the total distance of “runs I did”"),
        (f'MAX(l={RUNS}, attr_name="start_date")', "the latest start date of “runs I did”"),
        (
            f'FILTER(l={DISTANCE}, filter=lambda attr: attr["distance"] > 10 and "ann" in attr["participant"].lower())',
            "“runs I did”, distance over 10, participant with “ann”",
        ),
        (
            f'ARGMAX(l={DISTANCE}, arg_attr_name="start_datetime", val_attr_name="distance")',
            "the distance of the last of “runs I did”",
        ),
        (
            f'ARGMAX(l=MAP(l=GROUP_BY(l={RUNS}, attr_names=["city"]), fct=len, res_name="n"), arg_attr_name="n", '
            'val_attr_name="city")',
            "the city with the most: number of “runs I did”, by city",
        ),
        (
            f'FILTER(l={RUNS}, filter=lambda attr: attr["start_datetime"] in APPLY(l=JOIN(l1={RUNS}, '
            'l2=RETRIEVE(query="the trip"), '
            'condition="i2.start_date <= i1.start_date and i1.start_date <= i2.end_date"), '
            'fct=lambda events: set(event["start_datetime"] for event in events)).result)',
            "“runs I did”, during “the trip”",
        ),
        (
            f'FILTER(l={RUNS}, filter=lambda attr: attr["start_date"] not in APPLY(l=RETRIEVE(query="football"), '
            'fct=lambda events: set(event["start_date"] for event in events)).result)',
            "“runs I did”, not on days with “football”",
        ),
        (
            f'FILTER(l={DISTANCE}, filter=lambda attr: attr["distance"] is not None)',
            "“runs I did”, with a known distance",
        ),
        (
            f'FILTER(l={RUNS}, filter=lambda attr: attr["activity"] in ["dinner", "lunch", "brunch"])',
            "“runs I did”, activity is “dinner”, “lunch” or “brunch”",
        ),
        (f"APPLY(l={RUNS}, fct=lambda events: len(events) > 0)", "whether there is any of “runs I did”"),
        (
            f"APPLY(l=APPLY(l={RUNS}, fct=len), fct=lambda n: n > APPLY(l={IN_MAY}, fct=len).result)",
            "whether the number of “runs I did” is more than the number of “runs I did”, from 2024-05-01, "
            "until 2024-05-31",
        ),
    ],
)
def test_usual_trees_have_usual_words(tree: str, told: str) -> None:
    assert wording(parse_tree(tree)) == told


def test_the_attribute_that_answers_is_said() -> None:
    assert told_in_words(parse_tree(DISTANCE), "distance") == "the distance of “runs I did”"


PROGRAM = re.compile(
    r"lambda|[{}\[\]]|==|!=|//|\*\*|\w\(|\w_\w|\w\.\w|\bi[12]\b|\bNone\b|\bTrue\b|\bFalse\b|isoweekday"
)
"""What a program is written with, and no sentence."""


def _without_quoted(told: str) -> str:
    """What is said, without the words of texts; numbers keep what stands before their point."""
    return re.sub(r"\d\.\d", "0", re.sub("“[^“”]*”", "“”", told))


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ('attr["start_date"].isoweekday() == 1', "on Monday"),
        ('attr["start_date"].isoweekday() in [6, 7]', "on Saturday or Sunday"),
        ('attr["start_date"].weekday() not in [5, 6]', "not on Saturday or Sunday"),
        ('attr["start_date"].month == 5', "in May"),
        ('attr["start_date"].month in [6, 7, 8]', "in June, July or August"),
        ('attr["start_date"].year != 2024', "not in 2024"),
        ('attr["start_date"].isoweekday() == 9', "weekday of start date is 9"),
        ('attr["start_time"] < time(8, 0)', "before 08:00"),
        ('attr["start_date"] == date(2024, 5, 1)', "on 2024-05-01"),
        ('attr["start_date"] == date(2024, 5, 1) or attr["start_date"] < date(2024, 5, 1) and '
         'attr["end_date"] >= date(2024, 5, 1)', "on 2024-05-01 or across it"),
        ('attr["end_date"] >= date(2024, 5, 1)', "ended from 2024-05-01"),
        ('attr["start_time"] >= time(18, 30)', "from 18:30"),
        ('attr["start_datetime"].hour >= 18', "hour of start datetime from 18"),
        ('attr["subject"].lower().startswith("re:")', "subject begins with “re:”"),
        ('any(name in attr["text"].lower() for name in ["ann", "bo"])', "for any of “ann” or “bo”: text with it"),
        ('attr["archived"]', "with archived"),
        ('attr["city"] is None', "with no known city"),
        ('10 < attr["distance"] <= 20', "distance over 10, distance up to 20"),
        ('attr["start_date"] >= date.today() - timedelta(days=7)', "from today minus 7 days"),
        ('attr["end_datetime"] - attr["start_datetime"] > timedelta(hours=1)',
         "end datetime minus start datetime over 1 hour"),
        ('len(attr["participant"]) == 2', "number of participant is 2"),
        ('attr["start_date"].strftime("%Y-%m") == "2024-05"', "year and month of start date is “2024-05”"),
    ],
)  # fmt: skip
def test_conditions_are_said_in_words(condition: str, said: str) -> None:
    tree = parse_tree(f"FILTER(l={RUNS}, filter=lambda attr: {condition})")
    assert wording(tree) == f"“runs I did”, {said}"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ('lambda events: sorted(e["distance"] for e in events)[0]', "the first of distance of “runs I did” in order"),
        ("lambda events: len(events) / 12", "the number of “runs I did” divided by 12"),
        ('lambda events: len(set(e["start_date"] for e in events))',
         "the number of each different start date of “runs I did”"),
        ('lambda events: mean([e["distance"] for e in events if e["distance"] > 3])',
         "the average of distance of “runs I did” where distance over 3"),
    ],
)  # fmt: skip
def test_functions_are_said_in_words(function: str, said: str) -> None:
    assert wording(parse_tree(f"APPLY(l={RUNS}, fct={function})")) == said


@settings(max_examples=drawn(150), deadline=None)
@given(trees())
def test_every_query_and_every_number_of_a_condition_is_said(text: str) -> None:
    tree = parse_tree(text)
    told = wording(tree)
    assert not PROGRAM.search(_without_quoted(told)), told
    for part in walk(tree):
        if isinstance(part, Retrieve):
            assert part.query in told or repr(part.query)[1:-1] in told
        if isinstance(part, Filter):
            assert all(number in told for number in re.findall(r"value=(\d{3,})\)", repr(part.condition)))
