"""Answers as headlines: the value, what stands beside it, the sentence below."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from reqap_kg.engine.answers.answer import TOLD, Answer, Evidence, Table
from reqap_kg.engine.answers.headline import Headline, behind_in_words, headline_of
from reqap_kg.engine.answers.nouns import EVENTS, Called
from reqap_kg.engine.answers.outcomes import Missing, Reason
from reqap_kg.engine.answers.statement import Period, Statement

YEAR = Period(date(2024, 1, 1), date(2024, 12, 31))
RUNS = Called("run", "runs")


def answer(values: tuple, kind: str, question: str = "How many?", **more) -> Answer:
    return Answer(question, values, kind, "", sparql="", planner="rules", score=1.0, **more)


def events(days: list[date], *, basis: str = "records", kind: str = "Workout") -> tuple[Evidence, ...]:
    return tuple(
        Evidence(f"urn:{at}", kind, "apple-health", str(at), f"{day}T08:00:00", None, "run", basis)
        for at, day in enumerate(days)
    )


def counted(number: int, days: list[date], **more) -> Answer:
    stated = Statement("count", "", RUNS, YEAR, ())
    return answer((number,), "number", statement=stated, events=events(days), **more)


EVERY_SIX_DAYS = [date(2024, 1, 1) + timedelta(days=6 * at) for at in range(61)]


def test_a_count_says_of_what_and_how_it_is_spread() -> None:
    found = headline_of(counted(61, EVERY_SIX_DAYS))
    assert (found.value, found.beside, found.in_words) == ("61", "runs in 2024", False)
    assert found.sentence.startswith("Recorded by Apple Health. About one every six days")


@pytest.mark.parametrize(
    ("apart", "said"),
    [(1, "about one a day"), (7, "about one a week"), (30, "about one a month"), (20, "about one every 19 days")],
)
def test_how_often_is_said_in_plain_words(apart: int, said: str) -> None:
    days = [date(2024, 1, 1) + timedelta(days=at) for at in range(0, 366, apart)]
    assert said.capitalize() in headline_of(counted(len(days), days)).sentence


def test_few_events_or_few_days_are_not_spread() -> None:
    assert headline_of(counted(3, EVERY_SIX_DAYS[:3])).sentence == "Recorded by Apple Health."
    close = replace(counted(20, [date(2024, 1, 1)] * 20), statement=None)
    assert "every" not in headline_of(close).sentence


def test_months_are_named_where_one_or_two_have_most() -> None:
    days = [date(2024, month, 1 + day) for month, number in ((2, 6), (5, 3), (8, 6), (11, 2)) for day in range(number)]
    assert headline_of(counted(len(days), days)).sentence.endswith("most in February and August.")
    older = [date(2023, 12, 1 + day) for day in range(8)]
    both = replace(counted(25, [*days, *older]), statement=None, values=("x",) * 25, answer_type="events")
    assert headline_of(both).sentence.endswith("most in December 2023.")


def test_texts_are_told_by_and_count_once() -> None:
    days = [date(2024, 3, 1), date(2024, 3, 2), date(2024, 3, 3)]
    stated = Statement("count", "", EVENTS, YEAR, ("for “I ate”",))
    told = answer(
        (2,), "number", "How often did I eat?", statement=stated, events=events(days, basis=TOLD, kind="CalendarEntry")
    )
    found = headline_of(told)
    assert found.beside == "times in 2024"
    assert found.sentence == "Told by 3 calendar entries. Those that tell of one happening count once."
    assert behind_in_words(replace(told, events=told.events[:1]), 1) == "Told by a calendar entry."
    assert behind_in_words(replace(told, more_events=True), 2) == ""


def test_a_measure_is_the_value_and_the_rest_a_sentence() -> None:
    stated = Statement("total", "distance", RUNS, YEAR, ())
    found = headline_of(answer((510.19,), "number", unit="km", statement=stated, events=events(EVERY_SIX_DAYS)))
    assert found == Headline("510.19 km", "", "The total distance of 61 runs in 2024, by Apple Health.", False)


def test_words_and_lists_of_words() -> None:
    assert headline_of(answer(("Gwenno",), "text")) == Headline("Gwenno", "", "")
    few = headline_of(answer(("A", "B"), "text", events=events(EVERY_SIX_DAYS[:2])))
    assert (few.value, few.values) == ("A and B", ())
    many = headline_of(answer(tuple("ABCDE"), "text", events=events(EVERY_SIX_DAYS[:2])))
    assert (many.value, many.beside, many.values) == ("5", "answers", tuple("ABCDE"))
    long = headline_of(answer(("x" * 60, "y" * 60), "text", events=events(EVERY_SIX_DAYS[:2])))
    assert long.values == ("x" * 60, "y" * 60)


def test_groups_say_how_many_there_are_and_between_which_they_lie() -> None:
    table = Table(("month", "value"), (("2024-01", 3), ("2024-02", 5)))
    found = headline_of(answer(("2024-01: 3", "2024-02: 5"), "table", table=table))
    assert (found.value, found.beside) == ("2", "months")
    assert found.sentence == "From 3 (January 2024) to 5 (February 2024)."


def test_a_zero_says_what_was_looked_at() -> None:
    missing = Missing(Reason.NOTHING_MATCHES, "your data has 104 events, but none “in 2019”.")
    found = headline_of(replace(counted(0, []), missing=missing))
    assert found == Headline("0", "runs in 2024", "Your data has 104 events, but none “in 2019”.", False)


@pytest.mark.parametrize("reason", list(Reason))
def test_what_is_declined_says_so_first_and_leaves_the_offer_to_a_link(reason: Reason) -> None:
    missing = Missing(reason, "No source has it; I can answer “When was the last run?”.", "When was the last run?")
    found = headline_of(answer((), "none", missing=missing))
    assert found.value.startswith("I ")
    assert found.sentence == "No source has it."
    meant = Missing(reason, "I do not understand it; do you mean: the number of runs?")
    assert headline_of(answer((), "none", missing=meant)).sentence == "I do not understand it."
