"""All readings of a question in one list: what rules plan and what the parser proposes, with what each answers.

Readings that give the same answer are one candidate. How likely it is follows from how sure the parser is of its forms,
whether rules read the question so, and whether the data bears it out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import exp
from typing import Final, Protocol

from ...config import MODEL
from ...errors import NotUnderstood, ReqapError
from ...operators.forms.grammar import format_form
from ...operators.nodes import Node
from ...planner.proposers.decomposing import Decomposition
from ...planner.proposers.parsing import Parsed, ParserProposer
from ...planner.proposers.proposing import Proposer, Refused, RulesProposer
from ...planner.search.plan import Planner
from ...planner.search.tense import tense_of
from ..answers.answer import Answer
from .planned import Planned

UNTOLD: Final = "none"
"""The operator of a form that says that no record tells the answer."""
MOST_LEFT_OUT: Final = 1
"""Words that nobody knows which a form may leave out."""
Value = Callable[[Planned], Hashable]
"""What a tree answers; None where that is nothing. Raises ReqapError where it cannot be run."""


@dataclass(frozen=True)
class Reading:
    """One way to read a question: a tree, None where no record tells; how sure the parser is of its form (0 where rules
    made it), and what it answers."""

    planned: Planned | None
    score: float
    value: Hashable
    form: str = ""


@dataclass(frozen=True)
class Candidate:
    """Readings with one answer: the surest of them, and how likely it is the right one, between 0 and 1."""

    reading: Reading
    probability: float


@dataclass(frozen=True)
class Weights:
    """What makes a candidate likely (docs/models-planning.md says how they were fitted)."""

    bias: float = -2.33
    mass: float = 2.1
    share: float = 2.09
    rules: float = 0.52
    top: float = 0.29


@dataclass(frozen=True)
class Readings:
    """Reads questions by rules and by the parser."""

    parser: ParserProposer
    rules: RulesProposer
    value: Value
    against: Callable[[Node, datetime], str | None]

    def of_parser(
        self, question: str, now: datetime, refused: list[Refused], unread: Sequence[str] = ()
    ) -> Iterator[Reading]:
        """Each form's first tree that the data bears out. One that leaves out a word that is `unread`, which neither
        rules nor the data know, says so; more are none."""
        for parsed in self.parser.parse(question, self.parser.earlier):
            if parsed.form.operator == UNTOLD:
                yield Reading(None, parsed.score, UNTOLD, format_form(parsed.form))
                continue
            missing = self.parser.left_out(parsed.form, unread)
            if len(missing) > MOST_LEFT_OUT:
                refused.append(Refused(MODEL, format_form(parsed.form), f"it leaves out {_quoted(missing)}"))
                continue
            found = self._borne_out(question, parsed, now, refused)
            if found is not None and found.planned is not None and missing:
                told = (*found.planned.warnings, f"this reading of the question leaves out {_quoted(missing)}")
                found = replace(found, planned=replace(found.planned, warnings=told))
            if found is not None:
                yield found

    def _borne_out(self, question: str, parsed: Parsed, now: datetime, refused: list[Refused]) -> Reading | None:
        """The first tree of a form whose RETRIEVEs find something and whose answer is not empty."""
        one = replace(self.parser, parse=lambda *_: (parsed,))
        drawn = Decomposition(one, now, self.rules, mixed=False)
        try:
            trees = drawn.trees(question)
        except ReqapError as bad:
            refused.append(Refused(MODEL, format_form(parsed.form), str(bad)))
            return None
        for tree in trees:
            planned = Planned(tree.tree, tree.form, MODEL, parsed.score, tree.steps, tree.notes)
            try:
                reason = self.against(tree.tree, now)
                value = self.value(planned) if reason is None else None
            except ReqapError as bad:
                reason, value = str(bad), None
            if value is not None:
                return Reading(planned, parsed.score, value, format_form(parsed.form))
            drawn.refused.append(Refused(MODEL, format_form(parsed.form), reason or "it answers nothing"))
        refused += drawn.refused
        return None

    def of_rules(self, planned: Sequence[Planned]) -> Iterator[Reading]:
        """What rules made of the question, with what it answers."""
        for one in planned:
            try:
                yield Reading(one, 0.0, self.value(one))
            except NotUnderstood:
                continue


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def ranked(rules: Sequence[Reading], parsed: Sequence[Reading], weights: Weights | None = None) -> list[Candidate]:
    """Candidates, the likeliest first. A rules' reading stands for those of its answer: its notes say how the question
    was read."""
    weights = weights or Weights()
    total = sum(reading.score for reading in parsed) or 1.0
    read = next((reading for reading in rules if reading.value is not None), None)
    groups: dict[Hashable, list[Reading]] = {}
    for reading in (*rules, *sorted(parsed, key=lambda one: -one.score)):
        if reading.value is not None:
            groups.setdefault(reading.value, []).append(reading)
    top = max(parsed, key=lambda one: one.score, default=None)
    found: list[Candidate] = []
    for value, members in groups.items():
        mass = sum(member.score for member in members)
        by_rules = read is not None and read.value == value
        odds = (
            weights.bias
            + weights.mass * mass
            + weights.share * mass / total
            + weights.rules * by_rules
            + weights.top * (top is not None and top.value == value)
        )
        found.append(Candidate(members[0], 1 / (1 + exp(-odds))))
    return sorted(found, key=lambda candidate: -candidate.probability)


class AskPlan(Protocol):
    """Runs one plan of a question."""

    def __call__(self, question: str, planned: Planned, *, now: datetime) -> Answer: ...


def readings_of(
    models: Sequence[Proposer],
    planner: Planner,
    question: str,
    now: datetime,
    ask_plan: AskPlan,
    against: Callable[[Node, datetime], str | None],
    own_rules: Sequence[object],
) -> Readings | None:
    """What reads a question in several ways, where the bundled parser is among the proposers; None where somebody has
    written rules, which then say what is meant."""
    parser = next((one for one in models if isinstance(one, ParserProposer)), None)
    if parser is None or own_rules:
        return None
    told = tense_of(question)

    def value(planned: Planned) -> Hashable:
        found = ask_plan(question, planned.at_now(told, now), now=now)
        return None if found.answer_type == "none" or not found.values else (found.answer_type, found.values)

    return Readings(parser, RulesProposer(planner), value, against)
