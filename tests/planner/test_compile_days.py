"""A FILTER of some days looks events up by the days that they touch, where that gives the same, and only there."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from counted_statistics import gather
from hypothesis import given
from hypothesis import strategies as st
from reading_algebra import looked_up, read_algebra

from reqap_kg.compiler.compile import compile_tree
from reqap_kg.compiler.facts import with_facts
from reqap_kg.compiler.sparql.algebra import Var
from reqap_kg.execution.run import run
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.resolution import ClassMatch, Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle

NOW = datetime(2024, 3, 10, 12, 0)
PREFIX = "@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/x/> .\n"
RESOLUTION = Resolution((("stays", ClassMatch((EV + "Stay",))),), ())
FIRST = datetime(2024, 1, 1)
TREE = 'APPLY(l=FILTER(l=RETRIEVE(query="stays"), filter=lambda e: {condition}), fct=len)'


def stay(name: int, start: datetime, nights: int, *, days: bool = True) -> str:
    """An event with every day that it touches."""
    touched = [(start + timedelta(days=at)).date() for at in range(nights + 1)] if days else []
    said = "".join(f' ; ev:day "{day}"^^<http://www.w3.org/2001/XMLSchema#date>' for day in touched)
    when = start.isoformat()
    return f'd:{name} a ev:Stay ; ev:start "{when}"^^<http://www.w3.org/2001/XMLSchema#dateTime>{said} .\n'


def life(*extra: str) -> MemoryGraph:
    """Two hundred stays of up to three days, one every 30 hours, and what else is said."""
    stays = (stay(n, FIRST + timedelta(hours=30 * n), n % 3) for n in range(200))
    return MemoryGraph(parse_turtle(PREFIX + "".join((*stays, *extra))))


LIFE = life()


def both_ways(condition: str, graph: MemoryGraph) -> tuple[bool, object]:
    """Whether the query that knows the store looks days up, and its answer, which must be that without knowing."""
    tree = parse_tree(TREE.format(condition=condition))
    known = with_facts(RESOLUTION, gather(graph))
    found = run(tree, graph=graph, resolution=known, now=NOW)
    plain = run(tree, graph=graph, resolution=RESOLUTION, now=NOW)
    assert found.answer == plain.answer
    assert set(found.events) == set(plain.events)
    query = read_algebra(compile_tree(tree, known, NOW).sparql)
    return Var("touched") in looked_up(query), found.answer[0]


DAYS = st.dates(date(2023, 12, 28), date(2024, 9, 20))


@given(
    begin=DAYS,
    length=st.integers(0, 30),
    which=st.sampled_from(["start_date", "start_datetime"]),
    hour=st.integers(0, 23),
)
def test_few_days_are_looked_up_and_the_answer_stays(begin: date, length: int, which: str, hour: int) -> None:
    end = begin + timedelta(days=length)
    if which == "start_date":
        condition = f"e['start_date'] >= date({begin:%Y, %-m, %-d}) and e['start_date'] <= date({end:%Y, %-m, %-d})"
    else:
        condition = (
            f"datetime({begin:%Y, %-m, %-d}, {hour}) <= e['start_datetime'] "
            f"and e['start_datetime'] < datetime({end:%Y, %-m, %-d}, {hour}, 30)"
        )
    looked, _ = both_ways(condition, LIFE)
    assert looked


@pytest.mark.parametrize(
    ("condition", "by_day", "wanted"),
    [
        ("e['start_date'] == date(2024, 1, 2)", True, 1),
        ("e['start_datetime'].date() == date(2024, 1, 2)", True, 1),
        ("e['start_date'] > date(2024, 1, 2) and e['start_date'] < date(2024, 1, 5)", True, 2),
        ("e['start_date'] >= date(2024, 1, 2)", False, 199),
        ("e['start_date'].year == 2024", False, 200),
        ("e['start_date'] != date(2024, 1, 2)", False, 199),
        ("e['start_date'] == date(2024, 1, 2) or e['start_date'] == date(2024, 1, 3)", False, 2),
        ("not e['start_date'] == date(2024, 1, 2)", False, 199),
        ("e['end_date'] == date(2024, 1, 2)", False, 0),
    ],
)
def test_only_days_that_bound_all_events_are_looked_up(condition: str, by_day: bool, wanted: int) -> None:
    assert both_ways(condition, LIFE) == (by_day, wanted)


@pytest.mark.parametrize(
    "extra",
    [
        stay(900, datetime(2024, 1, 2, 8), 0, days=False),
        'd:0 ev:start "2024-01-02T09:00:00"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n',
    ],
    ids=["an event without days", "an event with two starts"],
)
def test_nothing_is_looked_up_where_an_event_might_be_lost(extra: str) -> None:
    looked, _ = both_ways("e['start_date'] == date(2024, 1, 2)", life(extra))
    assert not looked
