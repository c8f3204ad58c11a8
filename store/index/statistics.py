"""What is known of the data of a store: how many events a class has, and how its properties are used.

Counted graph by graph while the index of values is built or brought up to date (store.index.graph_facts), and kept in
it. The graphs of derivations are left out: they say nothing with the properties of imported data but what the queries
over them expect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class PropertyStatistics:
    """How a property is used.

    `triples` counts each named graph by itself; `distinct` counts what stands in several graphs once. `datatypes` are
    IRIs, "" for a resource; `irregular`: a value is not in the plain form of its datatype (a moment has a zone or parts
    of a second, a number is none).
    """

    triples: int
    distinct: int
    subjects: int
    values: int
    datatypes: frozenset[str]
    irregular: bool = False

    @property
    def functional(self) -> bool:
        """Whether every subject has one distinct value."""
        return self.distinct == self.subjects

    @property
    def repeated(self) -> bool:
        """Whether a triple stands in more than one graph."""
        return self.triples > self.distinct

    @property
    def single(self) -> bool:
        """Whether a pattern of the property holds at most once for each subject."""
        return self.triples == self.subjects


@dataclass(frozen=True, slots=True)
class ClassStatistics:
    """How a class is used: `repeated` when its membership is said in two graphs, `untimed` counts events of a day
    without a time, `properties` counts the triples of its instances by property, `dated` the starts whose day the
    event touches."""

    events: int
    repeated: bool
    untimed: int
    properties: Mapping[str, int]
    dated: int = 0


@dataclass(frozen=True)
class Statistics:
    """Classes and properties by IRI; `overlaps` are pairs of classes, in order, that have an instance in common."""

    classes: Mapping[str, ClassStatistics]
    properties: Mapping[str, PropertyStatistics]
    overlaps: frozenset[tuple[str, str]]

    def disjoint(self, classes: tuple[str, ...]) -> bool:
        """Whether no instance has two of the classes."""
        ordered = sorted(set(classes))
        pairs = {(a, b) for at, a in enumerate(ordered) for b in ordered[at + 1 :]}
        return not pairs & self.overlaps

    @cached_property
    def events(self) -> int:
        """The largest number of instances that a class has."""
        return max((held.events for held in self.classes.values()), default=0)


def as_json(found: Statistics) -> str:
    """Statistics as a text that `from_json` reads."""
    held = {
        "classes": {k: [c.events, c.repeated, c.untimed, c.properties, c.dated] for k, c in found.classes.items()},
        "properties": {
            k: [p.triples, p.distinct, p.subjects, p.values, sorted(p.datatypes), p.irregular]
            for k, p in found.properties.items()
        },
        "overlaps": sorted(found.overlaps),
    }
    return json.dumps(held)


def from_json(text: str) -> Statistics:
    """Statistics that were kept as a text."""
    held = json.loads(text)
    return Statistics(
        {k: ClassStatistics(*values) for k, values in held["classes"].items()},
        {k: PropertyStatistics(n, d, m, v, frozenset(t), i) for k, (n, d, m, v, t, i) in held["properties"].items()},
        frozenset((one, other) for one, other in held["overlaps"]),
    )
