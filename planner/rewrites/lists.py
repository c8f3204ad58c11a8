"""What a function of a list of rows (in APPLY, or over groups in MAP and FILTER) reads of them, and if it gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from ...operators.expressions import (
    Answer,
    Attribute,
    Builtin,
    Call,
    Comprehension,
    Expression,
    Function,
    Index,
    Lambda,
    Name,
    Slice,
)
from .expressions import field_names, parts


class _Kind(Enum):
    ROWS = auto()
    ROW = auto()
    VALUE = auto()


@dataclass(frozen=True)
class ListReading:
    """The attributes that a function reads from the rows of a list, None where that is not clear; whether it may answer
    rows of the list."""

    names: frozenset[str] | None
    gives_rows: bool


class _Unclear(Exception):
    """The function does something else with rows than read them."""


def list_reading(function: Function) -> ListReading:
    """What a function does with a list of rows."""
    if isinstance(function, Builtin):
        return ListReading(frozenset(), False) if function.name == "len" else ListReading(None, True)
    reader = _Reader()
    try:
        kind = reader.visit(function.body, {function.parameter: _Kind.ROWS})
    except _Unclear:
        return ListReading(None, True)
    return ListReading(frozenset(reader.names), kind is not _Kind.VALUE)


_COMPREHENSION = ("kind", "element", "variable", "iterable", "conditions")
_Scope = Mapping[str, _Kind]


@dataclass
class _Reader:
    names: set[str] = field(default_factory=set)

    def visit(self, expression: Expression, scope: _Scope) -> _Kind:
        """Whether an expression is the list, one row of it, or a value; its attributes are noted."""
        if isinstance(expression, Name):
            return scope.get(expression.identifier, _Kind.VALUE)
        if isinstance(expression, Attribute):
            return self._attribute(expression, scope)
        if isinstance(expression, Slice | Index):
            return self._part(expression, scope)
        if isinstance(expression, Comprehension) and field_names(type(expression)) == _COMPREHENSION:
            return self._comprehension(expression, scope)
        if isinstance(expression, Call):
            return self._call(expression, scope)
        if not isinstance(expression, Answer):
            self._values(parts(expression), scope)
        return _Kind.VALUE

    def _values(self, found: tuple[Expression, ...], scope: _Scope) -> None:
        """Rows may stand in none of these: what is done with them is not known."""
        for part in found:
            if self.visit(part, scope) is not _Kind.VALUE:
                raise _Unclear

    def _attribute(self, expression: Attribute, scope: _Scope) -> _Kind:
        kind = self.visit(expression.base, scope)
        if kind is _Kind.ROWS:
            raise _Unclear
        if kind is _Kind.ROW:
            self.names.add(expression.name)
        return _Kind.VALUE

    def _part(self, expression: Slice | Index, scope: _Scope) -> _Kind:
        first, *others = parts(expression)
        kind = self.visit(first, scope)
        self._values(tuple(others), scope)
        if kind is _Kind.ROW:
            raise _Unclear
        return _Kind.ROW if kind is _Kind.ROWS and isinstance(expression, Index) else kind

    def _comprehension(self, loop: Comprehension, scope: _Scope) -> _Kind:
        over = self.visit(loop.iterable, scope)
        if over is _Kind.ROW:
            raise _Unclear
        inner = {**scope, loop.variable: _Kind.ROW if over is _Kind.ROWS else _Kind.VALUE}
        self._values(loop.conditions, inner)
        made = self.visit(loop.element, inner)
        if made is _Kind.ROWS or (made is _Kind.ROW and loop.kind == "set"):
            raise _Unclear
        return _Kind.ROWS if made is _Kind.ROW else _Kind.VALUE

    def _call(self, call: Call, scope: _Scope) -> _Kind:
        if len(call.arguments) != 1 or call.function not in ("len", "sorted", "list", "min", "max"):
            self._values(parts(call), scope)
            return _Kind.VALUE
        kind = self.visit(call.arguments[0], scope)
        if kind is _Kind.ROW:
            raise _Unclear
        item = _Kind.ROW if kind is _Kind.ROWS else _Kind.VALUE
        for _, value in call.keywords:
            inner = {**scope, value.parameter: item} if isinstance(value, Lambda) else scope
            self._values((value.body if isinstance(value, Lambda) else value,), inner)
        if kind is _Kind.VALUE or call.function == "len":
            return _Kind.VALUE
        return _Kind.ROWS if call.function in ("sorted", "list") else _Kind.ROW
