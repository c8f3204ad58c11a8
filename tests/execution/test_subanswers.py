"""Conditions on the answer of another tree: answered first, against all in one query."""

from __future__ import annotations

import pytest
from comparing import alike, of_result
from drawing import drawn
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_expressions import KEYS, KINDS_TEXT, NOW, RESOLUTION, checks, events, graph_of
from reference import Event

from reqap_kg.execution.computed import Place
from reqap_kg.execution.joins import subanswers
from reqap_kg.execution.joins.subanswers import with_answers
from reqap_kg.execution.run import run_at
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.store.index.statistics import Statistics

ROWS = f'EXTRACT(l=RETRIEVE(query="{{}}"), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])'
ANSWERS = (
    ("n", 'MAX(l={}, attr_name="n")'),
    ("i", 'MIN(l={}, attr_name="i")'),
    ("t", 'ARGMAX(l={}, arg_attr_name="n", val_attr_name="t")'),
    ("i", "APPLY(l={}, fct=len)"),
    ("t", 'APPLY(l={}, fct=lambda l: sorted(l, key=lambda e: e["dt"], reverse=True)[0]["t"])'),
)


@settings(max_examples=drawn(60), deadline=None, suppress_health_check=checks)
@given(found=events(), sides=st.tuples(*[st.sampled_from(["a", "b"])] * 2), answer=st.sampled_from(ANSWERS))
def test_answers_in_the_place_of_their_trees_keep_the_answer(
    found: list[Event], sides: tuple[str, str], answer: tuple[str, str]
) -> None:
    name, other = answer[0], answer[1].format(ROWS.format(sides[1]))
    text = f'FILTER(l={ROWS.format(sides[0])}, filter=lambda e: e["{name}"] == {other}.result)'
    tree, graph = parse_tree(text), graph_of(found)
    place, known = Place(graph, RESOLUTION, NOW, ""), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subanswers, "MANY", 0)
        ahead, told = with_answers(tree, place, Statistics({}, {}, frozenset()), known)
    note(format_tree(ahead))
    assert alike(of_result(run_at(ahead, place))[:3], of_result(run_at(tree, place))[:3])
    assert bool(told) == (ahead != tree) == any(value is not None for value in known.values())


def test_few_events_are_compared_in_the_one_query() -> None:
    text = f'FILTER(l={ROWS.format("a")}, filter=lambda e: e["n"] == MAX(l={ROWS.format("a")}, attr_name="n").result)'
    place = Place(graph_of([]), RESOLUTION, NOW, "")
    assert with_answers(parse_tree(text), place, Statistics({}, {}, frozenset()), {}) == (parse_tree(text), {})
