"""Comparisons and times as questions say them, whatever a model read.

"Exactly 3" is no "at least 3": the parser learned what people mean, and rarely met some comparisons. Where a pattern
knows the words before a number, what they say replaces what the parser guessed. "The year after" and "that month" mean
days of the question before (`TimesBefore`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from itertools import pairwise
from typing import Final

from ...operators.forms.grammar import TESTS, Form, Words, walk
from ...store.rdf import Literal
from ..followups.text import Period, Reader, value_of
from ..followups.words import in_words, of_unit, shifted
from ..forms.lowering import text_of
from ..forms.records import times_in
from ..patterns.tokens import tokenise
from ..search.plan import Planner

COMPARED: Final = "compared"
"""The pattern of words that compare, such as "more than" (mappings/planner/patterns/comparisons.ttl)."""
_SIDES: Final = {">": 1, ">=": 1, "<": -1, "<=": -1, "=": 0}


@dataclass(frozen=True)
class Compared:
    """A comparison that a question says, and what stands behind it."""

    test: str
    behind: str

    @property
    def number(self) -> str:
        """The word behind it, if that is a number; else nothing."""
        word = self.behind.partition(" ")[0]
        return word.strip("?!.,;:") if any(sign.isdigit() for sign in word) else ""


def comparisons(question: str, planner: Planner) -> tuple[Compared, ...]:
    """What a question says before its numbers, from left to right."""
    text = tokenise(question)
    found: dict[int, Compared] = {}
    for match in sorted(planner.matches(COMPARED, text), key=lambda one: one.first):  # "not more than", not "more than"
        start, length = text.span(match.first, match.last)
        test = match.variables["value"].value
        said = Compared("=" if test == "==" else test, question[start + length :].lstrip().casefold())
        found.setdefault(match.last, said)
    return tuple(found.values())


def as_compared(form: Form, said: Sequence[Compared]) -> Form:
    """The form with each test as the question says it, where it says another side of the same number."""
    arguments = [as_compared(one, said) if isinstance(one, Form) else one for one in form.arguments]
    for at, (test, words) in enumerate(pairwise(arguments)):
        if isinstance(test, str) and test in TESTS and isinstance(words, Words):
            meant = next((one.test for one in said if _begins(one.behind, words.text.casefold())), test)
            if _SIDES.get(meant) != _SIDES.get(test, _SIDES.get(meant)):
                arguments[at] = meant
    return replace(form, arguments=tuple(arguments))


def _begins(text: str, words: str) -> bool:
    """Whether a text begins with a number in words or digits: "30 euros" does not begin with "3"."""
    return any(sign.isdigit() for sign in words) and text.startswith(words) and not text[len(words) :][:1].isalnum()


@dataclass(frozen=True)
class TimesBefore:
    """Says the times that forms leave to those of the form `before` them. What that takes is looked up once, and only
    where a form has a time."""

    before: Form
    planner: Planner
    now: datetime

    def said_in(self, form: Form) -> Form:
        """The form with its times as days; as it is where the one before has no period."""
        parts = [self.said_in(one) if isinstance(one, Form) else one for one in form.arguments]
        if _is_time(form):
            parts[3] = Words(self._said(text_of(form.arguments[3])))
        return replace(form, arguments=tuple(parts))

    def _said(self, words: str) -> str:
        """The words of a time: others where a pattern reads all of them as one that leans on another."""
        for kind in ("Shift", "Then"):
            for found, tokens in self._reader.matches(kind, words):
                if found.first == 0 and found.last == len(tokens.tokens) and self._period is not None:
                    unit, by = value_of(found, "unit"), int(float(value_of(found, "by") or 0))
                    return in_words(_moved(self._period, unit, by if kind == "Shift" else None))
        return words

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.planner.annotator(self.now), self.planner.book)

    @cached_property
    def _period(self) -> Period | None:
        """The days of the first time of the form before that says both the first and the last of them."""
        for words in _times(self.before):
            for said in times_in(words, self.planner, self.now):
                begin, end = said.get("begin"), said.get("end")
                if isinstance(begin, Literal) and isinstance(end, Literal):
                    return Period(date.fromisoformat(begin.value[:10]), date.fromisoformat(end.value[:10]))
        return None


def _is_time(form: Form) -> bool:
    return form.operator == "where" and form.arguments[1:3] == ("time", "=")


def _times(form: Form) -> Iterator[str]:
    """The words of its times."""
    return (text_of(one.arguments[3]) for one in walk(form) if _is_time(one))


def _moved(days: Period, unit: str, by: int | None) -> Period:
    """The days so many units later; the unit that they lie in where none is said."""
    if by is None:
        return of_unit(days.begin, unit) if unit else days
    return shifted(days if unit in ("Y", "D") else of_unit(days.begin, unit), by, unit)
