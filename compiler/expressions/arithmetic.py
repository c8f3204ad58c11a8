"""Arithmetic and conversions in compiled expressions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from ...errors import TreeTypeError
from ...ontology.namespaces import XSD
from ...operators.checking.checking_functions import method as method_gives
from ...operators.checking.meanings import type_of
from ...operators.checking.types import BOOL, FLOAT, INT, STR, TIME, Kind, Type, binary_type, field_type
from ...operators.expressions import Binary, Call, Expression, Field, Method
from ..sparql.algebra import DECIMAL, Expr, Iri, Literal, Operation, Var, call, coalesced, text
from .calendar import DAY, floor, iso_week, weekday
from .casts import term, typed
from .items import counted
from .typed_values import ExpressionScope, Value, as_day, as_moment, as_number, as_term, compared, like, whole

_DOUBLE = Iri(XSD + "double")


def binary(scope: ExpressionScope, expression: Binary) -> Value:
    """Arithmetic on numbers, days, moments and lengths of time, and texts put together."""
    left, right, operator = scope.value(expression.left), scope.value(expression.right), expression.operator
    kind = binary_type(operator, left.type, right.type)
    if kind.kind is Kind.STR:
        return Value(call("CONCAT", left.expr, right.expr), STR)
    if kind.kind in (Kind.DATE, Kind.DATETIME):
        return _moved(scope, operator, left, right, kind)
    if left.kind in (Kind.DATE, Kind.DATETIME):
        return _between(scope, left, right)
    if operator == "//":
        return Value(whole(floor(_quotient(scope, left, right))), kind)
    if operator == "%":
        return Value(left.expr - right.expr * whole(floor(_quotient(scope, left, right))), kind)
    if operator in ("/", "*"):
        made = (_quotient if operator == "/" else _product)(scope, left, right)
    else:
        made = Operation(operator, (left.expr, right.expr))
    return Value(made, kind, numeric=kind.kind is Kind.DURATION)


def _quotient(scope: ExpressionScope, left: Value, right: Value) -> Expr:
    """A division."""
    if right.known and isinstance(right.fixed, int):
        return left.expr / right.expr
    return _exact(scope, left.expr, "/", right.expr)


def _product(scope: ExpressionScope, left: Value, right: Value) -> Expr:
    """A multiplication."""
    if left.known or right.known or left.kind is not Kind.FLOAT or right.kind is not Kind.FLOAT:
        return left.expr * right.expr
    return _exact(scope, left.expr, "*", right.expr)


def _exact(scope: ExpressionScope, left: Expr, operator: str, right: Expr) -> Expr:
    """Exact where Oxigraph 0.5 can compute it, else to 15 digits: it has no value where both numbers together have more
    than some 20 places (100000 / 52.142857142857142857), nor for 0 divided by a number with a fraction."""
    a, b = (side if isinstance(side, Var | Literal) else scope.let(side, "number") for side in (left, right))
    nearly = Operation(operator, (call(_DOUBLE, a), call(_DOUBLE, b)))
    return coalesced(Operation(operator, (a, b)), call(Iri(DECIMAL), nearly))


def _moved(scope: ExpressionScope, operator: str, left: Value, right: Value, kind: Type) -> Value:
    """A day or moment with a length of time added or taken away; a day moves by whole days."""
    base, length = (right, left) if left.kind is Kind.DURATION else (left, right)
    moved = length.expr if kind.kind is Kind.DATETIME else floor(length.expr / DAY)
    return Value(Operation(operator, (as_number(base, scope.let), moved)), kind, numeric=True)


def _between(scope: ExpressionScope, left: Value, right: Value) -> Value:
    """The length of time from one day or moment to another."""
    if left.kind is right.kind is Kind.DATE:
        made = DAY * (as_number(left, scope.let) - as_number(right, scope.let))
    else:
        a, b = (as_number(as_moment(side, scope.let), scope.let) for side in (left, right))
        made = a - b
    return Value(made, Type(Kind.DURATION), numeric=True)


def length(scope: ExpressionScope, argument: Expression) -> Value:
    """len() of a list attribute or a text."""
    if isinstance(argument, Call) and argument.function in ("set", "list"):
        argument = argument.arguments[0]
    value = scope.value(argument)
    if value.items is not None:
        return Value(counted(scope.context, value.items, scope.lets), INT)
    if value.kind is Kind.STR:
        return Value(call("STRLEN", value.expr), INT)
    raise TreeTypeError(f"a {value.type} has no length")


def extreme(scope: ExpressionScope, name: str, arguments: tuple[Expression, ...]) -> Value:
    """min() and max() of two or more values."""
    if len(arguments) < 2:
        raise TreeTypeError(f"{name}() of one list stands in APPLY, or in MAP over groups")
    best = scope.term(arguments[0])
    for argument in arguments[1:]:
        other = scope.term(argument)
        test = compared("<" if name == "min" else ">", other, best, scope.let)
        kind = best.type if best.kind is other.kind else FLOAT
        made = call("IF", test, like(kind, other), like(kind, best))
        best = Value(made, kind, numeric=kind.kind is Kind.DURATION)
    return best


def converted(scope: ExpressionScope, name: str, arguments: tuple[Expression, ...]) -> Value:
    """abs(), round(), str(), int(), float() and bool()."""
    value = scope.term(arguments[0])
    if name == "bool":
        return Value(scope.truth(value), BOOL)
    if name == "str":
        if value.kind in (Kind.LIST, Kind.DURATION):
            raise TreeTypeError(f"a {value.type} is not written as a text here")
        return Value(call("STR", value.expr), STR)
    if value.kind not in (Kind.INT, Kind.FLOAT) and not (value.kind is Kind.STR and name in ("int", "float")):
        raise TreeTypeError(f"{name}() is of a number, not of a {value.type}")
    if name == "abs":
        return replace(value, expr=call("ABS", value.expr))
    if name in ("int", "float"):
        return Value(whole(value.expr), INT) if name == "int" else Value(call(Iri(DECIMAL), value.expr), FLOAT)
    return _rounded(scope, value, arguments[1:])


def _rounded(scope: ExpressionScope, value: Value, digits: tuple[Expression, ...]) -> Value:
    places = scope.value(digits[0]).fixed if digits else 0
    if not isinstance(places, int) or not 0 <= places <= 12:
        raise TreeTypeError("round() takes a fixed number of digits, 0 to 12")
    half, tens = term(Decimal("0.5")), 10**places
    if places == 0:
        return replace(value, expr=whole(floor(value.expr + half)), type=replace(value.type, kind=Kind.INT))
    return replace(value, expr=floor(value.expr * tens + half) / tens)


_TEXTS = {"lower": "LCASE", "upper": "UCASE", "startswith": "STRSTARTS", "endswith": "STRENDS"}
"""Methods of texts as functions of SPARQL."""


def field(scope: ExpressionScope, expression: Field) -> Value:
    """A part of a value: `.year`, `.hour`, `.days`."""
    base = expression.base
    if isinstance(base, Method) and base.name == "isocalendar":
        return iso_part(scope, base.base, {"year": 0, "week": 1}.get(expression.name))
    value = scope.value(base)
    kind, name = field_type(value.type, expression.name), expression.name
    if value.kind is Kind.DURATION:
        days = floor(value.expr / DAY)
        return Value(whole(days if name == "days" else floor(value.expr - DAY * days)), kind)
    at = as_term(value, scope.let).expr
    if value.moment is not None:
        at = value.moment
    elif value.kind is Kind.TIME:
        start = {"hour": 1, "minute": 4, "second": 7}[name]
        return Value(whole(call("SUBSTR", call("STR", at), start, 2)), kind)
    made = call({"hour": "HOURS", "minute": "MINUTES", "second": "SECONDS"}.get(name, name.upper()), at)
    return Value(whole(floor(made)) if name == "second" else made, kind)


def iso_part(scope: ExpressionScope, base: Expression, position: int | None) -> Value:
    """Year, week or weekday of the ISO calendar, by position."""
    value = scope.value(base)
    if value.kind not in (Kind.DATE, Kind.DATETIME) or position not in (0, 1, 2):
        raise TreeTypeError("isocalendar() is of a date, and has .year, .week and three items")
    day = as_number(as_day(value, scope.let), scope.let)
    if position == 2:
        return Value(whole(weekday(day) + 1), Type(Kind.INT, "isoweekday"))
    part = iso_week(scope.let, day)[position]
    return Value(whole(part), Type(Kind.INT, "year" if position == 0 else None))


def method(scope: ExpressionScope, expression: Method) -> Value:
    """A method of a value: `.lower()`, `.weekday()`."""
    value, name = scope.value(expression.base), expression.name
    if expression.keywords or (name == "strip" and expression.arguments):
        raise TreeTypeError(f".{name}() with these arguments cannot stand here")
    kind = type_of(method_gives(name, value.type, ()))
    if name in _TEXTS:
        arguments = [scope.of_kind(argument, Kind.STR).expr for argument in expression.arguments]
        return Value(call(_TEXTS[name], value.expr, *arguments), kind)
    if name == "strip":
        return Value(call("REPLACE", value.expr, text(r"^\s+|\s+$"), text("")), kind)
    if name in ("weekday", "isoweekday"):
        day = weekday(as_number(as_day(value, scope.let), scope.let))
        return Value(whole(day if name == "weekday" else day + 1), kind)
    if name == "date":
        return as_day(value, scope.let)
    if name == "time":
        return Value(typed(call("SUBSTR", call("STR", as_term(value, scope.let).expr), 12, 8), "time"), TIME)
    if name == "total_seconds":
        return Value(value.expr, kind)
    raise TreeTypeError(f".{name}() cannot stand here")
