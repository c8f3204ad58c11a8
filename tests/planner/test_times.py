"""Filters: what phrases of time and amount mean at a fixed time of asking (Sunday 14 September 2025, 10:30)."""

import pytest

from reqap_kg.planner.patterns.limits import BoundedGraph
from reqap_kg.planner.patterns.tokens import tokenise


@pytest.fixture
def best(matcher, book):
    """The longest, surest filter that a phrase holds: its words and variables, as text."""

    def find(phrase: str) -> tuple[str, dict[str, str]]:
        text = tokenise(phrase)
        found = [m for m in matcher.run(book.filters, text, {}) if "Filter" in m.pattern.kinds]
        assert found, f"no filter in {phrase!r}"
        match = max(found, key=lambda m: (m.last - m.first, m.pattern.confidence))
        return text.words(match.first, match.last), {name: term.value for name, term in match.variables.items()}

    return find


RANGES = [
    ("in 2023", "2023-01-01", "2023-12-31"),
    ("in the year 2023", "2023-01-01", "2023-12-31"),
    ("during 2023", "2023-01-01", "2023-12-31"),
    ("in March 2024", "2024-03-01", "2024-03-31"),
    ("in february of 2024", "2024-02-01", "2024-02-29"),
    ("in 2024-03", "2024-03-01", "2024-03-31"),
    ("in Sept 2021", "2021-09-01", "2021-09-30"),
    ("in March", "2025-03-01", "2025-03-31"),
    ("in December", "2024-12-01", "2024-12-31"),
    ("in September", "2025-09-01", "2025-09-30"),
    ("last March", "2025-03-01", "2025-03-31"),
    ("last September", "2024-09-01", "2024-09-30"),
    ("in March of last year", "2024-03-01", "2024-03-31"),
    ("in January this year", "2025-01-01", "2025-01-31"),
    ("this month", "2025-09-01", "2025-09-30"),
    ("last month", "2025-08-01", "2025-08-31"),
    ("this year", "2025-01-01", "2025-12-31"),
    ("last year", "2024-01-01", "2024-12-31"),
    ("next month", "2025-10-01", "2025-10-31"),
    ("last quarter", "2025-04-01", "2025-06-30"),
    ("this week", "2025-09-08", "2025-09-14"),
    ("last week", "2025-09-01", "2025-09-07"),
    ("last weekend", "2025-09-06", "2025-09-07"),
    ("in the last 3 years", "2022-09-14", "2025-09-14"),
    ("in the past six months", "2025-03-14", "2025-09-14"),
    ("over the last two weeks", "2025-08-31", "2025-09-14"),
    ("in the last 7 days", "2025-09-07", "2025-09-14"),
    ("in the past year", "2024-09-14", "2025-09-14"),
    ("within the last twenty-one days", "2025-08-24", "2025-09-14"),
    ("yesterday", "2025-09-13", "2025-09-13"),
    ("the day before yesterday", "2025-09-12", "2025-09-12"),
    ("today", "2025-09-14", "2025-09-14"),
    ("on 5 May 2024", "2024-05-05", "2024-05-05"),
    ("on May 5th, 2024", "2024-05-05", "2024-05-05"),
    ("on the 5th of May 2024", "2024-05-05", "2024-05-05"),
    ("on 2024-05-05", "2024-05-05", "2024-05-05"),
    ("on 25/12/2024", "2024-12-25", "2024-12-25"),
    ("on 12/25/2024", "2024-12-25", "2024-12-25"),
    ("on May 5", "2025-05-05", "2025-05-05"),
    ("on 24 December", "2024-12-24", "2024-12-24"),
    ("on Friday", "2025-09-12", "2025-09-12"),
    ("last Sunday", "2025-09-07", "2025-09-07"),
    ("3 days ago", "2025-09-11", "2025-09-11"),
    ("two weeks ago", "2025-08-25", "2025-08-31"),
    ("a month ago", "2025-08-01", "2025-08-31"),
    ("two years ago", "2023-01-01", "2023-12-31"),
    ("in summer 2022", "2022-06-01", "2022-08-31"),
    ("in the summer of 2023, June to August", "2023-06-01", "2023-08-31"),
    ("in autumn 2021 (september to october)", "2021-09-01", "2021-10-31"),
    ("in winter 2023", "2023-12-01", "2024-02-29"),
    ("last summer", "2025-06-01", "2025-08-31"),
    ("in summer", "2025-06-01", "2025-08-31"),
    ("in the first quarter of 2024", "2024-01-01", "2024-03-31"),
    ("in Q3 2023", "2023-07-01", "2023-09-30"),
    ("in the second half of 2023", "2023-07-01", "2023-12-31"),
    ("in the last quarter of 2022", "2022-10-01", "2022-12-31"),
    ("in the first week of 2019", "2019-01-01", "2019-01-07"),
    ("in the last week of March 2024", "2024-03-25", "2024-03-31"),
    ("in the week of 8 May 2024", "2024-05-06", "2024-05-12"),
    ("in week 1 of 2024", "2024-01-01", "2024-01-07"),
    ("in the 2010s", "2010-01-01", "2019-12-31"),
    ("on Christmas Eve 2022", "2022-12-24", "2022-12-24"),
    ("on New Year's Eve 2021", "2021-12-31", "2021-12-31"),
    ("last Halloween", "2024-10-31", "2024-10-31"),
    ("between 2019 and 2021", "2019-01-01", "2021-12-31"),
    ("from 2019 to 2021", "2019-01-01", "2021-12-31"),
    ("from March to May 2020", "2020-03-01", "2020-05-31"),
    ("March–May 2020", "2020-03-01", "2020-05-31"),
    ("between 1 January and 28 February 2025", "2025-01-01", "2025-02-28"),
    ("between 20 December and 5 January 2025", "2024-12-20", "2025-01-05"),
    ("from 3 to 9 June 2024", "2024-06-03", "2024-06-09"),
    ("between 5 May 2024 and 7 June 2024", "2024-05-05", "2024-06-07"),
    ("between March 2023 and April 2024", "2023-03-01", "2024-04-30"),
]


@pytest.mark.parametrize(("phrase", "begin", "end"), RANGES)
def test_ranges_of_days(best, phrase, begin, end):
    words, variables = best(phrase)
    assert (variables["begin"], variables["end"]) == (begin, end), words
    assert words.rstrip("),").split()[-1].strip("()").lower() in phrase.lower(), "the whole phrase is used"


@pytest.mark.parametrize(
    ("phrase", "begin", "end"),
    [
        ("since 2022", "2022-01-01", None),
        ("since March 2023", "2023-03-01", None),
        ("since March", "2025-03-01", None),
        ("since last Monday", "2025-09-08", None),
        ("from 2022 onwards", "2022-01-01", None),
        ("after 5 May 2024", "2024-05-06", None),
        ("after 2020", "2021-01-01", None),
        ("after Christmas", "2024-12-26", None),
        ("before 5 May 2024", None, "2024-05-04"),
        ("before 2020", None, "2019-12-31"),
        ("prior to March 2021", None, "2021-02-28"),
        ("until March 2023", None, "2023-03-31"),
        ("up to 2020", None, "2020-12-31"),
    ],
)
def test_open_ranges(best, phrase, begin, end):
    words, variables = best(phrase)
    assert (variables.get("begin"), variables.get("end")) == (begin, end)
    assert words == phrase


@pytest.mark.parametrize(
    ("phrase", "days"),
    [
        ("on Mondays", "1"),
        ("on a Friday", "5"),
        ("every Sunday", "7"),
        ("on Saturdays and Sundays", "6,7"),
        ("on weekends", "6,7"),
        ("at the weekend", "6,7"),
        ("on weekdays", "1,2,3,4,5"),
        ("on Saturday mornings", "6"),
    ],
)
def test_weekdays(best, phrase, days):
    words, variables = best(phrase)
    assert variables["days"] == days
    assert words == phrase


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("in the morning", "05:00", "12:00"),
        ("in the afternoon", "12:00", "18:00"),
        ("in the evenings", "18:00", "24:00"),
        ("at night", "22:00", "05:00"),
        ("after 6 PM", "18:00", "24:00"),
        ("after 18:00", "18:00", "24:00"),
        ("before 8am", "00:00", "08:00"),
        ("before 8 in the morning", "00:00", "08:00"),
        ("before 6:30 a.m.", "00:00", "06:30"),
        ("between 9 and 11", "09:00", "11:00"),
        ("from 9am to 5pm", "09:00", "17:00"),
        ("between 10 and 11 pm", "22:00", "23:00"),
        ("between 10pm and 2am", "22:00", "02:00"),
        ("at 7pm", "19:00", "20:00"),
        ("after midnight", "00:00", "05:00"),
        ("before noon", "00:00", "12:00"),
        ("started before 8am", "00:00", "08:00"),
    ],
)
def test_times_of_the_day(best, phrase, start, end):
    words, variables = best(phrase)
    assert (variables["from"], variables["to"]) == (start, end)
    assert words.rstrip(".") == phrase.rstrip(".")


@pytest.mark.parametrize(
    ("phrase", "month", "day"),
    [
        ("on Halloween", "10", "31"),
        ("at Christmas", "12", "25"),
        ("on New Year’s Eve", "12", "31"),
        ("on Valentine's Day", "2", "14"),
        ("every 4th of July", "7", "4"),
    ],
)
def test_days_of_every_year_are_noted(best, phrase, month, day):
    _, variables = best(phrase)
    assert (variables["month"], variables["day"]) == (month, day)
    assert "every year" in variables["note"]


@pytest.mark.parametrize(
    ("phrase", "months"), [("every March", "3"), ("in the summers", "6,7,8"), ("each winter", "12,1,2")]
)
def test_months_of_every_year(best, phrase, months):
    assert best(phrase)[1]["months"] == months


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("last night", "2025-09-13T18:00:00", "2025-09-14T05:00:00"),
        ("in the last 24 hours", "2025-09-13T10:30:00", "2025-09-14T10:30:00"),
    ],
)
def test_moments(best, phrase, start, end):
    variables = best(phrase)[1]
    assert (variables["from"], variables["to"]) == (start, end)


def test_days_with_a_part(best):
    variables = best("yesterday evening")[1]
    assert (variables["begin"], variables["from"], variables["to"]) == ("2025-09-13", "18:00", "24:00")


@pytest.mark.parametrize("phrase", ["on 5/5/2024", "since 3.4.2021", "5/6/24"])
def test_dates_that_can_be_read_in_two_ways_are_refused(best, phrase):
    assert "two dates" in best(phrase)[1]["reason"]


@pytest.mark.parametrize("phrase", ["on 31 February 2024", "on 2023-02-29", "between 2021 and 2019", "before 27:00"])
def test_what_is_no_date_is_no_filter(matcher, book, phrase):
    text = tokenise(phrase)
    whole = [m for m in matcher.run(book.filters, text, {}) if m.last - m.first == len(text.tokens)]
    assert not [m for m in whole if "Filter" in m.pattern.kinds and "Refused" not in m.pattern.kinds]


@pytest.mark.parametrize("phrase", ["the march of the penguins", "may I", "a second one", "march on"])
def test_month_names_that_are_other_words(matcher, book, phrase):
    assert not [m for m in matcher.run(book.filters, tokenise(phrase), {}) if "Filter" in m.pattern.kinds]


def test_the_end_of_a_leap_february_is_clamped(book):
    from datetime import datetime

    from reqap_kg.planner.patterns.functions import Clock
    from reqap_kg.planner.patterns.patterns import Matcher
    from reqap_kg.store.graph import MemoryGraph

    leap = Matcher(BoundedGraph(MemoryGraph(functions=book.functions)), Clock(datetime(2024, 2, 29, 12)))
    found = leap.run(book.filters, tokenise("in the last 12 months"), {})
    assert "2023-02-28" in {m.variables["begin"].value for m in found if "begin" in m.variables}
