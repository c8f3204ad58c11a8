"""What is counted of one named graph while it is read, and joining such counts to the statistics of a store.

Counts of graphs that have no subject in common add up. Subjects that stand in several graphs are read together, as if
they were a graph of their own, in which a triple may stand twice.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...ontology.namespaces import DERIVED, EV, RDF_TYPE, XSD
from ..rdf import BlankNode, Literal, Term
from .statistics import ClassStatistics, PropertyStatistics, Statistics

Described = Sequence[tuple[str, Term]]
"""What is said of one subject, as (property, value); values of one property stand together."""
_STRING: Final = XSD + "string"
_LANGUAGE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})")
_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
_READ: Final = {
    XSD + "dateTime": (re.compile(f"{_DAY}T{_CLOCK}"), datetime.fromisoformat),
    XSD + "date": (re.compile(_DAY), date.fromisoformat),
    XSD + "time": (re.compile(_CLOCK), time.fromisoformat),
    XSD + "integer": (_NUMBER, int),
    XSD + "decimal": (_DECIMAL, str),
    XSD + "boolean": (re.compile("true|false"), str),
}
"""Plain values of a datatype need no further reading: well-formed, no zone, no parts of a second, not too long."""


def is_plain(datatype: str, value: str) -> bool:
    """Whether a value is in the plain form of its datatype, if it has one."""
    known = _READ.get(datatype)
    if known is None:
        return True
    if not known[0].fullmatch(value):
        return False
    try:
        known[1](value)
    except ValueError:
        return False
    return True


class _Uses:
    """How one property is used."""

    __slots__ = ("datatypes", "distinct", "irregular", "subjects", "triples", "values")

    def __init__(self) -> None:
        self.triples = self.distinct = self.subjects = 0
        self.datatypes = set[str]()
        self.values = Distinct()
        self.irregular = False

    def add(self, value: Term) -> None:
        text = value.value
        if not isinstance(value, Literal):
            self.datatypes.add("")
            self.values.add(f"{text}\0" if isinstance(value, BlankNode) else f"{text}\0\0")
            return
        datatype = value.datatype.value
        self.datatypes.add(datatype)
        if datatype == _STRING:
            self.values.add(text)
            return
        self.values.add(f"{text}\0{value.language or ''}\0{datatype}")
        if not self.irregular and not is_plain(datatype, text):
            self.irregular = True


class _Kind:
    """How one class is used."""

    __slots__ = ("dated", "events", "held", "said", "untimed")

    def __init__(self) -> None:
        self.events = self.said = self.untimed = self.dated = 0
        self.held = Counter[str]()


@dataclass
class GraphFacts:
    """Counts of one graph, under way. `shared`: it is what stands of the subjects that several graphs have."""

    shared: bool = False
    _uses: dict[str, _Uses] = field(default_factory=dict[str, _Uses])
    _kinds: dict[str, _Kind] = field(default_factory=dict[str, _Kind])
    _overlaps: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def add(self, described: Described) -> Counter[str]:
        """Counts a subject; its classes, by how often they are said."""
        types, numbers = Counter[str](), dict[str, int]()
        last = ""
        uses: _Uses | None = None
        for prop, value in described:
            if prop != last or uses is None:
                if prop.startswith(DERIVED):
                    continue
                last, uses = prop, self._uses.get(prop) or self._uses.setdefault(prop, _Uses())
                uses.subjects += prop not in numbers
                numbers.setdefault(prop, 0)
            numbers[prop] += 1
            uses.add(value)
            if prop == RDF_TYPE:
                types[value.value] += 1
        for prop, number in numbers.items():
            self._uses[prop].triples += number
            self._uses[prop].distinct += number
        if self.shared:
            self._less_repeated(described)
        if types:
            self._count(types, numbers, described)
        return types

    def _less_repeated(self, described: Described) -> None:
        """Takes triples that stand in several graphs out of the distinct ones."""
        for (prop, _), times in Counter(described).items():
            if not prop.startswith(DERIVED):
                self._uses[prop].distinct -= times - 1

    def _count(self, types: Counter[str], numbers: Mapping[str, int], described: Described) -> None:
        untimed = 0
        if EV + "timePrecision" in numbers:
            untimed = sum(p == EV + "timePrecision" and o == Literal("day") for p, o in described)
        dated = _dated(described) if EV + "day" in numbers else 0
        for iri, times in types.items():
            kind = self._kinds.get(iri) or self._kinds.setdefault(iri, _Kind())
            kind.events += 1
            kind.said += times
            kind.untimed += times * untimed
            kind.dated += times * dated
            held = kind.held
            for prop, number in numbers.items():
                held[prop] += times * number
        if len(types) > 1:
            names = sorted(types)
            self._overlaps.update((one, other) for at, one in enumerate(names) for other in names[at + 1 :])

    def told(self) -> Facts:
        """The counts, to be kept."""
        return Facts(
            {
                name: [uses.triples, uses.distinct, uses.subjects, sorted(uses.datatypes), uses.irregular]
                for name, uses in sorted(self._uses.items())
            },
            {
                name: [kind.events, kind.said, kind.untimed, kind.dated, dict(sorted(kind.held.items()))]
                for name, kind in sorted(self._kinds.items())
            },
            sorted(self._overlaps),
            {name: uses.values.hashes() for name, uses in sorted(self._uses.items())},
        )


@dataclass(frozen=True)
class Facts:
    """Counts of one graph as plain values: by property [triples, distinct, subjects, datatypes, irregular], by class
    [events, times said, untimed, dated, {property: triples}], pairs of classes, and the hashes of each property's
    values (store.index.distinct)."""

    properties: Mapping[str, Sequence[Any]]
    classes: Mapping[str, Sequence[Any]]
    overlaps: Sequence[Sequence[str]]
    values: Mapping[str, Hashes]


def statistics_of(held: Sequence[Facts]) -> Statistics:
    """The statistics of graphs that have no subject in common."""
    return Statistics(
        {name: _class(parts) for name, parts in _by_name(facts.classes for facts in held).items()},
        {
            name: _property(parts, joined(facts.values[name] for facts in held if name in facts.values))
            for name, parts in _by_name(facts.properties for facts in held).items()
        },
        frozenset((one, other) for facts in held for one, other in facts.overlaps),
    )


def _by_name(tables: Iterable[Mapping[str, Sequence[Any]]]) -> dict[str, list[Sequence[Any]]]:
    found: dict[str, list[Sequence[Any]]] = {}
    for table in tables:
        for name, row in table.items():
            found.setdefault(name, []).append(row)
    return dict(sorted(found.items()))


def _property(parts: Sequence[Sequence[Any]], values: Hashes) -> PropertyStatistics:
    triples, distinct, subjects = (sum(part[at] for part in parts) for at in range(3))
    datatypes = frozenset(name for part in parts for name in part[3])
    return PropertyStatistics(triples, distinct, subjects, estimate(values), datatypes, any(part[4] for part in parts))


def _class(parts: Sequence[Sequence[Any]]) -> ClassStatistics:
    events, said, untimed, dated = (sum(part[at] for part in parts) for at in range(4))
    held = Counter[str]()
    for part in parts:
        held.update(part[4])
    return ClassStatistics(events, said != events, untimed, dict(sorted(held.items())), dated)


def _dated(described: Described) -> int:
    """How many of a subject's starts are of a day that it touches."""
    starts = [value.value[:10] for prop, value in described if prop == EV + "start"]
    days = [value.value for prop, value in described if prop == EV + "day"]
    return sum(start == day for start in starts for day in days)


MOST: Final = 16_384
"""Texts that are counted exactly."""
Hashes = NDArray[np.uint64]
_ALL: Final = 2**64


def text_hash(text: str) -> int:
    """64 bits that tell texts apart: of ten million texts two are taken for one with a chance of one in 400,000."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


class Distinct:
    """Counts distinct texts: exactly up to MOST; of more it keeps the smallest hashes, whose largest tells how dense
    they are (the k minimum values of Bar-Yossef and others, Counting distinct elements in a data stream, 2002)."""

    __slots__ = ("_hashes", "_limit", "_texts")

    def __init__(self) -> None:
        self._texts = set[str]()
        self._hashes: set[int] | None = None
        self._limit = _ALL

    def add(self, text: str) -> None:
        """Counts a text."""
        if self._hashes is not None:
            found = text_hash(text)
            if found < self._limit:
                self._hashes.add(found)
                if len(self._hashes) >= 2 * MOST:
                    self._shrink(self._hashes)
            return
        self._texts.add(text)
        if len(self._texts) > MOST:
            self._hashes = set(map(text_hash, self._texts))
            self._texts = set()

    def _shrink(self, held: set[int]) -> None:
        kept = sorted(held)[:MOST]
        self._limit, self._hashes = kept[-1], set(kept)

    def hashes(self) -> Hashes:
        """The smallest hashes, in order, MOST of them at most."""
        held = self._hashes if self._hashes is not None else map(text_hash, self._texts)
        return np.array(sorted(held)[:MOST], dtype=np.uint64)


def joined(held: Iterable[Hashes]) -> Hashes:
    """The smallest hashes of the texts of all."""
    found = list(held)
    return np.unique(np.concatenate(found))[:MOST] if found else np.zeros(0, dtype=np.uint64)


def estimate(hashes: Hashes) -> int:
    """How many distinct texts such hashes stand for; exact for fewer than MOST."""
    if len(hashes) < MOST:
        return len(hashes)
    return round((MOST - 1) * (_ALL / (int(hashes[-1]) + 1)))
