"""The sides of a JOIN as columns of whole numbers, kept in the folder of the store's generation for the next join."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiler.table import TableQuery
from ...operators.evaluation.evaluate import NoValue, evaluate
from ...operators.expressions import Attribute, Binary, Expression, Name
from ...operators.names import free_names, holds_answer
from ...operators.syntax.printing import format_expression
from ..row_operators import Scope
from ..tables import Table
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


@dataclass
class Side:
    """One side of a join: its rows, read when they are needed, and its columns. `name` is i1 or i2."""

    name: str
    load: Callable[[], Table]
    scope: Scope
    identity: str
    """What the columns depend on: the query and the content of what it reads."""
    query: TableQuery
    """For all attributes that the rows have, of which `load` reads those that the join needs."""
    folder: Path | None = None
    _keys: dict[str, Keys] = field(default_factory=dict, init=False)
    _new: dict[str, Keys] = field(default_factory=dict, init=False)
    """Those of the keys that are in no file yet; what is moved from others need not be."""

    @cached_property
    def table(self) -> Table:
        """The rows."""
        return self.load()

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
        found = _encoded(self.values(expression))
        if found is not None:
            self._new[format_expression(expression)] = found
        return found

    def held(self, attribute: Attribute) -> Keys | None:
        """The keys of an attribute if they are at hand, under the attribute's own name in the rows."""
        return self._keys.get(format_expression(attribute))

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
            return self._kept[_EVENTS]  # type: ignore[return-value]
        return ["\n".join(row.events).encode() for row in self.table.rows]

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


def as_days(keys: Keys) -> Keys:
    """Moments as their days."""
    if keys.kind != "moment":
        return keys
    return Keys("day", np.floor_divide(keys.numbers, 86_400 * SCALE), keys.known)


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
