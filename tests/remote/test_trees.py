"""Trees give on every server what they give embedded: the examples of the operators' table, and random ones."""

from __future__ import annotations

import pytest
from comparing import alike, plain
from counted_statistics import gather
from drawing import drawn
from execution.test_operator_table import ANSWERED, check_answer
from hypothesis import given, note, settings
from hypothesis import strategies as st
from operator_examples import life
from operator_examples.life import Example
from random_expressions import NOW, RESOLUTION, checks, events, graph_of
from random_trees import narrowed, trees
from reference import Event
from remote.conftest import Placing
from remote.places import Place

from reqap_kg.compiler.facts import spellings_in, with_facts
from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.run import Result, run
from reqap_kg.operators.resolution import Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.generations import EventGraph
from reqap_kg.store.graph import MemoryGraph, WritableGraph

EXAMPLES = drawn(75)
"""Random lives, with one or two trees for each: 15 in `make test`; a third of that on the server that is slow."""
SAMPLE = 14
"""Of the examples of the table, every so many run in `make test` on the server that is slow."""


# ---------------------------------------------------------------- examples worked by hand
@pytest.mark.parametrize(
    ("kind", "examples"),
    [
        ("oxigraph", ANSWERED),
        ("virtuoso", ANSWERED[::SAMPLE]),
        pytest.param("virtuoso", ANSWERED, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("copies", [1, pytest.param(2, marks=pytest.mark.long)])
def test_trees_answer_as_the_table_says(
    placing: Placing, kind: str, examples: tuple[Example, ...], copies: int
) -> None:
    place = placing(kind)
    place.import_(*life.life(copies)._store)
    wrong = []
    with place.open(write=True) as graph:
        for example in examples:
            try:
                check_answer(
                    run(parse_tree(example.tree), graph=graph, resolution=life.RESOLUTION, now=life.NOW), example
                )
            except AssertionError as bad:
                wrong.append(f"{example.tree}\n{bad}")
    assert not wrong


# ---------------------------------------------------------------- random trees
def put(found: MemoryGraph, graph: EventGraph) -> None:
    """Puts the graphs of a life in place of those that a store has."""
    there = found.graphs()
    graph.drop_graphs([iri for iri in graph.graphs() if iri not in there])
    for iri in there:
        graph.replace_graph(iri, found._triples_of(iri))


def answer(text: str, graph: WritableGraph, resolution: Resolution) -> Result | str:
    try:
        return run(parse_tree(text), graph=graph, resolution=resolution, now=NOW)
    except TreeTypeError as bad:
        return str(bad)


def told(result: Result | str) -> object:
    """What is compared: columns and rows in their order, the answer, the events behind it, the warnings."""
    if isinstance(result, str):
        return result
    rows = [[plain(value) for value in row] for row in result.rows]
    return [result.columns, rows, [plain(value) for value in result.answer], sorted(result.events), result.warnings]


def _opened(placing: Placing, kind: str) -> Place:
    place = placing(kind)
    place.import_()
    return place


@pytest.fixture(scope="module")
def oxigraph(placing: Placing) -> Place:
    return _opened(placing, "oxigraph")


@pytest.fixture(scope="module")
def virtuoso(placing: Placing) -> Place:
    return _opened(placing, "virtuoso")


lives = given(
    found=events(),
    texts=st.lists(st.one_of(trees(), narrowed()), min_size=1, max_size=2),
    twice=st.booleans(),
    facts=st.booleans(),
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)
@lives
def test_random_trees_answer_as_they_do_embedded(
    oxigraph: Place, found: list[Event], texts: list[str], twice: bool, facts: bool
) -> None:
    compare(oxigraph, found, texts, twice, facts)


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=checks)
@lives
def test_random_trees_answer_as_they_do_embedded_where_only_patterns_are_asked_for(
    virtuoso: Place, found: list[Event], texts: list[str], twice: bool, facts: bool
) -> None:
    compare(virtuoso, found, texts, twice, facts)


def compare(place: Place, found: list[Event], texts: list[str], twice: bool, facts: bool) -> None:
    """Answers trees embedded and in a store; with `facts`, as the statistics of the life allow."""
    held = graph_of(found, twice=twice)
    resolution = with_facts(RESOLUTION, gather(held), spellings_in(held)) if facts else RESOLUTION
    with place.open(write=True) as graph:
        put(held, graph)
        for text in texts:
            note(text)
            here, there = (told(answer(text, one, resolution)) for one in (held, graph))
            assert alike(here, there), f"{text}\n{here}\n{there}"
