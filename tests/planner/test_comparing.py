"""Comparisons as a question says them stand above what a form guessed."""

from __future__ import annotations

import pytest

from reqap_kg.operators.forms.grammar import format_form
from reqap_kg.planner.proposers.comparing import as_compared, comparisons
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.vocabulary import Vocabulary
from reqap_kg.training.forms import parse_form


@pytest.fixture(scope="module")
def planner(vocabulary: Vocabulary) -> Planner:
    return Planner(MemoryGraph(), vocabulary)


@pytest.mark.parametrize(
    ("question", "read", "meant"),
    [
        ("Which artists did I hear exactly 3 times?", '>="3', '="3'),
        ("Which artists did I hear at least 3 times?", '="3', '>="3'),
        ("Which artists did I hear at most 3 times?", '>="3', '<="3'),
        ("Which artists did I hear not more than 3 times?", '>="3', '<="3'),
        ("Which artists did I hear more than 3 times?", '>="3', '>="3'),
        ("Which artists did I hear 3 times?", '="3', '="3'),
        ("Which artists did I hear exactly 30 times?", '>="3', '>="3'),
        ("Which artists did I hear exactly three times?", '>="three', '>="three'),
    ],
)
def test_a_test_is_on_the_side_that_is_said(question: str, read: str, meant: str, planner: Planner) -> None:
    said = comparisons(question, planner)
    form = parse_form(f'having(artist, count(events("songs")), {read}")')
    assert format_form(as_compared(form, said)) == f'having(artist, count(events("songs")), {meant}")'


def test_conditions_inside_a_form_are_looked_at_too(planner: Planner) -> None:
    said = comparisons("How many runs of at most 10 km and over 50 minutes?", planner)
    form = parse_form('count(where(where(events("runs"), distance, >="10 km"), duration, >"50 minutes"))')
    read = format_form(as_compared(form, said))
    assert '<="10 km"' in read
    assert '>"50 minutes"' in read
    assert [one.number for one in said] == ["10", "50"]
