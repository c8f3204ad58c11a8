"""Filters of JSONPath compiled to functions: equality, existence, and, or, not; the rest run in python-jsonpath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jsonpath.filter import (
    BaseExpression,
    BooleanLiteral,
    FilterExpression,
    FloatLiteral,
    InfixExpression,
    IntegerLiteral,
    Nil,
    PrefixExpression,
    RelativeFilterQuery,
    StringLiteral,
)
from jsonpath.path import JSONPath
from jsonpath.segments import JSONPathChildSegment
from jsonpath.selectors import Filter, NameSelector

from ....errors import Place
from .jsonpath_library import ENVIRONMENT, found_by

Test = Callable[[Any], bool]
_MISSING: Any = object()


def compile_filter(selector: Any, place: Place | None) -> Test | None:
    """The test of a filter selector, on one record; None when the selector is no filter."""
    if not isinstance(selector, Filter):
        return None
    test = _test(selector.expression)
    if test is not None:
        return test
    query = ENVIRONMENT.compile(f"$[{selector}]")
    assert isinstance(query, JSONPath)
    get = found_by(query, place)
    return lambda record: bool(get([record]))


def _test(expression: BaseExpression) -> Test | None:
    if isinstance(expression, FilterExpression):
        return _test(expression.expression)
    if isinstance(expression, RelativeFilterQuery):
        value_of = _value_of(expression)
        return None if value_of is None else lambda record: value_of(record) is not _MISSING
    if isinstance(expression, PrefixExpression) and expression.operator == "!":
        inner = _test(expression.right)
        return None if inner is None else lambda record: not inner(record)
    if isinstance(expression, InfixExpression):
        return _infix(expression)
    return None


def _infix(expression: InfixExpression) -> Test | None:
    if expression.operator in ("&&", "||"):
        left, right = _test(expression.left), _test(expression.right)
        if left is None or right is None:
            return None
        if expression.operator == "&&":
            return lambda record: left(record) and right(record)
        return lambda record: left(record) or right(record)
    if expression.operator not in ("==", "!="):
        return None
    equal = _equality(expression.left, expression.right) or _equality(expression.right, expression.left)
    if equal is None:
        return None
    return equal if expression.operator == "==" else lambda record: not equal(record)


def _equality(query: BaseExpression, literal: BaseExpression) -> Test | None:
    value_of = _value_of(query)
    if value_of is None:
        return None
    if isinstance(literal, StringLiteral):
        text = literal.value
        return lambda record: value_of(record) == text
    if isinstance(literal, BooleanLiteral):
        truth = literal.value
        return lambda record: value_of(record) is truth
    if isinstance(literal, Nil):
        return lambda record: value_of(record) is None
    if isinstance(literal, IntegerLiteral | FloatLiteral):
        number = literal.value
        return lambda record: _is_number(found := value_of(record)) and found == number
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value_of(expression: BaseExpression) -> Callable[[Any], Any] | None:
    """What a query of names alone finds in a record, or _MISSING."""
    path = expression.path if isinstance(expression, RelativeFilterQuery) else None
    names = _names(path) if isinstance(path, JSONPath) else None
    if not names:
        return None
    if len(names) == 1:
        name = names[0]
        return lambda record: record.get(name, _MISSING) if isinstance(record, dict) else _MISSING

    def find(record: Any) -> Any:
        for name in names:
            if not isinstance(record, dict) or name not in record:
                return _MISSING
            record = record[name]
        return record

    return find


def _names(path: JSONPath) -> tuple[str, ...] | None:
    names = []
    for segment in path.segments:
        selectors = segment.selectors if isinstance(segment, JSONPathChildSegment) else ()
        if len(selectors) != 1 or not isinstance(selectors[0], NameSelector):
            return None
        names.append(selectors[0].name)
    return tuple(names)
