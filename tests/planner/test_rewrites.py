"""Rewritten trees answer as before: all rewrites together and each alone, on random trees over random graphs."""

from __future__ import annotations

import time

import pytest
from comparing import alike, of_reference, of_result
from drawing import drawn
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_expressions import NOW, RESOLUTION, checks, events, graph_of
from random_trees import trees
from reference import Event, Reference
from rewritable_trees import rewritable_trees

from reqap_kg.compiler.rewrites import REWRITES, Rewrite, rewrite
from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.run import run
from reqap_kg.operators.derived import original
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.syntax.text import format_tree, parse_tree

EXAMPLES = drawn(100)
TREES = st.one_of(rewritable_trees(), trees())


def reference(found: list[Event], tree: Node) -> object:
    """What the algebra says that a tree means; the message where it makes no sense."""
    try:
        return of_reference(Reference(found, RESOLUTION, NOW).run(tree))
    except TreeTypeError:
        return "refused"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)
@given(events(), TREES)
def test_the_rewritten_tree_means_the_same(found: list[Event], text: str) -> None:
    tree = parse_tree(text)
    made = rewrite(tree, NOW)
    note(f"{text}\n{format_tree(original(made.tree))}\n{made.applied}")
    assert parse_tree(format_tree(original(made.tree))) == original(made.tree)
    wanted = reference(found, tree)
    assert wanted == "refused" or alike(wanted, reference(found, made.tree))


@pytest.mark.parametrize("rule", REWRITES, ids=lambda rule: rule.__name__)
@settings(max_examples=max(1, EXAMPLES // 8), deadline=None, suppress_health_check=checks)
@given(found=events(), text=TREES)
def test_each_rewrite_alone_keeps_the_meaning(rule: Rewrite, found: list[Event], text: str) -> None:
    tree = parse_tree(text)
    made = rewrite(tree, NOW, (rule,))
    note(f"{text}\n{format_tree(original(made.tree))}")
    assert set(made.applied) <= {rule.__name__}
    wanted = reference(found, tree)
    assert wanted == "refused" or alike(wanted, reference(found, made.tree))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)
@given(found=events(), text=TREES)
def test_the_query_of_the_rewritten_tree_answers_the_same(found: list[Event], text: str) -> None:
    tree = parse_tree(text)
    made = original(rewrite(tree, NOW).tree)
    note(f"{text}\n{format_tree(made)}")
    graph = graph_of(found)
    try:
        before = run(tree, graph=graph, resolution=RESOLUTION, now=NOW)
    except TreeTypeError:
        return
    after = run(made, graph=graph, resolution=RESOLUTION, now=NOW)
    note(f"{before.sparql}\n{after.sparql}")
    assert alike(of_result(before), of_result(after))


@pytest.mark.parametrize("depth", [30, 90])
def test_a_deep_tree_is_rewritten_within_seconds(depth: int) -> None:
    text = 'RETRIEVE(query="a")'
    condition = "i1.start_date < i2.start_date and i1.start_date.year > 2"
    for _ in range(depth):
        text = f'JOIN(l1={text}, l2=RETRIEVE(query="b"), condition="{condition}")'
    tree = parse_tree(f'APPLY(l=FILTER(l={text}, filter=lambda x: x["start_date"].year > 4), fct=len)')
    began = time.process_time()
    made = rewrite(tree, NOW)
    assert time.process_time() - began < 5, "each rewrite visits a node once: minutes where each visits all below"
    assert made.applied
