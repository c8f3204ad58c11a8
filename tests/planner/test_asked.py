"""What kind of answer a question asks for, and which answers are of that kind."""

from __future__ import annotations

import pytest

from reqap_kg.planner.search.asked import Asked, Kind, asked_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did I last see a dentist?", Kind.WHEN),
        ("tell me when I last swam", Kind.WHEN),
        ("the latest train home, what time?", Kind.TIME),
        ("On which day did I run most?", Kind.DAY),
        ("what month was the busiest", Kind.MONTH),
        ("How long was my longest ride?", Kind.DURATION),
        ("How much time did I spend running?", Kind.DURATION),
        ("how far did I walk in May", Kind.DISTANCE),
        ("how often did I swim when I was in Berlin", Kind.COUNT),
        ("When I was in Berlin, how often did I swim?", Kind.COUNT),
        ("in 2023 how many concerts", Kind.COUNT),
        ("how much did I pay for the bike", Kind.AMOUNT),
        ("With whom did I have dinner?", Kind.PERSON),
        ("the friend who was in Cork, who did I see there", Kind.PERSON),
        ("Where was the wedding?", Kind.PLACE),
        ("which ride was my longest", Kind.THING),
        ("What did I buy at the market?", Kind.THING),
        ("the last film I rented", Kind.THING),
        ("Did I ever go to a place where I met Anna?", Kind.WHETHER),
        ("have I been to Rome", Kind.WHETHER),
        ("Did I run more in 2023 or in 2024?", Kind.OPEN),
        ("what did I spend on shoes", Kind.OPEN),
        ("can you show me my runs", Kind.OPEN),
        ("the day when I met Anna", Kind.OPEN),
    ],
)
def test_the_interrogative_says_what_is_asked(question: str, kind: Kind) -> None:
    assert asked_of(question).kind is kind


@pytest.mark.parametrize(
    ("kind", "fitting", "other"),
    [
        (Kind.WHEN, "date", "duration"),
        (Kind.TIME, "time", "text"),
        (Kind.DURATION, "duration", "date"),
        (Kind.COUNT, "number", "boolean"),
        (Kind.PERSON, "text", "number"),
        (Kind.PLACE, "text", "date"),
        (Kind.THING, "text", "duration"),
        (Kind.THING, "events", "number"),
        (Kind.WHETHER, "boolean", "number"),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked(kind: Kind, fitting: str, other: str) -> None:
    assert Asked(kind).fits(fitting)
    assert not Asked(kind).fits(other)
    assert Asked(Kind.OPEN).fits(other)


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("which city did I visit", True),
        ("which cities did I visit", False),
        ("when was the wedding", True),
        ("when did I swim", False),
        ("how many runs by month", False),
    ],
)
def test_the_singular_asks_for_one(question: str, one: bool) -> None:
    assert asked_of(question).one is one


@pytest.mark.parametrize(
    ("question", "unit", "each"),
    [
        ("how many minutes did I run", "minutes", ""),
        ("the longest session, in hours", "hours", ""),
        ("how many km each month in 2024", "", "month"),
        ("spending by year", "", "year"),
        ("how many runs per week", "", ""),
        ("how much do I spend on average each month", "", ""),
    ],
)
def test_units_and_parts_of_time_are_heard(question: str, unit: str, each: str) -> None:
    asked = asked_of(question)
    assert (asked.unit, asked.each) == (unit, each)
