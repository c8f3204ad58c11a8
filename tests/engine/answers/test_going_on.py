"""What may be asked next of an answer, what a condition left out, a tree without a happening, a reading in short."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from reqap_kg.engine.answers.answer import Answer, Evidence
from reqap_kg.engine.answers.compared import without
from reqap_kg.engine.answers.formats import shortly
from reqap_kg.engine.answers.left_out import left_out
from reqap_kg.engine.answers.nouns import Called
from reqap_kg.engine.answers.statement import Period, Statement
from reqap_kg.engine.asking.going_on import ways_on
from reqap_kg.operators.syntax.printing import format_tree
from reqap_kg.operators.syntax.text import read_tree

ROWS = (
    'FILTER(l=EXTRACT(l=RETRIEVE(query="runs"), attr_names=["start_date"], attr_types=[date.fromisoformat]), '
    'filter=lambda attr: attr["start_date"] >= date(2024, 1, 1) and attr["start_date"] <= date(2024, 12, 31))'
)
COUNT = f"APPLY(l={ROWS}, fct=len)"
YEAR = Period(date(2024, 1, 1), date(2024, 12, 31))
EVENTS = tuple(Evidence(f"urn:{at}", "Workout", "watch", "", None, None, "run") for at in range(3))


def _answer(operation: str, plan: str, question: str = "How many runs in 2024?") -> Answer:
    stated = Statement(operation, "", Called("run", "runs"), YEAR, ())
    return Answer(question, (3,), "number", plan, "", "rules", 1.0, statement=stated, events=EVENTS)


def _tree(text: str):
    return read_tree(text).node


def test_a_year_goes_on_with_the_year_before() -> None:
    first = ways_on(_answer("count", COUNT), _tree(COUNT))[0]
    assert (first.label, first.question) == ("and in 2023?", "How many runs in 2023?")
    assert format_tree(first.tree) == COUNT.replace("2024", "2023")


@pytest.mark.parametrize(
    "condition",
    [
        'attr["start_date"].year == 2024',
        'attr["start_date"] is None or attr["start_date"].year == 2024',
    ],
)
def test_however_the_year_is_written(condition: str) -> None:
    plan = f'APPLY(l=FILTER(l=RETRIEVE(query="runs"), filter=lambda attr: {condition}), fct=len)'
    assert format_tree(ways_on(_answer("count", plan), _tree(plan))[0].tree) == plan.replace("2024", "2023")


@pytest.mark.parametrize(
    "plan",
    [
        COUNT.replace("date(2024, 12, 31)", "date(2025, 12, 31)"),
        COUNT.replace("date(2024, 12, 31)", "date(2024, 3, 31)"),
        'APPLY(l=RETRIEVE(query="runs"), fct=len)',
    ],
)
def test_only_a_whole_year_does(plan: str) -> None:
    assert "and in" not in "".join(way.label for way in ways_on(_answer("count", plan), _tree(plan)))


def test_a_question_that_names_the_year_twice_keeps_its_words() -> None:
    assert ways_on(_answer("count", COUNT, "In 2024, runs of 2024?"), _tree(COUNT))[0].question == ""


def test_others_are_of_the_same_events() -> None:
    ways = {way.label: format_tree(way.tree) for way in ways_on(_answer("count", COUNT), _tree(COUNT), ["distance"])}
    assert ways["list them"] == ROWS
    assert ways["the longest of them"] == (
        f'MAX(l=EXTRACT(l={ROWS}, attr_names=["distance"], attr_types=[float]), attr_name="distance")'
    )
    assert "the dearest of them" not in ways  # no price is recorded: texts would be read for it
    total = f'SUM(l=EXTRACT(l={ROWS}, attr_names=["distance"], attr_types=[float]), attr_name="distance")'
    ways = {way.label: format_tree(way.tree) for way in ways_on(_answer("total", total), _tree(total))}
    assert ways["on average?"] == total.replace("SUM", "AVG", 1)
    assert ways["when was the last?"].startswith(f"MAX(l=EXTRACT(l={ROWS}")
    assert "how many?" not in ways


def test_what_each_condition_turned_down_is_told_in_their_order() -> None:
    plan = f'APPLY(l=FILTER(l={ROWS}, filter=lambda attr: attr["distance"] > 5), fct=len)'
    passed = {'RETRIEVE(query="runs")': "abcd", ROWS: "abc"}

    def events(node) -> tuple[str, ...]:
        text = format_tree(node)
        return tuple(passed.get(text, "abcd" if "FILTER" not in text else "a"))

    found = [(one.reason, one.events) for one in left_out(_tree(plan), events, "en_GB")]
    assert found == [("not in 2024", ("d",)), ("not so: distance over 5", ("b", "c"))]


def test_a_happening_is_taken_out_of_the_search_alone() -> None:
    found = format_tree(without(_tree(COUNT), "runs", datetime(2024, 4, 20, 8, 30)))
    assert found == COUNT.replace(
        'RETRIEVE(query="runs")',
        'FILTER(l=RETRIEVE(query="runs"), filter=lambda attr: attr["start_datetime"] is None '
        'or attr["start_datetime"] != datetime(2024, 4, 20, 8, 30))',
    )
    assert without(_tree(COUNT), "songs", datetime(2024, 1, 1)) == _tree(COUNT)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (COUNT, ("the number of “runs”", "in 2024")),
        (COUNT.replace("12, 31", "1, 31"), ("the number of “runs”", "in January 2024")),
        (
            f'APPLY(l=FILTER(l={ROWS}, filter=lambda attr: attr["distance"] > 5), fct=len)',
            ("the number of “runs”, distance over 5", "in 2024"),
        ),
        ('RETRIEVE(query="runs")', ("“runs”", "")),
    ],
)
def test_a_reading_is_said_shortly(plan: str, said: tuple[str, str]) -> None:
    assert shortly(_tree(plan), None, "en_GB") == said
