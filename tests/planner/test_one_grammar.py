"""The same phrase means the same days in a question, in a mail, in a note and in an export."""

import json
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.operators.reading.names import FAMILIAR, month_of, weekday_of, whole_months
from reqap_kg.operators.reading.read_times import read_moment
from reqap_kg.planner.patterns.functions import Clock
from reqap_kg.planner.patterns.patterns import Matcher
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.sources.notes.notedates import date_in
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.time.times import times

NOW = datetime(2025, 9, 14, 10, 30)
FORMS = (
    "{d} {name} {y}",
    "{d}. {name} {y}",
    "{name} {d}, {y}",
    "{y}-{m:02d}-{d:02d}",
)
COUNTED = "two weeks ago", "a month ago", "two years ago", "a fortnight ago", "half a year ago"
"""A question about such a time asks of its whole week, month or year; a text that says so tells of a day in it."""


def in_text(phrase: str) -> list[tuple[str, str]]:
    """The days that a post says."""
    told = Document("e", TextKind.POST, "", f"We went {phrase}.", NOW)
    return [(w.day.isoformat(), (w.last_day or w.day).isoformat()) for w in times(told) if w.day_said]


@pytest.fixture
def in_question(matcher, book):
    """The days that the longest filter of a phrase says."""

    def find(phrase: str) -> tuple[str, str] | None:
        asked = Matcher(matcher.graph, Clock(NOW))
        found = [m for m in asked.run(book.filters, tokenise(phrase), {}) if "TimeRange" in m.pattern.kinds]
        best = max(found, key=lambda m: (m.last - m.first, m.pattern.confidence), default=None)
        return (best.variables["begin"].value, best.variables["end"].value) if best else None

    return find


DAYS = st.dates(date(1990, 1, 1), date(2035, 12, 31))


@settings(max_examples=60, deadline=None)
@given(DAYS, st.sampled_from(FORMS), st.booleans())
def test_a_written_date_is_one_day_everywhere(day, form, short):
    name = whole_months()[day.month - 1]
    said = form.format(d=day.day, m=day.month, y=day.year, name=name[:3] if short else name)
    found = date_in(f"{said} lunch")
    assert read_moment(said) == day
    assert found is not None
    assert found.iso == day.isoformat()
    assert in_text(f"on {said}") == [(day.isoformat(), day.isoformat())]


@pytest.mark.parametrize("said", ["5 May 2024", "5. Mai 2024", "May 5, 2024", "2024-05-05", "5 mayo 2024"])
def test_a_question_reads_it_as_well(in_question, said):
    assert in_question(f"on {said}") == ("2024-05-05", "2024-05-05")
    assert read_moment(said) == date(2024, 5, 5)


def test_every_name_of_every_language_is_one_month_and_one_weekday():
    from babel import Locale

    for code in FAMILIAR:
        locale = Locale.parse(code)
        for width in ("wide", "abbreviated"):
            for use in ("format", "stand-alone"):
                assert all(month_of(name) == number for number, name in locale.months[use][width].items())
        assert all(weekday_of(name) == number for number, name in locale.days["format"]["wide"].items())


def shared() -> list[tuple[str, str, str]]:
    """The phrases of the planner's tests that say a closed range, with what they mean."""
    tables = json.loads((Path(__file__).parent / "phrasings" / "days.json").read_text(encoding="utf-8"))
    rows = [row[:3] for table in tables if table["now"].startswith("2025-09-14") for row in table["rows"]]
    return [(phrase, begin, end) for phrase, begin, end in rows if begin and end]


def test_texts_mean_by_a_phrase_what_questions_mean():
    """Plain days of questions are read in texts, and hardly any phrase as something else."""
    same = [phrase for phrase, begin, end in shared() if in_text(phrase) == [(begin, end)]]
    other = [
        phrase for phrase, begin, end in shared() if (found := in_text(phrase)) and not _overlap(found, begin, end)
    ]
    assert len(same) > 60
    assert len(other) <= 36, other


def _overlap(found: list[tuple[str, str]], begin: str, end: str) -> bool:
    """Whether a text tells of days of the range: "two weeks ago" is asked about as a week, and of what is put together
    ("the second half of 2023") a text says the year."""
    return any(begin <= last and first <= end for first, last in found)


@pytest.mark.parametrize("phrase", COUNTED)
def test_what_counts_back_from_today_lies_where_a_question_asks(in_question, phrase):
    asked = in_question(phrase)
    assert asked is not None
    assert all(asked[0] <= day <= asked[1] for day, _ in in_text(phrase))
