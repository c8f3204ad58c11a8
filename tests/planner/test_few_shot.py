"""The worked decompositions: each is well typed, every operator is used, and near ones are found."""

from __future__ import annotations

import pytest

from reqap_kg.operators.checking.checking import check_tree
from reqap_kg.operators.nodes import Node, Qud, open_questions, walk
from reqap_kg.operators.syntax.text import read_tree
from reqap_kg.planner.proposers.language import FewShotExample, Nearest, shipped_decompositions

SHIPPED = shipped_decompositions().all


def test_there_are_enough_and_no_question_twice() -> None:
    assert len(SHIPPED) >= 40
    assert len({worked.question for worked in SHIPPED}) == len(SHIPPED)


def test_every_operator_is_shown() -> None:
    def kinds(node: type[Node]) -> set[str]:
        below = [kind for kind in node.__subclasses__() if kind.__module__ == Qud.__module__]
        return {node.__name__, *(name for kind in below for name in kinds(kind))} if below else {node.__name__}

    shown = {type(node).__name__ for worked in SHIPPED for node in walk(worked.whole)}
    assert {
        "Retrieve", "Extract", "Join", "GroupBy", "Filter", "Map", "Apply", "Unnest",
        "ArgMin", "ArgMax", "Min", "Max", "Sum", "Avg",
    } <= shown & kinds(Node)  # fmt: skip


@pytest.mark.parametrize("worked", SHIPPED, ids=lambda worked: worked.question)
def test_steps_are_trees_as_they_stand_and_lead_to_a_closed_one(worked: FewShotExample) -> None:
    known = dict(worked.steps)
    for _, tree in worked.steps:
        parsed = read_tree(tree)
        assert not parsed.repairs
        assert set(open_questions(parsed.node)) <= known.keys()
    assert not open_questions(worked.whole)
    check_tree(worked.whole)


def test_the_nearest_share_words_with_the_question() -> None:
    found = shipped_decompositions().to("which songs was I listening to when jogging", 3)
    assert found[0].question == "What songs did I hear while jogging?"
    assert len(found) == 3


def test_rare_words_count_more_than_common_ones() -> None:
    common = [FewShotExample(((f"how many {word}", 'RETRIEVE(query="x")'),)) for word in ("runs", "swims", "walks")]
    rare = FewShotExample((("juggling a lot", 'RETRIEVE(query="x")'),))
    assert Nearest([*common, rare]).to("how many jugglings", 1) == (rare,)
