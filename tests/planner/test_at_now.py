"""Trees of past questions stop at now, those of the future begin there; compared with the naive reference."""

from __future__ import annotations

from datetime import datetime

import pytest
from drawing import drawn
from hypothesis import given, settings
from hypothesis import strategies as st
from random_expressions import RESOLUTION, checks, events, graph_of
from reference import Event, Reference

from reqap_kg.execution.run import run
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.search.at_now import at_now
from reqap_kg.planner.search.tense import Tense, Told

NOW = datetime(2024, 1, 31, 12, 30)
"""In the midst of the random events."""
CONDITIONS = (
    "True",
    'e["start_date"] >= date(2024, 1, 1) and e["start_date"] <= date(2024, 12, 31)',
    'e["start_date"] >= date(2024, 1, 29) and e["start_date"] <= date(2024, 2, 4)',
    'e["start_date"] == date(2024, 1, 31)',
    'e["start_date"].year == 2024',
    'e["start_date"].month == 1',
    'e["start_date"].weekday() == 2',
    'e["start_time"] < time(12, 0)',
    'e["n"] > 0',
    'e["n"] > 0 and e["start_date"] >= date(2024, 1, 1)',
    'e["start_date"].month == 1 or e["start_date"].month == 3',
    'e["start_date"] <= date.today()',
)
AHEAD = (
    'e["start_date"] == date(2024, 2, 1)',
    'e["start_date"].year == 2026',
    'e["start_date"] >= date(2024, 2, 3) and e["start_date"] <= date(2024, 2, 9)',
    'e["start_datetime"] > datetime(2024, 1, 31, 18, 0, 0)',
    'e["start_date"].year in [2025, 2026]',
)
BEHIND = (
    'e["start_date"] == date(2024, 1, 30)',
    'e["start_date"].year == 2023',
    'e["start_date"] < date(2024, 1, 1)',
    'e["start_date"].year in [2021, 2023]',
)
PAST, FUTURE = Told(Tense.PAST, by_verb=True), Told(Tense.FUTURE, by_verb=True)


def over(condition: str) -> str:
    """The events of a condition."""
    return (
        f'FILTER(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=["n"], attr_types=[float]), filter=lambda e: {condition})'
    )


def start_of(event: Event) -> datetime | None:
    """The moment of an event; of one that is of a day its record says midnight."""
    start = next(iter(event.values.get(EV + "start", ())), None)
    return datetime.fromisoformat(start) if start is not None else None


@settings(max_examples=drawn(150), suppress_health_check=checks)
@given(found=events(), condition=st.sampled_from(CONDITIONS), ahead=st.booleans())
def test_of_a_period_around_now_only_the_side_that_the_tense_means_is_left(found, condition, ahead):
    told = FUTURE if ahead else PAST
    whole = parse_tree(over(condition))
    bounded = at_now(whole, told, NOW)
    assert bounded.note == ("from 2024-01-31 12:30 on" if ahead else "up to 2024-01-31 12:30")
    starts = {event.iri: start_of(event) for event in found}
    graph = graph_of(found)
    every = run(whole, graph=graph, resolution=RESOLUTION, now=NOW).events
    meant = {iri for iri in every if (at := starts[iri]) is not None and (at >= NOW if ahead else at <= NOW)} | {
        iri for iri in every if starts[iri] is None and not ahead
    }
    assert set(run(bounded.tree, graph=graph, resolution=RESOLUTION, now=NOW).events) == meant
    rows = Reference(tuple(found), RESOLUTION, NOW).run(bounded.tree)
    assert isinstance(rows, tuple)
    assert len(rows) == len(meant)


@pytest.mark.parametrize("condition", AHEAD)
def test_a_period_that_is_named_and_lies_ahead_is_what_is_asked_for(condition):
    assert at_now(parse_tree(over(condition)), PAST, NOW).note == ""


@pytest.mark.parametrize("condition", BEHIND)
def test_a_period_that_is_over_needs_no_bound(condition):
    assert at_now(parse_tree(over(condition)), PAST, NOW).note == ""
    assert at_now(parse_tree(over(condition)), FUTURE, NOW).note == ""


@pytest.mark.parametrize("condition", [*CONDITIONS[1:8], *AHEAD, *BEHIND])
def test_an_adverb_leaves_a_named_period_as_it_is(condition):
    assert at_now(parse_tree(over(condition)), Told(Tense.PAST), NOW).note == ""


def test_an_adverb_bounds_what_names_no_period():
    assert at_now(parse_tree('RETRIEVE(query="a")'), Told(Tense.PAST), NOW).note == "up to 2024-01-31 12:30"


def test_without_a_tense_a_tree_stays():
    tree = parse_tree('APPLY(l=RETRIEVE(query="a"), fct=len)')
    assert at_now(tree, Told(Tense.OPEN), NOW).tree == tree


@pytest.mark.parametrize(
    "tree",
    [
        'APPLY(l=RETRIEVE(query="a"), fct=len)',
        'MAX(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=["n"], attr_types=[float]), attr_name="n")',
        'JOIN(l1=RETRIEVE(query="a"), l2=RETRIEVE(query="b"), condition="i1.start_date == i2.start_date")',
        'FILTER(l=RETRIEVE(query="a"), filter=lambda e: e["start_date"] > MAX(l=RETRIEVE(query="b"), '
        'attr_name="start_date").result)',
        'APPLY(l=GROUP_BY(l=RETRIEVE(query="a"), attr_names=["start_date"]), fct=len)',
    ],
)
def test_every_retrieve_of_a_tree_is_bounded(tree):
    made = format_tree(at_now(parse_tree(tree), PAST, NOW).tree)
    assert made.count("datetime(2024, 1, 31, 12, 30, 0)") == tree.count("RETRIEVE")


def test_messages_of_a_chat_are_past_by_themselves():
    tree = parse_tree('RETRIEVE(query="chat messages about tea", l=RETRIEVE(query="chat messages"))')
    assert at_now(tree, PAST, NOW).tree == tree
