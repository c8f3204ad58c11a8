"""Happenings that stand in texts: each film, purchase and workout that a text tells of, with its day and what is said
of it. One text may tell of several: a training log of four sessions, a list of films, an order of two things.

Source: ReQAP section 3.2.2 (EXTRACT from texts) turned around: not the values of one happening, but the happenings that
have values. What a reader of a class gives becomes an event of its own (derived_events.py), and is
matched with records and with what other texts tell by its day and what is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal, InvalidOperation
from typing import Final

from ...ontology.namespaces import EV
from ...store.words import normalise
from ...texts.actuality import clause_around
from ...texts.document import Document, TextKind
from ...texts.log_lines import LogLine, line_document, log_lines
from ...texts.tense import sentence_around
from ...texts.time.times import Known, When
from ..context import Texts
from ..keys import TextKey
from ..page import Page

Value = str | Decimal


@dataclass(frozen=True, slots=True)
class EventMention:
    """One happening that a text tells of.

    `day_said`: the text says the day; else it is that of writing, and the happening may be of the day before. `values`
    by the local name of the property (movieTitle, distance in km, duration in seconds); `text` is the part of the text
    that tells of it.
    """

    event: str
    day: date
    day_said: bool
    time: time | None = None
    end_time: time | None = None
    values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    text: str = ""
    sure: float = 0.8

    def first(self, name: str) -> Value | None:
        """The first value of a property."""
        return next(iter(self.values.get(name, ())), None)


@dataclass(frozen=True)
class Part:
    """A text or one line of a log: its page, and its own day where the log says it. `heading` is the log's title,
    `after` where in the line its own words begin."""

    page: Page
    line: LogLine | None = None
    heading: str = ""
    after: int = 0

    @property
    def document(self) -> Document:
        return self.page.document


@dataclass(frozen=True)
class Log:
    """The lines of one text, as parts."""

    heading: str
    parts: tuple[Part, ...]


def parts_of(page: Page, texts: Texts) -> Log | None:
    """The lines of a log; None of a text that is none."""
    if page.document.kind is TextKind.CALENDAR:
        return None
    lines = log_lines(page.document, page.times)
    if not lines:
        return None
    place = page.part("body")
    heading = f"{page.document.title}. {page.text[place[0] : lines[0].start]}".strip(". ")
    found = []
    for number, line in enumerate(lines, start=1):
        document = line_document(page.document, line, number)
        lead = len(page.text[line.start : line.end]) - len(page.text[line.start : line.end].lstrip())
        after = max(0, line.after - line.start - lead)
        found.append(Part(texts.page_of(document), line, heading, after))
    return Log(heading, tuple(found))


def known(texts: Texts, *keys: TextKey | None) -> None:
    """Has the person's other records be read for the values of keys."""
    for key in keys:
        if key is not None:
            texts.pages((), key)


def moment(part: Part, start: int, end: int) -> tuple[date, bool, time | None, time | None] | None:
    """When what stands at [start, end) happened: the line's day, an expression of its sentence that is not ahead, what
    the text says else, or the day of writing; None where it is still ahead."""
    document, written = part.document, part.document.written.date()
    if document.kind is TextKind.CALENDAR and document.start is not None:
        clock = document.start.time()
        whole = clock == time(0)
        until = document.end.time() if document.end is not None and not whole else None
        return document.start.date(), True, None if whole else clock, until
    if part.line is not None:
        if part.line.when.day > written:
            return None
        return part.line.when.day, True, part.line.when.time, part.line.when.end_time
    when = _nearest(part.page, start, end)
    if when is not None:
        return (when.day, True, when.time, when.end_time) if when.day <= written else None
    own = part.page.event_time
    if own is not None and own.known is Known.SAID and own.last_day is None and own.day <= written:
        return own.day, True, own.time, own.end_time
    return written, False, None, None


def _nearest(page: Page, start: int, end: int) -> When | None:
    """The time expression of the clause that is nearest; else one of the sentence that is not ahead."""
    said = [w for w in page.times if w.day_said and not w.vague and w.last_day is None]
    first, last = clause_around(page.text, start, end)
    found = [w for w in said if first <= w.start < last]
    if not found:
        first, last = sentence_around(page.text, start, end)
        found = [w for w in said if first <= w.start < last and w.day <= page.document.written.date()]
    return min(found, key=lambda w: min(abs(w.start - end), abs(start - w.end)), default=None)


def once(found: Iterable[EventMention], same: Sequence[str]) -> tuple[EventMention, ...]:
    """Each happening of one text once: of those of a day with equal values of `same` the one that says most."""
    kept: dict[tuple[object, ...], EventMention] = {}
    for one in found:
        key = (one.day, *(one.values.get(name) for name in same))
        if key not in kept or len(kept[key].values) < len(one.values):
            kept[key] = one
    return tuple(kept.values())


_FAR: Final = Decimal("0.06")
"""Share by which distances of one workout may differ: "ten k" of 9.7 km."""
_LONG: Final = Decimal("0.12")
_MINUTES: Final = Decimal(420)
"""Share, and seconds, by which its lengths of time may."""
_DAYS: Final = 3
"""Days between an order and what a text tells of it."""
_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Shown:
    """A record, or a told happening: its values as texts by the local name of the property, and its start."""

    event: str
    day: date
    values: Mapping[str, tuple[str, ...]]
    start: str = ""

    def first(self, name: str) -> str | None:
        """The first value of a property."""
        return next(iter(self.values.get(name, ())), None)

    def number(self, name: str) -> Decimal | None:
        """The first value as a number; None where it is none."""
        try:
            return Decimal(self.first(name) or "")
        except InvalidOperation:
            return None


def same_event(klass: str, one: EventMention, near: Sequence[Shown]) -> Shown | None:
    """Which of what is near in time is the happening; the first of several that may be."""
    alike = {EV + "MovieStream": _film, EV + "Workout": _workout, EV + "Purchase": _purchase}[klass]
    return next((shown for shown in near if alike(one, shown)), None)


def _apart(one: EventMention, shown: Shown) -> int:
    """Days by which the record is earlier (negative: later)."""
    return (one.day - shown.day).days


def _film(one: EventMention, shown: Shown) -> bool:
    days = _apart(one, shown)
    near = days in (0, 1) if one.day_said else days in (0, 1, 2)
    return near and _titles(one.values.get("movieTitle", ())) & _titles(shown.values.get("movieTitle", ())) != set()


def _titles(values: Sequence[object]) -> set[str]:
    return {normalise(str(value)) for value in values}


def _workout(one: EventMention, shown: Shown) -> bool:
    days = _apart(one, shown)
    if not (days == 0 or (days == 1 and not one.day_said)):
        return False
    kind, other = _text(one, "workoutType"), shown.first("workoutType")
    named = kind is None or other is None or normalise(kind) == normalise(other)
    far = _differ(_number(one, "distance"), shown.number("distance"))
    long = _differ(_number(one, "duration"), shown.number("duration"))
    lengths = _number(one, "duration"), shown.number("duration")
    timed = long is None or long <= _LONG or abs((lengths[0] or 0) - (lengths[1] or 0)) <= _MINUTES
    if far is not None:
        return far <= (_FAR if named else _FAR / 3) and (timed or named)
    return named and timed


def _purchase(one: EventMention, shown: Shown) -> bool:
    if abs(_apart(one, shown)) > _DAYS:
        return False
    price, other = _number(one, "price"), shown.number("price")
    mine, yours = _text(one, "product"), shown.first("product")
    alike = _shared(mine, yours)
    if price is not None and other is not None:
        same = abs(price - other) <= _CENT
        unit = shown.number("unitPrice")
        if not same and unit is not None and alike >= 0.5:
            same = abs(price - unit) <= _CENT
        return same and (mine is None or yours is None or alike > 0 or _apart(one, shown) == 0)
    return alike >= 0.6


def _shared(one: str | None, other: str | None) -> float:
    """Which share of the fewer words two names have in common."""
    mine, yours = (set(normalise(text or "").split()) for text in (one, other))
    return len(mine & yours) / min(len(mine), len(yours)) if mine and yours else 0.0


def _text(one: EventMention, name: str) -> str | None:
    value = one.first(name)
    return str(value) if value is not None else None


def _number(one: EventMention, name: str) -> Decimal | None:
    value = one.first(name)
    return value if isinstance(value, Decimal) else None


def _differ(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """By which share two numbers differ; None where one is missing."""
    if one is None or other is None or max(one, other) == 0:
        return None
    return abs(one - other) / max(one, other)
