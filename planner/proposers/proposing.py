"""Who proposes trees, behind one interface: rules, a small model, a language model (ReQAP, section 3.1).

A proposer is shown one open question and gives pieces of tree for it, whose own leaves may be open again; `decomposing`
asks on until none is. What a proposer says is never taken as it is: it is read as a tree, its types are checked, and
the engine checks it against the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ...config import RULES
from ...errors import NotUnderstood
from ...operators.nodes import Node
from ..search.plan import AnswerForm, Plan, Planner

ANY = AnswerForm("any")


@dataclass(frozen=True)
class Said:
    """An earlier step of the same question: what was asked, and the tree that the same proposer gave, as text."""

    question: str
    tree: str


@dataclass(frozen=True)
class Open:
    """An open question; not `whole`: words that only name events. `earlier` are the steps above it, outermost first,
    all by the proposer that opened it."""

    question: str
    whole: bool = True
    earlier: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """A piece of tree for an open question; `score`, between 0 and 1, is how sure its proposer is.

    `whole`: its open leaves are questions, else words that name events. `said` is the text that later steps are shown.
    """

    tree: Node
    score: float
    form: AnswerForm = ANY
    whole: bool = False
    said: str = ""
    notes: tuple[str, ...] = ()
    plan: Plan | None = None
    """The plan behind it, where rules made one."""


@dataclass(frozen=True)
class Refused:
    """A proposal that was dropped, and why."""

    proposer: str
    text: str
    reason: str


@dataclass(frozen=True)
class Proposed:
    """What a proposer makes of an open question, best first, and what of it was dropped; `unreachable` where it did not
    answer at all, so that asking on is of no use."""

    proposals: tuple[Proposal, ...] = ()
    refused: tuple[Refused, ...] = ()
    unreachable: bool = False


class Proposer(Protocol):
    """Gives pieces of tree for open questions; never raises for a question that it cannot read."""

    @property
    def name(self) -> str:
        """As in the settings: rules, model, language-model."""
        ...

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """Pieces for one open question; none where it has no idea."""
        ...


class RulesProposer:
    """The declarative rules: their trees are closed already, as they recurse by themselves."""

    name = RULES

    def __init__(self, planner: Planner, *, top: int = 1) -> None:
        self._planner = planner
        self._top = top

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """The trees that rules build of the question. Raises RuleError where a rule is wrong."""
        try:
            plans = self._planner.plans(asked.question, now=now, top=self._top, whole=asked.whole)
        except NotUnderstood as bad:
            return Proposed(refused=(Refused(self.name, asked.question, str(bad)),))
        return Proposed(tuple(_of_plan(plan) for plan in plans))


def _of_plan(plan: Plan) -> Proposal:
    sure = plan.parts.confidence if plan.parts is not None else plan.score
    return Proposal(plan.tree, sure, plan.answer, notes=plan.notes, plan=plan)


def distinct(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """The proposals without repetition; of equal trees the surest, in the order of their scores."""
    best: dict[Node, Proposal] = {}
    for proposal in proposals:
        if proposal.tree not in best or best[proposal.tree].score < proposal.score:
            best[proposal.tree] = proposal
    return tuple(sorted(best.values(), key=lambda proposal: -proposal.score))
