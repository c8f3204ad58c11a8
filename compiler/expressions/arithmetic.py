"""Arithmetic and conversions in compiled expressions."""

from __future__ import annotations

import re
from dataclasses import replace

from ...errors import TreeTypeError
from ...operators.checking.types import BOOL, FLOAT, INT, STR, Kind, Type, binary_type
from ...operators.expressions import Binary, Call, Expression
from .calendar import DAY
from .items import counted
from .scope import Scope
from .terms import bare
from .values import Value, as_moment, as_number, compared, like, whole

_SHORT = re.compile(r"\?\w+|-?[0-9.]+")
"""What may be written twice: a variable, a number."""


def binary(scope: Scope, expression: Binary) -> Value:
    """Arithmetic on numbers, days, moments and lengths of time, and texts put together."""
    left, right, operator = scope.value(expression.left), scope.value(expression.right), expression.operator
    if operator == "**":
        raise TreeTypeError("SPARQL has no powers")
    kind = binary_type(operator, left.type, right.type)
    if kind.kind is Kind.STR:
        return Value(f"CONCAT({left.text}, {right.text})", STR)
    if kind.kind in (Kind.DATE, Kind.DATETIME):
        return _moved(scope, operator, left, right, kind)
    if left.kind in (Kind.DATE, Kind.DATETIME):
        return _between(scope, left, right)
    a, b = left.text, right.text
    if operator == "//":
        return Value(whole(f"FLOOR({_quotient(scope, left, right)})"), kind)
    if operator == "%":
        return Value(f"({a} - {b} * {whole(f'FLOOR({_quotient(scope, left, right)})')})", kind)
    if operator in ("/", "*"):
        text = (_quotient if operator == "/" else _product)(scope, left, right)
    else:
        text = f"({a} {operator} {b})"
    return Value(text, kind, numeric=kind.kind is Kind.DURATION)


def _quotient(scope: Scope, left: Value, right: Value) -> str:
    """Text of a division."""
    if right.known and isinstance(right.fixed, int):
        return f"({left.text} / {right.text})"
    return _exact(scope, left.text, "/", right.text)


def _product(scope: Scope, left: Value, right: Value) -> str:
    """Text of a multiplication."""
    if left.known or right.known or left.kind is not Kind.FLOAT or right.kind is not Kind.FLOAT:
        return f"({left.text} * {right.text})"
    return _exact(scope, left.text, "*", right.text)


def _exact(scope: Scope, left: str, operator: str, right: str) -> str:
    """Exact where Oxigraph 0.5 can compute it, else to 15 digits: it has no value where both numbers together have more
    than some 20 places (100000 / 52.142857142857142857), nor for 0 divided by a number with a fraction."""
    a, b = (side if _SHORT.fullmatch(side) else scope.let(side, "number") for side in (left, right))
    return f"COALESCE({a} {operator} {b}, xsd:decimal(xsd:double({a}) {operator} xsd:double({b})))"


def _moved(scope: Scope, operator: str, left: Value, right: Value, kind: Type) -> Value:
    """A day or moment with a length of time added or taken away; a day moves by whole days."""
    base, length = (right, left) if left.kind is Kind.DURATION else (left, right)
    moved = length.text if kind.kind is Kind.DATETIME else f"FLOOR({length.text} / {DAY})"
    return Value(f"({as_number(base, scope.let)} {operator} {moved})", kind, numeric=True)


def _between(scope: Scope, left: Value, right: Value) -> Value:
    """The length of time from one day or moment to another."""
    if left.kind is right.kind is Kind.DATE:
        text = f"({DAY} * ({as_number(left, scope.let)} - {as_number(right, scope.let)}))"
    else:
        a, b = (as_number(as_moment(side, scope.let), scope.let) for side in (left, right))
        text = f"({a} - {b})"
    return Value(text, Type(Kind.DURATION), numeric=True)


def length(scope: Scope, argument: Expression) -> Value:
    """len() of a list attribute or a text."""
    if isinstance(argument, Call) and argument.function in ("set", "list"):
        argument = argument.arguments[0]
    value = scope.value(argument)
    if value.items is not None:
        return Value(counted(scope.context, value.items, scope.lets), INT)
    if value.kind is Kind.STR:
        return Value(f"STRLEN({value.text})", INT)
    raise TreeTypeError(f"a {value.type} has no length")


def extreme(scope: Scope, name: str, arguments: tuple[Expression, ...]) -> Value:
    """min() and max() of two or more values."""
    if len(arguments) < 2:
        raise TreeTypeError(f"{name}() of one list stands in APPLY, or in MAP over groups")
    best = scope.term(arguments[0])
    for argument in arguments[1:]:
        other = scope.term(argument)
        test = bare(compared("<" if name == "min" else ">", other, best, scope.let))
        kind = best.type if best.kind is other.kind else FLOAT
        texts = ", ".join(like(kind, side) for side in (other, best))
        best = Value(f"IF({test}, {texts})", kind, numeric=kind.kind is Kind.DURATION)
    return best


def converted(scope: Scope, name: str, arguments: tuple[Expression, ...]) -> Value:
    """abs(), round(), str(), int(), float() and bool()."""
    value = scope.term(arguments[0])
    if name == "bool":
        return Value(scope.truth(value), BOOL)
    if name == "str":
        if value.kind in (Kind.LIST, Kind.DURATION):
            raise TreeTypeError(f"a {value.type} is not written as a text here")
        return Value(f"STR({value.text})", STR)
    if value.kind not in (Kind.INT, Kind.FLOAT) and not (value.kind is Kind.STR and name in ("int", "float")):
        raise TreeTypeError(f"{name}() is of a number, not of a {value.type}")
    if name == "abs":
        return replace(value, text=f"ABS({value.text})", fixed=value.fixed)
    if name in ("int", "float"):
        kind = INT if name == "int" else FLOAT
        return Value(f"xsd:{'integer' if name == 'int' else 'decimal'}({value.text})", kind)
    return _rounded(scope, value, arguments[1:])


def _rounded(scope: Scope, value: Value, digits: tuple[Expression, ...]) -> Value:
    places = scope.value(digits[0]).fixed if digits else 0
    if not isinstance(places, int) or not 0 <= places <= 12:
        raise TreeTypeError("round() takes a fixed number of digits, 0 to 12")
    if places == 0:
        return replace(value, text=whole(f"FLOOR({value.text} + 0.5)"), type=replace(value.type, kind=Kind.INT))
    return replace(value, text=f"(FLOOR({value.text} * {10**places} + 0.5) / {10**places})")
