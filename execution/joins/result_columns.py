"""The rows of a JOIN handed back from the columns that it was found by, where these hold all that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiler.query import CompiledQuery, OutputColumn
from ...compiler.table import TableColumn
from ...operators.checking.types import Kind
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
    """What a query over the pairs answers; None where the query itself has to be asked for a column.

    Where a side has no more rows than there are pairs, a column that the pairs were not found by is read for all rows.
    """
    by_name = {column.name: column.origin for column in pairs.columns}
    origins = [by_name.get(column.name) for column in query.columns]
    held = list[dict[str, Keys] | None]()
    for at, side in enumerate(pairs.sides):
        names = [origin[1] for origin in origins if origin is not None and origin[0] == at]
        held.append(side.handed(names, read=len(side) <= len(pairs.places[at])))
    found = list[Sequence[Any]]()
    for column, origin in zip(query.columns, origins, strict=True):
        keys = held[origin[0]] if origin is not None else None
        values = _values(keys[origin[1]], column, pairs.places[origin[0]]) if origin is not None and keys else None
        if values is None:
            return None
        found.append(values)
    rows = tuple(zip(*found, strict=True)) if len(pairs.places[0]) else ()
    lists = [
        [side.events[at] for at in places.tolist()] for side, places in zip(pairs.sides, pairs.places, strict=True)
    ]
    events = dict.fromkeys(event for pair in zip(*lists, strict=True) for event in pair)
    return rows, tuple(event.decode() for event in events)


def _values(keys: Keys, wanted: OutputColumn, places: Integers) -> Sequence[Any] | None:
    decode = _DECODED.get((keys.kind, wanted.type.kind))
    if decode is None:
        return None
    values, known = decode(keys.numbers[places]).tolist(), keys.known[places]
    return values if known.all() else [value if there else None for value, there in zip(values, known, strict=True)]


_DECODED: dict[tuple[str, Kind], Callable[[Integers], Any]] = {
    ("moment", Kind.DATETIME): lambda numbers: numbers.astype("datetime64[us]"),
    ("day", Kind.DATE): lambda numbers: numbers.astype("datetime64[D]"),
    ("length", Kind.DURATION): lambda numbers: numbers.astype("timedelta64[us]"),
    ("number", Kind.INT): lambda numbers: np.floor_divide(numbers, SCALE),
    ("number", Kind.FLOAT): lambda numbers: numbers / SCALE,
}
