"""Tables of an answer: what it lists, ranked; its groups; the rows that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from ....engine.answers.answer import Answer, Evidence, Plain, Table
from ....engine.answers.evidence import COLUMNS, attributes_table
from ....engine.answers.formats import amount, value_in_words
from ....engine.answers.sentence import source_in_words
from ....store.graph import Graph
from ....store.vocabulary import Vocabulary
from ....store.words import key_words
from ..frame.formats import clock, short_day
from .kept import Kept

PAGE: Final = 50
"""Rows of a table that are shown at once."""
_MANY_ALIKE: Final = 0.9
_LEAST_DIFFERENT: Final = 4
_MOST_ATTRIBUTES: Final = 2
_SHARE: Final = 0.6
_LONGEST: Final = 40
_SHOWN: Final = ("start", "what", "kind", "source")


@dataclass(frozen=True)
class Cell:
    """A value with where it leads, if anywhere; numbers stand to the right."""

    text: str
    href: str = ""
    is_number: bool = False
    is_strong: bool = False


@dataclass(frozen=True)
class Listing:
    """Rows of a table from `first` on; `size` is how many there are in all."""

    columns: tuple[tuple[str, bool], ...]
    """(title, whether of numbers)"""
    rows: tuple[tuple[Cell, ...], ...]
    first: int
    size: int

    @property
    def left(self) -> int:
        """How many there are behind these."""
        return max(0, self.size - self.first - PAGE)


def things(kept: Kept, graph: Graph, first: int) -> Listing:
    """What an answer lists: its things with how often each was, the most frequent first; one by one by time where
    each is another, or all are called the same."""
    events = kept.answer.events
    counts = Counter(event.label for event in events)
    if not _LEAST_DIFFERENT <= len(counts) < len(events) * _MANY_ALIKE:
        return _one_by_one(kept, graph, first)
    last = {event.label: event for event in sorted(events, key=lambda one: one.start or "")}
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    shown = ranked[first : first + PAGE]
    names, told = _attributes([last[label] for label in shown], kept.vocabulary, graph, named=True)
    rows = [
        (
            Cell(label or "(without a title)", _address(last[label]), is_strong=True),
            *(Cell(told[last[label].iri].get(name, "")) for name in names),
            Cell(f"{counts[label]:,}", is_number=True),
            Cell(_day(last[label])),
        )
        for label in shown
    ]
    columns = (("What", False), *((name.capitalize(), False) for name in names), ("Times", True), ("Last", False))
    return Listing(columns, tuple(rows), first, len(ranked))


def values(answer: Answer, first: int) -> Listing:
    """The values of an answer, one by one."""
    shown = answer.listed[first : first + PAGE]
    return Listing(
        (("Answer", False),), tuple((Cell(one, is_strong=True),) for one in shown), first, len(answer.listed)
    )


def _one_by_one(kept: Kept, graph: Graph, first: int) -> Listing:
    events = sorted(kept.answer.events, key=lambda one: one.start or "")
    shown = events[first : first + PAGE]
    names, values = _attributes(shown, kept.vocabulary, graph)
    rows = [
        (
            Cell(_day(event)),
            Cell(clock(event.start) if not (event.start or "").endswith("T00:00:00") else ""),
            Cell(event.label or key_words(event.type), _address(event), is_strong=True),
            *(Cell(values[event.iri].get(name, "")) for name in names),
            Cell(source_in_words(event.source)),
        )
        for event in shown
    ]
    columns = (("Day", False), ("Time", False), ("What", False), *((one.capitalize(), False) for one in names))
    return Listing((*columns, ("Source", False)), tuple(rows), first, len(events))


def _attributes(
    events: Sequence[Evidence], vocabulary: Vocabulary, graph: Graph, *, named: bool = False
) -> tuple[tuple[str, ...], dict[str, dict[str, str]]]:
    """The attributes that tell most of some events besides their names, those that are `named` alone or measured, too;
    and their values in words, by event."""
    table = attributes_table(graph, events, vocabulary)
    values: dict[str, dict[str, str]] = {event.iri: {} for event in events}
    wanted: list[str] = []
    for at, name in enumerate(table.columns[len(COLUMNS) :], start=len(COLUMNS)):
        told = 0
        for event, row in zip(events, table.rows, strict=True):
            text = _plain(row[at], _unit(name, vocabulary))
            values[event.iri][name] = text
            told += bool(text) and len(text) <= _LONGEST and text.casefold() not in event.label.casefold()
        different = {held[name] for held in values.values()}
        if (
            told >= _SHARE * len(events)
            and (len(different) > 1 or len(events) == 1)
            and _tells(name, vocabulary, named=named)
        ):
            wanted.append(name)
    return tuple(wanted[:_MOST_ATTRIBUTES]), values


def _tells(name: str, vocabulary: Vocabulary, *, named: bool) -> bool:
    """Whether an attribute says something of a thing: a name, or how much of it there was."""
    found = [one for one in vocabulary.properties_named(name) if not one.internal]
    return any(one.multiple or str(one.range).endswith("#string") or (one.unit and not named) for one in found)


def _unit(name: str, vocabulary: Vocabulary) -> str | None:
    return next((one.unit for one in vocabulary.properties_named(name) if one.unit), None)


def groups(table: Table, answer: Answer, first: int) -> Listing:
    """The groups of an answer with what was counted of each."""
    last = len(table.columns) - 1
    columns = tuple(
        (_titled(name, answer.unit if at == last else None), _is_number(table, at))
        for at, name in enumerate(table.columns)
    )
    rows = tuple(
        tuple(
            Cell(_group(value, table.columns[at], answer.locale), is_number=columns[at][1], is_strong=at == 0)
            for at, value in enumerate(row)
        )
        for row in table.rows[first : first + PAGE]
    )
    return Listing(columns, rows, first, len(table.rows))


def behind(kept: Kept, shown: Sequence[Evidence], graph: Graph, first: int, size: int) -> Listing:
    """Events that an answer rests on, with what their records say; `size` is how many happenings there are."""
    table = attributes_table(graph, shown, kept.vocabulary)
    described = [at for at, name in enumerate(table.columns) if name in _SHOWN or _is_described(name, kept.vocabulary)]
    kept_at = [at for at in described if at >= len(COLUMNS) or table.columns[at] in _SHOWN]
    columns = tuple((table.columns[at].capitalize(), _is_number(table, at)) for at in kept_at)
    rows = tuple(
        tuple(_cell(row[at], table.columns[at], event, columns[place][1]) for place, at in enumerate(kept_at))
        for event, row in zip(shown, table.rows, strict=True)
    )
    return Listing(columns, rows, first, size)


def _is_described(name: str, vocabulary: Vocabulary) -> bool:
    """Whether the ontology knows an attribute; what only a source has a key for is left to the file of the table."""
    return any(not one.internal for one in vocabulary.properties_named(name))


def _cell(value: Plain | None, name: str, event: Evidence, is_number: bool) -> Cell:
    if name == "what":
        return Cell(event.label or key_words(event.type), _address(event), is_strong=True)
    if name == "kind":
        return Cell(key_words(event.type))
    if name == "source":
        return Cell(source_in_words(event.source))
    if name == "start":
        return Cell(" ".join(filter(None, (_day(event), clock(event.start)))))
    return Cell(_plain(value, None), is_number=is_number)


def _plain(value: Plain | None, unit: str | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or value in ("true", "false"):
        return "yes" if value in (True, "true") else "no"
    if isinstance(value, int | float):
        return amount(value, unit, "en_GB", grouped=unit is not None)
    return " ".join(value.split())


def _group(value: Plain | None, name: str, locale: str) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value) if name == "year" else amount(value, None, locale, grouped=True)
    return value_in_words(value, "month" if name == "month" and str(value)[:4].isdigit() else "text", None, locale)


def _titled(name: str, unit: str | None) -> str:
    words = key_words(name)
    called = "" if words == "value" else words.capitalize()
    return f"{called} ({unit})" if called and unit else called or unit or "Number"


def _is_number(table: Table, at: int) -> bool:
    held = [row[at] for row in table.rows if row[at] is not None]
    return bool(held) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in held)


def _day(event: Evidence) -> str:
    return short_day(event.start) if event.start else ""


def _address(event: Evidence) -> str:
    return f"/event?{urlencode({'iri': event.iri})}"
