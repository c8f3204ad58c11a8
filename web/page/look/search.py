"""Finding by words: days, people, places and things by name, events by what stands in them."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from ....operators.reading.names import english_month
from ....operators.reading.read_times import says_no_day
from ....store.generations import EventGraph
from ....store.graph import Graph
from ....store.index.index import EventText, ValueIndex
from ....store.rdf import NamedNode
from ....store.words import fold, normalise
from ....texts.document import Document, TextKind
from ....texts.time.times import times
from .day import Thing
from .events import Event, events_of
from .kinds import ThingKind, Things
from .life import Life, is_own_key, opened_index
from .marking import Part, stems_of, with_stems
from .things import Counted, matching

LONGEST: Final = 200
"""Characters of what is looked for."""
SHOWN: Final = 30
MOST: Final = 2_000
"""Events that are looked at; where there are more, that is said."""
_MOST_THINGS: Final = 12
_MOST_MEANT: Final = 5
_MOST_ANY: Final = 200
_COVERS: Final = 0.8
"""Share of the words that a time takes, for it to be what is looked for."""


@dataclass(frozen=True)
class When:
    """A day, or the first and last of several, with how many days with events are among them."""

    first: str
    last: str
    days: int


@dataclass(frozen=True)
class FoundThing:
    """Somebody or something with that name."""

    kind: ThingKind
    thing: Thing
    events: int


@dataclass(frozen=True)
class FoundEvent:
    """An event with the text in which the words stand, marked; nothing where that is its label alone."""

    event: Event
    label: tuple[Part, ...]
    words: tuple[Part, ...]


@dataclass(frozen=True)
class Found:
    """What was found: events from `begin` on of `number`, `more` where there are more than were looked at; `all_words`
    is false where only some of the words stand in them. `meant` are words that may be meant instead."""

    when: When | None
    things: tuple[FoundThing, ...]
    events: tuple[FoundEvent, ...]
    begin: int
    number: int
    more: bool
    all_words: bool
    meant: tuple[str, ...]
    no_day: bool = False
    """Whether the words are a date that the calendar does not have."""


def found_for(
    graph: EventGraph,
    life: Life,
    things: Things,
    counted: Callable[[ThingKind], Sequence[Counted]],
    words: str,
    now: datetime,
    begin: int,
) -> Found:
    """What words find; `counted` are the things of a kind with the numbers of their events."""
    named = [] if begin else _named(things, counted, words)
    no_day = says_no_day(words.strip())
    when = when_said(words, life, now) if not no_day else None
    with opened_index(graph) as index:
        classes = [iri for iri, _ in life.classes]
        values = [value.id for value in index.containing(words, MOST) if not is_own_key(value.prop)]
        all_words = bool(values) or when is not None
        if not all_words:
            values = [number for number, _ in index.with_any(normalise(words).split(), _MOST_ANY)]
        held = frozenset(values)
        iris = [event.iri for event in index.events_with(values, classes, limit=MOST) if _says(event, held)]
        ordered = _latest_first(graph, iris)
        shown = events_of(graph, life, ordered[begin : begin + SHOWN])
        texts = _texts(index, [event.iri for event in shown], held)
        meant = () if iris or named else _meant(index, words)
    stems = stems_of(words)
    events = tuple(_found(event, texts.get(event.iri, ""), stems) for event in reversed(shown))
    return Found(
        None if begin else when, tuple(named), events, begin, len(ordered), len(iris) >= MOST, all_words, meant,
        no_day,
    )  # fmt: skip


def when_said(words: str, life: Life, now: datetime) -> When | None:
    """The days that words say, where they say nothing else."""
    text = words.strip()
    if text.isdecimal() and int(text) in life.years:
        return _when(date(int(text), 1, 1), date(int(text), 12, 31), life)
    month, _, year = text.rpartition(" ")
    named = english_month(fold(month)) if year.isdecimal() and len(year) == len("2024") and int(year) else None
    if named:
        last = monthrange(int(year), named)[1]
        return _when(date(int(year), named, 1), date(int(year), named, last), life)
    said = [
        one
        for one in times(Document("", TextKind.RECORD, "", text, now))
        if one.day_said and one.end - one.start >= _COVERS * len(text)
    ]
    return _when(said[0].day, said[0].last_day or said[0].day, life) if len(said) == 1 else None


def _when(first: date, last: date, life: Life) -> When:
    begin, end = first.isoformat(), last.isoformat()
    within = [day for day in life.days if begin <= day <= end]
    return When(begin, end, len(within))


def _named(things: Things, counted: Callable[[ThingKind], Sequence[Counted]], words: str) -> list[FoundThing]:
    found = [
        FoundThing(kind, Thing(kind.slug, one.name, one.iri), one.events)
        for kind in things.kinds
        if not kind.is_minor and words.strip()
        for one in matching(counted(kind), words)[:_MOST_THINGS]
    ]
    wanted = fold(words.strip())
    return sorted(found, key=lambda one: (fold(one.thing.name) != wanted, -one.events))[:_MOST_THINGS]


def _latest_first(graph: Graph, iris: Sequence[str]) -> list[str]:
    """Events by their time, the latest first; those without one at the end."""
    if not iris:
        return []
    nodes = " ".join(str(NamedNode(iri)) for iri in iris)
    starts: dict[str, str] = {}
    for event, start in graph.select(f"SELECT ?e ?t {{ VALUES ?e {{ {nodes} }} ?e ev:start ?t }}"):
        if event is not None and start is not None:
            starts[event.value] = start.value
    return sorted(iris, key=lambda iri: (starts.get(iri, ""), iri), reverse=True)


def _says(event: EventText, values: frozenset[int]) -> bool:
    """Whether one of the values stands in an event under more than a key that no map names."""
    return any(number in values and not is_own_key(prop) for prop, number, _ in event.values)


def _texts(index: ValueIndex, iris: Sequence[str], values: frozenset[int]) -> dict[str, str]:
    """The longest text of each event in which the words stand."""
    found: dict[str, str] = {}
    for event in index.texts_of(iris):
        said = [text for prop, number, text in event.values if number in values and not is_own_key(prop)]
        found[event.iri] = max(said, key=len, default="")
    return found


def _found(event: Event, text: str, stems: frozenset[str]) -> FoundEvent:
    label = with_stems(event.label, stems)
    new = fold(" ".join(text.split())) not in fold(event.label)
    return FoundEvent(event, label, with_stems(text, stems) if text and new else ())


def _meant(index: ValueIndex, words: str) -> tuple[str, ...]:
    """Values that the words are but for a misspelling."""
    near = [value.text for value in index.near.misspelt(words)]
    return tuple(dict.fromkeys(text for text in near if len(text) <= LONGEST))[:_MOST_MEANT]
