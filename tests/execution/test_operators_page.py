"""The examples of docs/operators.md: conditions, functions, joins, repairs and rewrites are as the page says."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.compiler.rewrites import REWRITES, rewrite
from reqap_kg.errors import TreeTypeError
from reqap_kg.operators.evaluation.evaluate import Environment, evaluate_function, holds
from reqap_kg.operators.nodes import AttributeType, Node
from reqap_kg.operators.reading.readers import read
from reqap_kg.operators.syntax.repairs import RULES
from reqap_kg.operators.syntax.text import format_expression, parse_condition, parse_function, parse_tree, read_tree

PAGE = Path(__file__).parents[2] / "docs" / "operators.md"
NOW = datetime(2024, 3, 10, 12, 0)
EVENT = {
    "title": "Dinner with Laura",
    "participants": ("Bob Lund", "Laura Berg"),
    "start_date": date(2024, 3, 1),
    "start_time": time(18, 30),
    "start_datetime": datetime(2024, 3, 1, 18, 30),
    "end_datetime": datetime(2024, 3, 1, 20, 0),
    "price": Decimal("24.5"),
    "count": 3,
    "note": None,
}
RUNS = tuple(
    {"km": Decimal(km), "kind": kind, "start_date": date(2024, 3, day)}
    for km, kind, day in ((5, "road", 1), (10, "hill", 2), (10, "road", 2))
)


def table(title: str) -> list[list[str]]:
    """The cells of the rows below the heading of a section's table."""
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(f"\n### {title}\n")
    assert found, f"the page has no section {title!r}"
    lines = re.findall(r"^\| (.*) \|$", re.split(r"\n##", rest, maxsplit=1)[0], re.MULTILINE)
    return [line.split(" | ") for line in lines[1:]]


def codes(cell: str) -> list[str]:
    """The code in a cell, in one or three backticks."""
    return [double or single for double, single in re.findall(r"``` (.+?) ```|`([^`]+)`", cell)]


CONDITIONS = [text for cells in table("Conditions") for text in codes(cells[1])]
FUNCTIONS = [(text, cells[1]) for cells in table("Functions of groups and of whole lists") for text in codes(cells[0])]
READINGS = [
    (codes(kind)[0], text, read_as) for kind, cell, read_as in table("How values are read") for text in codes(cell)
]
REPAIRS = [(codes(name)[0], codes(written)[0]) for name, _, written in table("What is put right")]
REWRITTEN = [(codes(name)[0], codes(example)) for name, _, example in table("Rewrites")]
JOINS = [text for cells in table("Conditions of JOIN") for text in codes(cells[1])]


@pytest.mark.parametrize("text", CONDITIONS)
def test_every_documented_condition_holds(text: str) -> None:
    function = parse_function(f"lambda attr: {text}")
    assert holds(function.body, Environment({"attr": EVENT}, NOW))
    assert parse_function(format_expression(function)) == function


@pytest.mark.parametrize(("text", "answer"), FUNCTIONS)
def test_every_documented_function_gives_what_the_page_says(text: str, answer: str) -> None:
    function = parse_function(text)
    assert said(evaluate_function(function, RUNS, Environment({}, NOW))) == answer
    assert parse_function(format_expression(function)) == function


def said(value: Any) -> str:
    """A value as the page writes it, a run by its length and kind."""
    if isinstance(value, tuple):
        return ", ".join(said(item) for item in value)
    if isinstance(value, dict):
        return f"{said(value['km'])} {value['kind']}"
    return f"{float(value):g}" if isinstance(value, Decimal) else str(value)


@pytest.mark.parametrize("text", JOINS)
def test_every_documented_join_is_read(text: str) -> None:
    condition = parse_condition(text)
    assert parse_condition(format_expression(condition)) == condition


@pytest.mark.parametrize(("kind", "written", "read_as"), READINGS)
def test_every_documented_value_is_read_as_the_page_says(kind: str, written: str, read_as: str) -> None:
    wanted = {"timedelta": AttributeType.DURATION}.get(kind) or AttributeType(kind)
    assert str(read(written, wanted)) == read_as


@pytest.mark.parametrize(("rule", "written"), REPAIRS)
def test_every_documented_text_is_put_right_by_its_rule(rule: str, written: str) -> None:
    assert rule in {repair.rule for repair in read_tree(written).repairs}


def test_every_rule_of_repair_is_documented_in_its_order() -> None:
    assert [rule for rule, _ in REPAIRS] == [name for name, _ in RULES]


@pytest.mark.parametrize(("name", "trees"), REWRITTEN)
def test_every_documented_rewrite_does_what_the_page_says(name: str, trees: list[str]) -> None:
    found = rewrite(_tree(trees[0]), NOW, [rule for rule in REWRITES if rule.__name__ == name])
    assert found.applied == (name,)
    assert all(found.tree == _tree(text) for text in trees[1:])


def _tree(text: str) -> Node:
    """The page writes R for the events below."""
    return parse_tree(re.sub(r"\bR\b", 'RETRIEVE(query="runs")', text))


def test_every_rewrite_is_documented_in_its_order() -> None:
    assert [name for name, _ in REWRITTEN] == [rule.__name__ for rule in REWRITES]


def test_what_would_take_too_long_is_refused() -> None:
    function = parse_function("lambda e: len(range(1000000000)) > 1")
    with pytest.raises(TreeTypeError, match="items"):
        holds(function.body, Environment({"e": EVENT}, NOW))


def test_the_page_has_examples_of_each() -> None:
    assert len(CONDITIONS) >= 55
    assert len(FUNCTIONS) >= 8
    assert len(JOINS) >= 10
