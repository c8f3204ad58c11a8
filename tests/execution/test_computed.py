"""Results that are computed beside a query: kept, found again, and dropped when there are too many."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from random_expressions import NOW, RESOLUTION, graph_of
from reference import Event

from reqap_kg.execution.computed import Place, drop_oldest
from reqap_kg.execution.run import run_at
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph

TEXTS = 'EXTRACT(l=RETRIEVE(query="a"), attr_names=["t"], attr_types=[str])'
LETTERS = f'MAP(l={TEXTS}, fct=lambda e: e["t"].title(), res_name="r")'


def life() -> MemoryGraph:
    classes = dict(RESOLUTION.retrieves)["a"].classes  # type: ignore[union-attr]
    values = {EV + "kind": ("abc",), EV + "start": ("2024-03-01T10:00:00",)}
    return graph_of([Event("https://example.org/e1", frozenset(classes), values)])


def place(graph: MemoryGraph, now: datetime = NOW) -> Place:
    return Place(graph, RESOLUTION, now, "g1")


def test_a_result_is_computed_once() -> None:
    graph, tree = life(), parse_tree(LETTERS)
    first, again = run_at(tree, place(graph)), run_at(tree, place(graph))
    assert first.answer == again.answer == ("Abc",)
    assert [part.reused for part in first.parts] == [False]
    assert [part.reused for part in again.parts] == [True]


def test_another_import_computes_it_again() -> None:
    graph, tree = life(), parse_tree(LETTERS)
    run_at(tree, place(graph))
    other = run_at(tree, Place(graph, RESOLUTION, NOW, "g2"))
    assert [part.reused for part in other.parts] == [False]


def test_the_moment_counts_only_where_the_tree_speaks_of_it() -> None:
    graph = life()
    later = NOW + timedelta(days=1)
    assert (
        run_at(parse_tree(LETTERS), place(graph)).parts[0].graph
        == run_at(parse_tree(LETTERS), place(graph, later)).parts[0].graph
    )
    today = parse_tree(LETTERS.replace('e["t"].title()', '(e["t"] + str(date.today())).title()'))
    assert run_at(today, place(graph)).parts[0].graph != run_at(today, place(graph, later)).parts[0].graph


def test_the_earliest_results_go_first() -> None:
    graph = life()
    for days in range(4):
        tree = parse_tree(LETTERS.replace(".title()", f".title() + '{days}'"))
        run_at(tree, place(graph, NOW + timedelta(days=days)))
    assert drop_oldest(graph, keep=4) == 0
    assert drop_oldest(graph, keep=1) == 3
    last = run_at(parse_tree(LETTERS.replace(".title()", ".title() + '3'")), place(graph))
    assert [part.reused for part in last.parts] == [True]


def test_columns_of_one_join_stay_for_the_next(tmp_path: Path) -> None:
    side = 'EXTRACT(l=RETRIEVE(query="a"), attr_names=["dt"], attr_types=[datetime])'
    graph = life()
    for key in ("dt", "dt.date()", "dt + timedelta(hours=2)"):
        run_at(parse_tree(f'JOIN(l1={side}, l2={side}, condition="i1.{key} >= i2.{key}")'), place(graph), tmp_path)
    with_columns = [np.load(path) for path in sorted(tmp_path.glob("columns-*.npz"))]
    kept = {name for held in with_columns for name in held.files if name.endswith("/numbers")}
    assert kept == {f"{row}.{key}/numbers" for row in ("i1", "i2") for key in ("dt", "dt.date()")}
