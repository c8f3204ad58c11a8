"""A tree ready to be run, with where it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from ...config import RULES
from ...errors import Declined, NotUnderstood
from ...operators.nodes import Node
from ...operators.syntax.text import ParsedTree, format_tree
from ...operators.wording import told_in_words
from ...planner.search.at_now import at_now
from ...planner.search.plan import AnswerForm, Plan
from ...planner.search.score import Parts
from ...planner.search.tense import Tense, Told, in_the_past, tense_of
from ..answers.answer import RECORDS, Answer
from ..answers.dialog.dialog import Dialog
from ..answers.dialog.replies import Narrowed

GIVEN = "given"
DIALOG = "dialog"
"""What proposes a tree that a reply led to."""


@dataclass(frozen=True)
class Planned:
    """`planner` says which part proposed the tree, `form` what the answer looks like, `steps` the rules that fired."""

    node: Node
    form: AnswerForm
    planner: str
    score: float
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What was put right in a tree that somebody wrote."""
    ahead: bool = False
    """Whether the question asks of what is to come, which nothing records: it is looked for where it is told."""
    limits: tuple[str, ...] = ()
    """The question's words that limit the events: periods and the like."""
    parts: Parts | None = None
    """What the score of a tree is made of that rules proposed."""
    also: Planned | None = None
    """What else the question asks, which is answered besides."""
    probability: float = 1.0
    """How likely its answer is the right one."""
    doubt: tuple[str, ...] = ()
    """What is not sure of it, in plain English."""
    basis: str = RECORDS
    """Whether its answer rests on records alone, or on what texts tell, too."""
    of_chats: bool = False
    """Whether rules read the question as one about what was said in chats."""

    @classmethod
    def by_rules(cls, plan: Plan) -> Planned:
        """What the declarative rules made of a question."""
        steps = tuple((step.rule.rsplit("/", 1)[-1].rsplit("#", 1)[-1], step.question) for step in plan.steps)
        of_chats = bool(plan.steps) and plan.steps[0].of_chats
        told = (plan.tree, plan.answer, RULES, plan.score, steps, plan.notes)
        return cls(*told, limits=plan.limited, parts=plan.parts, of_chats=of_chats)

    @classmethod
    def given(cls, parsed: ParsedTree) -> Planned:
        """A tree that somebody wrote; its answer is of the type that its values have."""
        repaired = tuple(f"read with a repair at {repair}" for repair in parsed.repairs)
        return cls(parsed.node, AnswerForm("any"), GIVEN, 1.0, warnings=repaired)

    def at_now(self, told: Told, now: datetime) -> Planned:
        """The plan of a question of this tense: the past stops at now, what is to come begins there."""
        bounded = at_now(self.node, told, now)
        notes = (*self.notes, bounded.note) if bounded.note else self.notes
        also = self.also.at_now(told, now) if self.also is not None else None
        return replace(self, node=bounded.tree, notes=notes, ahead=told.tense is Tense.FUTURE, also=also)

    def in_unit(self, unit: str | None) -> Planned:
        """The plan with its answer in the unit asked for, by its symbol; one that has a unit already stays."""
        if unit is None or self.form.unit is not None:
            return self
        return replace(self, form=replace(self.form, unit=unit))

    def with_also(self, other: Planned) -> Planned:
        """The plan of a question that asks another thing, too."""
        return replace(self, also=other if self.also is None else self.also.with_also(other))

    @cached_property
    def tree(self) -> str:
        """The text form."""
        return format_tree(self.node)

    @property
    def name(self) -> str:
        """What tells it from other plans of a question, however likely they are."""
        return f"{self.planner} {self.form} {self.ahead} {self.tree}"

    @property
    def each(self) -> tuple[Planned, ...]:
        """The plans of all that the question asks, in its order."""
        return (self, *(self.also.each if self.also is not None else ()))

    @property
    def in_words(self) -> str:
        """What is answered, in plain English."""
        own = told_in_words(self.node, self.form.column)
        return own if self.also is None else f"{own}; and {self.also.in_words}"

    @property
    def answer_type(self) -> str:
        """The answer type that is expected."""
        return self.form.type

    def as_json(self) -> dict[str, Any]:
        """The object of `plan --json`."""
        return {
            "plan": self.tree,
            "in_words": self.in_words,
            "answer_type": self.form.type,
            "unit": self.form.unit,
            "planner": self.planner,
            "score": self.score,
            "probability": self.probability,
            "doubt": list(self.doubt),
            "steps": [{"rule": rule, "question": question} for rule, question in self.steps],
            "notes": list(self.notes),
            "analysis": self.form.analysis or None,
            **({"score_parts": self.parts.as_json()} if self.parts is not None else {}),
            **({"also": self.also.as_json()} if self.also is not None else {}),
        }


def planned_reply(dialog: Dialog, reply: Narrowed, before: Answer) -> Planned:
    """The plan of what a reply to the dialog of an answer leaves; it is as sure as that answer was."""
    planned = Planned(reply.tree, dialog.asking.large.form, DIALOG, before.score)
    return replace(planned, probability=before.probability, doubt=before.doubt, basis=before.basis)


def tensed(plan: Callable[[str], Planned], question: str, now: datetime) -> Planned:
    """The plan of a question, bounded in time as its tense says. Raises as `plan`."""
    told = tense_of(question)
    try:
        found = plan(question)
    except Declined:
        raise
    except NotUnderstood as bad:
        past = in_the_past(question) if told.tense is Tense.FUTURE else None
        if past is None:
            raise
        found = _again(plan, past, bad)
    return found.at_now(told, now)


def _again(plan: Callable[[str], Planned], past: str, failure: NotUnderstood) -> Planned:
    """What is planned for the question in the past; where that is not read either, the first failure is told."""
    try:
        found = plan(past)
    except NotUnderstood:
        raise failure from None
    return replace(found, notes=(*found.notes, f"read as “{past}”, of what is to come"))
