"""Follow-ups put into self-contained words, over a small life."""

from __future__ import annotations

from datetime import date

import pytest

from reqap_kg.planner.followups.text import Period
from reqap_kg.planner.followups.words import (
    Edit,
    after_preposition,
    appended,
    direct,
    edited,
    in_words,
    lowered,
    of_unit,
    shifted,
)

YEAR, MARCH, APRIL = (of_unit(date(2024, month, 5), unit) for month, unit in ((1, "Y"), (3, "M"), (4, "M")))


@pytest.mark.parametrize(
    ("period", "by", "unit", "words"),
    [
        (YEAR, -1, "Y", "in 2023"),
        (YEAR, 2, "Y", "in 2026"),
        (MARCH, 1, "M", "in April 2024"),
        (APRIL, -1, "M", "in March 2024"),
        (MARCH, -1, "Y", "in March 2023"),
        (of_unit(date(2024, 1, 31), "M"), 1, "M", "in February 2024"),
        (of_unit(date(2024, 2, 5), "Q"), 1, "Q", "from 1 April 2024 to 30 June 2024"),
        (Period(date(2023, 6, 1), date(2023, 8, 31)), 1, "Y", "from 1 June 2024 to 31 August 2024"),
        (Period(date(2024, 2, 29), date(2024, 2, 29)), 1, "D", "on 1 March 2024"),
        (Period(date(2024, 3, 10), date(2024, 3, 10)), 1, "W", "on 17 March 2024"),
    ],
)
def test_a_period_is_moved_by_units(period: Period, by: int, unit: str, words: str) -> None:
    assert in_words(shifted(period, by, unit)) == words


def test_the_unit_around_a_day() -> None:
    assert of_unit(date(2024, 3, 10), "W") == Period(date(2024, 3, 4), date(2024, 3, 10))
    assert of_unit(date(2024, 5, 31), "Q") == Period(date(2024, 4, 1), date(2024, 6, 30))
    assert of_unit(date(2024, 2, 3), "M") == Period(date(2024, 2, 1), date(2024, 2, 29))


def test_words_are_put_in_the_place_of_others() -> None:
    text = "How many runs, in 2024, did I do?"
    assert edited(text, [Edit(15, 22, "in 2023"), Edit(9, 13, "swims")]) == "How many swims, in 2023, did I do?"
    assert edited(text, [Edit(15, 22, "")]) == "How many runs did I do?"
    assert appended("When was that?", "in 2023") == "When was that in 2023?"
    assert appended("When was that", "") == "When was that"


def test_prepositions_and_capitals() -> None:
    assert after_preposition("for April of that year", 13, "in 2024") == "2024"
    assert after_preposition("what about that year", 11, "in 2024") == "in 2024"
    assert lowered("In miles") == "in miles"
    assert lowered("Inner Wheel") == "Inner Wheel"


@pytest.mark.parametrize(
    ("offer", "question"),
    [
        ("how far you cycled in total", "how far did I cycle in total"),
        ("list them", "list them"),
        ("your longest run", "my longest run"),
        ("when you first listened to it", "when did I first listen to it"),
    ],
)
def test_what_is_offered_is_asked_by_the_other(offer: str, question: str) -> None:
    assert direct(offer) == question
