"""What looking around knows of all the data: its kinds of events, its sources, its days. Read once a generation, beside
the engine's work."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from ....errors import StoreError, UsageError
from ....ontology.namespaces import EV, GRAPH, KEY
from ....retrieval.people import People, load_people
from ....store.database import open_database
from ....store.event_kinds import EventKinds, event_kinds
from ....store.generations import EventGraph, exists
from ....store.graph import Graph
from ....store.index.index import ValueIndex
from ....store.index.statistics import Statistics
from ....store.rdf import NamedNode
from ....store.vocabulary import Vocabulary, load_vocabulary
from ....store.words import key_words
from ..frame.pages import Pages

T = TypeVar("T")
SOURCES: Final = GRAPH + "source/"
DAY, START = EV + "day", EV + "start"
_MOST_KEPT: Final = 64
_INDEX: Final = "values.sqlite"
_ON_DAYS: Final = "?e ev:day ?d ."
_ON_STARTS: Final = (
    "{ ?e ev:day ?d } UNION { ?e ev:start ?t FILTER NOT EXISTS { ?e ev:day ?said } "
    "BIND(STRDT(SUBSTR(STR(?t), 1, 10), xsd:date) AS ?d) }"
)
"""Own maps may say when something began and leave its days to others."""
_COUNTS = """SELECT {chosen} ?c ?g (COUNT({counted}) AS ?n) {{ VALUES ?g {{ {graphs} }} VALUES ?c {{ {classes} }}
  GRAPH ?g {{ {pattern} FILTER(?d >= "{year:04}-01-01"^^xsd:date && ?d <= "{year:04}-12-31"^^xsd:date) ?e a ?c }}
}} GROUP BY {chosen} ?c ?g"""


@dataclass(frozen=True)
class Life:
    """All that is known of the events of a generation. `classes` counts events by the IRI of their kind, `properties`
    are (property, kind, events, distinct texts), `days` the days with events, in order."""

    generation: str
    vocabulary: Vocabulary
    kinds: EventKinds
    statistics: Statistics
    classes: tuple[tuple[str, int], ...]
    properties: tuple[tuple[str, str, int, int], ...]
    people: People
    sources: tuple[str, ...]
    days: tuple[str, ...]

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years with events, in order."""
        return tuple(sorted({int(day[:4]) for day in self.days}))

    @cached_property
    def on_days(self) -> str:
        """The pattern in which ?e is an event of the day ?d."""
        return on_days(self.statistics)

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Properties by which events lead to other resources, those of most links first."""
        found = Counter[str]()
        for kind, _ in self.classes:
            known = self.statistics.classes.get(kind)
            found.update(known.properties if known is not None else {})
        return tuple(prop for prop, _ in found.most_common() if self._leads_on(prop))

    def _leads_on(self, prop: str) -> bool:
        known = self.statistics.properties.get(prop)
        shown = prop.startswith(EV) or prop in self.vocabulary.properties
        hidden = prop == EV + "source" or self.kinds.is_internal(prop)
        return known is not None and "" in known.datatypes and shown and not hidden

    def word(self, kind: str) -> str:
        """What a kind of events is called, or a property."""
        known = self.vocabulary.classes.get(kind)
        return known.label if known is not None else key_words(short(kind))

    def label(self, prop: str) -> str:
        """What a property is called."""
        return self.vocabulary.property_label(prop) or key_words(short(prop))

    def before(self, day: str) -> str | None:
        """The last day with events before a day."""
        at = bisect_left(self.days, day)
        return self.days[at - 1] if at else None

    def after(self, day: str) -> str | None:
        """The first day with events after a day."""
        at = bisect_right(self.days, day)
        return self.days[at] if at < len(self.days) else None


def short(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar; what a record says may be none."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_own_key(prop: str) -> bool:
    """Whether a property is a key of an export that no map names."""
    return prop.startswith(KEY)


def source_nodes(sources: tuple[str, ...]) -> str:
    """The graphs of sources for a VALUES clause."""
    return " ".join(str(NamedNode(source)) for source in sources)


def on_days(statistics: Statistics) -> str:
    """The pattern in which ?e is an event of the day ?d, as these data say it."""
    used = statistics.properties
    stated, begun = used.get(DAY), used.get(START)
    return _ON_DAYS if begun is None or (stated is not None and stated.subjects >= begun.subjects) else _ON_STARTS


def opened_index(graph: EventGraph) -> ValueIndex:
    """The index of values that the engine keeps of the graph's generation, opened for this thread; close it."""
    return ValueIndex(open_database(graph.index_directory / _INDEX, "read"))


def read_life(graph: EventGraph) -> Life:
    """What there is in a graph."""
    vocabulary = load_vocabulary(graph)
    with opened_index(graph) as index:
        statistics, classes, properties = index.statistics, index.classes(), index.properties()
    sources = tuple(iri for iri in graph.graphs() if iri.startswith(SOURCES))
    days = _distinct(graph, sources, "d", on_days(statistics))
    told = frozenset(_distinct(graph, sources, "c", "?e a ?c"))  # a vocabulary's own measures are no events
    return Life(
        graph.generation,
        vocabulary,
        event_kinds(graph, vocabulary),
        statistics,
        tuple(found for found in classes if found[0] in told),
        tuple(found for found in properties if found[1] in told),
        load_people(graph, vocabulary),
        sources,
        tuple(sorted({day[:10] for day in days if is_day(day[:10])})),
    )


def _distinct(graph: EventGraph, sources: tuple[str, ...], name: str, pattern: str) -> list[str]:
    """What a variable of a pattern stands for in the graphs of sources."""
    rows = graph.select(
        f"SELECT DISTINCT ?{name} {{ VALUES ?g {{ {source_nodes(sources)} }} GRAPH ?g {{ {pattern} }} }}"
    )
    return [value.value for (value,) in rows if value is not None]


def _is_there(directory: Path) -> bool:
    """Whether there is a store; a folder in which only the service has its files is none yet."""
    try:
        return exists(directory)
    except UsageError:
        return False


@dataclass
class Looking:
    """Reads for pages that look around; what was counted stays until an import replaces the data."""

    pages: Pages
    _life: Life | None = field(default=None, init=False)
    _kept: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict[Hashable, Any], init=False)
    _guard: Lock = field(default_factory=Lock, init=False)

    async def read(self, does: Callable[[EventGraph, Life], T]) -> T | None:
        """What reading gives; None where there is no store yet. Raises as `Pages.read`."""
        try:
            return await self.pages.read(lambda graph: does(graph, self._known(graph)))
        except (StoreError, UsageError):
            if _is_there(self.pages.held.directory):
                raise
            return None

    def once(self, life: Life, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once for these data; what was not asked for in a while goes."""
        key = (life.generation, key)
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._guard:
            self._kept[key] = made
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _known(self, graph: EventGraph) -> Life:
        kept = self._life
        if kept is None or kept.generation != graph.generation:
            kept = self._life = read_life(graph)
        return kept


@dataclass(frozen=True)
class Chosen:
    """Kinds and sources, by their short names, to which a reader narrowed what is shown; nothing is everything."""

    kinds: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()

    def has(self, kind: str, source: str) -> bool:
        """Whether events of a kind from a source are shown."""
        return (not self.kinds or kind in self.kinds) and (not self.sources or source in self.sources)


@dataclass(frozen=True)
class Count:
    """So many events of a kind from a source touch a day; of the year, where it is ""."""

    day: str
    kind: str
    source: str
    events: int


@dataclass(frozen=True)
class Counts:
    """The counts of a year: of its days, where an event of several days counts on each of them, and `whole`, where it
    counts once."""

    rows: tuple[Count, ...]
    whole: tuple[Count, ...] = ()

    def by_day(self, chosen: Chosen) -> Counter[str]:
        """Events of each day."""
        return _sums((row.day, row.events) for row in self.rows if chosen.has(row.kind, row.source))

    def total(self, chosen: Chosen) -> int:
        """Events of the year."""
        return sum(row.events for row in self.whole if chosen.has(row.kind, row.source))

    def by_kind(self, sources: Collection[str]) -> list[tuple[str, int]]:
        """Events of each kind, from the chosen sources; the most first."""
        return _sums((row.kind, row.events) for row in self.whole if not sources or row.source in sources).most_common()

    def by_source(self, kinds: Collection[str]) -> list[tuple[str, int]]:
        """Events of each source, of the chosen kinds; the most first."""
        return _sums((row.source, row.events) for row in self.whole if not kinds or row.kind in kinds).most_common()


def counts_of(graph: Graph, life: Life, year: int) -> Counts:
    """The counts of a year."""
    classes = " ".join(str(NamedNode(iri)) for iri, _ in life.classes)
    asked = {"graphs": source_nodes(life.sources), "classes": classes, "pattern": life.on_days, "year": year}
    days = graph.select(_COUNTS.format(chosen="?d", counted="*", **asked))
    found = [
        Count(day.value[:10], short(kind.value), short(source.value), int(number.value))
        for day, kind, source, number in days
        if day is not None and is_day(day.value[:10]) and kind is not None and source is not None and number is not None
    ]
    whole = [
        Count("", short(kind.value), short(source.value), int(number.value))
        for kind, source, number in graph.select(_COUNTS.format(chosen="", counted="DISTINCT ?e", **asked))
        if kind is not None and source is not None and number is not None
    ]
    return Counts(tuple(sorted(found, key=lambda row: (row.day, row.kind, row.source))), tuple(whole))


def _sums(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    found = Counter[str]()
    for key, number in pairs:
        found[key] += number
    return found
