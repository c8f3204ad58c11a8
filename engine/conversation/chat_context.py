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

from ...ontology.namespaces import PG
from ...operators.reading.names import whole_month, whole_weekday
from ...planner.annotation.reading import Filter, Reading
from ...retrieval.talk.words import sentences
from ..answers.answer import Answers

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
class ChatContext:
    """Reads turns of a conversation at one time of asking."""

    reads: Reads
    now: datetime
    _kept: dict[str, _Read] = field(default_factory=dict[str, _Read])

    def question(self, question: str, turns: Sequence[str], you: str = "") -> str | None:
        """The self-contained question that it means after these turns, oldest first; None where it needs none of
        them, or is not about what was said. `you`: the name of who is asked, where it is known."""
        asked = self._asked(_last_question(question))
        if not turns or not self._leans(question, asked) or not self._holds_talk():
            return None
        found = self._spoken_of(question, turns)
        if found is None:
            return None
        sentence, told = found
        times = self._other_times(question, asked, told) or ", ".join(told.times)
        return (
            self._said_by(question, you, times)
            or self._moved(question, asked, told)
            or self._meant(question, asked, sentence, told)
        )

    def _asked(self, question: str) -> _Read:
        """A question as it is read; where words before its clause hide what it asks, the clause alone: "prove it, what
        did we talk about in them?"."""
        asked = self._read(question)
        clause = _CLAUSE.search(question)
        if clause is None or clause.start() == 0 or asked.frames & _WHOLE or not _INTRO.match(question):
            return asked
        alone = self._read(clause[0])
        return alone if alone.frames & _WHOLE else asked

    def _told(self, sentence: str) -> _Read:
        """A sentence as it is read; "and the month after, September?" tells a month."""
        told = self._read(sentence)
        named = whole_month().search(sentence)
        if told.dated or named is None or not sentence.endswith("?") or _TURNS_TO.search(sentence) is None:
            return told
        return self._read(f"in {named[0]}")

    def _said_by(self, question: str, you: str, times: str) -> str | None:
        """What who is asked said then: "and what did you say?"."""
        if not you or _YOU_SAID.search(question) is None:
            return None
        said = f"What did {you} say"
        return f"{said}, {times}?" if PG + "saidBy" in self._read(said).frames else None

    def _leans(self, question: str, asked: _Read) -> bool:
        """Whether a question leaves its day open, or tells nothing but another one."""
        if _ELLIPSIS.match(question) or _POINTS.search(question) or _OF_THOSE.search(question):
            return True
        if _BARE_DAYS.search(question) and not whole_month().search(question) and self._is_open(asked):
            return True
        return not asked.dated and (self._is_open(asked) or _CONSENT.match(question) is not None)

    def _is_open(self, asked: _Read) -> bool:
        return bool(asked.frames & (_WHOLE | _SAID)) or _OPEN in asked.frames

    def _holds_talk(self) -> bool:
        """Whether there is any conversation to be asked about."""
        return bool(self._read(_ASKS).frames & _WHOLE)

    def _spoken_of(self, question: str, turns: Sequence[str]) -> tuple[str, _Read] | None:
        """The last sentence that tells when something was said; where there are only chats, when anything was."""
        read = [(one, self._told(one)) for turn in reversed(turns) for one in _sentences(turn)]
        found = self._latest(read, question, turns)
        if found is None:  # "June was wild", "New Year's Day, at midnight": a time that begins a sentence
            begun = [
                (one, told) for one, _ in read for way in ("in", "on") if (told := self._read(f"{way} {one}")).dated
            ]
            found = self._latest(begun, question, turns)
        if found is None:  # "yes, in the chat Choir"
            found = next(((one, told) for one, told in read if told.sort("InChat") is not None), None)
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
        if told.sessions or bool(told.frames & (_WHOLE | _SAID)) or _SESSION.search(sentence) is not None:
            return True
        return _TURNS_TO.search(sentence) is not None or _REFINES.match(sentence) is not None

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
        of_those = _OF_THOSE.search(question)
        ranges = [f for f in told.filters if "TimeRange" in f.annotation.kinds]
        if of_those is not None and len(ranges) > 1:
            return ranges[0 if of_those[1].lower() in _FORMER else 1 if of_those[1].lower() == "second" else -1].words
        if (days_of_it := _days_of(question, month)) is not None:
            return days_of_it
        if asked.dated:
            return ", ".join(asked.times)
        if month is not None and (weekday := whole_weekday().search(question)) is not None:
            return f"on {weekday[1]} {month.words}"
        if _ELLIPSIS.match(question) and (named := whole_month().search(question)) is not None:
            return f"in {named[0]}"
        part = _PART.search(question)
        days = ", ".join(
            f.words for f in told.filters if "TimeOfDay" not in f.annotation.kinds or _DAYS & set(f.annotation.kinds)
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


def _days_of(question: str, time: Filter | None) -> str | None:
    """Days that a question names without a month, in that of the time spoken of: "and on the 28th?"."""
    said = _BARE_DAYS.search(question)
    if said is None or time is None or whole_month().search(question) is not None:
        return None
    month = f"{_begin(time):%B %Y}"
    return f"from {said[1]} {month} to {said[2]} {month}" if said[2] else f"on {said[1]} {month}"


def _begin(time: Filter) -> date:
    return date.fromisoformat(time.annotation.variables["begin"].value[:10])


def said_in(context: object) -> list[str]:
    """The texts of a context's turns, oldest first: texts, {speaker, text} or {question, answer}; nothing of others."""
    found: list[str] = []
    for turn in context if isinstance(context, list) else []:
        told: dict[str, Any] = turn if isinstance(turn, dict) else {"text": turn}
        found += [said for key in _SPOKEN if isinstance(said := told.get(key), str)]
    return found


def spoken_to(context: object) -> str:
    """Who spoke last in a context whose turns name two speakers, and so is who is asked; "" where that is not known."""
    turns = context if isinstance(context, list) else []
    speakers = [turn.get("speaker") for turn in turns if isinstance(turn, dict)]
    last = speakers[-1] if speakers else None
    if not isinstance(last, str) or len(set(speakers)) != 2 or last.lower() in ("user", "human", "me"):
        return ""
    return f"the {last}" if last.lower() == "assistant" else last


def _what_matters(readings: Iterable[Reading]) -> _Read:
    ways = list(readings)
    if not ways:
        return _Read((), frozenset())
    best = next((way for way in ways if way.core.text == ways[0].core.text and _frames(way) & _WHOLE), ways[0])
    times = tuple(f for f in best.filters if _TIMES.intersection(f.annotation.kinds))
    frames = _frames(best)
    people = tuple(best.core.words(a.first, a.last) for a in best.annotations if "Sender" in a.kinds)
    return _Read(times, frames, best.core.text, people)


def _frames(way: Reading) -> frozenset[str]:
    return frozenset(a.pattern for a in way.annotations if a.pattern)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, the last one first."""
    yield from reversed([part for part in sentences(text) if part])


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
    r"|text\w*|messag\w+|answer\w*|hear|heard|remember\w*|remind\w*|forg[eo]t\w*|recap\w*|summar\w+|questions?"
    r"|in touch|transcripts?)\b",
    re.IGNORECASE,
)
"""Words of speaking: where nothing but chats is there, a time beside them is one of what was said."""
_CLAUSE: Final = re.compile(r"\b(?:what|which|where|who|when|how)\b.*", re.IGNORECASE | re.DOTALL)
_CONSENT: Final = re.compile(
    r"\W*(?:oh|ah|well|hm+|ok(?:ay)?|yes|yeah|yep|sure|of course|please|go on|go ahead|do|both|all|show me|give me"
    r"|tell me|remind me|gladly|definitely|absolutely|why not|i am curious|could you list|list|obviously|naturally"
    r"|certainly|indeed|i would|i'd (?:love|like)|(?:that|it) (?:would|'d|will) be|that sounds|sounds|great|perfect"
    r"|lovely|exactly|fine|by all means|let's|let me|go for it|read|refresh|repeat|alright|all right|if you|i do"
    r"|i'm all ears"
    r"|(?:but |so |and |well,? )?what (?:was|is|were) (?:it|that|those|they|there)(?: about)?(?=\W*$))\b(?!.*\d)",
    re.IGNORECASE,
)
"""How somebody takes up an offer, or asks for what was just spoken of."""
_INTRO: Final = re.compile(r"(?:[\w']++ ?){1,5}[,;:.!-]", re.IGNORECASE)
_YOU_SAID: Final = re.compile(
    r"\bwhat (?:all )?(?:did|have|had|else did) you (?:\w+ )?(?:sa(?:y|id)|wr(?:ite|ote|itten)|tell|told|suggest\w*"
    r"|answer\w*"
    r"|reply|replied|ask\w*|advi[sc]e\w*|recommend\w*|text\w*|sen[dt]|respond\w*|propose\w*)\b",
    re.IGNORECASE,
)
_BARE_DAYS: Final = re.compile(
    r"\b(?:on|from|between|about) the (\d+)(?:st|nd|rd|th)(?: (?:to|until|till|and|through) the (\d+)(?:st|nd|rd|th))?"
    r"(?! (?:session|conversation|chat|talk|discussion|message|of|one)|\w)",
    re.IGNORECASE,
)
"""Days of a month that is not named: "on the 28th", "from the 20th to the 26th"."""
_OF_THOSE: Final = re.compile(
    r"\bthe (first|second|last|latter|former|earlier|later|other)(?: (?:day|date|one))?"
    r"(?: of (?:those|these|them|the two)(?: days| dates| times| two)?| day| date)\b",
    re.IGNORECASE,
)
_FORMER: Final = frozenset(("first", "former", "earlier"))
_TURNS_TO: Final = re.compile(
    r"^\W*(?:and|but|what about|how about|no)\b"
    r"|\b(?:interested in|i mean|i meant|thinking (?:of|about)|rather|instead|curious about)\b",
    re.IGNORECASE,
)
"""How somebody turns to another time than that spoken of before."""
_REFINES: Final = re.compile(
    r"\W*(?:(?:yes|yeah|no|right|well|and|just)\W+)?(?:this|yesterday|last|on|in)\b(?:\W+[\w']+){1,3}"
    r"(?:,? (?:yes|yeah|right|i think|no))?\W*$",
    re.IGNORECASE,
)
"""An answer that is a time and nothing else: "This morning, yes."."""
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
