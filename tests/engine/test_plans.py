"""Plans as language models write them, over the demo life: all run, and many have an answer counted independently.

plans/demo.jsonl holds one plan a line: `plan`, the answer type it must give, and the name of its answer in
demo_answers where it has one. plans/paper.jsonl holds the decompositions of ReQAP's Tables 14 and 15, step by step and
whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import demo_joined_answers
import pytest
from demo_answers import ANSWERS, NOW

from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.operators.checking.checking import check_tree
from reqap_kg.operators.nodes import Node, Qud, open_questions, rebuilt, walk
from reqap_kg.operators.syntax.text import format_tree, parse_tree

PLANS = Path(__file__).parent / "plans"
assert demo_joined_answers  # importing it registers its answers


@dataclass(frozen=True)
class Plan:
    """A plan over the demo life."""

    id: str
    plan: str
    type: str
    answer: str | None = None


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PLANS / name).read_text(encoding="utf-8").splitlines()]


DEMO = [Plan(**line) for line in _lines("demo.jsonl")]
PAPER = {line["id"]: line for line in _lines("paper.jsonl")}


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


def comparable(value: Any) -> Any:
    """Numbers as floats, dates as texts."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return value.isoformat() if isinstance(value, date | datetime) else value


@pytest.mark.sampled(5)
@pytest.mark.parametrize("plan", DEMO, ids=[plan.id for plan in DEMO])
def test_a_plan_answers(plan: Plan, known: KnowledgeGraph) -> None:
    found = known.run(plan.plan, now=NOW)
    assert found.answer_type == plan.type
    if plan.answer is None:
        assert found.values
        return
    wanted = [comparable(value) for value in ANSWERS[plan.answer]()]
    given = [comparable(value) for value in found.values]
    assert len(given) == len(wanted)
    for one, other in zip(sorted(given, key=str), sorted(wanted, key=str), strict=True):
        assert one == (pytest.approx(other, rel=1e-6, abs=1e-6) if isinstance(other, float) else other)


def test_there_are_plans_enough() -> None:
    assert len(DEMO) >= 120
    assert sum(plan.answer is not None for plan in DEMO) >= 40
    assert {plan.answer for plan in DEMO if plan.answer} <= ANSWERS.keys()
    assert len({plan.id for plan in DEMO}) == len(DEMO)
    operators = {type(node).__name__ for plan in DEMO for node in walk(parse_tree(plan.plan))}
    named = ("Retrieve", "Extract", "Join", "GroupBy", "Filter", "Map", "Apply", "Unnest", "ArgMin", "ArgMax")
    assert operators >= {*named, "Min", "Max", "Sum", "Avg"}


def composed(steps: list[str]) -> Node:
    """The whole tree of steps written top first: each step fills the leftmost open question of what stands so far."""
    tree = parse_tree(steps[0])
    for step in steps[1:]:
        part, target = parse_tree(step), Qud(open_questions(tree)[0])

        def fill(node: Node, part: Node = part, target: Node = target) -> Node:
            return part if node == target else node

        tree = rebuilt(tree, fill)
    return tree


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_steps_are_read_checked_and_compose(name: str) -> None:
    steps = PAPER[name]["steps"]
    for step in steps:
        tree = parse_tree(step)
        assert parse_tree(format_tree(tree)) == tree
        check_tree(tree)
    whole = parse_tree(PAPER[name]["whole"])
    assert composed(steps) == whole
    assert open_questions(whole) == ()
    assert parse_tree(format_tree(whole)) == whole
    check_tree(whole)


@pytest.mark.sampled(5)
@pytest.mark.model
@pytest.mark.parametrize("name", PAPER)
def test_the_papers_trees_run(name: str, known: KnowledgeGraph) -> None:
    found = known.run(PAPER[name]["whole"], now=NOW)
    assert found.answer_type in PAPER[name]["types"]
