"""What a question says, piece by piece and by place, so that a follow-up can put other words in the place of some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ...store.rdf import NamedNode
from ...store.words import fold
from ..annotation.annotate import Annotation, Annotator
from ..annotation.reading import Filter, Reading, readings
from ..patterns.patterns import CompiledPattern, needed_for
from ..patterns.tokens import Text, tokenise
from ..rules.rulebook import RuleBook

FOLLOW_UPS = (
    "Lead",
    "Offer",
    "Shift",
    "Then",
    "Ordinal",
    "Degree",
    "Next",
    "Pointer",
    "Tail",
    "Ask",
    "Compare",
    "Back",
    "Dialogue",
)
"""Kinds of patterns, each named `FollowUp…`, that read what leans on an earlier question, or asks about it."""
_PERIODS = frozenset({"TimeRange", "YearlyDay", "YearlyMonths", "DayTest", "InstantRange"})
_FAMILIES = (("Weekdays", "weekdays"), ("TimeOfDay", "time"), ("Comparison", "amount"), ("Between", "amount"))
ASKS = re.compile(
    r"(?i)(?:(?:in|on|at|from|with|by|to|for|of|during|and|so|but)\s{1,20}){0,6}(?:how|which|what|what's|whats|who|whom|when|where|did|do|does"
    r"|have|has|had|was|were|is|are|am|list|show|name|count|tell|give|find|number|total)\b"
)
"""What a question begins with; other texts are fragments."""
NAMING = ("Value", "Person", "Concept", "Class", "Verb")
"""Kinds of words that say which events are meant."""


@dataclass(frozen=True)
class Part:
    """Words of a question from `begin` to `end` (characters), of one `family`: what may be put in each other's
    place."""

    begin: int
    end: int
    words: str
    family: str
    annotation: Annotation
    others: tuple[Annotation, ...] = ()
    """What else the same words may mean."""

    @property
    def meanings(self) -> tuple[Annotation, ...]:
        """All that the words may mean, the likeliest first."""
        return (self.annotation, *self.others)


@dataclass(frozen=True)
class Period:
    """The days that a question is about, both included."""

    begin: date
    end: date


@dataclass(frozen=True)
class Read:
    """A question with its likeliest reading."""

    text: str
    reading: Reading
    parts: tuple[Part, ...]
    """Filters and the words that name events, in order of place."""
    exact: bool = False
    """Whether its periods are said as dates, so that nothing of an earlier one stands beside them."""

    def of(self, family: str) -> tuple[Part, ...]:
        """The parts of a family."""
        return tuple(part for part in self.parts if part.family == family)

    @property
    def period(self) -> Period | None:
        """The days that its filters leave, where one says both first and last."""
        found = [p for p in (period_of(part.annotation) for part in self.of("period")) if p is not None]
        if not found:
            return None
        both = Period(max(p.begin for p in found), min(p.end for p in found))
        return both if both.begin <= both.end else found[0]


class Reader:
    """Reads questions and follow-ups with one annotator; readings are kept for the next follow-up."""

    def __init__(self, annotator: Annotator, book: RuleBook) -> None:
        self.annotator = annotator
        self.book = book
        self._patterns = {name: needed_for(book.patterns, frozenset({f"FollowUp{name}"})) for name in FOLLOW_UPS}
        self._read: dict[str, Read | None] = {}

    def read(self, question: str) -> Read | None:
        """The likeliest reading; None where a question says nothing."""
        if question not in self._read:
            found = readings(question, self.annotator)
            plain = (r for r in found if not any("Wording" in a.kinds for a in r.annotations))  # with filters apart
            self._read[question] = _read(question, next(plain, found[0])) if found else None
        return self._read[question]

    def matches(self, name: str, text: str) -> list[tuple[Annotation, Text]]:
        """What the patterns of a kind make of a text: the longest and surest first, with the tokens that they
        count."""
        patterns = self._patterns[name]
        tokens = tokenise(text)
        if not patterns or not tokens.tokens:
            return []
        return [(found, tokens) for found in _sorted(self._annotated(tokens, patterns))]

    def _annotated(self, tokens: Text, patterns: Sequence[CompiledPattern]) -> list[Annotation]:
        return self.annotator.patterns(tokens, self.annotator.lexical(tokens), patterns)

    def base(self, word: str) -> str:
        """'cycle' of 'cycling'; other words as they are."""
        return self.book.forms.base(word)

    def singular(self, word: str) -> str:
        """'run' of 'runs'."""
        return self.book.forms.singular(word)


def period_of(annotation: Annotation) -> Period | None:
    """The days of a filter that says both the first and the last of them."""
    begin, end = annotation.variables.get("begin"), annotation.variables.get("end")
    if begin is None or end is None or "Negated" in annotation.kinds:
        return None
    return Period(date.fromisoformat(begin.value[:10]), date.fromisoformat(end.value[:10]))


def family_of(annotation: Annotation) -> str:
    """What kind of part a filter or a word that names events is; empty for others."""
    kinds = annotation.kinds
    if _PERIODS.intersection(kinds):
        return "period"
    for kind, family in _FAMILIES:
        if kind in kinds:
            return family
    if "UnitRequest" in kinds:
        return "unit"
    return "naming" if any(kind in kinds for kind in NAMING) else ""


def group(annotation: Annotation, tokens: Text, name: str) -> str | None:
    """The words of a named group of a match."""
    found = next((g for g in annotation.groups if g.name == name), None)
    return tokens.words(found.first, found.last) if found is not None and found.last > found.first else None


def value_of(annotation: Annotation, name: str) -> str:
    """A variable of a match as text; empty where it has none."""
    term = annotation.variables.get(name)
    return "" if term is None or isinstance(term, NamedNode) else term.value


def _sorted(found: Iterable[Annotation]) -> list[Annotation]:
    return sorted(found, key=lambda a: (-a.length, -a.confidence, a.first))


def _read(question: str, reading: Reading) -> Read:
    moved = [_moved(f) for f in (*reading.filters, *reading.asides)]
    found = [part for part in (*moved, *_naming(question, reading)) if part is not None and part.family]
    return Read(question, reading, tuple(sorted(found, key=lambda part: (part.begin, -part.end))))


def _moved(one: Filter) -> Part | None:
    begin, length = one.place
    family = family_of(one.annotation)
    return Part(begin, begin + length, one.words, family, one.annotation) if length and family else None


def _naming(question: str, reading: Reading) -> Iterator[Part]:
    """Words of the core that name events, by their place in the question: the longest of those that share words."""
    core = reading.core
    found = [a for a in reading.annotations if a.pattern is None and family_of(a)]
    taken: set[int] = set()
    for a in sorted(found, key=lambda a: (-a.length, -a.confidence, NAMING.index(_kind(a)))):
        if taken.intersection(range(a.first, a.last)):
            continue
        taken.update(range(a.first, a.last))
        begin, length = core.origin(a.first, a.last)
        words = question[begin : begin + length]
        same = tuple(o for o in found if o is not a and (o.first, o.last) == (a.first, a.last))
        if fold(words) == fold(core.words(a.first, a.last)):
            yield Part(begin, begin + length, words, "naming", a, same)


def _kind(annotation: Annotation) -> str:
    return next(kind for kind in NAMING if kind in annotation.kinds)
