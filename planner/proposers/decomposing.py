"""Recursive decomposition: each step turns an open question into an operator with simpler questions, until no leaf is
open (ReQAP, section 3.1).

The leaves that a model leaves open are read by rules first if these are sure of them, else by the model that opened
them. In one shot (the paper's ablation) nothing is decomposed further: words that name events become a RETRIEVE, open
questions are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, product

from ...config import RULES
from ...errors import TreeTypeError
from ...operators.checking.checking import check_tree
from ...operators.nodes import Node, Retrieve, open_questions
from ...operators.syntax.text import format_tree
from ..rules.fragments import with_leaves
from ..search.plan import AnswerForm, Plan
from .proposing import ANY, Open, Proposal, Proposed, Proposer, Refused, Said

SURE = 0.75
"""Confidence from which on rules read a leaf that a language model left open."""


@dataclass(frozen=True)
class StepLimits:
    """Bounds on decomposing one question: `steps` asked of models in all, `depth` of them inside one another, `trees`
    kept of a question."""

    steps: int = 24
    depth: int = 12
    trees: int = 4


@dataclass(frozen=True)
class Decomposed:
    """A tree without open leaves: who proposed its top, how sure all steps are together (their product), and the steps
    as (proposer, question)."""

    tree: Node
    proposer: str
    score: float
    form: AnswerForm
    steps: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    plan: Plan | None = None


@dataclass
class Decomposition:
    """Decomposes one question, once: `trees` best first; `refused` tells what was dropped on the way, and why."""

    proposer: Proposer
    now: datetime
    rules: Proposer
    """Reads words that only name events, which a small model leaves open."""
    mixed: bool = True
    """Whether rules may read the questions, too, that a language model leaves open."""
    one_shot: bool = False
    limits: StepLimits = field(default_factory=StepLimits)
    refused: list[Refused] = field(default_factory=list[Refused])
    _asked: int = 0
    _down: set[str] = field(default_factory=set[str])
    """Proposers that could not be reached: they are not asked again."""
    _known: dict[tuple[str, str, bool], Proposed] = field(default_factory=dict[tuple[str, str, bool], Proposed])

    def trees(self, question: str) -> tuple[Decomposed, ...]:
        """Trees of a question that start with the proposer; none where it has none that can be filled."""
        found = self._decomposed(Open(question), self.proposer, 0, self.limits.trees)
        return tuple(sorted(found, key=lambda decomposed: -decomposed.score))

    def _decomposed(self, asked: Open, proposer: Proposer, depth: int, wanted: int) -> list[Decomposed]:
        """Up to so many closed trees that start with a proposal of this proposer."""
        found: list[Decomposed] = []
        for proposal in self._proposed(asked, proposer).proposals:
            found += self._closed(asked, proposal, proposer, depth)
            if len(found) >= wanted:
                break
        return found[:wanted]

    def _proposed(self, asked: Open, proposer: Proposer) -> Proposed:
        key = (proposer.name, asked.question, asked.whole)
        if key not in self._known:
            is_model = proposer.name != RULES
            if proposer.name in self._down:
                return Proposed()
            if is_model and self._asked >= self.limits.steps:
                self._refuse(proposer, asked.question, f"more than {self.limits.steps} steps")
                return Proposed()
            self._asked += is_model
            self._known[key] = proposer.propose(asked, now=self.now)
            self.refused += self._known[key].refused
            if self._known[key].unreachable:
                self._down.add(proposer.name)
        return self._known[key]

    def _closed(self, asked: Open, proposal: Proposal, proposer: Proposer, depth: int) -> list[Decomposed]:
        """The proposal with its open leaves filled, in a few ways: by rules where these are sure, else by its own
        proposer."""
        leaves = tuple(dict.fromkeys(open_questions(proposal.tree)))
        if leaves and (depth >= self.limits.depth or (self.one_shot and proposal.whole)):
            reason = "open leaves in one shot" if self.one_shot else "decomposed too deep"
            self._refuse(proposer, format_tree(proposal.tree), reason)
            return []
        earlier = (*asked.earlier, Said(asked.question, proposal.said or format_tree(proposal.tree)))
        opened = [Open(leaf, proposal.whole, earlier) for leaf in leaves]
        for first in (self._by_rules, self._by_opener) if leaves else (self._by_rules,):
            options = [first(leaf, proposer, depth + 1) for leaf in opened]
            found: list[Decomposed] = []
            for chosen in islice(product(*options), self.limits.trees):
                decomposed = self._filled(asked, proposal, proposer, dict(zip(leaves, chosen, strict=True)))
                found += [decomposed] if decomposed is not None else []
            if found:
                return found
        return []

    def _by_rules(self, leaf: Open, opened_by: Proposer, depth: int) -> list[Decomposed]:
        """A leaf read by rules if they are sure of it; words that only name events are theirs anyhow."""
        if self.one_shot:
            return [Decomposed(Retrieve(leaf.question), opened_by.name, 1.0, ANY, ())]
        if leaf.whole and not self.mixed:
            return []
        found = self._decomposed(Open(leaf.question, whole=False), self.rules, depth, 1)
        if found and leaf.whole and found[0].score < SURE:
            self._refuse(opened_by, leaf.question, f"rules are not sure of it ({found[0].score:.2f})")
            return []
        return found

    def _by_opener(self, leaf: Open, opened_by: Proposer, depth: int) -> list[Decomposed]:
        """A leaf read by the proposer that opened it."""
        if not leaf.whole or self.one_shot or leaf.question in {step.question for step in leaf.earlier}:
            return []
        return self._decomposed(leaf, opened_by, depth, 1)

    def _filled(
        self, asked: Open, proposal: Proposal, proposer: Proposer, below: dict[str, Decomposed]
    ) -> Decomposed | None:
        try:
            tree = with_leaves(proposal.tree, {leaf: decomposed.tree for leaf, decomposed in below.items()})
            check_tree(tree)
        except TreeTypeError as bad:
            self._refuse(proposer, format_tree(proposal.tree), str(bad))
            return None
        score = proposal.score
        for decomposed in below.values():
            score *= decomposed.score
        steps = ((proposer.name, asked.question), *(step for decomposed in below.values() for step in decomposed.steps))
        notes = (*proposal.notes, *(note for decomposed in below.values() for note in decomposed.notes))
        return Decomposed(tree, proposer.name, score, proposal.form, steps, tuple(dict.fromkeys(notes)), proposal.plan)

    def _refuse(self, proposer: Proposer, text: str, reason: str) -> None:
        self.refused.append(Refused(proposer.name, text, reason))
