"""One text laid open for EXTRACT: its parts, cues, people, times and what the reader marked, each found once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import Final

from ..texts.document import Document, Span, TextKind
from ..texts.lexicon.lexicon import Cue, Lexicon
from ..texts.people.mentions import How, Mention, mentions
from ..texts.quantities.lengths import distances, durations
from ..texts.time.times import EventTime, When, event_time, times
from .life import Life
from .readers.gazetteer import Gazetteer


class Spans:
    """Spans [start, end) by their start; built once, asked in logarithmic time."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        held = sorted(spans)
        self._starts = [start for start, _ in held]
        self._last = list(accumulate((end for _, end in held), max))

    def meet(self, start: int, end: int) -> bool:
        """Whether a span overlaps [start, end)."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._last[before - 1] > start


Value = str | Decimal | date | datetime | time

_MASK: Final = "\x00"
_CLOCK: Final = re.compile(r"\d|day\b|\b(?:tonight|tomorrow|noon|midnight)\b", re.IGNORECASE)
_CUT: Final = "\x01"
_JOIN: Final = (
    r"(?:\s{0,20}(?:&|\+|,|/|\band\b|\bplus\b|\bw/|\bwith\b|\bmit\b|\bcon\b|\bcom\b|\bavec\b|\bhosts?\b)\s{0,20}+)"
)
_PEOPLE: Final = re.compile(rf"{_JOIN}?{_MASK}+(?:['’]s?\b)?(?:{_JOIN}+{_MASK}+)*{_JOIN}?", re.IGNORECASE)
_PARTS: Final = re.compile(
    rf"[{_MASK}{_CUT}]+|\s{{1,20}}[–—|/-]\s+|[–—|:;!?()…]+|\.{{2,}}|\.\s|,\s|\s@\s?|"
    r"\s{1,20}(?:at|in|w/|with|for|after|before|bei|chez|em|na|no|en)\s+|[^\w\s'’&.,+-]+",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = frozenset({"United States", "Philippines"})
_EDGE: Final = " \t\n,.&+-–—'\"“”‘’#*"


@dataclass(frozen=True, slots=True)
class Found:
    """A value, the characters [start, end) of the document's text that say it (0, 0 where none do), how sure it is, and
    what says it."""

    value: Value
    start: int
    end: int
    confidence: float
    evidence: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a title that names no person: characters [start, end), and what stands before it ("at", "@", "")."""

    start: int
    end: int
    text: str
    before: str


@dataclass(frozen=True)
class Page:
    """A document with what is found in it. `tags` are the reader's spans by the question that was asked.

    `known`, by the name of a key, finds values that other records of the person have; `own` are the names by which
    these call what a lexicon knows: (own name, the lexicon's value). `gazetteer` knows names of towns.
    """

    document: Document
    life: Life
    lexicon: Lexicon
    known: Mapping[str, Lexicon] = field(default_factory=dict)
    own: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    tags: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    gazetteer: Gazetteer = field(default_factory=Gazetteer)

    @cached_property
    def text(self) -> str:
        return self.document.text

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """All cues of the lexicon, by place."""
        return self.lexicon.cues(self.text)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        return mentions(self.document, self.life.profile)

    @cached_property
    def said(self) -> tuple[Mention, ...]:
        """People of the profile whom the text names."""
        return tuple(m for m in self.mentions if m.how is How.SAID)

    def said_in(self, start: int, end: int) -> tuple[Mention, ...]:
        """The mentions that begin in characters [start, end) of the text; those of headers stand nowhere in it."""
        spoken, starts = self._spoken
        return spoken[bisect_left(starts, start) : bisect_left(starts, end)]

    @cached_property
    def _spoken(self) -> tuple[tuple[Mention, ...], list[int]]:
        held = sorted((m for m in self.mentions if m.start < m.end), key=lambda m: m.start)
        return tuple(held), [mention.start for mention in held]

    @cached_property
    def day_first(self) -> bool | None:
        """The order of dates in numbers where the person lives, where that is not the usual one."""
        countries = {cue.value for cue in self.lexicon.cues(self.life.lives_in, ("country",)) if not cue.weak}
        return False if countries & _MONTH_FIRST else None

    @cached_property
    def times(self) -> tuple[When, ...]:
        return times(self.document, day_first=self.day_first)

    @cached_property
    def event_time(self) -> EventTime | None:
        return event_time(self.document, day_first=self.day_first)

    @cached_property
    def day(self) -> date:
        """The day of what the text tells, else that on which it was written."""
        return self.event_time.day if self.event_time else self.document.written.date()

    @cached_property
    def is_measured(self) -> bool:
        """Whether the text states a distance or a length of time, as it does of sports."""
        return bool(distances(self.text) or durations(self.text))

    @cached_property
    def people(self) -> frozenset[str]:
        """Full names of the profile's people."""
        return frozenset(person.name for person in self.life.profile.people)

    @property
    def is_from_person(self) -> bool:
        """Whether somebody of the profile wrote it to the owner."""
        return any(m.how is How.SENDER and self.people & set(m.names) for m in self.mentions)

    @property
    def company(self) -> str:
        """Who wrote a mail to the owner that is nobody of the profile: the name before an address, else that of its
        domain; empty where it is none."""
        document = self.document
        if document.kind is not TextKind.MAIL or document.by_owner or self.is_from_person:
            return ""
        name, _, address = document.sender.partition("<")
        named = name.strip(' "')
        if named and "@" not in named:
            return named
        domain = (address or document.sender).rpartition("@")[2].strip("> ").split(".")
        return domain[-2] if len(domain) > 1 else ""

    @property
    def is_entry(self) -> bool:
        """Whether the document is about the happening itself, and no letter about it."""
        return self.document.kind in (TextKind.CALENDAR, TextKind.RECORD)

    def part(self, name: str) -> tuple[int, int]:
        """Where a part stands; (0, 0) where it is empty."""
        return self.document.place_of(name) or (0, 0)

    def before(self, place: int, length: int = 60) -> str:
        """The last characters before a place: as many as a pattern that ends there looks at."""
        return self.text[max(0, place - length) : place]

    def after(self, place: int, length: int = 120) -> str:
        """The first characters from a place on."""
        return self.text[place : place + length]

    def cues_of(self, *keys: str) -> tuple[Cue, ...]:
        """The cues of some keys, by place."""
        if keys not in self._of_keys:
            self._of_keys[keys] = tuple(cue for cue in self.cues if cue.key in keys)
        return self._of_keys[keys]

    def spans_of(self, *keys: str) -> Spans:
        """Where the cues of some keys stand."""
        if keys not in self._spans:
            self._spans[keys] = Spans((cue.start, cue.end) for cue in self.cues_of(*keys))
        return self._spans[keys]

    def names_person(self, start: int, end: int) -> bool:
        """Whether the words name somebody of the profile."""
        return self._named.meet(start, end)

    @cached_property
    def _named(self) -> Spans:
        """Where the profile's people are named."""
        return Spans((m.start, m.end) for m in self.mentions if m.start < m.end)

    def is_marked(self, question: str, start: int, end: int) -> bool:
        """Whether the reader marked any of the words for a question."""
        return any(span.start < end and start < span.end for span in self.tags.get(question, ()))

    @cached_property
    def _of_keys(self) -> dict[tuple[str, ...], tuple[Cue, ...]]:
        return {}

    @cached_property
    def _spans(self) -> dict[tuple[str, ...], Spans]:
        return {}

    def found(self, value: Value, start: int, end: int, confidence: float) -> Found:
        """A value with the words that say it."""
        return Found(value, start, end, confidence, self.text[start:end])

    @cached_property
    def pieces(self) -> tuple[Fragment, ...]:
        """What is left of the title without the people: its parts between dashes, colons, "at" and other signs."""
        return self._pieces(*self.part("title"))

    @cached_property
    def body_pieces(self) -> tuple[Fragment, ...]:
        """The same of the body; of any use only where that is short."""
        return self._pieces(*self.part("body"))

    def _pieces(self, start: int, end: int) -> tuple[Fragment, ...]:
        text = self.text[start:end]
        masked = list(text)
        for mention in self.mentions:
            if mention.how is How.SAID and start <= mention.start and mention.end <= end:
                width = mention.end - mention.start
                masked[mention.start - start : mention.end - start] = _MASK * width
        for when in self.times:
            if start <= when.start and when.end <= end and _CLOCK.search(self.text[when.start : when.end]):
                masked[when.start - start : when.end - start] = _CUT * (when.end - when.start)
        plain = _PEOPLE.sub(lambda m: _MASK * len(m[0]), "".join(masked))
        found: list[Fragment] = []
        at, before = 0, ""
        for match in [*_PARTS.finditer(plain), None]:
            stop = match.start() if match else len(plain)
            piece = self._piece(start, plain, at, stop, before)
            if piece is not None:
                found.append(piece)
            if match:
                at, before = match.end(), match[0].strip(_MASK + " ").casefold()
        return tuple(found)

    def _piece(self, shift: int, text: str, start: int, end: int, before: str) -> Fragment | None:
        raw = text[start:end]
        left, right = len(raw) - len(raw.lstrip(_EDGE)), len(raw.rstrip(_EDGE))
        if right <= left or not any(sign.isalnum() for sign in raw):
            return None
        start, end = shift + start + left, shift + start + right
        return Fragment(start, end, self.text[start:end], before)
