"""The examples of each rewrite (rewrites/*.txt): the text of the tree that it makes, and equal answers both ways."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from comparing import alike, of_reference, of_result
from hypothesis import given, note, settings
from random_expressions import NOW, RESOLUTION, checks, events, graph_of
from reference import Event, Reference

from reqap_kg.compiler.rewrites import REWRITES, Rewrite, rewrite
from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.run import run
from reqap_kg.operators.derived import Shared, original
from reqap_kg.operators.nodes import children
from reqap_kg.operators.syntax.text import format_tree, parse_tree

FOLDER = Path(__file__).parent / "rewrites"
BY_NAME: dict[str, tuple[Rewrite, ...]] = {"all": REWRITES, **{rule.__name__: (rule,) for rule in REWRITES}}


@dataclass(frozen=True)
class Example:
    """A tree, what becomes of it by some rewrites, and how that is said: after, shared, or open."""

    rules: str
    title: str
    before: str
    kind: str
    after: str


def examples() -> list[Example]:
    found: list[Example] = []
    for path in sorted(FOLDER.glob("*.txt")):
        title, before = "", ""
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            kind, _, text = line.partition(": ")
            if line.startswith("#"):
                title = line.removeprefix("# ")
            elif kind == "before":
                before = text
            elif line:
                assert kind in ("after", "shared", "open"), f"{path.name}:{number}"
                found.append(Example(path.stem, title, before, kind, text))
    return found


EXAMPLES = examples()
FIRING = [example for example in EXAMPLES if example.after not in ("same", "none")]


def name(example: Example) -> str:
    return f"{example.rules}: {example.title}"


def test_every_rewrite_has_examples_and_counterexamples() -> None:
    fires = {example.rules for example in FIRING}
    leaves = {example.rules for example in EXAMPLES if example not in FIRING}
    assert fires == set(BY_NAME)
    assert leaves == set(BY_NAME) - {"all"}


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.kind != "shared"], ids=name)
def test_the_tree_that_a_rewrite_makes(example: Example) -> None:
    tree = parse_tree(example.before)
    made = rewrite(tree, NOW, BY_NAME[example.rules])
    wanted = format_tree(tree if example.after == "same" else parse_tree(example.after))
    assert format_tree(made.tree) == wanted
    assert bool(made.applied) is (example.after != "same")


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.kind == "shared"], ids=name)
def test_what_is_shared(example: Example) -> None:
    tree = parse_tree(example.before)
    made = rewrite(tree, NOW, BY_NAME[example.rules]).tree
    shared, pending = [], [made]
    while pending:
        node = pending.pop()
        if isinstance(node, Shared):
            shared.append(format_tree(node.tree))
        else:
            pending.extend(children(node))
    text, _, count = example.after.rpartition(" | ")
    assert shared == ([] if example.after == "none" else [format_tree(parse_tree(text))] * int(count))
    assert original(made) == tree


@pytest.mark.sampled(4)
@pytest.mark.parametrize("example", [e for e in FIRING if e.kind != "open"], ids=name)
@settings(max_examples=5, deadline=None, suppress_health_check=checks)
@given(found=events())
def test_both_trees_answer_the_same(example: Example, found: list[Event]) -> None:
    tree = parse_tree(example.before)
    made = rewrite(tree, NOW, BY_NAME[example.rules]).tree
    reference = Reference(found, RESOLUTION, NOW)
    assert alike(of_reference(reference.run(tree)), of_reference(Reference(found, RESOLUTION, NOW).run(made)))
    graph = graph_of(found)
    try:
        before = run(tree, graph=graph, resolution=RESOLUTION, now=NOW)
    except TreeTypeError:  # not said in SPARQL: the reference alone knows it
        return
    after = run(original(made), graph=graph, resolution=RESOLUTION, now=NOW)
    note(f"{before.sparql}\n{after.sparql}")
    assert alike(of_result(before), of_result(after))
