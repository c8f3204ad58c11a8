"""The turns of a conversation: what was asked, how it was read, what it was answered, and what may be asked next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from ...errors import NotUnderstood, ReqapError
from ...execution.run import NOTHING_MATCHED
from ...operators.forms.grammar import Form
from ...planner.proposers.parsing import Before
from ...store.words import fold
from ...texts.tokens import atoms
from ..answers.answer import Answer

UNKNOWN = "nothing was found for"
"""What a warning says where a phrase means no event at all."""
UNDO: Final = frozenset({"undo", "back", "go back"})
"""Replies that take the last one back."""


@dataclass(frozen=True)
class Turn:
    """One question with the self-contained one that it was read as, its answer with the plan (None where there is
    none, and `failure` says why), and what was said beside the answer, such as an offer."""

    question: str
    resolved: str
    answer: Answer | None
    how: str = ""
    """How the question was resolved; empty for one that stayed as it is."""
    said: str = ""
    failure: ReqapError | None = None
    leans_on: tuple[Leaning, ...] = ()
    """The earlier turns that its words were taken from, the latest first."""
    corrects: bool = False
    """Whether it is said instead of the turn before: "no, I meant 2023"."""
    form: Form | None = None
    """The form that the parser read it as, with what the turns before say; None where it read it alone or not."""

    @property
    def can_be_leaned_on(self) -> bool:
        """Whether it was understood: it has an answer, and of its events something was found. A 0 will do: it says that
        there was nothing to count, not that nobody knows what."""
        return self.answer is not None and not any(UNKNOWN in warning for warning in self.answer.warnings)

    @property
    def note(self) -> str:
        """How a follow-up was read, and after which turns, for the reader to check; empty for a question that stayed
        as it is."""
        if not self.how:
            return ""
        return ", ".join((f"read as “{self.resolved}”", *(leaning.told for leaning in self.leans_on)))


def followed(turns: Sequence[Turn], turn: Turn) -> tuple[Turn, ...]:
    """The conversation with one more turn; a correction stands in the place of what it corrects."""
    return (*(turns[:-1] if turn.corrects and turn.can_be_leaned_on else turns), turn)


def parsed_with(turns: Sequence[Turn]) -> Before:
    """What the parser reads a follow-up with: the last two questions, as they were asked where their form is known, as
    they were read else."""
    last = tuple(turn.question if turn.form is not None else turn.resolved for turn in turns[-2:])
    return Before(last, turns[-1].form if turns else None)


def texts_of(turn: Turn) -> Iterator[str]:
    """What was said in a turn: the question in the words that it was read as, and what it was answered."""
    yield turn.resolved
    if turn.answer is not None and turn.answer.answer_type != "none":
        yield turn.answer.text
    yield turn.said


def is_in_doubt(turn: Turn) -> bool:
    """Whether a reading of its question was offered instead of an answer."""
    return isinstance(turn.failure, NotUnderstood) and bool(turn.failure.reading)


def has_answer(answer: Answer | None) -> bool:
    """Whether an answer rests on something: nothing found is none, nor is a 0 for which there is no data."""
    if answer is None or answer.answer_type == "none":
        return False
    if answer.answer_type == "boolean":
        return True
    return NOTHING_MATCHED not in answer.warnings


def offered(turn: Turn) -> str:
    """What may be asked next, as an offer that "yes please" accepts; empty where nothing suggests itself."""
    answer = turn.answer
    if answer is None or not has_answer(answer):
        return ""
    counted = answer.answer_type == "number" and "fct=len" in answer.plan and answer.plan.startswith("APPLY")
    counted = counted and ".result" not in answer.plan  # of a difference there is nothing to list
    if counted and len(answer.events) > 1:
        return "Shall I list them?"
    return ""


class Refuses(Protocol):
    """What says why a question has no answer: a `KnowledgeGraph`."""

    def refused(self, question: str, bad: NotUnderstood, *, now: datetime) -> Answer:
        """The answer of a question that was declined."""
        ...


def answer_of(turn: Turn, known: Refuses, now: datetime) -> Answer | None:
    """The turn's answer; of a question that was not understood, the one that says so. None where something failed."""
    if turn.answer is None and isinstance(turn.failure, NotUnderstood):
        return known.refused(turn.resolved, turn.failure, now=now)
    return turn.answer


def raised(turn: Turn) -> Answer:
    """The turn's answer. Raises what kept it from having one."""
    if turn.failure is not None:
        raise turn.failure
    if turn.answer is None:
        raise NotUnderstood("there is no answer", words=())
    return turn.answer


_TELLING: Final = 3
"""Letters that a word has more of if it tells one turn from another."""


@dataclass(frozen=True)
class EarlierTurn:
    """An earlier turn: its place, from 1, its question, and all that was said in it."""

    number: int
    question: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Leaning:
    """Words that a follow-up is read with, and the turn that they are from."""

    number: int
    question: str
    words: tuple[str, ...]

    @property
    def told(self) -> str:
        """The same for people."""
        return f"leans on question {self.number}, “{self.question}”: {' '.join(self.words)}"


def leanings(question: str, resolved: str, turns: Sequence[EarlierTurn]) -> Iterator[Leaning]:
    """The turns that the words of `resolved` which `question` has not are from, those with most of them first; of
    equals the later one."""
    own = set(_words(question))
    missing = [word for word in dict.fromkeys(_words(resolved)) if word not in own]
    left = list(turns)
    while missing and left:
        held = {turn.number: {word for text in turn.texts for word in _words(text)} for turn in left}
        best = max(left, key=lambda turn: (sum(word in held[turn.number] for word in missing), turn.number))
        taken = tuple(word for word in missing if word in held[best.number])
        if not taken or (len(left) < len(turns) and not any(len(word) > _TELLING for word in taken)):
            return
        yield Leaning(best.number, best.question, taken)
        missing = [word for word in missing if word not in taken]
        left.remove(best)


def _words(text: str) -> list[str]:
    return atoms(fold(text))
