"""The sides of a JOIN as columns of whole numbers, kept in the folder of the store's generation for the next join."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiler.query import CompiledQuery, OutputColumn
from ...compiler.table import TableColumn, TableQuery
from ...operators.checking.types import Kind
from ...operators.evaluation.evaluate import NoValue, evaluate
from ...operators.expressions import Attribute, Binary, Expression, Name
from ...operators.names import free_names, holds_answer, joined_names
from ...operators.syntax.printing import format_expression
from ..row_operators import EvaluationScope
from ..tables import Found, RowTable
from .range_join import Integers

SCALE = 1_000_000
"""Numbers are held in millionths, lengths of time and moments in microseconds: exact, and on one scale per kind."""
_MOST = 2**62
_EVENTS = "events"


@dataclass(frozen=True)
class Keys:
    """One number per row; `kind` says which scale, `known` which rows have one."""

    kind: str
    numbers: Integers
    known: NDArray[np.bool_]

    @cached_property
    def days(self) -> Keys:
        """Moments as their days."""
        if self.kind != "moment":
            return self
        return Keys("day", np.floor_divide(self.numbers, 86_400 * SCALE), self.known)


@dataclass
class Side:
    """One side of a join: its rows, read when they are needed, and its columns. `name` is i1 or i2."""

    name: str
    load: Callable[[frozenset[str]], Found]
    """Reads the rows with the attributes that the join needs, and some more by name."""
    scope: EvaluationScope
    identity: str
    """What the columns depend on: the query and the content of what it reads."""
    query: TableQuery
    """For all attributes that the rows have."""
    folder: Path | None = None
    _keys: dict[str, Keys] = field(default_factory=dict, init=False)
    _new: dict[str, Keys] = field(default_factory=dict, init=False)
    """Those of the keys that are in no file yet; what is moved from others need not be."""

    @cached_property
    def _found(self) -> Found:
        return self.load(frozenset())

    @property
    def table(self) -> RowTable:
        """The rows."""
        return self._found.table

    @property
    def plain(self) -> bool:
        """Whether a row is one event, another one in each row, from which all of its attributes can be read again."""
        single = len(self.query.events) == 1 and all(column.origin for column in self.query.columns)
        return single and len(set(self.events)) == len(self.events)

    def keys(self, expression: Expression) -> Keys | None:
        """The expression's value for each row as a number; None where its values have no scale, as texts."""
        text = format_expression(expression)
        if text not in self._keys:
            found = self._moved(expression) or self._from_file(text) or self._read(expression)
            if found is None:
                return None
            self._keys[text] = found
        return self._keys[text]

    def _from_file(self, text: str) -> Keys | None:
        kept = self._kept
        if f"{text}/numbers" not in kept:
            return None
        kind = kept[f"{text}/kind"].tobytes().decode().rstrip("\0")
        return Keys(kind, kept[f"{text}/numbers"], kept[f"{text}/known"])

    def _read(self, expression: Expression) -> Keys | None:
        """The keys of the values of the rows, which are worth keeping."""
        name = expression.name if isinstance(expression, Attribute) and expression.base == Name(self.name) else None
        found = _written(self._found, name) or _encoded(self.values(expression))
        if found is not None:
            self._new[format_expression(expression)] = found
        return found

    def is_kept(self, expression: Expression) -> bool:
        """Whether an earlier join left the expression's keys on disk, or those that they are moved from."""
        if f"{format_expression(expression)}/numbers" in self._kept:
            return True
        return isinstance(expression, Binary) and self.is_kept(expression.left)

    def handed(self, names: Sequence[str], *, read: bool) -> dict[str, Keys] | None:
        """The keys of some attributes; None where one is not at hand and may not be read, or has values without keys.

        What is read for this alone is told apart by its event, and kept like what the join needs.
        """
        texts = {name: format_expression(Attribute(Name(self.name), name)) for name in names}
        missing = [name for name, text in texts.items() if text not in self._keys and not self._held_in_file(text)]
        if missing and not (read and self._read_beside(missing, texts)):
            return None
        return {name: self._keys[text] for name, text in texts.items()}

    def _held_in_file(self, text: str) -> bool:
        found = self._from_file(text)
        if found is not None:
            self._keys[text] = found
        return found is not None

    def _read_beside(self, names: Sequence[str], texts: Mapping[str, str]) -> bool:
        """Reads attributes that the join does not need; whether all have keys."""
        more = self.load(frozenset(names))
        at = {event: place for place, event in enumerate(more.events)}
        order = np.array([at[event] for event in self.events], np.int64)
        for name in names:
            try:
                found = _written(more, name) or _encoded([row[name] for row in more.table.rows])
            except (KeyError, ValueError, ArithmeticError):  # none has it, or one of no such type: the query tells
                return False
            if found is None:
                return False
            found = Keys(found.kind, found.numbers[order], found.known[order])
            self._keys[texts[name]] = self._new[texts[name]] = found
        self.keep()
        return True

    def _moved(self, expression: Expression) -> Keys | None:
        """The keys of a moment, length or number with something fixed added: those without it, moved."""
        if not isinstance(expression, Binary) or expression.operator not in ("+", "-"):
            return None
        if free_names(expression.right) or holds_answer(expression.right) or free_names(expression.left) != {self.name}:
            return None
        base = self.keys(expression.left)
        added = _encoded([evaluate(expression.right, self.scope.environment({}))])
        if base is None or added is None or added.kind != _ADDED.get(base.kind):
            return None
        sign = 1 if expression.operator == "+" else -1
        return Keys(base.kind, base.numbers + sign * added.numbers[0], base.known)

    def values(self, expression: Expression) -> list[Any]:
        """The expression's value for each row, None where it has none."""
        rows = self.table.rows
        if isinstance(expression, Attribute) and expression.base == Name(self.name):
            return [row.get(expression.name) for row in rows]
        found, scope = [], self.scope.over(len(rows))
        for row in rows:
            try:
                found.append(evaluate(expression, scope.environment({self.name: row})))
            except NoValue:
                found.append(None)
        return found

    @cached_property
    def events(self) -> Sequence[bytes]:
        """IRIs of each row's events, with new lines between."""
        if _EVENTS in self._kept:
            return self._kept[_EVENTS].tolist()
        return self._found.events

    def __len__(self) -> int:
        return len(self.events)

    def keep(self) -> None:
        """Writes the columns for the next join, beside those that were kept before, if there are new ones."""
        if self.folder is None or not self._new:
            return
        arrays: dict[str, Any] = {**self._kept, _EVENTS: np.array(self.events, dtype=np.bytes_)}
        for text, keys in self._new.items():
            arrays[f"{text}/numbers"], arrays[f"{text}/known"] = keys.numbers, keys.known
            arrays[f"{text}/kind"] = np.array(keys.kind.encode(), dtype=np.bytes_)
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_suffix(".part")
        with partial.open("wb") as out:
            np.savez(out, **arrays)
        partial.replace(self._path)

    @property
    def _path(self) -> Path:
        digest = hashlib.sha256(f"{self.name}\n{self.identity}".encode()).hexdigest()[:32]
        return (self.folder or Path()) / f"columns-{digest}.npz"

    @cached_property
    def _kept(self) -> Mapping[str, NDArray[Any]]:
        if self.folder is None or not self._path.exists():
            return {}
        self._path.touch()  # what a generation uses, the next one gets (store.generations)
        with np.load(self._path, allow_pickle=False) as held:
            return {name: held[name] for name in held.files}


def ranked(left: Sequence[Any], right: Sequence[Any]) -> tuple[Keys, Keys] | None:
    """Texts, or numbers that millionths cannot hold, by their places in the order of all of them; None for others."""
    held = {value for value in (*left, *right) if value is not None}
    if not any(all(isinstance(value, kinds) for value in held) for kinds in (str, (int, Decimal))):
        return None
    places = {value: at for at, value in enumerate(sorted(held))}
    return _placed(left, places), _placed(right, places)


def _placed(values: Sequence[Any], places: Mapping[Any, int]) -> Keys:
    known = np.array([value is not None for value in values], np.bool_)
    return Keys("place", np.array([places.get(value, 0) for value in values], np.int64), known)


def _written(found: Found, name: str | None) -> Keys | None:
    """The keys of an attribute's days or moments, read at once; None of others, or where some are written otherwise."""
    kind, texts = (name and found.texts(name)) or (Kind.EVENT, [])
    if {*map(len, filter(None, texts))} != {_SIGNS.get(kind)}:
        return None
    known = np.array([text is not None for text in texts], np.bool_)
    held = [text or "1970-01-01" for text in texts]
    if min(held) < "0001":  # Python has no such years: the row tells what is wrong
        return None
    if kind is Kind.DATE:
        return Keys("day", np.array(held, "datetime64[D]").astype(np.int64), known)
    return Keys("moment", np.array(held, "datetime64[us]").astype(np.int64), known)


_SIGNS = {Kind.DATE: 10, Kind.DATETIME: 19}
"""How long most days and moments are, which have neither fractions nor a zone."""


def _encoded(values: Sequence[Any]) -> Keys | None:
    held = {type(value) for value in values if value is not None}
    known = np.array([value is not None for value in values], np.bool_)
    kind = _KINDS.get(next(iter(held))) if len(held) == 1 else "number" if held == {int, Decimal} else None
    if not held:
        return Keys("none", np.zeros(len(values), np.int64), known)
    if kind is None:
        return None
    if kind in ("moment", "day", "length"):
        numpy = {"moment": "datetime64[us]", "day": "datetime64[D]", "length": "timedelta64[us]"}[kind]
        numbers = np.array(values, dtype=numpy).astype(np.int64)
        return Keys(kind, np.where(known, numbers, 0), known)
    exact = [0 if value is None else _whole(value) for value in values]
    if any(number is None for number in exact):
        return None
    return Keys(kind, np.array(exact, np.int64), known)


def _whole(value: Any) -> int | None:
    """A number or time in millionths; None where that is not exact."""
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second) * SCALE + value.microsecond
    scaled = value * SCALE
    whole = int(scaled)
    return whole if whole == scaled and abs(whole) < _MOST else None


_ADDED = {"moment": "length", "length": "length", "number": "number"}
"""What may be added to keys of a kind."""
_KINDS: Mapping[type, str] = {
    datetime: "moment",
    date: "day",
    timedelta: "length",
    time: "time",
    int: "number",
    Decimal: "number",
    bool: "truth",
}


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
    events = dict.fromkeys(chain.from_iterable(zip(*lists, strict=True)))
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


def merged_columns(left: Side, right: Side) -> tuple[TableColumn, ...]:
    """The attributes of both sides; those of the right by the places of its events among all."""
    shift = len(left.query.events)
    theirs = {c.name: c for c in right.query.columns}
    mine = {c.name: c for c in left.query.columns}
    held = joined_names(mine, {name: _shifted(column, shift) for name, column in theirs.items()})
    return tuple(replace(column, name=name) for name, column in held.items())


def _shifted(column: TableColumn, shift: int) -> TableColumn:
    if column.origin is None:
        return column
    at, key, kind = column.origin
    return replace(column, origin=(at + shift, key, kind))
