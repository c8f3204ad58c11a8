"""The parts by which a tree's events are told: where one of them finds nothing, a 0 says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.engine.asking.candidates import anchors
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.nodes import queries
from reqap_kg.operators.syntax.text import parse_tree

NOW = datetime(2025, 3, 1, 12)
RUNS = 'RETRIEVE(query="runs")'
TRIP = 'RETRIEVE(query="the trip")'
DURING = (
    f'FILTER(l={RUNS}, filter=lambda attr: attr["start_datetime"] in APPLY(l=JOIN(l1={RUNS}, l2={TRIP}, '
    'condition="i2.start_date <= i1.start_date and i1.start_date <= i2.end_date"), '
    'fct=lambda events: set(event["start_datetime"] for event in events)).result)'
)
AFTER = (
    f'FILTER(l={RUNS}, filter=lambda attr: attr["start_date"] > APPLY(l={TRIP}, '
    'fct=lambda events: min(event["start_date"] for event in events)).result)'
)


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


@pytest.mark.parametrize("tree", [DURING, AFTER, f"APPLY(l={DURING}, fct=len)"])
def test_what_events_go_with_is_an_anchor(tree: str) -> None:
    assert {queries(one)[0] for one in anchors(parse_tree(tree))} == {"the trip"}


@pytest.mark.parametrize("tree", [RUNS, f"APPLY(l={RUNS}, fct=len)", f'SUM(l={RUNS}, attr_name="distance")'])
def test_plain_events_have_none(tree: str) -> None:
    assert list(anchors(parse_tree(tree))) == []


@pytest.mark.model
@pytest.mark.parametrize("clause", ["during my zeppelin flight", "on the day of the volcano party"])
def test_events_beside_what_is_not_there_are_not_counted_as_none(known: KnowledgeGraph, clause: str) -> None:
    try:
        found = known.ask(f"How many runs did I do {clause}?", now=NOW)
    except NotUnderstood:
        return
    assert found.values != (0,) or found.doubt
