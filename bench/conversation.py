"""What was said when, and about what: the responses of a conversation that a question is about.

The planner reads the question's periods and times of day, as it does of any question; sessions are inferred from pauses
of more than 20 minutes; what the question says besides is looked for by RETRIEVE among the messages of that time. A
question that leaves the time open ("Yes, please do.") is about the time of the turn before it that tells one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, Final

from ..engine.knowledge import KnowledgeGraph
from ..errors import ConfigError
from ..planner.reading import Filter
from ..texts.number_words import number_of
from .suites.base import Life, Question
from .systems import Response, System, Tracing

PAUSE: Final = timedelta(minutes=20)
"""A pause longer than this begins a new session."""
NEAREST: Final = 3
"""Messages that are taken where only meaning tells which."""
SPEAKER: Final = 0.15
"""What it adds to a message's likeness (a cosine) that it is of whom the question names as its speaker."""
_SAYS: Final = r"\b([^\W\d_]+) (?:say|said|says|mention(?:ed)?|suggest(?:ed)?|ask(?:ed)?|told|tell|explain(?:ed)?)\b"
_SESSION: Final = r"(?:sessions?|discussions?|conversations?|chats?|talks?)"
_COUNT: Final = r"([\w-]+)"
_AGO: Final = re.compile(rf"\b{_COUNT}\s+{_SESSION}\s+ago\b", re.I)
_SPAN: Final = (
    re.compile(rf"\b{_SESSION}\s+{_COUNT}\s+(?:through|to|until|and|-)\s+{_COUNT}\b", re.I),
    re.compile(rf"\b{_COUNT}\s+(?:through|to|until|and)\s+(?:our\s+|the\s+)?{_COUNT}\s+{_SESSION}\b", re.I),
)
_LAST_SOME: Final = re.compile(rf"\b(?:last|past|previous)\s+{_COUNT}\s+{_SESSION}\b", re.I)
_BEFORE_LAST: Final = re.compile(
    rf"\b{_SESSION} before (?:that|(?:the )?(?:last|previous))\b|\bnot the last {_SESSION}\b.*\bbefore\b",
    re.I,
)
_LAST: Final = re.compile(rf"\b(?:last|previous|latest|most recent)\s+(?:{_SESSION}|time)\b", re.I)
_ONE: Final = (
    re.compile(rf"\b{_COUNT}\s+{_SESSION}\b", re.I),
    re.compile(rf"\b{_SESSION}\s+(?:number\s+)?{_COUNT}\b", re.I),
)
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = re.compile(rf"\b({_MONTH})\s+(?:the\s+)?([a-z]+(?:-[a-z]+)?|\d+(?:st|nd|rd|th))\b", re.I)
_DAYS_SPAN: Final = re.compile(
    rf"\b(?:(?:from|over|during|in|between|of)\s+)*({_MONTH} \d+)\s+(?:through|to|until|till|and)\s+({_MONTH} \d+)\b",
    re.I,
)
_BARE_DAY: Final = re.compile(
    rf"\b(?!(?:on|from|to|and|since|until|till|before|after|of|between|by)\s)(\w+)\s+({_MONTH} \d+)\b", re.I
)
_TALK: Final = re.compile(
    r"\b(what|which|sorts?|kinds?|of|things?|topics?|subjects?|did|do|we|us|our|you|i|tell|me|about|was|were|is|are|the|"
    r"a|an|in|on|at|over|during|from|discuss(ed|ing)?|talk(ed|ing)?|chat(ted|ting)?|sp(oke|eak|oken)|said|say|content|"
    r"conversations?|discussions?|sessions?|summari[sz]e|describe|earlier|can|could|please|that|those|this|happen(ed)?|"
    r"speak|mention(ed)?|and|to|it|have|had|been)\b",
    re.I,
)
"""What asks for a conversation as a whole, whatever it was about."""


@dataclass(frozen=True)
class Message:
    """A response: its number, when it was given, what it says and who says it."""

    number: str
    at: datetime
    text: str = ""
    sender: str = ""


@dataclass(frozen=True)
class Span:
    """When it was: days, both included, and times of day; `words` is what told it."""

    begin: date | None = None
    end: date | None = None
    since: time | None = None
    until: time | None = None
    words: tuple[str, ...] = ()

    def holds(self, at: datetime) -> bool:
        """Whether a moment is in it."""
        day, clock = at.date(), at.time()
        days = (self.begin is None or self.begin <= day) and (self.end is None or day <= self.end)
        return days and (self.since is None or self.since <= clock) and (self.until is None or clock < self.until)


def open_conversation(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are
    """Answers with the numbers of responses, in their order."""
    messages = _messages(known)
    sessions, meanings = sessions_of(messages), Meanings(known, messages)

    def answer(question: Question) -> Response:
        return _found(known, question, messages, sessions, meanings)

    return answer


def sessions_of(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages in the order of their times, apart where there was a pause."""
    found: list[list[Message]] = []
    for message in messages:
        if not found or message.at - found[-1][-1].at > PAUSE:
            found.append([])
        found[-1].append(message)
    return found


def sessions_meant(text: str, count: int) -> range | None:
    """Which sessions a text names, of so many, from 0: "the fifth discussion", "sessions 8 through 10", "3 sessions
    ago" (the last one is 1 session ago); None where it names none."""
    if _BEFORE_LAST.search(text):
        return range(count - 2, count - 1)
    for span in _SPAN:
        for found in span.finditer(text):
            first, last = _number(found[1]), _number(found[2])
            if first is not None and last is not None and first <= last:
                return range(first - 1, min(last, count))
    if (found := _AGO.search(text)) and (ago := _number(found[1])) is not None:
        return range(count - ago, count - ago + 1)
    if (found := _LAST_SOME.search(text)) and (some := _number(found[1])) is not None:
        return range(max(0, count - some), count)
    if _LAST.search(text):
        return range(count - 1, count)
    numbers = (_number(found[1]) for one in _ONE for found in one.finditer(text))
    return next((range(at - 1, at) for at in numbers if at is not None), None)


def _found(
    known: KnowledgeGraph,
    question: Question,
    messages: Sequence[Message],
    sessions: Sequence[Sequence[Message]],
    meanings: Meanings,
) -> Response:
    """By sessions, else by time, of the question or of the last turn before it that tells one; then by content."""
    for text in (question.text, *(said for _, said in reversed(question.context))):
        own = text == question.text
        meant = sessions_meant(text, len(sessions))
        if meant is not None:
            within = [message for at in meant if 0 <= at < len(sessions) for message in sessions[at]]
            if own and _has_content(_unsaid(text)):
                within = _about(known, text, within, question.now, meanings)
            return _response(within, f"sessions {meant.start + 1} to {meant.stop}")
        span, core = _time_told(known, text, question.now)
        if span is not None:
            within = [message for message in messages if span.holds(message.at)]
            if own and _has_content(core):
                within = _about(known, core, within or messages, question.now, meanings)
            return _response(within, ", ".join(span.words))
    return _response(_about(known, question.text, messages, question.now, meanings), "no time is told")


def _unsaid(text: str) -> str:
    """A text without the words that name sessions."""
    for named in (_BEFORE_LAST, *_SPAN, _AGO, _LAST_SOME, _LAST, *_ONE):
        text = named.sub(" ", text)
    return text


def _has_content(text: str) -> bool:
    """Whether a text says more than that something was talked about."""
    return len(re.findall(r"[^\W\d_]{3,}", _TALK.sub(" ", text))) > 1


def _response(chosen: Sequence[Message], how: str) -> Response:
    numbers = tuple(int(message.number) if message.number.isdecimal() else message.number for message in chosen)
    return Response(numbers, reason="" if numbers else f"no message: {how}", more={"read": how})


def _time_told(known: KnowledgeGraph, text: str, now: datetime) -> tuple[Span | None, str]:
    """The time that a text tells, and its words without those."""
    asked = known.readings(spelled(text), now=now)
    for reading in asked:
        spans = [span for span in map(_span, reading.filters) if span is not None]
        if spans:
            return _both(spans), reading.core.text
    return None, text


def spelled(text: str) -> str:
    """The text with its days as the planner's patterns have them: "May eighth through June 9th" is "from May 8 to
    June 9", and "discussed May 8th" is "discussed on May 8"."""
    days = _DAY.sub(_in_digits, re.sub(r"\bthis (last|past|previous)\b", r"the \1", text, flags=re.I))
    spans = _DAYS_SPAN.sub(r"from \1 to \2", days)
    return _BARE_DAY.sub(r"\1 on \2", spans)


def _in_digits(found: re.Match[str]) -> str:
    day = _number(found[2])
    return f"{found[1]} {day}" if day is not None and 1 <= day <= 31 else found[0]


def _span(moved: Filter) -> Span | None:
    told = {name: term.value for name, term in moved.annotation.variables.items()}
    if not any(told.get(name) for name in ("begin", "end", "from", "to")):
        return None
    try:
        begin, end = (date.fromisoformat(told[name][:10]) if told.get(name) else None for name in ("begin", "end"))
        since, until = (time.fromisoformat(told[name]) if told.get(name) else None for name in ("from", "to"))
    except ValueError:  # a filter with other values under these names
        return None
    return Span(begin, end, since, until, (moved.words,))


def _both(spans: Sequence[Span]) -> Span:
    """The time that is in all of them."""

    def last(values: Iterator[date | None]) -> date | None:
        return max((value for value in values if value is not None), default=None)

    def first(values: Iterator[date | None]) -> date | None:
        return min((value for value in values if value is not None), default=None)

    return Span(
        last(span.begin for span in spans),
        first(span.end for span in spans),
        next((span.since for span in spans if span.since is not None), None),
        next((span.until for span in spans if span.until is not None), None),
        tuple(word for span in spans for word in span.words),
    )


def _about(
    known: KnowledgeGraph, text: str, messages: Sequence[Message], now: datetime, meanings: Meanings
) -> list[Message]:
    """The messages among these that RETRIEVE finds for a text; where it finds none, the nearest in meaning."""
    hits = {hit.event.source_id for hit in known.retrieve(text, now=now).hits}
    found = [message for message in messages if message.number in hits]
    return found or meanings.nearest(text, messages)


class Meanings:
    """Vectors of the messages, made when first asked for."""

    def __init__(self, known: KnowledgeGraph, messages: Sequence[Message]) -> None:
        self._known = known
        self._messages = messages

    def nearest(self, text: str, among: Sequence[Message]) -> list[Message]:
        """The few messages nearest to a text, in their order; none where the encoder's weights are missing."""
        if not among or self._vectors is None:
            return []
        vectors = self._vectors
        wanted = self._encoded([text])[0]
        said = {name for name in map(str.casefold, re.findall(_SAYS, text)) if name}

        def score(message: Message) -> float:
            return float(vectors[message.number] @ wanted) + SPEAKER * (message.sender.casefold() in said)

        ranked = sorted(among, key=lambda message: -score(message))[:NEAREST]
        return sorted(ranked, key=lambda message: message.at)

    @cached_property
    def _vectors(self) -> dict[str, Any] | None:
        try:
            found = self._encoded([message.text for message in self._messages])
        except ConfigError:
            return None
        return {message.number: vector for message, vector in zip(self._messages, found, strict=True)}

    def _encoded(self, texts: Sequence[str]) -> Any:
        encoder = self._known._encoder()
        return self._known._cache.vectors(list(texts), identity=encoder.identity, encode=encoder.encode)


def _messages(known: KnowledgeGraph) -> list[Message]:
    """The store's messages in the order of their times."""
    rows = known.graph.select(_MESSAGES)
    found = [[term.value if term else "" for term in row] for row in rows]
    told = [Message(number, datetime.fromisoformat(at), text, sender) for number, at, text, sender in found]
    return sorted(told, key=lambda message: (message.at, len(message.number), message.number))


def _number(text: str) -> int | None:
    """A count or an ordinal, in words or digits; None for any other word."""
    plain = re.sub(r"^(\d+)(st|nd|rd|th)$", r"\1", text.casefold())
    head, dash, last = plain.rpartition("-")
    last = _ORDINALS.get(last) or re.sub(r"ieth$", "y", re.sub(r"(?<=[rnx])th$", "", last))
    found = number_of(f"{head}{dash}{last}") if plain not in ("a", "an") else None
    return int(found) if found is not None and found == int(found) else None


_ORDINALS: Final = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
"""Ordinals that are more than the number and "th"."""
_MESSAGES: Final = """
SELECT ?id ?start ?text ?sender {
  ?e a ev:ChatMessage ; ev:sourceId ?id ; ev:start ?start .
  OPTIONAL { ?e ev:text ?text } OPTIONAL { ?e ev:sender ?sender }
}
"""
