"""Times that a form says by those of the question before: "the year after", "that month", as days in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime

from ...operators.forms.grammar import Form, Words, walk
from ...store.rdf import Literal
from ..followups.text import Period, Reader, value_of
from ..followups.words import in_words, of_unit, shifted
from ..forms.records import times_in
from ..search.plan import Planner


def with_times(form: Form, before: Form, planner: Planner, now: datetime) -> Form:
    """The form with what its times leave to those of the form before it; as it is where that has no period."""
    reader = Reader(planner.annotator(now), planner.book)
    relative = [words for words in _times(form) if _matched(reader, words) is not None]
    days = _period(before, planner, now) if relative else None
    if days is None:
        return form
    said = {words: in_words(_moved(reader, words, days)) for words in relative}
    return _changed(form, lambda words: said.get(words, words))


def _times(form: Form) -> list[str]:
    """The words of its times."""
    found: list[str] = []
    for one in walk(form):
        if one.operator == "where" and one.arguments[1:3] == ("time", "="):
            words = one.arguments[3]
            assert isinstance(words, Words)
            found.append(words.text)
    return found


def _matched(reader: Reader, words: str) -> tuple[str, str, int] | None:
    """The kind of pattern that reads all of some words, the unit that it names, how many of them later."""
    for kind in ("Shift", "Then"):
        for found, tokens in reader.matches(kind, words):
            if found.first == 0 and found.last == len(tokens.tokens):
                return kind, value_of(found, "unit"), int(float(value_of(found, "by") or 0))
    return None


def _moved(reader: Reader, words: str, days: Period) -> Period:
    matched = _matched(reader, words)
    assert matched is not None
    kind, unit, by = matched
    if kind == "Then":
        return of_unit(days.begin, unit) if unit else days
    return shifted(days if unit in ("Y", "D") else of_unit(days.begin, unit), by, unit)


def _period(form: Form, planner: Planner, now: datetime) -> Period | None:
    """The days of the first of its times that says both the first and the last of them."""
    for words in _times(form):
        for said in times_in(words, planner, now):
            begin, end = said.get("begin"), said.get("end")
            if isinstance(begin, Literal) and isinstance(end, Literal):
                return Period(date.fromisoformat(begin.value[:10]), date.fromisoformat(end.value[:10]))
    return None


def _changed(form: Form, say: Callable[[str], str]) -> Form:
    """The form with other words for its times."""
    parts = [_changed(one, say) if isinstance(one, Form) else one for one in form.arguments]
    if form.operator == "where" and parts[1:3] == ["time", "="]:
        words = parts[3]
        assert isinstance(words, Words)
        parts[3] = Words(say(words.text))
    return replace(form, arguments=tuple(parts))
