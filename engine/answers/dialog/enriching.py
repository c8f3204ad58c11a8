"""Enrichment: the events of an answer become (subject, predicate, literal), over base and derived triples alike.

What is a link away (an artist's genre, a place's country) stands with the event itself where an ontology says so by
`owl:propertyChainAxiom`, so one pass over the columns has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ....ontology.namespaces import EV, RDFS
from ....store.index.columns import Column, Columns, Kind, Numbers, Places
from ....store.vocabulary import Vocabulary

START = EV + "start"
_TOWNS = frozenset({"city", "town"})
_TIMES = frozenset({EV + "end", EV + "day", EV + "startInstant", EV + "endInstant", RDFS + "label"})
"""What says again what the start says, or names the event."""


@dataclass(frozen=True)
class Attribute:
    """One predicate over the events of an answer: `places[i]` is the place of an event that has the value `held[i]`,
    as in a `Column`. `local` is the share of the events that have it, `overall` how many triples the store has."""

    iri: str
    label: str
    kind: Kind
    places: Places
    held: Numbers
    texts: tuple[str, ...]
    local: float
    overall: int
    multiple: bool
    """Whether an event has several values."""
    unit: str | None = None
    of_towns: bool = False
    """Whether its values are names of towns, above which are countries."""


def attributes_of(events: Sequence[str], parts: Iterable[Columns], vocabulary: Vocabulary) -> tuple[Attribute, ...]:
    """What the events of an answer have, most frequent first; `parts` are the columns of what was imported and of what
    is derived."""
    found: dict[str, list[tuple[Column, Places]]] = {}
    overall: dict[str, int] = {}
    for columns in parts:
        places = columns.places(events)
        for prop, column in columns.columns.items():
            if prop not in _TIMES:
                found.setdefault(prop, []).append((column, places[column.subjects]))
                overall[prop] = overall.get(prop, 0) + columns.triples.get(prop, 0)
    made = (
        _attribute(prop, held, overall[prop], len(events), vocabulary)
        for prop, held in found.items()
        if _known(prop, vocabulary)
    )
    return tuple(sorted((one for one in made if one is not None), key=lambda one: (-one.local, one.label)))


def _known(prop: str, vocabulary: Vocabulary) -> bool:
    """Whether people may be asked about a property: it has a name, and tells of the event."""
    info = vocabulary.properties.get(prop)
    return vocabulary.property_label(prop) is not None and not (info is not None and info.internal)


def _attribute(
    prop: str, held: Sequence[tuple[Column, Places]], overall: int, events: int, vocabulary: Vocabulary
) -> Attribute | None:
    """The property over the events that have it; None where none has, or columns are of different kinds."""
    some = [(column, places, np.flatnonzero(places >= 0)) for column, places in held]
    some = [one for one in some if len(one[2])]
    if not some or len({column.kind for column, _, _ in some}) > 1:
        return None
    texts: dict[str, int] = {}
    values: list[Numbers] = []
    for column, _, rows in some:
        numbers = column.held[rows]
        if column.kind is Kind.TEXT:
            numbers = _renumbered(numbers, column.texts, texts)
        values.append(numbers)
    places = np.concatenate([places[rows] for _, places, rows in some])
    info = vocabulary.properties.get(prop)
    label = vocabulary.property_label(prop) or ""
    having = np.zeros(events, dtype=np.bool_)
    having[places] = True
    number = int(having.sum())
    unit = info.unit if info is not None else None
    held_ = np.concatenate(values)
    multiple = number < len(places)
    towns = not _TOWNS.isdisjoint(info.labels if info is not None else (label,))
    kind, share = some[0][0].kind, number / events
    return Attribute(prop, label, kind, places, held_, tuple(texts), share, overall, multiple, unit, towns)


def _renumbered(numbers: Numbers, names: tuple[str, ...], texts: dict[str, int]) -> Numbers:
    """Places in a column's texts as places in `texts`, to which those that the events have are added."""
    codes = numbers.astype(np.int64)
    present = np.flatnonzero(np.bincount(codes, minlength=len(names)))
    places = np.zeros(len(names))
    places[present] = [texts.setdefault(names[code], len(texts)) for code in present.tolist()]
    return places[codes]
