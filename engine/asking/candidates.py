"""All readings of a question in one list: what rules plan and what the parser proposes, with what each answers.

Readings that give the same answer are one candidate. How likely it is follows from how sure the parser is of its forms,
whether rules read the question so, and whether the data bears it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Protocol

from ...config import MODEL, RULES
from ...errors import NoSuchData, NotUnderstood, ReqapError
from ...operators.forms.grammar import Form, format_form
from ...operators.nodes import Apply, GroupBy, Join, Node, queries, walk
from ...planner.forms.lowering import form_in
from ...planner.proposers.decomposing import Decomposition
from ...planner.proposers.parsing import (
    FIRST,
    Before,
    FormProposer,
    Parsed,
    compares_with_itself,
    sentences_apart,
    single_words,
)
from ...planner.proposers.proposing import Open, Proposed, Refused, RulesProposer
from ...planner.search.asked import Asked, Kind, asked_of
from ...planner.search.plan import AnswerForm, Planner
from ...planner.search.tense import tense_of
from ...retrieval.context import RetrieveContext
from ...store.words import fold
from ...texts.tokens import split
from ..answers.answer import Answer
from .grounds import MOST_EVENTS, Evidence, Grounds, KnownWords, Weights, grounds_of, says_nothing
from .planned import Planned

UNTOLD: Final = "none"
"""The operator of a form that says that no record tells the answer."""
UNFOUNDED: Final = Grounds(recorded=0.0, nothing=1.0)
"""What such a form rests on."""
BOTH: Final = "both"
"""The operator of a form that asks two things."""
UNTRIED: Final = 0.2
"""The share of the parser's certainty that is left untried behind a form with an answer, twice as much behind two."""
MOST_LEFT_OUT: Final = 1
"""Words that nobody knows which a form may leave out."""


@dataclass(frozen=True)
class Judged:
    """What a tree answers, None where that is nothing; and what it rests on."""

    value: Hashable
    grounds: Grounds = field(default_factory=Grounds)


Judge = Callable[[Planned], Judged]
"""What a tree answers. Raises NoSuchData where that goes by what the data does not have, ReqapError where it cannot be
run."""


@dataclass(frozen=True)
class Reading:
    """One way to read a question: a tree, None where no record tells; how sure the parser is of its form (0 and no form
    where rules made it), what it answers, None for nothing, what that rests on, and the words that it leaves out."""

    planned: Planned | None
    score: float
    value: Hashable
    form: Form | None = None
    grounds: Grounds = field(default_factory=Grounds)
    left_out: tuple[str, ...] = ()
    causal: float | None = None
    """How sure a causal language model is of the form, where one is asked."""
    lacking: NoSuchData | None = None
    """What the data lacks that the reading goes by: then it is none."""

    def noting(self, notes: Iterable[str]) -> Reading:
        """The reading with more notes for whoever asked."""
        if self.planned is None:
            return self
        return replace(self, planned=replace(self.planned, notes=(*self.planned.notes, *notes)))


@dataclass(frozen=True)
class Candidate:
    """Readings with one answer: the surest of them, how likely it is the right one, and what speaks for it."""

    reading: Reading
    probability: float
    evidence: Evidence


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
    """Reads questions by rules and by the parser, where one is installed. `rules` read the words that a form leaves
    open; `against` says why the data does not bear out a tree; `asked` is the kind of answer that fits."""

    forms: FormProposer | None
    rules: RulesProposer
    judge: Judge
    against: Callable[[Node, datetime], str | None]
    known: KnownWords
    asked: Asked = field(default_factory=lambda: Asked(Kind.OPEN))
    unit: str | None = None
    """The symbol of the unit that is asked for."""

    def of_parser(
        self,
        question: str,
        now: datetime,
        refused: list[Refused],
        unread: Sequence[str] = (),
        before: Before = FIRST,
    ) -> Iterator[Reading]:
        """Each form's first tree that the data bears out, until what is left says little. One that leaves out a word
        that is `unread` by rules says so, as of whole sentences; more are none, and a number only where every form
        leaves one out. One that rests on a word that nobody knows is none."""
        if self.forms is None or not any(map(str.isalnum, question)):
            return
        forms = self.forms.later(question, before, now) if before.questions else self.forms.forms(question)
        left = total = sum(parsed.mass for parsed in forms)
        answered = 0
        strange = self.known.unknown(unread)
        numbers = [word for word in split(question) if word[:1].isdigit() and len(word) > 1]
        lacking = {one.form: self.forms.left_out(one.form, numbers) for one in forms}
        for parsed in forms:
            if answered and left < UNTRIED * total * answered:
                return
            left -= parsed.mass
            causal = None if self.forms.causal is None else parsed.causal
            left_out = () if all(lacking.values()) else lacking[parsed.form]
            if not left_out and parsed.form.operator == UNTOLD:
                yield Reading(None, parsed.score, UNTOLD, parsed.form, UNFOUNDED, causal=causal)
                continue
            apart = sentences_apart(question, parsed.form)
            missing = self.forms.left_out(parsed.form, _without(unread, question, apart))
            too_many = missing if len(missing) > MOST_LEFT_OUT else ()
            unfit = _unfit(parsed.form, left_out or too_many, strange)
            if unfit is not None:
                refused.append(Refused(MODEL, format_form(parsed.form), unfit))
                continue
            found = self.borne_out(question, parsed, now, refused)
            if found is not None:
                answered += found.value is not None
                noted = found.noting(f"not used: “{one}”" for one in apart)
                yield replace(noted, left_out=missing, causal=causal)

    def borne_out(self, question: str, parsed: Parsed, now: datetime, refused: list[Refused]) -> Reading | None:
        """The first tree of a form whose RETRIEVEs find something and whose answer is of the kind that is asked and not
        empty, else the first whose answer is; the trees of both where a form asks two things."""
        if parsed.form.operator == BOTH:
            return replace(self, asked=Asked(Kind.OPEN))._both(question, parsed, now, refused)
        assert self.forms is not None
        drawn = Decomposition(_OneForm(self.forms.proposed(parsed, now=now)), now, self.rules, mixed=False)
        try:
            trees = drawn.trees(question)
        except ReqapError as bad:
            refused.append(Refused(MODEL, format_form(parsed.form), str(bad)))
            return None
        empty: Reading | None = None
        for tree in trees:
            planned = Planned(tree.tree, tree.form, MODEL, parsed.score, tree.steps, tree.notes).in_unit(self.unit)
            judged = Judged(None)
            try:
                reason = _misfit(planned.node, self.asked) or self.against(tree.tree, now)
                if reason is None:
                    judged = self.judge(planned)
                    reason = _of_another_kind(judged, self.asked)
            except ReqapError as bad:
                reason = str(bad)
            notes = (*planned.notes, f"read as: {planned.in_words}")
            read = Reading(replace(planned, notes=notes), parsed.score, judged.value, parsed.form, judged.grounds)
            if reason is None and judged.value is not None:
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
        return Reading(planned, parsed.score, (one.value, other.value), parsed.form, one.grounds)

    def of_rules(self, planned: Sequence[Planned], refused: list[Refused]) -> Iterator[Reading]:
        """What rules made of the question, with what it answers; what is not of the kind that is asked is none."""
        for one in (plan.in_unit(self.unit) for plan in planned):
            try:
                reason = _misfit(one.node, self.asked)
                judged = self.judge(one) if reason is None else Judged(None)
                reason = reason or _of_another_kind(judged, self.asked)
            except NoSuchData as bad:
                yield Reading(None, 0.0, None, lacking=bad)
                continue
            except NotUnderstood:
                continue
            if reason is not None:
                refused.append(Refused(RULES, one.in_words, reason))
                continue
            yield Reading(one, 0.0, judged.value, grounds=judged.grounds)


def _without(unread: Sequence[str], question: str, apart: Sequence[str]) -> list[str]:
    """The words that nobody read, without those of sentences that stand apart."""
    beside = Counter(word for sentence in apart for word in split(sentence))
    elsewhere = Counter(split(question)) - beside
    return [word for word in unread if word not in beside or word in elsewhere]


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


def _misfit(tree: Node, asked: Asked) -> str | None:
    """Why a tree gives no answer of the kind that is asked, whatever it finds."""
    if asked.each and not any(isinstance(node, GroupBy) for node in walk(tree)):
        return f"it has no answer for each {asked.each}"
    return None


def _of_another_kind(judged: Judged, asked: Asked) -> str | None:
    """Why an answer is not of the kind that is asked; nothing is of any kind."""
    kind = judged.value[0] if isinstance(judged.value, tuple) else None
    if not isinstance(kind, str) or asked.fits(kind):
        return None
    return f"it gives a {kind} where “{asked.kind}” is asked"


def anchors(tree: Node) -> Iterator[Node]:
    """The parts of a tree by which its events are told: what they are joined with, or come after. Where one of them
    finds nothing, a 0 says nothing."""
    main = queries(tree)[:1]
    joined = [part for node in walk(tree) if isinstance(node, Join) for part in (node.left, node.right)]
    compared = [node.input for node in walk(tree) if isinstance(node, Apply) and node is not tree]
    yield from (part for part in (*joined, *compared) if queries(part) and queries(part)[:1] != main)


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
    causal_top = max(parsed, key=_causal_score, default=None)
    causal = sum(map(_causal_score, parsed)) or 1.0
    asked = any(reading.causal is not None for reading in parsed)
    found: list[tuple[Reading, Evidence]] = []
    for value, members in groups.items():
        mass = sum(member.score for member in members)
        also = sum(map(_causal_score, members))
        by_rules = read is not None and read.value == value
        evidence = Evidence(
            mass=mass,
            share=mass / total,
            top=float(top is not None and top.value == value),
            rules=sure if by_rules else 0.0,
            against=0.0 if by_rules else sure,
            later=float(later),
            grounds=members[0].grounds,
            causal=also if asked else None,
            causal_share=also / causal if asked else None,
            causal_top=float(causal_top is not None and causal_top.value == value) if asked else None,
        )
        found.append((members[0], evidence))
    return found


def _causal_score(reading: Reading) -> float:
    return reading.causal or 0.0


def ranked(answers: Sequence[tuple[Reading, Evidence]], weights: Weights | None = None) -> list[Candidate]:
    """Candidates, the likeliest first."""
    weights = weights or Weights()
    found = (Candidate(one, weights.probability(told), told) for one, told in answers)
    return sorted(found, key=lambda candidate: -candidate.probability)


def confidence(reading: Reading) -> float:
    """How sure rules are of the meanings of the words that they read; 0 for what the parser read."""
    parts = reading.planned.parts if reading.planned is not None else None
    return parts.confidence if parts is not None else 0.0


class AskPlan(Protocol):
    """Runs one plan of a question."""

    def __call__(self, question: str, planned: Planned, *, now: datetime, most_events: int | None = ...) -> Answer: ...


def readings_of(
    forms: FormProposer | None,
    planner: Planner,
    question: str,
    ask_plan: AskPlan,
    against: Callable[[Node, datetime], str | None],
    known: KnownWords,
    context: RetrieveContext,
) -> Readings:
    """What reads a question in several ways at the moment of the context."""
    told, asked, now = tense_of(question), asked_of(question), datetime.fromisoformat(context.now)

    def judge(planned: Planned) -> Judged:
        found = ask_plan(question, planned.at_now(told, now), now=now, most_events=MOST_EVENTS)
        if says_nothing(found):
            for anchor in anchors(planned.node):
                part = Planned(anchor, AnswerForm("events"), planned.planner, 0.0).at_now(told, now)
                if not ask_plan(question, part, now=now, most_events=1).values:
                    raise NoSuchData(f"nothing in your data says when that was: “{queries(anchor)[0]}”")
        kind = "table" if asked.each and found.table is not None else found.answer_type
        value = None if kind == "none" or not found.values else (kind, found.values)
        return Judged(value, grounds_of(planned.node, found, asked, context))

    unit = context.vocabulary.unit_named(asked.unit) or context.vocabulary.unit_named(asked.unit.removesuffix("s"))
    return Readings(forms, RulesProposer(planner), judge, against, known, asked, unit.symbol if unit else None)
