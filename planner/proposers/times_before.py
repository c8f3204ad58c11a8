"""Times that a form says by those of the question before: "the year after", "that month", as days in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property

from ...operators.forms.grammar import Form, Words, walk
from ...store.rdf import Literal
from ..followups.text import Period, Reader, value_of
from ..followups.words import in_words, of_unit, shifted
from ..forms.maker import text_of
from ..forms.records import times_in
from ..search.plan import Planner


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
