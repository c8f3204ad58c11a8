"""What a language model is shown, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest

from reqap_kg.errors import ModelUnreachable
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.proposers.decomposing import Decomposition, StepLimits
from reqap_kg.planner.proposers.language import LanguageProposer, Message
from reqap_kg.planner.proposers.proposing import Open, Proposed, Said

NOW = datetime(2025, 3, 1, 12)
COUNT = 'APPLY(l=QUD("my bouldering sessions"), fct=len)'


class Model:
    """Answers each question by a table; notes what it was sent."""

    def __init__(self, **answers: list[str]) -> None:
        self.answers = {question.replace("_", " "): answer for question, answer in answers.items()}
        self.sent: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message]) -> list[str]:
        self.sent.append(messages)
        question = messages[-1]["content"].rpartition('QUD("')[2].removesuffix('")')
        return self.answers.get(question, ["I cannot say"])


class Nobody:
    """A proposer that reads nothing."""

    name = "rules"

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        return Proposed()


def decomposed(model: Model, question: str, **how: object) -> tuple[list[str], list[str]]:
    proposer = LanguageProposer(model.complete, one_shot=bool(how.get("one_shot")))
    limits = StepLimits(**{k: v for k, v in how.items() if k != "one_shot"})  # type: ignore[arg-type]
    by = Decomposition(proposer, NOW, Nobody(), one_shot=bool(how.get("one_shot")), limits=limits)
    return [format_tree(drawn.tree) for drawn in by.trees(question)], [refused.reason for refused in by.refused]


def test_each_step_is_shown_with_examples_and_the_steps_before() -> None:
    proposer = LanguageProposer(lambda _: [], ("distance", "shop"), examples=2)
    earlier = (Said("how often did I boulder", COUNT),)
    messages = proposer.messages(Open("my bouldering sessions", earlier=earlier))
    assert messages[0]["role"] == "system"
    assert "distance, shop" in messages[0]["content"]
    assert [turn["role"] for turn in messages[1:]] == ["user", "assistant"] * ((len(messages) - 2) // 2) + ["user"]
    assert messages[-3:-1] == [
        {"role": "user", "content": 'Starting with a new question. Input: QUD("how often did I boulder")'},
        {"role": "assistant", "content": COUNT},
    ]
    assert messages[-1]["content"] == 'Input: QUD("my bouldering sessions")'


def test_one_shot_shows_whole_trees() -> None:
    messages = LanguageProposer(lambda _: [], one_shot=True).messages(Open("how often did I boulder"))
    shown = [turn["content"] for turn in messages if turn["role"] == "assistant"]
    assert len(shown) == 8
    assert all("QUD(" not in tree for tree in shown)


def test_steps_lead_to_a_whole_tree() -> None:
    model = Model(
        how_often=[COUNT],
        my_bouldering_sessions=['RETRIEVE(query="I went bouldering")'],
    )
    assert decomposed(model, "how often") == (['APPLY(l=RETRIEVE(query="I went bouldering"), fct=len)'], [])
    assert [len(messages) for messages in model.sent] == [len(model.sent[0]), len(model.sent[1])]


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{COUNT}\n```",
        f"Assistant: {COUNT}",
        f"{COUNT}\nThis counts the sessions (all of them).",
    ],
)
def test_what_stands_around_a_tree_is_no_matter(answer: str) -> None:
    found = LanguageProposer(lambda _: [answer]).propose(Open("how often"), now=NOW)
    assert [proposal.tree for proposal in found.proposals] == [parse_tree(COUNT)]


def test_equal_answers_count_for_more() -> None:
    other = 'RETRIEVE(query="x")'
    found = LanguageProposer(lambda _: [other, COUNT, COUNT]).propose(Open("how often"), now=NOW)
    assert [proposal.tree for proposal in found.proposals] == [parse_tree(COUNT), parse_tree(other)]
    assert found.proposals[0].score > 0.6 > found.proposals[1].score


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I do not know.",
        "RETRIEVE(",
        'RETRIEVE(query=open("/etc/passwd").read())',
        '__import__("os").system("true")',
        'APPLY(l=RETRIEVE(query="x"), fct=lambda l: __import__("os"))',
        'FILTER(l=RETRIEVE(query="x"), filter=lambda attr: attr.__class__.__mro__)',
        'SUM(l=RETRIEVE(query="x"), attr_name="nothing gives this")',
        "APPLY(" * 5000,
        'QUD("how often")',
        'RETRIEVE(query="")',
    ],
)
def test_hostile_answers_are_refused_with_a_reason(answer: str) -> None:
    trees, reasons = decomposed(Model(how_often=[answer]), "how often")
    assert trees == []
    assert reasons
    assert all(reasons)


def test_a_model_that_goes_round_in_circles_is_stopped() -> None:
    round_and_round = Model(a=['APPLY(l=QUD("b"), fct=len)'], b=['FILTER(l=QUD("a"), filter=lambda attr: True)'])
    assert decomposed(round_and_round, "a")[0] == []
    deep = Model(**{f"q{n}": [f'FILTER(l=QUD("q{n + 1}"), filter=lambda attr: True)'] for n in range(100)})
    assert decomposed(deep, "q0")[0] == []
    assert len(deep.sent) <= StepLimits().steps


def test_a_branching_model_is_stopped() -> None:
    def wide(messages: Sequence[Message]) -> list[str]:
        question = messages[-1]["content"].rpartition('QUD("')[2].removesuffix('")')
        sent.append(question)
        return [f'JOIN(l1=QUD("{question}l"), l2=QUD("{question}r"), condition="i1.start_date == i2.start_date")'] * 3

    sent: list[str] = []
    by = Decomposition(LanguageProposer(wide), NOW, Nobody())
    assert by.trees("q") == ()
    assert len(sent) <= StepLimits().steps


def test_an_address_that_fails_is_not_asked_again() -> None:
    asked: list[str] = []

    def failing(messages: Sequence[Message]) -> list[str]:
        asked.append(messages[-1]["content"])
        if len(asked) > 1:
            raise ModelUnreachable("no answer")
        return ['JOIN(l1=QUD("left"), l2=QUD("right"), condition="i1.start_date == i2.start_date")']

    by = Decomposition(LanguageProposer(failing), NOW, Nobody())
    assert by.trees("both") == ()
    assert len(asked) == 2
    assert any(refused.reason == "no answer" for refused in by.refused)


def test_open_leaves_are_refused_in_one_shot() -> None:
    trees, reasons = decomposed(Model(how_often=[COUNT]), "how often", one_shot=True)
    assert trees == []
    assert any("one shot" in reason for reason in reasons)
    whole = Model(how_often=['APPLY(l=RETRIEVE(query="I went bouldering"), fct=len)'])
    assert len(decomposed(whole, "how often", one_shot=True)[0]) == 1


def test_an_endless_question_is_not_sent() -> None:
    model = Model()
    assert decomposed(model, "why " * 5000)[0] == []
    assert model.sent == []
