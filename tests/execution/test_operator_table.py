"""The table "What each operator does at the edges" of docs/operators.md: every row by examples answered by hand."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from operator_examples.beside import EXAMPLES as BESIDE
from operator_examples.columns import EXAMPLES as COLUMNS
from operator_examples.joins import EXAMPLES as JOINS
from operator_examples.leaves import EXAMPLES as LEAVES
from operator_examples.life import EVENTS, NOW, RESOLUTION, Example, life
from operator_examples.lists import EXAMPLES as LISTS
from operator_examples.pairs import EXAMPLES as PAIRS
from reference import Grouped, Many, One, Reference

from reqap_kg.compiler.rewrites import rewrite
from reqap_kg.errors import TreeSyntaxError, TreeTypeError
from reqap_kg.execution.run import Result, run
from reqap_kg.ontology.namespaces import DATA
from reqap_kg.operators.checking.checking import Checked, check_tree
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph

EXAMPLES = (*LEAVES, *PAIRS, *LISTS, *COLUMNS)
ANSWERED = [example for example in (*EXAMPLES, *JOINS, *BESIDE) if example.refused is None]
REFUSED = [example for example in EXAMPLES if example.refused is not None]
EDGES = ("empty", "missing", "duplicates", "ties", "lists")
TABLE = Path(__file__).parents[2] / "docs" / "operators.md"


def plain(value: Any) -> Any:
    """A value as the examples write it: fractional numbers as floats, whatever way they were computed."""
    if isinstance(value, bool) or value is None or isinstance(value, str | date | time | timedelta):
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6)
    return tuple(plain(item) for item in value)


@pytest.fixture(scope="module", params=[1, 2], ids=["once", "in two graphs"])
def graph(request: pytest.FixtureRequest) -> MemoryGraph:
    """The life as one export says it, and as two exports say it: the answers are the same."""
    return life(request.param)


def _id(example: Example) -> str:
    return example.row


@pytest.mark.parametrize("example", ANSWERED, ids=_id)
def test_the_query_answers_as_the_table_says(graph: MemoryGraph, example: Example) -> None:
    check_answer(run(parse_tree(example.tree), graph=graph, resolution=RESOLUTION, now=NOW), example)


@pytest.mark.parametrize("example", ANSWERED, ids=_id)
def test_the_rewritten_tree_answers_as_the_table_says(example: Example) -> None:
    rewritten = rewrite(parse_tree(example.tree), NOW).tree
    check_answer(run(rewritten, graph=life(), resolution=RESOLUTION, now=NOW), example)


def check_answer(result: Result, example: Example) -> None:
    if example.columns is None:
        assert plain(result.answer) == plain(example.expected), result.sparql
    else:
        places = [result.columns.index(name) for name in example.columns] if example.expected else []
        found = tuple(tuple(row[at] for at in places) for row in result.rows)
        assert plain(found) == plain(example.expected), result.sparql
    assert any("nothing matched" in warning for warning in result.warnings) is example.zero
    if example.behind is not None:
        assert {iri.removeprefix(DATA + "x/") for iri in result.events} == example.behind
        assert result.matched is bool(example.behind)


@pytest.mark.parametrize("example", ANSWERED, ids=_id)
def test_the_reference_answers_as_the_table_says(example: Example) -> None:
    found = Reference(EVENTS, RESOLUTION, NOW).run(parse_tree(example.tree))
    if example.columns is not None:
        assert isinstance(found, tuple | Grouped)
        of_each = found if isinstance(found, tuple) else [group[0] for group in found.groups]
        got = tuple(tuple(row[name] for name in example.columns) for row in of_each)
        assert plain(got) == plain(example.expected)
    elif isinstance(found, One):
        assert plain(() if found.value is None else (found.value,)) == plain(example.expected)
    else:
        assert not isinstance(found, Grouped)
        assert plain(found.values if isinstance(found, Many) else found) == plain(example.expected)


@pytest.mark.parametrize("example", ANSWERED, ids=_id)
def test_the_check_accepts_what_the_table_answers(example: Example) -> None:
    assert isinstance(check_tree(parse_tree(example.tree)), Checked)


@pytest.mark.parametrize("example", REFUSED, ids=_id)
def test_what_the_table_says_is_refused_is_refused(graph: MemoryGraph, example: Example) -> None:
    assert example.refused is not None
    with pytest.raises((TreeTypeError, TreeSyntaxError), match=re.escape(example.refused)):
        _checked_and_run(parse_tree(example.tree), graph)


def _checked_and_run(tree: Node, graph: MemoryGraph) -> Result:
    check_tree(tree)
    return run(tree, graph=graph, resolution=RESOLUTION, now=NOW)


# ---------------------------------------------------------------- the table itself
def documented() -> list[str]:
    section = TABLE.read_text(encoding="utf-8").partition("\n## What each operator does at the edges\n")[2]
    return re.findall(r"^\| `([^`]+/[a-z]+)` \|", section.partition("\n## ")[0], re.MULTILINE)


def test_every_row_is_tested_and_every_example_is_documented() -> None:
    found = documented()
    assert len(found) == len(set(found))
    assert set(found) == {example.row for example in EXAMPLES}


def test_no_edge_of_an_operator_is_left_out() -> None:
    operators = {row.partition("/")[0] for row in documented()}
    assert len(operators) >= 28
    wanted = {f"{operator}/{edge}" for operator in operators for edge in EDGES}
    assert wanted == set(documented())
