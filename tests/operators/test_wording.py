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


@settings(max_examples=drawn(150), deadline=None)
@given(trees())
def test_every_query_and_every_number_of_a_condition_is_said(text: str) -> None:
    tree = parse_tree(text)
    told = wording(tree)
    for part in walk(tree):
        if isinstance(part, Retrieve):
            assert part.query in told or repr(part.query)[1:-1] in told
        if isinstance(part, Filter):
            assert all(number in told for number in re.findall(r"value=(\d{3,})\)", repr(part.condition)))
