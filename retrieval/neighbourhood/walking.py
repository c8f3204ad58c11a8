"""The neighbourhood of an instance: what keys lead to, at most two steps away, by typed paths.

A key is a link between instances, in either direction, or a value that few share: a name, a place, a day. A path is a
category: "asked by · comment" are the comments of whoever asked. `Rule.STRICT` leaves out what is later than the query,
and of what has no time all but its name; `Rule.PAPER` takes everything, as published.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...ontology.namespaces import EV
from ...store.index.columns import Columns, Kind
from ...store.vocabulary import Vocabulary

MOST: Final = 30
"""Instances of a category: the latest (the paper's number of features)."""
_MANY: Final = 1_000
"""Neighbours by one link, or by one value, that are looked at: the latest."""
FEW: Final = 10
SHARE: Final = 0.2
"""A value tells something of those that have it where they are few, or no more than this share of those that have any
value of the property."""
_START: Final = EV + "start"
_END: Final = EV + "end"
_DAY: Final = EV + "day"
_A_DAY: Final = 86_400.0
_SKIPPED: Final = frozenset({EV + "source", EV + "sourceType", EV + "sourceId"})

Places = NDArray[np.int64]
_NO_ROWS: Final = np.zeros(0, dtype=np.int64)


class Rule(StrEnum):
    """What of a neighbourhood may be known when the query is asked."""

    STRICT = "strict"
    PAPER = "paper"


@dataclass(frozen=True)
class Category:
    """The instances that a path leads to, the latest first."""

    path: str
    instances: tuple[int, ...]


class Walker:
    """Neighbourhoods over the columns of a store; instances by their numbers there."""

    def __init__(self, columns: Columns, vocabulary: Vocabulary) -> None:
        self.columns = columns
        self._vocabulary = vocabulary

    def around(self, instance: int, rule: Rule = Rule.STRICT, most: int = MOST) -> tuple[Category, ...]:
        """The categories around an instance, by name; each with at most `most` instances."""
        found: dict[str, dict[int, None]] = defaultdict(dict)
        until = np.inf if rule is Rule.PAPER else float(self._ends[instance])
        for path, way in self._reached(instance, until):
            if instance not in way:
                found[path][way[-1]] = None
        return tuple(Category(path, self._latest(list(own), most)) for path, own in sorted(found.items()))

    def moment(self, instance: int) -> float:
        """When an instance was, in seconds of the wall clock since 1970; not a number for one without a time."""
        return float(self._starts[instance])

    def is_dated(self, instance: int) -> bool:
        """Whether an instance has a time."""
        return bool(np.isfinite(self._starts[instance]))

    def _known(self, neighbours: Places | NDArray[np.int32], until: float) -> Places:
        """Places of the neighbours that had begun by a moment, or have no time; of very many the latest."""
        starts = self._starts[neighbours]
        kept = np.flatnonzero(~(starts > until))
        if len(kept) <= _MANY:
            return kept
        return np.sort(kept[np.argsort(-np.nan_to_num(starts[kept], nan=-np.inf), kind="stable")[:_MANY]])

    def _latest(self, instances: list[int], most: int) -> tuple[int, ...]:
        starts = np.nan_to_num(self._starts[instances], nan=-np.inf)
        order = np.argsort(-starts, kind="stable")[:most]
        return tuple(instances[place] for place in order)

    def _reached(self, instance: int, until: float) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Paths with the way to what they lead to: one link, two links, else a value in common; the same day, and the
        days beside. Nothing that began after `until`."""
        linked = set[int]()
        for prop, path, middle in self._step(instance, until):
            linked.add(middle)
            yield path, (middle,)
            for _, further, neighbour in self._step(middle, until, along=prop):
                linked.add(neighbour)
                yield f"{path} · {further}", (middle, neighbour)
        for path, neighbour in self._sharing(instance, until):
            if neighbour not in linked:
                yield path, (neighbour,)
        yield from ((path, (neighbour,)) for path, neighbour in self._of_days(instance, until))

    def _step(self, instance: int, until: float, along: int | None = None) -> Iterator[tuple[int, str, int]]:
        """One link further, with its property; `along` is that of the link before, which need not be said again."""
        links = self.columns.links
        forward, backward = self._forward.rows(instance), self._backward.rows(instance)
        for at in forward[self._known(links.objects[forward], until)]:
            prop = int(links.properties[at])
            yield prop, self._property(links.names[prop]), int(links.objects[at])
        for at in backward[self._known(links.subjects[backward], until)]:
            prop, neighbour = int(links.properties[at]), int(links.subjects[at])
            name = self.class_name(neighbour)
            yield prop, name if prop == along else f"{name} ({self._property(links.names[prop])})", neighbour

    def _sharing(self, instance: int, until: float) -> Iterator[tuple[str, int]]:
        shared = self._shared
        for at in shared.of_subject.rows(instance):
            rows = shared.of_value.rows(int(shared.values[at]))
            if not 1 < len(rows) <= max(FEW, SHARE * shared.sizes[shared.properties[at]]):
                continue
            name = self._property(shared.names[shared.properties[at]])
            neighbours = shared.subjects[rows]
            for neighbour in map(int, neighbours[self._known(neighbours, until)]):
                yield f"same {name} · {self.class_name(neighbour)}", neighbour

    def _of_days(self, instance: int, until: float) -> Iterator[tuple[str, int]]:
        day = self.columns.columns.get(_DAY)
        if day is None or day.kind is not Kind.DAY:
            return
        for own in day.held[np.flatnonzero(day.subjects == instance)]:
            for offset, name in ((0.0, "same day"), (-_A_DAY, "day before"), (_A_DAY, "day after")):
                neighbours = day.subjects[self._of_day.rows(own + offset)]
                for neighbour in map(int, neighbours[self._known(neighbours, until)]):
                    yield f"{name} · {self.class_name(neighbour)}", neighbour

    def class_name(self, instance: int) -> str:
        """What instances of a class are called."""
        kind = int(self.columns.kinds[instance])
        iri = self.columns.classes[kind] if kind >= 0 else ""
        info = self._vocabulary.classes.get(iri)
        return info.label if info is not None else _last(iri)

    def _property(self, iri: str) -> str:
        return self._vocabulary.property_label(iri) or _last(iri)

    @cached_property
    def _starts(self) -> NDArray[np.float64]:
        return self._times(_START, np.nan)

    @cached_property
    def _ends(self) -> NDArray[np.float64]:
        """When an instance was over; endless where it has no time at all."""
        ends = self._times(_END, np.nan)
        return np.where(np.isfinite(ends), ends, np.where(np.isfinite(self._starts), self._starts, np.inf))

    def _times(self, prop: str, missing: float) -> NDArray[np.float64]:
        found = np.full(len(self.columns.iris), missing)
        column = self.columns.columns.get(prop)
        if column is not None and column.kind in (Kind.MOMENT, Kind.DAY):
            found[column.subjects] = column.held
        return found

    @cached_property
    def _forward(self) -> _Grouped:
        return _Grouped.by(self.columns.links.subjects)

    @cached_property
    def _backward(self) -> _Grouped:
        return _Grouped.by(self.columns.links.objects)

    @cached_property
    def _of_day(self) -> _Grouped:
        return _Grouped.by(self.columns.columns[_DAY].held)

    @cached_property
    def _shared(self) -> _Shared:
        return _shared(self.columns)


@dataclass(frozen=True)
class _Grouped:
    """Rows by key: those of `keys[i]` is `order[i]`; keys are sorted."""

    keys: NDArray[np.generic]
    order: Places

    @classmethod
    def by(cls, keys: NDArray[np.generic]) -> _Grouped:
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], order)

    def rows(self, key: float) -> Places:
        """The rows of a key."""
        start, end = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        return self.order[start:end]


@dataclass(frozen=True)
class _Shared:
    """Texts of all properties together: `subjects[i]` has the text `values[i]` in the property `properties[i]`, of
    which there are `sizes`. A text is one value, whatever its property and its case."""

    subjects: Places
    values: Places
    properties: Places
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    of_subject: _Grouped
    of_value: _Grouped


def _shared(columns: Columns) -> _Shared:
    numbers: dict[str, int] = {}
    names: list[str] = []
    subjects, values, properties = [_NO_ROWS], [_NO_ROWS], [_NO_ROWS]
    for prop, column in sorted(columns.columns.items()):
        if column.kind is not Kind.TEXT or prop in _SKIPPED:
            continue
        of_text = np.array([numbers.setdefault(text.casefold(), len(numbers)) for text in column.texts], dtype=np.int64)
        subjects.append(column.subjects.astype(np.int64))
        values.append(of_text[column.held.astype(np.int64)])
        properties.append(np.full(len(column.subjects), len(names), dtype=np.int64))
        names.append(prop)
    joined, held = np.concatenate(subjects), np.concatenate(values)
    of = np.concatenate(properties)
    sizes = tuple(len(own) for own in subjects[1:])
    return _Shared(joined, held, of, tuple(names), sizes, _Grouped.by(joined), _Grouped.by(held))


def _last(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1] or iri
