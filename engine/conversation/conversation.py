"""Conversations: questions that lean on earlier ones, answered as self-contained ones (issue of follow-ups).

A conversation is a row of immutable turns; asking gives a new turn and changes nothing; `followed` adds it to the
row. The parser reads a follow-up together with the questions before it. Where it is not sure, what a follow-up may mean
is proposed by `planner.followups.followups`, of talk by `engine.conversation.chat_context`; the first proposal that has
an answer is taken, and shown with the earlier turns that it leans on. A turn without an answer is leaned on by
corrections alone, and a question that says by itself what it asks is never changed. Where none has an answer, a
configured language model may put the follow-up into words, given the questions before and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from ...errors import NotUnderstood, ReqapError, UsageError
from ...planner.followups.followups import Earlier, FollowUps, Mention, Proposal
from ...planner.patterns.limits import LONGEST_QUESTION, check_question
from ...planner.proposers.parsing import Before
from ..answers.answer import Answer, Answers
from ..answers.dialog.replies import Narrowed, Other, read_reply
from ..asking.grounds import SURE, may_mean
from ..asking.planned import Planned, planned_reply
from ..asking.proposals import FollowUp
from .chat_context import ChatContext, said_in, spoken_to
from .turns import EarlierTurn, Turn, followed, has_answer, is_in_doubt, leanings, offered, parsed_with, texts_of

MOST_TURNS = 8
"""Earlier turns that a follow-up may lean on."""
MOST_MENTIONED = 50
TALK = "of what was said"
"""How a question was resolved that leaves open which talk it is about."""
PARSED = "the parser"
"""How a question was resolved that the parser read together with those before it."""
ACCEPTED = "offer accepted"
"""How a question was resolved that takes up the reading of the one before it."""
REWORDED = "the language model"
"""How a question was resolved that a configured language model put into other words."""
_MOST_DAYS = 3
_ANSWERERS = frozenset({"assistant", "system", "bot", "reqap-kg", "answer", "model", "ai"})


class Asks(Answers, Protocol):
    """What answers: a `KnowledgeGraph`."""

    def plan(self, question: str, *, now: datetime) -> Planned:
        """Its plan."""
        ...

    def after(self, question: str, before: Before, *, now: datetime) -> FollowUp | None:
        """How the parser reads a question that leans on earlier ones."""
        ...

    def likeliest(self, question: str, *, now: datetime) -> Planned | None:
        """Its most probable plan, whatever its score."""
        ...

    def ask_plan(
        self,
        question: str,
        planned: Planned,
        *,
        now: datetime,
        most_events: int | None = 0,
        explain: bool = False,
        dialog: bool = False,
    ) -> Answer:
        """The answer of a plan, with what is asked about one that is too large, if that is wanted."""
        ...

    def follow_ups(self, *, now: datetime) -> FollowUps:
        """What proposes self-contained questions."""
        ...

    def reworded(self, question: str, earlier: Sequence[str]) -> Sequence[str]:
        """What a language model makes of a follow-up, given the questions before; none without one."""
        ...

    def chat_context(self, now: datetime) -> ChatContext:
        """What says which talk a question means."""
        ...


@dataclass(frozen=True)
class _Asking:
    """How questions are answered for one turn."""

    known: Asks
    question: str
    now: datetime
    most_events: int | None
    explain: bool
    tell: Callable[[str, str], None] | None

    def turn(self, proposal: Proposal) -> Turn:
        """The turn that a proposal makes; how it is read is told before it is answered."""
        changed = proposal.question.strip() != self.question.strip()
        if self.tell is not None:
            _told(self.known, proposal.question, changed, self.now, self.tell)
        return _answered(self.known, self.question, proposal, changed, self.now, self.most_events, self.explain)

    def turn_read(self, found: FollowUp) -> Turn:
        """The turn that the parser's reading makes."""
        turn = self.turn_planned(self.question, found.planned, found.resolved(self.question), PARSED)
        return replace(turn, form=found.form)

    def turn_planned(self, asked: str, planned: Planned, resolved: str, how: str) -> Turn:
        """The turn that a plan of the question `asked` makes, read as `resolved`, which is told before."""
        if self.tell is not None:
            self.tell("read as", resolved)
            self.tell("plan", planned.tree)
        try:
            answer = self.known.ask_plan(
                asked, planned, now=self.now, most_events=self.most_events, explain=self.explain, dialog=True
            )
        except ReqapError as bad:
            return Turn(self.question, resolved, None, how, failure=bad)
        return Turn(self.question, resolved, replace(answer, resolved=resolved), how)

    def turn_replied(self, turns: Sequence[Turn]) -> Turn | None:
        """The turn that a reply to the dialog of the last answer makes; None where it is no such reply. What comes
        after it leans on the question that was asked at first."""
        last = next((turn for turn in reversed(turns) if turn.answer is not None), None)
        before = last.answer if last is not None else None
        dialog = before.dialog if before is not None else None
        reply = read_reply(self.question, dialog) if dialog is not None else None
        if last is None or before is None or dialog is None or reply is None:
            return None
        resolved = last.resolved
        if isinstance(reply, Narrowed):
            planned = planned_reply(dialog, reply, before)
            return replace(self.turn_planned(resolved, planned, resolved, ""), question=self.question)
        shown = reply.dialog if isinstance(reply, Other) else dialog.without_questions
        return Turn(self.question, resolved, replace(before, dialog=shown))


def asked(
    known: Asks,
    question: str,
    turns: Sequence[Turn],
    *,
    now: datetime,
    most_events: int | None = 1000,
    explain: bool = False,
    tell: Callable[[str, str], None] | None = None,
) -> Turn:
    """The next turn of a conversation. A question that is not understood, or too long, is a turn with a `failure`.

    `tell` hears the steps as they are known: ("read as", question), ("plan", tree).
    """
    try:
        check_question(question)
    except UsageError as bad:
        return Turn(question[:LONGEST_QUESTION], question[:LONGEST_QUESTION], None, failure=bad)
    texts = [text for turn in turns if turn.can_be_leaned_on for text in texts_of(turn)]
    said = [EarlierTurn(place, one.question, tuple(texts_of(one))) for place, one in enumerate(turns, start=1)]
    asking = _Asking(known, question, now, most_events, explain, tell)
    replied = asking.turn_replied(turns)
    if replied is not None:
        return replied
    return _leaning(_of_talk(asking, texts) or _accepted(asking, turns) or _followed_up(asking, turns), said)


def _of_talk(asking: _Asking, texts: Sequence[str], you: str = "") -> Turn | None:
    """The turn that asks of the talk which earlier texts speak of; None where the question leaves none open. `you`: the
    name of who is asked."""
    meant = asking.known.chat_context(asking.now).question(asking.question, texts, you)
    return asking.turn(Proposal(meant, TALK, True)) if meant is not None else None


def _leaning(turn: Turn, said: Sequence[EarlierTurn]) -> Turn:
    """The turn with the earlier ones that it leans on, which its answer notes."""
    if not turn.how:
        return turn
    leans_on = tuple(leanings(turn.question, turn.resolved, said))
    answer = turn.answer
    if answer is not None:
        answer = replace(answer, notes=(*(leaning.told for leaning in leans_on), *answer.notes))
    return replace(turn, answer=answer, leans_on=leans_on)


def _followed_up(asking: _Asking, turns: Sequence[Turn]) -> Turn:
    """The first of the proposals that is answered; a turn that says why, where none is."""
    known, question = asking.known, asking.question
    follow_ups = known.follow_ups(now=asking.now)
    corrects = bool(turns) and follow_ups.corrects(question)
    leans = bool(turns) and not (corrects or follow_ups.reads(question) or follow_ups.accepts(question))
    parsed = known.after(question, parsed_with(turns), now=asking.now) if leans else None
    if parsed is not None and (parsed.planned.probability >= SURE or turns[-1].form is not None):
        return asking.turn_read(parsed)  # else what rules make of it goes first, if they made the question before, too
    earlier = [_earlier(turn) for turn in turns[-MOST_TURNS:] if turn.can_be_leaned_on or turn is turns[-1]]
    proposals = follow_ups.proposals(question, earlier)
    read = [one for one in proposals if one.sure or follow_ups.reads(one.question)]
    first: Turn | None = None
    for proposal in _tried(read, proposals, lambda: known.reworded(question, [turn.question for turn in turns])):
        turn = replace(asking.turn(proposal), corrects=corrects)
        if parsed is not None and not turn.how:  # rules take it for complete, the parser does not
            return asking.turn_read(parsed)
        if turn.failure is None and (proposal.sure or (has_answer(turn.answer) and _is_about(turn.answer, proposal))):
            return turn if corrects else _doubted(asking, turn, turns, parsed)
        if proposal.how == REWORDED:
            continue
        if turn.failure is None and not _is_about(turn.answer, proposal):
            turn = _of_others(turn)
        if first is None or (first.failure is not None and turn.failure is None):
            first = turn
    if parsed is not None and (first is None or not has_answer(first.answer)):
        return asking.turn_read(parsed)
    if first is None:
        told = f"nothing that was spoken of fits into “{question}”"
        return Turn(question, question, None, failure=NotUnderstood(told, words=()))
    return first


def _doubted(asking: _Asking, turn: Turn, turns: Sequence[Turn], parsed: FollowUp | None) -> Turn:
    """A turn of a question in other words; in doubt where the parser, which reads it with the questions before it, has
    another answer of the same kind."""
    known, answer = asking.known, turn.answer
    if not turn.how or answer is None or answer.doubt:
        return turn
    parsed = parsed or known.after(asking.question, parsed_with(turns), now=asking.now)
    if parsed is None:
        return turn
    with suppress(ReqapError):
        other = known.ask_plan(asking.question, parsed.planned, now=asking.now)
        if other.values and other.answer_type == answer.answer_type and other.values != answer.values:
            probability = min(answer.probability, round(1 - parsed.planned.probability, 4))
            doubt = may_mean(parsed.planned.in_words)
            return replace(turn, answer=replace(answer, probability=probability, doubt=(doubt,)))
    return turn


def _accepted(asking: _Asking, turns: Sequence[Turn]) -> Turn | None:
    """The turn that answers the last question as it was offered to be read, where that is taken up."""
    known, question = asking.known, turns[-1].resolved if turns else ""
    if not turns or not is_in_doubt(turns[-1]) or not known.follow_ups(now=asking.now).accepts(asking.question):
        return None
    planned = known.likeliest(question, now=asking.now)
    if planned is None:
        return None
    return replace(asking.turn_planned(question, planned, question, ACCEPTED), corrects=True)


def _tried(
    read: Sequence[Proposal], proposals: Sequence[Proposal], reworded: Callable[[], Sequence[str]]
) -> Iterator[Proposal]:
    """What rules read; where that has no answer, what a language model makes of it, if there is one; what no rule reads
    is left to whatever else plans questions."""
    yield from read
    yield from (Proposal(text, REWORDED) for text in reworded())
    if not read:
        yield from proposals[:1]


def _told(known: Asks, question: str, changed: bool, now: datetime, tell: Callable[[str, str], None]) -> None:
    """Tells how a question is read before it is answered; why it has no plan, its answer tells."""
    if changed:
        tell("read as", question)
    with suppress(ReqapError):
        tell("plan", known.plan(question, now=now).tree)


def _answered(
    known: Asks, question: str, proposal: Proposal, changed: bool, now: datetime, most: int | None, explain: bool
) -> Turn:
    how = proposal.how if changed else ""
    try:
        answer = known.ask(proposal.question, now=now, most_events=most, explain=explain)
    except ReqapError as bad:
        return Turn(question, proposal.question, None, how, failure=bad)
    turn = Turn(question, proposal.question, answer, how)
    if not changed:
        return turn
    notes = (f"{REWORDED} put it into these words", *answer.notes) if how == REWORDED else answer.notes
    return replace(turn, answer=replace(answer, question=question, resolved=turn.resolved, notes=notes))


def _of_others(turn: Turn) -> Turn:
    """The turn without its answer, which rests on other events than the one that was spoken of: better none."""
    told = f"“{turn.resolved}” is answered by other events than the one that was spoken of"
    return replace(turn, answer=None, failure=NotUnderstood(told, words=()))


def _is_about(answer: Answer | None, proposal: Proposal) -> bool:
    """Whether an answer rests on the event that a proposal names; other sources may tell of it some days later."""
    if proposal.day is None or answer is None:
        return True
    if answer.answer_type == "date" and len(answer.values) > 1:
        return False
    days = {event.start[:10] for event in answer.events if event.start}
    return len(days) <= _MOST_DAYS and proposal.day.isoformat() in days


def asked_after(
    known: Asks,
    question: str,
    context: object,
    *,
    now: datetime,
    most_events: int | None = 1000,
    explain: bool = False,
) -> Turn:
    """The turn after those of a context as JSON has it; see `replayed`. What was said is found without asking the
    questions of the context again. Raises UsageError for a question that is too long."""
    check_question(question)
    texts = said_in(context)
    asking = _Asking(known, question, now, most_events, explain, None)
    of_talk = _of_talk(asking, texts, spoken_to(context))
    if of_talk is not None:
        return _leaning(of_talk, [EarlierTurn(place, text, (text,)) for place, text in enumerate(texts, start=1)])
    turns = replayed(known, context, now=now)
    return asked(known, question, turns, now=now, most_events=most_events, explain=explain)


def replayed(known: Asks, context: object, *, now: datetime) -> tuple[Turn, ...]:
    """The turns of a context as JSON has it: texts (questions), objects {question, answer?}, or {speaker, text}.

    Raises UsageError, with the place, for what is none of these, and for a question that is too long.
    """
    turns: tuple[Turn, ...] = ()
    for question, said in _exchanges(context)[-MOST_TURNS:]:
        if question:
            check_question(question, "context: a question")
            turns = followed(turns, asked(known, question, turns, now=now))
        if said and turns:
            turns = (*turns[:-1], replace(turns[-1], said=" ".join(filter(None, (turns[-1].said, said)))))
    return turns


def _exchanges(context: object) -> list[tuple[str, str]]:
    """(question, what was answered) of each turn; either may be empty."""
    if not isinstance(context, list):
        raise UsageError("context: expected a list of earlier turns")
    found: list[tuple[str, str]] = []
    for number, turn in enumerate(context, start=1):
        place = f"context, turn {number}"
        if isinstance(turn, str):
            found.append((turn, ""))
        elif not isinstance(turn, dict):
            raise UsageError(f"{place}: expected a text or an object")
        elif isinstance(turn.get("question"), str):
            found.append((turn["question"], _said(turn.get("answer"))))
        else:
            found.append(_spoken(turn, place))
    return found


def _spoken(turn: dict[str, Any], place: str) -> tuple[str, str]:
    text = next((turn[key] for key in ("text", "content", "message") if isinstance(turn.get(key), str)), None)
    if text is None:
        raise UsageError(f"{place}: expected a question, or speaker and text")
    speaker = next((turn[key] for key in ("speaker", "role", "sender", "from") if isinstance(turn.get(key), str)), "")
    return ("", text) if speaker.lower() in _ANSWERERS else (text, "")


def _said(answer: object) -> str:
    """An answer as text: it may be one, or values."""
    if isinstance(answer, list):
        return ", ".join(str(value) for value in answer)
    return str(answer) if isinstance(answer, str | int | float) else ""


def _earlier(turn: Turn) -> Earlier:
    answer = turn.answer
    said = " ".join(filter(None, (turn.said, "" if turn.said.rstrip().endswith("?") else offered(turn))))
    if answer is None or not turn.can_be_leaned_on:
        return Earlier(turn.resolved, said=said, failed=True)
    events = tuple(Mention(e.label, e.start, e.type) for e in answer.events[:MOST_MENTIONED])
    values = tuple(str(value) for value in answer.values)
    return Earlier(turn.resolved, values, answer.answer_type, events, said, answer.unit or "")
