"""The values of all instances as columns, so that what an answer's events have in common is counted without a query.

One pass over what was imported gives, for each property, which instances have which value: numbers, moments (seconds of
the wall clock), truths, or texts, each text once. A property whose texts tell instances apart and group none (names of
files, long texts) has no column, but its triples count. `open_columns` keeps them with the store's generation.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...ontology.namespaces import RDF_TYPE, XSD
from ..event_kinds import EventKinds
from ..rdf import Literal, NamedNode, Term
from .graph_facts import Described

Numbers = NDArray[np.float64]
Places = NDArray[np.int32]
MOST_TEXTS: Final = 50_000
"""Distinct texts of a property beyond which they group nothing."""
LONGEST: Final = 80
"""Characters of a text that may name a group."""
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", "int", "long"))
_DATES: Final = frozenset({XSD + "date", XSD + "dateTime"})
_EPOCH: Final = datetime(1970, 1, 1)


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    NUMBER = "number"
    MOMENT = "moment"
    DAY = "day"
    TRUTH = "truth"


@dataclass(frozen=True)
class Column:
    """Values of one property: the instance `subjects[i]` has `held[i]`, a number, the seconds since 1970 of a moment or
    day, 0 or 1, or a place in `texts`."""

    kind: Kind
    subjects: Places
    held: Numbers
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Links:
    """Links between instances: `subjects[i]` has the property `names[properties[i]]` with the value `objects[i]`."""

    subjects: Places
    properties: Places
    objects: Places
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """Instances by number: their IRIs, the number of their class in `classes`, how many distinct literals each has, the
    columns by property, how many triples with literals each property has, and the links between instances."""

    iris: tuple[str, ...]
    classes: tuple[str, ...]
    kinds: Places
    literals: Places
    columns: Mapping[str, Column]
    triples: Mapping[str, int]
    links: Links

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each instance."""
        return {iri: number for number, iri in enumerate(self.iris)}

    def numbers_of(self, iris: Sequence[str]) -> Places:
        """The numbers of instances, -1 for what is none."""
        known = self.numbers
        return np.fromiter((known.get(iri, -1) for iri in iris), dtype=np.int32, count=len(iris))

    def places(self, iris: Sequence[str]) -> Places:
        """For each instance its place among `iris`, -1 for one that is not among them."""
        numbers = self.numbers_of(iris)
        known = numbers >= 0
        found = np.full(len(self.iris), -1, dtype=np.int32)
        found[numbers[known]] = np.flatnonzero(known)
        return found


@dataclass
class _Values:
    """One property's column under way."""

    subjects: array[int] = field(default_factory=lambda: array("i"))
    held: array[float] = field(default_factory=lambda: array("d"))
    kinds: set[Kind] = field(default_factory=set[Kind])
    texts: dict[str, int] = field(default_factory=dict[str, int])
    triples: int = 0
    open: bool = True

    def add(self, subject: int, term: Literal) -> None:
        """Takes a value in."""
        self.triples += 1
        read = _read(term) if self.open else None
        if read is None:
            return
        kind, value = read
        if isinstance(value, str):
            number = self.texts.setdefault(value, len(self.texts))
            if number >= MOST_TEXTS:
                self.open, self.texts = False, {}
                self.subjects, self.held = array("i"), array("d")
                return
            value = float(number)
        self.kinds.add(kind)
        self.subjects.append(subject)
        self.held.append(value)

    def column(self) -> Column | None:
        """The column; None where it groups nothing, or has values of several kinds."""
        if not self.open or len(self.kinds) != 1:
            return None
        (kind,) = self.kinds
        held = np.frombuffer(self.held, dtype=np.float64)
        return Column(kind, np.frombuffer(self.subjects, dtype=np.int32), held, tuple(self.texts))


def _read(term: Literal) -> tuple[Kind, float | str] | None:
    """A literal as a column holds it; None for what groups nothing."""
    datatype, text = term.datatype.value, term.value
    try:
        if datatype in _NUMBERS:
            number = float(text)
            return (Kind.NUMBER, number) if np.isfinite(number) else None
        if datatype in _DATES:
            return _moment(text)
    except ValueError:
        return None
    if datatype == XSD + "boolean":
        return Kind.TRUTH, float(text in ("true", "1"))
    return (Kind.TEXT, text) if text and len(text) <= LONGEST else None


def _moment(text: str) -> tuple[Kind, float]:
    if len(text) == len("2024-03-01"):
        return Kind.DAY, (date.fromisoformat(text).toordinal() - _EPOCH.toordinal()) * 86_400.0
    moment = datetime.fromisoformat(text).replace(tzinfo=None)
    return Kind.MOMENT, (moment - _EPOCH).total_seconds()


@dataclass
class ColumnWriter:
    """Columns under way: give it each subject of each graph, then ask for `columns`."""

    kinds: EventKinds
    _numbers: dict[str, int] = field(default_factory=dict[str, int])
    _classes: dict[str, int] = field(default_factory=dict[str, int])
    _class_of: array[int] = field(default_factory=lambda: array("i"))
    _literals: array[int] = field(default_factory=lambda: array("i"))
    _values: dict[str, _Values] = field(default_factory=dict[str, _Values])
    _links: tuple[array[int], array[int], array[int]] = field(
        default_factory=lambda: (array("i"), array("i"), array("i"))
    )
    _properties: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, iri: str, described: Described) -> None:
        """Takes in what one graph says of a subject."""
        subject = self._number(iri)
        types = [value.value for prop, value in described if prop == RDF_TYPE]
        if types:
            name = self.kinds.narrowest(types) or min(types)
            self._class_of[subject] = self._classes.setdefault(name, len(self._classes))
        literals = 0
        for prop, value in described:
            if isinstance(value, Literal):
                literals += 1
                if not self.kinds.is_internal(prop):
                    (self._values.get(prop) or self._values.setdefault(prop, _Values())).add(subject, value)
            elif prop != RDF_TYPE:
                self._link(subject, prop, value)
        self._literals[subject] += literals

    def _link(self, subject: int, prop: str, value: Term) -> None:
        if isinstance(value, NamedNode):
            subjects, properties, objects = self._links
            subjects.append(subject)
            properties.append(self._properties.setdefault(prop, len(self._properties)))
            objects.append(self._number(value.value))

    def _number(self, iri: str) -> int:
        number = self._numbers.get(iri)
        if number is None:
            number = self._numbers[iri] = len(self._numbers)
            self._class_of.append(-1)
            self._literals.append(0)
        return number

    def columns(self) -> Columns:
        """What was taken in."""
        told = {prop: values.column() for prop, values in self._values.items()}
        kinds = _array(self._class_of)
        subjects, properties, objects = map(_array, self._links)
        between = (kinds[subjects] >= 0) & (kinds[objects] >= 0) if len(subjects) else np.zeros(0, dtype=np.bool_)
        return Columns(
            tuple(self._numbers),
            tuple(self._classes),
            kinds,
            _array(self._literals),
            {prop: column for prop, column in told.items() if column is not None},
            {prop: values.triples for prop, values in self._values.items()},
            Links(subjects[between], properties[between], objects[between], tuple(self._properties)),
        )


def columns_of(described: Iterable[tuple[str, Described]], kinds: EventKinds) -> Columns:
    """The columns of subjects with what is said of them."""
    writer = ColumnWriter(kinds)
    for iri, said in described:
        writer.add(iri, said)
    return writer.columns()


def joined(parts: Sequence[Columns]) -> Columns:
    """The columns of several graphs as one; an instance of several has what all say of it."""
    if len(parts) == 1:
        return parts[0]
    numbers, names, properties = dict[str, int](), dict[str, int](), dict[str, int]()
    held: dict[str, list[tuple[Column, Places]]] = {}
    links: list[Places] = []
    triples: dict[str, int] = {}
    kinds, literals = list[tuple[Places, Places]](), list[tuple[Places, Places]]()
    for part in parts:
        own = np.array([numbers.setdefault(iri, len(numbers)) for iri in part.iris], dtype=np.int32)
        classes = np.array([*(names.setdefault(name, len(names)) for name in part.classes), -1], dtype=np.int32)
        kinds.append((own, classes[part.kinds]))
        literals.append((own, part.literals))
        for prop, column in part.columns.items():
            held.setdefault(prop, []).append((column, own[column.subjects]))
        for prop, number in part.triples.items():
            triples[prop] = triples.get(prop, 0) + number
        of = np.array([properties.setdefault(name, len(properties)) for name in part.links.names], dtype=np.int32)
        if len(part.links.subjects):
            links.append(
                np.stack((own[part.links.subjects], of[part.links.properties], own[part.links.objects])).astype(
                    np.int32
                )
            )
    all_kinds = np.full(len(numbers), -1, dtype=np.int32)
    all_literals = np.zeros(len(numbers), dtype=np.int32)
    for own, some in kinds:
        all_kinds[own[some >= 0]] = some[some >= 0]
    for own, some in literals:
        np.add.at(all_literals, own, some)
    together = np.concatenate(links, axis=1) if links else np.zeros((3, 0), dtype=np.int32)
    return Columns(
        tuple(numbers),
        tuple(names),
        all_kinds,
        all_literals,
        {prop: column for prop, some in held.items() if (column := _column_of(some)) is not None},
        triples,
        Links(together[0], together[1], together[2], tuple(properties)),
    )


def _column_of(parts: Sequence[tuple[Column, Places]]) -> Column | None:
    """One column of several, with the numbers that their instances have now; None where they are of several kinds."""
    if len({column.kind for column, _ in parts}) > 1:
        return None
    texts: dict[str, int] = {}
    values: list[Numbers] = []
    for column, _ in parts:
        if column.kind is Kind.TEXT:
            places = np.array([texts.setdefault(text, len(texts)) for text in column.texts], dtype=np.float64)
            values.append(places[column.held.astype(np.int64)])
        else:
            values.append(column.held)
    subjects = np.concatenate([subjects for _, subjects in parts])
    return (
        Column(parts[0][0].kind, subjects, np.concatenate(values), tuple(texts)) if len(texts) <= MOST_TEXTS else None
    )


def packed(columns: Columns) -> Iterator[tuple[str, NDArray[np.generic]]]:
    """Columns as named arrays; `unpacked` makes columns of them again."""
    yield "iris", _bytes(columns.iris)
    yield "classes", _bytes(columns.classes)
    yield "kinds", columns.kinds
    yield "literals", columns.literals
    yield "links", np.stack((columns.links.subjects, columns.links.properties, columns.links.objects))
    yield "link names", _bytes(columns.links.names)
    yield "properties", _bytes(tuple(columns.triples))
    yield "triples", np.array(list(columns.triples.values()), dtype=np.int64)
    for number, prop in enumerate(columns.triples):
        column = columns.columns.get(prop)
        if column is not None:
            yield f"{number}/kind", _bytes((column.kind,))
            yield f"{number}/subjects", column.subjects
            yield f"{number}/held", column.held
            yield f"{number}/texts", _bytes(column.texts)


def unpacked(held: Mapping[str, NDArray[np.generic]]) -> Columns:
    """The columns of named arrays. Raises KeyError or ValueError where they are none."""
    names = _texts(held["properties"])
    found: dict[str, Column] = {}
    for number, prop in enumerate(names):
        if f"{number}/kind" in held:
            kind = Kind(_texts(held[f"{number}/kind"])[0])
            subjects, values = held[f"{number}/subjects"], held[f"{number}/held"]
            found[prop] = Column(
                kind, subjects.astype(np.int32), values.astype(np.float64), _texts(held[f"{number}/texts"])
            )
    links = held["links"].astype(np.int32)
    return Columns(
        _texts(held["iris"]),
        _texts(held["classes"]),
        held["kinds"].astype(np.int32),
        held["literals"].astype(np.int32),
        found,
        dict(zip(names, (int(n) for n in held["triples"]), strict=True)),
        Links(links[0], links[1], links[2], _texts(held["link names"])),
    )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts as bytes, each behind its length."""
    lengths = np.array([len(text.encode("utf-8", "surrogatepass")) for text in texts], dtype=np.uint32)
    body = "".join(texts).encode("utf-8", "surrogatepass")
    head = np.array([len(texts)], dtype=np.uint32)
    return np.frombuffer(head.tobytes() + lengths.tobytes() + body, dtype=np.uint8)


def _texts(packed_: NDArray[np.generic]) -> tuple[str, ...]:
    data = packed_.tobytes()
    number = int(np.frombuffer(data[:4], dtype=np.uint32)[0])
    ends = 4 * (number + 1) + np.cumsum(np.frombuffer(data[4 : 4 * (number + 1)], dtype=np.uint32, count=number))
    begins = [4 * (number + 1), *ends[:-1].tolist()] if number else []
    return tuple(
        data[begin:end].decode("utf-8", "surrogatepass") for begin, end in zip(begins, ends.tolist(), strict=True)
    )


def _array(held: array[int]) -> Places:
    return np.frombuffer(held, dtype=np.int32) if len(held) else np.zeros(0, dtype=np.int32)
