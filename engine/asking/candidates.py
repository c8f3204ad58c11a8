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
from ...operators.forms.grammar import Form, format_form
from ...operators.nodes import Node
from ...planner.forms.maker import form_in
from ...planner.proposers.decomposing import Decomposition
from ...planner.proposers.parsing import FormProposer, Parsed, compares_with_itself, single_words
from ...planner.proposers.proposing import Open, Proposed, Refused, RulesProposer
from ...planner.search.plan import Planner
from ...planner.search.tense import tense_of
from ...store.words import fold
from ...texts.tokens import split
from ..answers.answer import Answer
from .known_words import KnownWords
from .planned import Planned

UNTOLD: Final = "none"
"""The operator of a form that says that no record tells the answer."""
BOTH: Final = "both"
"""The operator of a form that asks two things."""
MOST_LEFT_OUT: Final = 1
"""Words that nobody knows which a form may leave out."""
Value = Callable[[Planned], Hashable]
"""What a tree answers; None where that is nothing. Raises ReqapError where it cannot be run."""


@dataclass(frozen=True)
class Reading:
    """One way to read a question: a tree, None where no record tells; how sure the parser is of its form (0 and no form
    where rules made it), and what it answers, None for nothing."""

    planned: Planned | None
    score: float
    value: Hashable
    form: Form | None = None


@dataclass(frozen=True)
class Candidate:
    """Readings with one answer: the surest of them, how likely it is the right one, and how sure the parser is of
    them, between 0 and 1."""

    reading: Reading
    probability: float
    mass: float = 0.0


@dataclass(frozen=True)
class Evidence:
    """What speaks for an answer and against it, each between 0 and 1."""

    mass: float
    """How sure the parser is of the forms that give it."""
    share: float
    """Their share of all forms that the data bears out."""
    top: float
    """Whether the likeliest form gives it."""
    rules: float
    """How sure rules are of the reading that gives it."""
    against: float
    """How sure rules are of a reading that gives another answer."""
    later: float
    """Whether the question leans on earlier ones."""


@dataclass(frozen=True)
class Weights:
    """How much each piece of evidence counts (fitted by training/ranking.py; docs/models-planning.md)."""

    bias: float = -1.36
    mass: float = 1.51
    share: float = 1.28
    top: float = -0.09
    rules: float = 1.82
    against: float = -1.5
    later: float = -0.2

    def probability(self, evidence: Evidence) -> float:
        """How likely an answer is the right one."""
        odds = self.bias + sum(getattr(self, name) * value for name, value in vars(evidence).items())
        return 1 / (1 + exp(-odds))


@dataclass(frozen=True)
class _OneForm:
    """Proposes the trees of one form."""

    proposed: Proposed
    name: str = MODEL

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """The trees of the form for the whole question."""
        del now
        return self.proposed if asked.whole else Proposed()


@dataclass(frozen=True)
class Readings:
    """Reads questions by rules and by the parser. `rules` read the words that a form leaves open; `against` says why
    the data does not bear out a tree."""

    forms: FormProposer
    rules: RulesProposer
    value: Value
    against: Callable[[Node, datetime], str | None]
    known: KnownWords

    def of_parser(
        self,
        question: str,
        now: datetime,
        refused: list[Refused],
        unread: Sequence[str] = (),
        earlier: Sequence[str] = (),
    ) -> Iterator[Reading]:
        """Each form's first tree that the data bears out. One that leaves out a word that is `unread` by rules says so;
        more are none, and a number only where every form leaves one out. One that rests on a word that nobody knows is
        none."""
        forms = self.forms.forms(question, earlier)
        strange = self.known.unknown(unread)
        numbers = [word for word in split(question) if word[:1].isdigit() and len(word) > 1]
        lacking = {one.form: self.forms.left_out(one.form, numbers) for one in forms}
        for parsed in forms:
            left_out = () if all(lacking.values()) else lacking[parsed.form]
            if not left_out and parsed.form.operator == UNTOLD:
                yield Reading(None, parsed.score, UNTOLD, parsed.form)
                continue
            missing = self.forms.left_out(parsed.form, unread)
            too_many = missing if len(missing) > MOST_LEFT_OUT else ()
            unfit = _unfit(parsed.form, left_out or too_many, strange)
            if unfit is not None:
                refused.append(Refused(MODEL, format_form(parsed.form), unfit))
                continue
            found = self.borne_out(question, parsed, now, refused)
            if found is not None and found.planned is not None and missing:
                told = (*found.planned.warnings, f"this reading of the question leaves out {_quoted(missing)}")
                found = replace(found, planned=replace(found.planned, warnings=told))
            if found is not None:
                yield found

    def borne_out(self, question: str, parsed: Parsed, now: datetime, refused: list[Refused]) -> Reading | None:
        """The first tree of a form whose RETRIEVEs find something and whose answer is not empty, else the first whose
        answer is; the trees of both where a form asks two things."""
        if parsed.form.operator == BOTH:
            return self._both(question, parsed, now, refused)
        drawn = Decomposition(_OneForm(self.forms.proposed(parsed, now=now)), now, self.rules, mixed=False)
        try:
            trees = drawn.trees(question)
        except ReqapError as bad:
            refused.append(Refused(MODEL, format_form(parsed.form), str(bad)))
            return None
        empty: Reading | None = None
        for tree in trees:
            planned = Planned(tree.tree, tree.form, MODEL, parsed.score, tree.steps, tree.notes)
            try:
                reason = self.against(tree.tree, now)
                value = self.value(planned) if reason is None else None
            except ReqapError as bad:
                reason, value = str(bad), None
            notes = (*planned.notes, f"read as: {planned.in_words}")
            read = Reading(replace(planned, notes=notes), parsed.score, value, parsed.form)
            if value is not None:
                return read
            empty = empty or (read if reason is None else None)
            drawn.refused.append(Refused(MODEL, format_form(parsed.form), reason or "it answers nothing"))
        refused += drawn.refused
        return empty

    def _both(self, question: str, parsed: Parsed, now: datetime, refused: list[Refused]) -> Reading | None:
        parts = (Parsed(form_in(part), parsed.score) for part in parsed.form.arguments)
        one, other = (self.borne_out(question, part, now, refused) for part in parts)
        if one is None or other is None or one.planned is None or other.planned is None:
            return None
        if one.value is None or other.value is None:
            return None
        planned = one.planned.with_also(other.planned)
        return Reading(planned, parsed.score, (one.value, other.value), parsed.form)

    def of_rules(self, planned: Sequence[Planned]) -> Iterator[Reading]:
        """What rules made of the question, with what it answers."""
        for one in planned:
            try:
                yield Reading(one, 0.0, self.value(one))
            except NotUnderstood:
                continue


def _unfit(form: Form, left_out: Sequence[str], strange: Sequence[str]) -> str | None:
    """Why a form is no reading: the words that it leaves out, or rests on though they are `strange`; None where it may
    be one."""
    if left_out:
        return f"it leaves out {_quoted(left_out)}"
    held = {fold(word) for word in single_words(form)}
    rests = [word for word in strange if fold(word) in held]
    if rests:
        return f"nobody knows {_quoted(rests)}"
    return "it compares something with itself" if compares_with_itself(form) else None


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def weighed(
    rules: Sequence[Reading], parsed: Sequence[Reading], *, later: bool = False
) -> list[tuple[Reading, Evidence]]:
    """Each answer with what speaks for it. A rules' reading stands for those of its answer: its notes say how the
    question was read."""
    parsed = [reading for reading in parsed if reading.value is not None]
    total = sum(reading.score for reading in parsed) or 1.0
    read = next((reading for reading in rules if reading.value is not None), None)
    sure = confidence(read) if read is not None else 0.0
    groups: dict[Hashable, list[Reading]] = {}
    for reading in (*rules, *sorted(parsed, key=lambda one: -one.score)):
        if reading.value is not None:  # what rules read may answer nothing
            groups.setdefault(reading.value, []).append(reading)
    top = max(parsed, key=lambda one: one.score, default=None)
    found: list[tuple[Reading, Evidence]] = []
    for value, members in groups.items():
        mass = sum(member.score for member in members)
        by_rules = read is not None and read.value == value
        likeliest = float(top is not None and top.value == value)
        evidence = Evidence(
            mass, mass / total, likeliest, sure if by_rules else 0.0, 0.0 if by_rules else sure, float(later)
        )
        found.append((members[0], evidence))
    return found


def ranked(answers: Sequence[tuple[Reading, Evidence]], weights: Weights | None = None) -> list[Candidate]:
    """Candidates, the likeliest first."""
    weights = weights or Weights()
    found = (Candidate(one, weights.probability(told), told.mass) for one, told in answers)
    return sorted(found, key=lambda candidate: -candidate.probability)


def confidence(reading: Reading) -> float:
    """How sure rules are of the meanings of the words that they read; 0 for what the parser read."""
    parts = reading.planned.parts if reading.planned is not None else None
    return parts.confidence if parts is not None else 0.0


class AskPlan(Protocol):
    """Runs one plan of a question."""

    def __call__(self, question: str, planned: Planned, *, now: datetime) -> Answer: ...


def readings_of(
    forms: FormProposer | None,
    planner: Planner,
    question: str,
    now: datetime,
    ask_plan: AskPlan,
    against: Callable[[Node, datetime], str | None],
    known: KnownWords,
) -> Readings | None:
    """What reads a question in several ways; None where no parser is installed, or the question has no word."""
    if forms is None or not any(map(str.isalnum, question)):
        return None
    told = tense_of(question)

    def value(planned: Planned) -> Hashable:
        found = ask_plan(question, planned.at_now(told, now), now=now)
        return None if found.answer_type == "none" or not found.values else (found.answer_type, found.values)

    return Readings(forms, RulesProposer(planner), value, against, known)
