"""Times that lean on those of the question before, as days in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.operators.forms.grammar import format_form
from reqap_kg.planner.proposers.comparing import TimesBefore
from reqap_kg.planner.proposers.parsing import Before, asked_words
from reqap_kg.planner.search.plan import Planner
from reqap_kg.training.forms import parse_form

NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def planner(demo_store: Path) -> Iterator[Planner]:
    with KnowledgeGraph.open(demo_store) as known:
        yield known.proposals.planner()


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ("in 2023", "the year after", "in 2024"),
        ("in October 2023", "in the month before", "in September 2023"),
        ("in October 2023", "a month later", "in November 2023"),
        ("on 3 May 2024", "the day after", "on 4 May 2024"),
        ("in October 2023", "that year", "in 2023"),
        ("in October 2023", "the same month", "in October 2023"),
        ("in October 2023", "in 2021", "in 2021"),
        ("on Fridays", "the year after", "the year after"),
    ],
)
def test_times_that_lean_on_others_are_days(planner: Planner, before: str, said: str, meant: str) -> None:
    first = parse_form(f'count(events("runs", time="{before}"))')
    later = parse_form(f'sum(distance, events("runs", participant="Tia", time="{said}"))')
    found = format_form(TimesBefore(first, planner, NOW).said_in(later))
    assert found == f'sum(distance, events("runs", participant="Tia", time="{meant}"))'


def test_without_a_time_before_them_they_stay(planner: Planner) -> None:
    later = parse_form('count(events("runs", time="the year after"))')
    assert TimesBefore(parse_form('count(events("runs"))'), planner, NOW).said_in(later) == later


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        (
            'count(events("Dark episodes", series="Dark", time="in 2020"))',
            "count events episodes series Dark time in 2020",
        ),
        ('count(events("pilates", activity="pilates"))', "count events pilates"),
        ('count(events("darkness", series="Dark"))', "count events darkness series Dark"),
    ],
)
def test_a_phrase_is_shown_without_the_words_of_its_conditions(form: str, shown: str) -> None:
    asked = asked_words("and Lupin?", Before(("first",), parse_form(form)))
    assert " ".join(asked.words).startswith(f"{shown} |")
