"""How many events there are on each day of a year, by kind and by source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ....store.graph import Graph
from ....store.rdf import NamedNode
from .life import Life, is_day, short, source_nodes

_COUNTS = """SELECT {chosen} ?c ?g (COUNT({counted}) AS ?n) {{ VALUES ?g {{ {graphs} }} VALUES ?c {{ {classes} }}
  GRAPH ?g {{ {pattern} FILTER(?d >= "{year:04}-01-01"^^xsd:date && ?d <= "{year:04}-12-31"^^xsd:date) ?e a ?c }}
}} GROUP BY {chosen} ?c ?g"""


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
