"""How answers are said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.engine.answers.formats import period_in_words
from reqap_kg.engine.answers.nouns import Called
from reqap_kg.engine.answers.sentence import SHOWN, Behind, sentence, source_in_words
from reqap_kg.engine.answers.statement import Period, Statement


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (2352.7, "EUR", "€2,352.70"),
        (7, "EUR", "€7.00"),
        (12.1, "km", "12.1 km"),
        (1234.5678, "kcal", "1,234.57 kcal"),
        (5400, "s", "1 h 30 min"),
        (1.994521, None, "1.99452"),
        (26101.369863, None, "26101.37"),
        (2024, None, "2024"),
    ],
)
def test_numbers_are_said_in_their_unit(value: float, unit: str | None, said: str) -> None:
    assert sentence([value], "number", unit, Behind(3)).startswith(said)


def test_labels_of_events_stand_once_with_their_days() -> None:
    days = ["2024-01-07T09:41:00", None, "2024-01-09T07:17:00", "2024-01-09T08:00:00"]
    told = sentence(["running", "", "running", "cycling"], "events", None, Behind(4, days=tuple(days)))
    times = "2 times from 7 January 2024 to 9 January 2024"
    assert told == f"running ({times}), (without a title) and cycling (from 4 events)."


@given(st.lists(st.text("ab ,;", min_size=1, max_size=6).filter(str.strip), min_size=2, max_size=14, unique=True))
def test_one_sees_where_an_item_ends(items: list[str]) -> None:
    said = sentence(items, "text", None, Behind())
    named = items[:SHOWN]
    if any("," in item for item in named):
        assert said.count(";") == len(named) - 1 + (len(items) > SHOWN) + sum(item.count(";") for item in named)
    else:
        assert said.count(",") == len(named) - (1 if len(items) > SHOWN else 2)
    assert (f"and {len(items) - SHOWN} more" in said) == (len(items) > SHOWN)


def test_all_values_are_named_if_wanted() -> None:
    values = [f"v{number}" for number in range(30)]
    assert "more" not in sentence(values, "text", None, Behind(), shown=None)
    assert "and 28 more" in sentence(values, "text", None, Behind(), shown=2)


RUNS = Called("running workout", "running workouts")
YEAR = Period(date(2024, 1, 1), date(2024, 12, 31))


@pytest.mark.parametrize(
    ("operation", "measure", "value", "unit", "behind", "said"),
    [
        ("count", "", 57, None, Behind(57, sources=("apple-health",)), "57 running workouts in 2024, by Apple Health."),
        ("count", "", 1, None, Behind(1), "1 running workout in 2024."),
        ("count", "", 1234, None, Behind(1000, more=True), "1,234 running workouts in 2024."),
        (
            "count", "", 59, None, Behind(59, told=2),
            "59 running workouts in 2024, 2 of them told in texts or calendar entries.",
        ),
        ("total", "distance", 412.5, "km", Behind(57), "412.5 km, the total distance of 57 running workouts in 2024."),
        (
            "total", "price", 99, "EUR", Behind(1000, more=True),
            "€99.00, the total price of more than 1,000 running workouts in 2024.",
        ),
        (
            "greatest", "distance", 21.1, "km", Behind(1),
            "21.1 km, the greatest distance of the running workouts in 2024.",
        ),
    ],
)  # fmt: skip
def test_a_sentence_says_what_was_counted_of_when_and_by_what(
    operation: str, measure: str, value: float, unit: str | None, behind: Behind, said: str
) -> None:
    statement = Statement(operation, measure, RUNS, YEAR, ())
    assert sentence([value], "number", unit, behind, statement=statement) == said


def test_further_limits_follow_the_period() -> None:
    statement = Statement("count", "", RUNS, YEAR, ("with “Ann”", "distance over 5"))
    said = sentence([3], "number", None, Behind(3), statement=statement)
    assert said == "3 running workouts in 2024, with “Ann”, distance over 5."


def test_ties_are_said() -> None:
    assert (
        sentence(["A", "B"], "text", None, Behind(9), tied=True) == "A and B, as much as one another (from 9 events)."
    )


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (date(2024, 1, 1), date(2024, 12, 31), "in 2024"),
        (date(2023, 1, 1), date(2024, 12, 31), "from 2023 to 2024"),
        (date(2024, 2, 1), date(2024, 2, 29), "in February 2024"),
        (date(2024, 2, 3), date(2024, 2, 3), "on 3 February 2024"),
        (date(2024, 2, 3), date(2024, 2, 9), "from 3 February 2024 to 9 February 2024"),
        (date(2024, 2, 3), date.max, "since 3 February 2024"),
        (date.min, date(2024, 2, 3), "until 3 February 2024"),
        (date.min, date.max, ""),
    ],
)
def test_periods_are_said_as_people_do(first: date, last: date, said: str) -> None:
    assert period_in_words(Period(first, last), "en_GB") == said


def test_a_locale_writes_numbers_money_and_dates() -> None:
    assert sentence([2352.7], "number", "EUR", Behind(), locale="de_DE") == "2.352,70 €."
    assert sentence(["2024-03-01"], "date", None, Behind(), locale="en_US") == "Friday, March 1, 2024."
    assert sentence(["2024-03-01"], "date", None, Behind(), locale="de_DE") == "Friday, 1 March 2024."


def test_sources_are_called_as_people_do() -> None:
    assert [source_in_words(name) for name in ("apple-health", "mail", "calendar-hank")] == [
        "Apple Health", "Mail", "Calendar “Hank”"
    ]  # fmt: skip
