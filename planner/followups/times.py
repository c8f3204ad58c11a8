"""The times and amounts that a follow-up leaves open: "that month", "the year before", "July", "under 5"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..annotation.annotations import Annotation
from .events import Earlier, Events, Spoken, days_of
from .text import ASKS, Period, Reader, value_of
from .words import Edit, after_preposition, edited, in_words, of_unit, shifted

_SHORT = 5
_GOES_ON = frozenset(
    {
        "that",
        "it",
        "this",
        "and",
        "by",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "of",
        "did",
        "was",
        "were",
        "how",
        "what",
    }
)
_WHEN_DOING = re.compile(r"(?i)^when (?=\w+ing(?: \w+)?[?. !]*$)")
"""'When running' asks for no time."""
_ELSE = re.compile(r"(?i)(?<=\w)\s+else\b")


class Times:
    """Says in dates what points to a time, and completes what its filters leave out."""

    def __init__(self, reader: Reader, events: Events) -> None:
        self._reader = reader
        self._events = events

    def dated(self, text: str, earlier: Sequence[Earlier], spoken: Spoken) -> tuple[str, bool]:
        """The text with 'the year before', 'that month' said as dates, where the turns before tell which."""
        edits: list[Edit] = []
        for name in ("Shift", "Then"):
            for found, tokens in self._reader.matches(name, text):
                begin, length = tokens.span(found.first, found.last)
                if any(e.begin < begin + length and begin < e.end for e in edits) or self._is_filter(
                    text, begin, length
                ):
                    continue
                following = tokens.tokens[found.last].lower if found.last < len(tokens.tokens) else ","
                if name == "Shift" and following[:1].isalpha() and following not in _GOES_ON:
                    continue  # "the week after the exam" says by itself which
                if (
                    name == "Then"
                    and tokens.words(found.first, found.last).lower() == "then"
                    and self._has_period(text)
                ):
                    continue
                if name == "Then" and (begin == 0 and begin + length < len(text.rstrip("?. "))):
                    continue
                unit = value_of(found, "unit")
                days = self._then(tokens.words(found.first, found.last), unit, earlier, spoken)
                if days is None:
                    continue
                if name == "Shift":
                    days = shifted(days if _is_of(days, unit) else of_unit(days.begin, unit), _number(found), unit)
                edits.append(Edit(begin, begin + length, after_preposition(text, begin, in_words(days))))
        return (edited(text, edits), True) if edits else (text, False)

    def _has_period(self, text: str) -> bool:
        read = self._reader.read(text)
        return read is not None and bool(read.of("period"))

    def _is_filter(self, text: str, begin: int, length: int) -> bool:
        """Whether a filter that a question may have anyhow covers the words and more."""
        read = self._reader.read(text)
        filters = [p for p in read.parts if p.family not in ("naming", "unit")] if read is not None else []
        return any(p.begin <= begin and begin + length <= p.end and p.end - p.begin > length for p in filters)

    def _then(self, words: str, unit: str, earlier: Sequence[Earlier], spoken: Spoken) -> Period | None:
        """The days that were spoken of: with 'those' the days of the turns before together."""
        if re.search(r"(?i)\b(those|both|these)\b", words):
            reads = [self._reader.read(turn.question) for turn in earlier]
            days = list(dict.fromkeys(r.period for r in reads if r is not None and r.period is not None))[-2:]
            return Period(min(d.begin for d in days), max(d.end for d in days)) if len(days) > 1 else None
        is_that = bool(unit) and re.search(r"(?i)\b(that|same|said|whole|entire|full|of the)\b", words) is not None
        for turn in reversed(earlier):
            before = spoken if turn is earlier[-1] else self._events.spoken(turn)
            found = list(days_of(before)) if before is not None else []
            fitting = [days for days in found if not is_that or _within(days, unit)]
            if fitting:
                return of_unit(fitting[0].begin, unit) if is_that else fitting[0]
            if found and not is_that:
                return found[0]
        return None

    def completed(self, rest: str, spoken: Spoken) -> str:
        """A fragment with what its filters leave out: 'in' of 'July and August', the unit of 'under 5'."""
        rest = _WHEN_DOING.sub("while ", _ELSE.sub("", rest))
        read = self._reader.read(rest)
        if read is None or read.parts or len(rest.split()) > _SHORT or ASKS.match(rest):
            return rest
        if any(self._reader.matches(name, rest) for name in ("Degree", "Ordinal", "Ask")):
            return rest
        amounts = [re.search(r"\d\s*([^\W\d]+)$", p.words) for p in spoken.read.of("amount")]
        tries = [f"in {rest}", f"on {rest}", *(f"{rest.rstrip('?. !')} {unit[1]}" for unit in amounts if unit)]
        for text in tries:
            found = self._reader.read(text)
            if found is not None and any(p.family not in ("naming", "unit") for p in found.parts):
                return text
        return rest


def _is_of(days: Period, unit: str) -> bool:
    """Whether a period is at least as long as a unit, so that it can be moved by it as it is."""
    return unit in ("Y",) or days == of_unit(days.begin, unit) or (unit == "D" and days.begin == days.end)


def _within(days: Period, unit: str) -> bool:
    """Whether days lie in one year, month, week or day."""
    around = of_unit(days.begin, unit)
    return around.begin <= days.begin and days.end <= around.end


def _number(found: Annotation) -> int:
    return int(float(value_of(found, "by")))
