"""How an event is told in a list: what it is, who, where, how much, and the beginning of its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from babel.dates import format_date
from babel.numbers import format_currency

from ....engine.answers.formats import amount
from ....engine.answers.sentence import LOCALE
from ....ontology.namespaces import EV
from ....store.vocabulary import PropertyInfo
from ....store.words import fold
from ..frame.formats import day as day_said
from .events import Event, number_in
from .kinds import PEOPLE, PLACES, Things
from .life import Life

LONGEST: Final = 160
"""Characters of a text that a list shows."""
_MOST_NAMED: Final = 3
_MOST_PARTS: Final = 2
_TELLING: Final = ("km", "s")
"""Units of numbers that tell most of an event, before others."""
_DURATION: Final = EV + "duration"
_CUES: Final = ("from", "to")
_SECOND_OF_MINUTE: Final = 60


@dataclass(frozen=True)
class Told:
    """An event in a list: one line of facts, and the beginning of its text; either may be empty."""

    event: Event
    facts: str
    words: str


def told(event: Event, life: Life, things: Things, owner: frozenset[str]) -> Told:
    """How an event is told; `owner` are the folded names of whose life it is, which nobody needs to read again."""
    info = life.vocabulary.classes.get(event.kind)
    describes = info is not None and info.self_describing
    said = fold(event.label)
    parts = [*_until(event, describes), *_named(event, life, things, owner, said)]
    facts = [", ".join(parts)] if parts else []
    facts += _numbers(event, life) if describes or not parts else []
    return Told(event, " · ".join(facts[: _MOST_PARTS + 1]), _words(event, things, said))


def excerpt(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text in one line, cut between words."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest + 1].rsplit(" ", 1)[0]
    return f"{cut[:longest].rstrip(' ,;:.–-')} …"


def measured(value: float, unit: str | None) -> str:
    """A number with its unit, as short as a list needs it: 7.2 km, 51 min."""
    if unit == "s" and value >= _SECOND_OF_MINUTE:
        minutes = round(value / _SECOND_OF_MINUTE)
        parts = ((minutes // 60, "h"), (minutes % 60, "min"))
        return " ".join(f"{number:,} {name}" for number, name in parts if number)
    if unit is not None and len(unit) == 3 and unit.isupper():
        return format_currency(value, unit, locale=LOCALE)
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 1 else 2
    return amount(round(value, digits), unit, LOCALE)


def unit_of(event: Event, info: PropertyInfo) -> str | None:
    """The unit of a property of an event: its own, or as the event says it."""
    said = event.texts(info.unit_property) if info.unit_property else ()
    return said[0] if said else info.unit


def days_said(first: str, last: str) -> str:
    """From one day to another: 11 to 22 September."""
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    if begin == end:
        return format_date(begin, "d MMMM", locale=LOCALE)
    whole = "d MMMM" if begin.year == end.year else "d MMMM y"
    start = "d" if (begin.year, begin.month) == (end.year, end.month) else whole
    return f"{format_date(begin, start, locale=LOCALE)} to {format_date(end, whole, locale=LOCALE)}"


def moment_said(text: str) -> str:
    """A day, or a day with its hour, in words."""
    try:
        said = day_said(text)
    except ValueError:
        return text
    return f"{said}, {text[11:16]}" if len(text) > len("2024-01-01") else said


def joined(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Names as a sentence has them: Tia, Giulia and Femke; of many the first, and how many more."""
    some = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} and {some[-1]}" if some else ""


def _until(event: Event, describes: bool) -> Iterator[str]:
    first, last = event.day, event.last_day
    if first and last and last > first and not (event.is_timed and _is_night(event)):
        yield days_said(first, last)
    elif event.is_timed and event.end and not describes and event.end[11:16] not in ("", event.clock):
        yield f"until {event.end[11:16]}"


def _is_night(event: Event) -> bool:
    """Whether an event ends in the small hours after its day, which does not make it one of two days."""
    first, last = date.fromisoformat(event.day or ""), date.fromisoformat(event.last_day or "")
    return (last - first).days == 1 and (event.end or "")[11:13] < "12"


def _named(event: Event, life: Life, things: Things, owner: frozenset[str], said: str) -> Iterator[str]:
    """Who, where and what else that its label does not say."""
    others: list[str] = []
    for kind in things.kinds:
        for prop in kind.properties:
            new = [name for name in event.texts(prop) if fold(name) not in said and fold(name) not in owner]
            if not new:
                continue
            if kind.slug == PEOPLE:
                yield f"{_cue(life.vocabulary.properties.get(prop))} {joined(new)}"
            elif kind.slug == PLACES:
                yield f"at {joined(new)}"
            elif not kind.is_minor and _is_of_kind(prop, event, life):
                others += new
    if others:
        yield joined(others[:_MOST_PARTS])


def _cue(info: PropertyInfo | None) -> str:
    """The small word before people: from a sender, to a recipient, with all others."""
    return next((cue for cue in _CUES if info is not None and cue in info.cue_words), "with")


def _is_of_kind(prop: str, event: Event, life: Life) -> bool:
    """Whether a property is of this kind of events alone; what many kinds have (a device) tells little of one."""
    info = life.vocabulary.properties.get(prop)
    return info is None or info.domain == (event.kind,)


def _numbers(event: Event, life: Life) -> list[str]:
    found: list[tuple[int, str]] = []
    for prop, values in event.values.items():
        info = life.vocabulary.properties.get(prop)
        number = number_in(values[0]) if info is not None and not info.internal else None
        unit = unit_of(event, info) if info is not None and number is not None else None
        if unit is None or number is None or not number or info is None or unit == "°" or unit == "deg":
            continue
        place = 2 if info.unit_property else _TELLING.index(unit) if unit in _TELLING else 3
        found.append((place, measured(number, unit)))
    ordered = [text for place, text in sorted(found, key=lambda entry: entry[0]) if place < 3]
    return (ordered or [text for _, text in found])[:_MOST_PARTS]


def _words(event: Event, things: Things, said: str) -> str:
    """The beginning of what is written in it, unless its label is that."""
    shown = said.rstrip(" …")
    for text in _texts(event, things):
        line = " ".join(text.split())
        if not fold(line).startswith(shown):
            return excerpt(line)
    return ""


def _texts(event: Event, things: Things) -> Iterable[str]:
    for prop in sorted(things.texts):
        yield from event.texts(prop)
    items = event.texts(EV + "listItem")
    if items:
        yield " · ".join(items)
