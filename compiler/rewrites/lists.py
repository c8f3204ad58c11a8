"""What a function of a list of rows reads of them, and whether it gives them (APPLY; MAP and FILTER over groups)."""

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
    Loop,
    Loops,
    Name,
    Slice,
    target_names,
)
from ...operators.names import parts


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


_OF_LISTS = frozenset({"len", "sorted", "list", "min", "max"})
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
        if isinstance(expression, Comprehension):
            loop = Loop(expression.variable, expression.iterable, expression.conditions)
            return self._comprehension((loop,), expression.element, scope, expression.kind)
        if isinstance(expression, Loops):
            return self._comprehension(expression.loops, expression.element, scope, expression.kind)
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
        kind = self.visit(expression.base, scope)
        if kind is _Kind.ROW:
            raise _Unclear
        return _Kind.ROW if kind is _Kind.ROWS and isinstance(expression, Index) else kind

    def _comprehension(self, loops: tuple[Loop, ...], made: Expression, scope: _Scope, kind: str) -> _Kind:
        for loop in loops:
            over = self.visit(loop.iterable, scope)
            if over is _Kind.ROW or (over is _Kind.ROWS and not isinstance(loop.target, str)):
                raise _Unclear
            item = _Kind.ROW if over is _Kind.ROWS else _Kind.VALUE
            scope = {**scope, **dict.fromkeys(target_names(loop.target), item)}
            self._values(loop.conditions, scope)
        found = self.visit(made, scope)
        if found is _Kind.VALUE:
            return _Kind.VALUE
        if found is not _Kind.ROW or kind not in ("generator", "list"):
            raise _Unclear
        return _Kind.ROWS

    def _call(self, call: Call, scope: _Scope) -> _Kind:
        if len(call.arguments) != 1 or call.function not in _OF_LISTS:
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
        return _Kind.ROWS if call.function in ("sorted", "list", "reversed") else _Kind.ROW
