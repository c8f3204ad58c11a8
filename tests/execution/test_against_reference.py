"""Random well-typed trees over small random graphs: the compiled query and the naive evaluator must agree."""

from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from counted_statistics import gather
from drawing import drawn
from hypothesis import assume, example, given, note, settings
from hypothesis import strategies as st
from random_expressions import KEYS, KINDS_TEXT, NOW, RESOLUTION, checks, events, graph_of
from random_trees import narrowed, trees
from reference import Event, Grouped, Many, One, Reference

from reqap_kg.compiler.facts import spellings_in, with_facts
from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.run import Result, run
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.resolution import Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph

EXAMPLES = drawn(100)
"""`make fuzz` sets many more."""


READ = f'EXTRACT(l=RETRIEVE(query="a"), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])'
LISTS_WHERE_LEAST = f'ARGMIN(l={READ}, arg_attr_name="n", val_attr_name="tags")'
DIVIDED = f'MAP(l={READ}, fct=lambda e: e["n"] / (e["n"] + 0.5), res_name="m")'


def event(**values: str) -> Event:
    """An event of the class that "a" names."""
    held = {EV + name: (value,) for name, value in values.items()}
    return Event(f"https://w3id.org/reqap-kg/data/x/{values['number']}", frozenset({EV + "A"}), held)


# ---------------------------------------------------------------- comparing
def plain(value: Any) -> Any:
    """A value for comparison: numbers to nine places, lists sorted."""
    if isinstance(value, bool) or value is None or isinstance(value, str | date | time):
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6) + 0.0
    if isinstance(value, timedelta):
        return ("seconds", round(value.total_seconds(), 3))
    return tuple(sorted(value))


def expected(reference: Reference, tree: Node) -> Any:
    found = reference.run(tree)
    if isinstance(found, One):
        return ("one", plain(found.value))
    if isinstance(found, Many):
        return ("many", tuple(plain(value) for value in found.values))
    assert not isinstance(found, Grouped)
    return ("rows", tuple({name: plain(value) for name, value in row.items()} for row in found))


def actual(found: Result, shape: str) -> Any:
    if shape == "one":
        values = [row[0] for row in found.rows]
        assert len(values) <= 1
        return ("one", plain(values[0]) if values else None)
    if shape == "many":
        return ("many", tuple(plain(row[0]) for row in found.rows))
    return ("rows", tuple({n: plain(v) for n, v in zip(found.columns, row, strict=True)} for row in found.rows))


def same(left: Any, right: Any) -> bool:
    """Equal, numbers nearly."""
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) <= 1e-5 * max(1.0, abs(left))
    if left == 0.0 and right == ("seconds", 0.0):
        return True  # a sum over nothing
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


def known(graph: MemoryGraph, *, facts: bool) -> Resolution:
    """The resolution, with what the graph's statistics tell or without."""
    return with_facts(RESOLUTION, gather(graph), spellings_in(graph)) if facts else RESOLUTION


@pytest.mark.parametrize("facts", [False, True], ids=["nothing known", "statistics known"])
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)
@given(found=events(), text=st.one_of(trees(), narrowed()), twice=st.booleans())
# The list stands under one property in one event, and under another one in the other.
@example(found=[event(number="1", kind="red"), event(number="2", tag="ABBA")], text=LISTS_WHERE_LEAST, twice=False)
# Oxigraph has no value for 0 / 0.5.
@example(found=[event(number="0", kind="red")], text=DIVIDED, twice=False)
def test_the_query_answers_what_the_algebra_means(facts: bool, found: list[Event], text: str, twice: bool) -> None:
    tree = parse_tree(text)
    note(text)
    graph = graph_of(found, twice=twice)
    resolution = known(graph, facts=facts)
    try:
        wanted = expected(Reference(found, RESOLUTION, NOW), tree)
    except TreeTypeError:
        with pytest.raises(TreeTypeError):
            run(tree, graph=graph, resolution=resolution, now=NOW)
        return
    result = run(tree, graph=graph, resolution=resolution, now=NOW)
    got = actual(result, wanted[0] if wanted[1] != () else result.shape.value.replace("values", "many"))
    assert same(wanted[1], got[1]), f"{text}\n{wanted}\n{got}\n{result.sparql}"


@pytest.mark.parametrize("facts", [False, True], ids=["nothing known", "statistics known"])
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)
@given(found=events(), text=trees(), twice=st.booleans())
def test_the_evidence_alone_gives_the_same_answer(facts: bool, found: list[Event], text: str, twice: bool) -> None:
    # Parts counted from a place in the list and answers of other trees need more than the evidence.
    assume(not any(part in text for part in (".result", "[1:", "[1]", "[-")))
    note(text)
    tree = parse_tree(text)
    try:
        graph = graph_of(found, twice=twice)
        whole = run(tree, graph=graph, resolution=known(graph, facts=facts), now=NOW)
    except TreeTypeError:
        return
    assert set(whole.events) <= {event.iri for event in found}
    behind = [event for event in found if event.iri in whole.events]
    graph = graph_of(behind, twice=twice)
    alone = run(tree, graph=graph, resolution=known(graph, facts=facts), now=NOW)
    assert same([plain(v) for v in whole.answer], [plain(v) for v in alone.answer]), whole.sparql
    assert set(alone.events) == set(whole.events), whole.sparql
