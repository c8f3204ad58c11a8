"""Which talk a question means that leans on what was said just before: "Yes, please do.", "Can you summarise it?".

People who speak of an earlier conversation name it once ("our chat two sessions ago was nice") and ask for it later. A
question about what was said that leaves its time open takes time and session of the last turn that tells them, and,
where it only asks for more, also what that turn says it was about. Nothing earlier is asked again for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Protocol

from ..ontology.namespaces import PG
from ..planner.reading import Reading
from .answer import Answer, Answers

MOST_KEPT: Final = 4000
"""Sentences whose reading is kept."""
_TIMES: Final = frozenset(
    ("Sessions", "TimeRange", "TimeOfDay", "Weekdays", "YearlyDay", "YearlyMonths", "DayTest", "InstantRange")
)
_WHOLE: Final = frozenset(f"{PG}{name}" for name in ("talkedAbout", "talkedLast"))
_SAID: Final = frozenset(f"{PG}{name}" for name in ("saidBy", "saidWith", "saidWhat"))
_OPEN: Final = PG + "talkOnly"
_ASKS: Final = "What did we discuss"


class Reads(Answers, Protocol):
    """What reads questions: a `KnowledgeGraph`."""

    def readings(self, question: str, *, now: datetime) -> tuple[Reading, ...]:
        """Ways to read a question, the likeliest first."""
        ...


@dataclass(frozen=True)
class _Read:
    """What matters of a sentence: its words of time, and which frames match the rest of it."""

    times: tuple[str, ...]
    frames: frozenset[str]
    sessions: bool = False
    """Whether it names sessions, which only talks have."""


@dataclass
class TalkContext:
    """Reads turns of a conversation at one time of asking."""

    reads: Reads
    now: datetime
    _kept: dict[str, _Read] = field(default_factory=dict[str, _Read])

    def answer(self, question: str, context: object, *, most_events: int | None = 1000) -> Answer | None:
        """The answer after the turns of a context as JSON has it; None where `question` has none to propose."""
        meant = self.question(question, said_in(context))
        if meant is None:
            return None
        return replace(self.reads.ask(meant, now=self.now, most_events=most_events), question=question, resolved=meant)

    def question(self, question: str, turns: Sequence[str]) -> str | None:
        """The self-contained question that it means after these turns, oldest first; None where it needs none of
        them, or is not about what was said."""
        asked = self._read(_last_question(question))
        if asked.times or not self._is_open(asked) or not self._holds_talk():
            return None
        for turn in reversed(turns):
            for sentence in _sentences(turn):
                told = self._read(sentence)
                if told.times and self._is_talk(sentence, told):
                    return self._meant(question, asked, sentence, told)
        return None

    def _is_open(self, asked: _Read) -> bool:
        return bool(asked.frames & (_WHOLE | _SAID)) or _OPEN in asked.frames

    def _holds_talk(self) -> bool:
        """Whether there is any conversation to be asked about."""
        return bool(self._read(_ASKS).frames & _WHOLE)

    def _is_talk(self, sentence: str, told: _Read) -> bool:
        return told.sessions or bool(told.frames & (_WHOLE | _SAID)) or _SESSION.search(sentence) is not None

    def _meant(self, question: str, asked: _Read, sentence: str, told: _Read) -> str:
        times = ", ".join(told.times)
        if asked.frames & _SAID and not asked.frames & _WHOLE:
            return f"{_last_question(question).rstrip(' ?.!')}, {times}?"
        clause = _CLAUSE.search(sentence)
        if clause is not None and not self._read(clause[0]).frames & _WHOLE:
            return f"{clause[0].rstrip(' ?.!')}?"
        return f"{_ASKS}, {times}?"

    def _read(self, sentence: str) -> _Read:
        if sentence not in self._kept:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[sentence] = _what_matters(self.reads.readings(sentence, now=self.now))
        return self._kept[sentence]


def said_in(context: object) -> list[str]:
    """The texts of a context's turns, oldest first: texts, {speaker, text} or {question, answer}; nothing of others."""
    found: list[str] = []
    for turn in context if isinstance(context, list) else []:
        told: dict[str, Any] = turn if isinstance(turn, dict) else {"text": turn}
        found += [said for key in _SPOKEN if isinstance(said := told.get(key), str)]
    return found


def _what_matters(readings: Iterable[Reading]) -> _Read:
    best = next(iter(readings), None)
    if best is None:
        return _Read((), frozenset())
    times = [f for f in best.filters if _TIMES.intersection(f.annotation.kinds)]
    sessions = any("Sessions" in f.annotation.kinds for f in times)
    frames = frozenset(a.pattern for a in best.annotations if a.pattern)
    return _Read(tuple(f.words for f in times), frames, sessions)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, the last one first."""
    yield from reversed([part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part])


def _last_question(text: str) -> str:
    """The last sentence of a text that asks; the whole text where none does."""
    return next((sentence for sentence in _sentences(text) if sentence.endswith("?")), text.strip())


_SPOKEN: Final = ("text", "content", "message", "question", "answer")
_SESSION: Final = re.compile(
    r"\b(?:sessions?|discussions?|discuss\w*|conversations?|chat\w*|talk\w*|spoke|catch-?ups?)\b", re.IGNORECASE
)
_CLAUSE: Final = re.compile(r"\b(?:what|which|where|who|when|how)\b.*", re.IGNORECASE | re.DOTALL)
