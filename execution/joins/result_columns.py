"""The rows of a JOIN handed back from the columns that it was found by, where these hold all that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiler.query import CompiledQuery, OutputColumn
from ...compiler.table import TableColumn
from ...operators.checking.types import Kind
from ...operators.expressions import Attribute, Name
from .join_sides import SCALE, Keys, Side
from .range_join import Integers


@dataclass(frozen=True)
class Pairs:
    """The pairs of a JOIN as positions in its two sides, in the order of its rows; `columns` as the JOIN names them."""

    sides: tuple[Side, Side]
    places: tuple[Integers, Integers]
    columns: tuple[TableColumn, ...]


Handed = tuple[tuple[tuple[Any, ...], ...], tuple[str, ...]]
"""Rows aligned with a query's columns, and the events behind them."""


def handed(pairs: Pairs, query: CompiledQuery) -> Handed | None:
    """What a query over the pairs answers; None where a column of it is none of those that the pairs were found by."""
    by_name = {column.name: column for column in pairs.columns}
    found = list[Sequence[Any]]()
    for column in query.columns:
        values = _values(pairs, by_name[column.name], column) if column.name in by_name else None
        if values is None:
            return None
        found.append(values)
    rows = tuple(zip(*found, strict=True)) if len(pairs.places[0]) else ()
    lists = [
        [side.events[at] for at in places.tolist()] for side, places in zip(pairs.sides, pairs.places, strict=True)
    ]
    events = dict.fromkeys(event for pair in zip(*lists, strict=True) for event in pair)
    return rows, tuple(event.decode() for event in events)


def _values(pairs: Pairs, column: TableColumn, wanted: OutputColumn) -> Sequence[Any] | None:
    if column.origin is None:
        return None
    at, key, _ = column.origin
    side = pairs.sides[at]
    keys = side.held(Attribute(Name(side.name), key))
    decode = _DECODED.get((keys.kind, wanted.type.kind)) if keys is not None else None
    if keys is None or decode is None:
        return None
    return _decoded(keys, pairs.places[at], decode)


def _decoded(keys: Keys, places: Integers, decode: Callable[[Integers], Any]) -> Sequence[Any]:
    values, known = decode(keys.numbers[places]).tolist(), keys.known[places]
    return values if known.all() else [value if there else None for value, there in zip(values, known, strict=True)]


_DECODED: dict[tuple[str, Kind], Callable[[Integers], Any]] = {
    ("moment", Kind.DATETIME): lambda numbers: numbers.astype("datetime64[us]"),
    ("day", Kind.DATE): lambda numbers: numbers.astype("datetime64[D]"),
    ("length", Kind.DURATION): lambda numbers: numbers.astype("timedelta64[us]"),
    ("number", Kind.INT): lambda numbers: np.floor_divide(numbers, SCALE),
    ("number", Kind.FLOAT): lambda numbers: numbers / SCALE,
}
