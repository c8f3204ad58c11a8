"""Which talk a question means that leans on what was said just before: "Yes, please do.", "Can you summarise it?".

People who speak of an earlier conversation name it once ("our chat two sessions ago was nice") and ask for it later. A
question about what was said that leaves its time open takes time and session of the last turn that tells them, and,
where it only asks for more, also what that turn says it was about. Nothing earlier is asked again for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final, Protocol

from ..ontology.namespaces import PG
from ..planner.reading import Filter, Reading
from .answer import Answer, Answers

MOST_KEPT: Final = 4000
"""Sentences whose reading is kept."""
_DAYS: Final = frozenset(("Sessions", "TimeRange", "YearlyDay", "YearlyMonths", "DayTest", "InstantRange"))
_TIMES: Final = _DAYS | {"TimeOfDay", "Weekdays", "InChat"}
_WHOLE: Final = frozenset(f"{PG}{name}" for name in ("talkedAbout", "talkedLast"))
_SAID: Final = frozenset(f"{PG}{name}" for name in ("saidBy", "saidByMe", "saidWith", "saidWhat"))
_OPEN: Final = PG + "talkOnly"
_ALONE: Final = PG + "chatsOnly"
_ASKS: Final = "What did we discuss"
_ANY: Final = "Which of them"
"""A question about anything: what is read so tells whether there is nothing but chats."""


class Reads(Answers, Protocol):
    """What reads questions: a `KnowledgeGraph`."""

    def readings(self, question: str, *, now: datetime) -> tuple[Reading, ...]:
        """Ways to read a question, the likeliest first."""
        ...


@dataclass(frozen=True)
class _Read:
    """What matters of a sentence: its words of time, which frames match the rest of it, and who is named there."""

    filters: tuple[Filter, ...]
    frames: frozenset[str]
    core: str = ""
    people: tuple[str, ...] = ()

    @property
    def times(self) -> tuple[str, ...]:
        return tuple(f.words for f in self.filters)

    @property
    def sessions(self) -> bool:
        """Whether it names sessions, which only talks have."""
        return self.sort("Sessions") is not None

    @property
    def dated(self) -> bool:
        """Whether it says a day or a session, not only a part of the day."""
        return any(_DAYS.intersection(f.annotation.kinds) for f in self.filters)

    def sort(self, kind: str) -> Filter | None:
        """The first of its times that is of a kind."""
        return next((f for f in self.filters if kind in f.annotation.kinds), None)


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
        if not turns or not self._leans(question, asked) or not self._holds_talk():
            return None
        found = self._spoken_of(question, turns)
        if found is None:
            return None
        sentence, told = found
        return self._moved(question, asked, told) or self._meant(question, asked, sentence, told)

    def _leans(self, question: str, asked: _Read) -> bool:
        """Whether a question leaves its day open, or tells nothing but another one."""
        if _ELLIPSIS.match(question) or _POINTS.search(question):
            return True
        return not asked.dated and (self._is_open(asked) or _CONSENT.match(question) is not None)

    def _is_open(self, asked: _Read) -> bool:
        return bool(asked.frames & (_WHOLE | _SAID)) or _OPEN in asked.frames

    def _holds_talk(self) -> bool:
        """Whether there is any conversation to be asked about."""
        return bool(self._read(_ASKS).frames & _WHOLE)

    def _spoken_of(self, question: str, turns: Sequence[str]) -> tuple[str, _Read] | None:
        """The last sentence that tells when something was said; where there are only chats, when anything was."""
        read = [(one, self._read(one)) for turn in reversed(turns) for one in _sentences(turn)]
        found = self._latest(read, question, turns)
        if found is None:  # "June was wild", "New Year's Day, at midnight": a time that begins a sentence
            begun = [
                (one, told) for one, _ in read for way in ("in", "on") if (told := self._read(f"{way} {one}")).dated
            ]
            found = self._latest(begun, question, turns)
        if found is None or found[1].sort("TimeRange") is not None or _THAT_DAY.search(found[0]) is None:
            return found
        days = next((told for _, told in read if told.sort("TimeRange") is not None), None)  # "a second chat that day"
        of_day = tuple(f for f in (days.filters if days else ()) if "TimeRange" in f.annotation.kinds)
        own = tuple(f for f in found[1].filters if "TimeOfDay" not in f.annotation.kinds or not of_day)
        return found[0], replace(found[1], filters=(*own, *of_day))

    def _latest(
        self, read: Sequence[tuple[str, _Read]], question: str, turns: Sequence[str]
    ) -> tuple[str, _Read] | None:
        dated = [(one, told) for one, told in read if told.dated]
        talk = [(one, told) for one, told in dated if self._is_talk(one, told)]
        if talk or _ALONE not in self._read(_ANY).frames:
            return next(iter(talk), None)
        return next(iter(dated), None) if any(_SPOKE.search(text) for text in (question, *turns)) else None

    def _is_talk(self, sentence: str, told: _Read) -> bool:
        return told.sessions or bool(told.frames & (_WHOLE | _SAID)) or _SESSION.search(sentence) is not None

    def _moved(self, question: str, asked: _Read, told: _Read) -> str | None:
        """What is asked of another time or person than that spoken of: "and in December?", "the evening one", "and the
        next one?", "and me?"; None where it is the same."""
        who = _PERSON.match(question)
        if who is not None and told.people:
            other = "I" if who[1].lower() in ("me", "i") else who[1]
            return f"{told.core.replace(told.people[0], other)}, {', '.join(told.times)}?"
        times = self._other_times(question, asked, told)
        if times is None:
            return None
        open_question = asked.core if asked.frames & _SAID and not _ELLIPSIS.match(question) else ""
        said = open_question or (
            told.core if told.frames & {PG + "saidBy", PG + "saidByMe", PG + "saidWith"} else _ASKS
        )
        return f"{said}, {times}?"

    def _other_times(self, question: str, asked: _Read, told: _Read) -> str | None:
        """The words of that time: those that are said, with what they leave to the time spoken of."""
        session = told.sort("Sessions")
        moved = _next_session(question, session) if session is not None else None
        if moved is not None:
            return moved
        month = told.sort("TimeRange")
        if (of_month := _OF_MONTH.search(question)) is not None and month is not None:
            return f"on {of_month[1]} {_begin(month):%B %Y}"
        if asked.dated:
            return ", ".join(asked.times)
        part = _PART.search(question)
        days = ", ".join(
            f.words for f in told.filters if "TimeOfDay" not in f.annotation.kinds or f.annotation.length > 3
        )
        if part is not None:
            return f"{days}, in the {part[1].lower()}"
        which = _WHICH.search(question)
        if which is not None and session is None:
            return f"in the {'first' if which[1].lower() in _EARLY else 'last'} session, {days}"
        return None

    def _meant(self, question: str, asked: _Read, sentence: str, told: _Read) -> str:
        times = ", ".join(told.times)
        if asked.frames & _SAID and not asked.frames & _WHOLE and _OPEN not in asked.frames:
            return f"{_last_question(question).rstrip(' ?.!')}, {times}?"
        if PG + "saidByMe" in asked.frames:
            return f"{asked.core}, {times}?"
        clause = _CLAUSE.search(sentence)
        if clause is not None and not asked.frames & _WHOLE and self._read(clause[0]).frames & _SAID:
            return f"{clause[0].rstrip(' ?.!')}?"
        return f"{_ASKS}, {times}?"

    def _read(self, sentence: str) -> _Read:
        if sentence not in self._kept:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._kept[sentence] = _what_matters(self.reads.readings(sentence, now=self.now))
        return self._kept[sentence]


def _next_session(question: str, session: Filter) -> str | None:
    """The session before, after or beside the one spoken of: "and the next one?", "the one before it", "the
    eleventh?"."""
    told = session.annotation.variables
    low, back = int(told["low"].value), told["from"].value == "end"
    nth = _NTH.search(question)
    if nth is not None:
        return f"in our {nth[1]} conversation"
    if (way := _WAY.search(question)) is None:
        return None
    step = 1 if (way[1] or way[2]).lower() in ("next", "following", "after") else -1
    return f"{low - step} sessions ago" if back else f"in session {low + step}"


def _begin(time: Filter) -> date:
    return date.fromisoformat(time.annotation.variables["begin"].value[:10])


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
    times = tuple(f for f in best.filters if _TIMES.intersection(f.annotation.kinds))
    frames = frozenset(a.pattern for a in best.annotations if a.pattern)
    people = tuple(best.core.words(a.first, a.last) for a in best.annotations if "Sender" in a.kinds)
    return _Read(times, frames, best.core.text, people)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, the last one first."""
    yield from reversed([part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part])


def _last_question(text: str) -> str:
    """The last sentence of a text that asks, or that says more than "ah."; the whole text where none does."""
    said = list(_sentences(text))
    asks = next((sentence for sentence in said if sentence.endswith("?")), None)
    return asks or (said[0] if len(said) > 1 and len(said[0].split()) > 2 else text.strip())


_SPOKEN: Final = ("text", "content", "message", "question", "answer")
_SESSION: Final = re.compile(
    r"\b(?:sessions?|discussions?|discuss\w*|conversations?|chat\w*|talk\w*|spoke|catch-?ups?)\b", re.IGNORECASE
)
_SPOKE: Final = re.compile(
    r"\b(?:discuss\w*|conversations?|chat\w*|talk\w*|spoke|speak|wr(?:ite|ote|itten|iting)|sa(?:y|id)|t(?:ell|old)|ask(?:ed)?"
    r"|text\w*|messag\w+|answer\w*)\b",
    re.IGNORECASE,
)
"""Words of speaking: where nothing but chats is there, a time beside them is one of what was said."""
_CLAUSE: Final = re.compile(r"\b(?:what|which|where|who|when|how)\b.*", re.IGNORECASE | re.DOTALL)
_CONSENT: Final = re.compile(
    r"\W*(?:oh|ah|well|hm+|ok(?:ay)?|yes|yeah|yep|sure|of course|please|go on|go ahead|do|both|all|show me|give me"
    r"|tell me|remind me|gladly|definitely|absolutely|why not|i am curious|could you list|list)\b(?!.*\d)",
    re.IGNORECASE,
)
"""How somebody takes up an offer, or asks for what was just spoken of."""
_ELLIPSIS: Final = re.compile(r"\W*(?:ok(?:ay)?,? )?(?:and|what about|how about)\b", re.IGNORECASE)
_POINTS: Final = re.compile(
    r"\b(?:one|thing|part|bit|chat)\b(?=\W*(?:$|,|\?| about| please| what))|\bof (?:that|the same) month\b"
    r"|\bthat (?:day|night|one)\b",
    re.IGNORECASE,
)
_THAT_DAY: Final = re.compile(r"\b(?:that|the same) day\b", re.IGNORECASE)
_PERSON: Final = re.compile(r"\W*and (me|i|you|[A-Z][\w-]+)\W*$", re.IGNORECASE)
_NTH: Final = re.compile(
    r"\bthe ((?:twenty|thirty|forty|fifty)?-?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    r"|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)|\d+(?:st|nd|rd|th))"
    r"(?: one)?\W*$",
    re.IGNORECASE,
)
_WAY: Final = re.compile(
    r"\b(next|following|previous|preceding)(?: one| conversation| session| chat)?\b|\bone (after|before)\b",
    re.IGNORECASE,
)
_OF_MONTH: Final = re.compile(r"\bthe (\d+)(?:st|nd|rd|th)? of (?:that|the same) month\b", re.IGNORECASE)
_PART: Final = re.compile(r"\b(morning|afternoon|evening|night)\b", re.IGNORECASE)
_WHICH: Final = re.compile(
    r"\b(first|earlier|early|second|late|later|latter|last|other) (?:one|part|chat)\b", re.IGNORECASE
)
_EARLY: Final = frozenset(("first", "earlier", "early"))
