"""Parts and methods of values in compiled expressions: years and hours, weekdays and weeks, texts in lower case."""

from __future__ import annotations

from ...errors import TreeTypeError
from ...operators.checking.checking_functions import method as method_gives
from ...operators.checking.meanings import type_of
from ...operators.checking.types import TIME, Kind, Type, field_type
from ...operators.expressions import Expression, Field, Method
from ..sparql.algebra import call, text
from .calendar import DAY, floor, iso_week, weekday
from .casts import typed
from .scope import Scope
from .values import Value, as_day, as_number, as_term, whole

_TEXTS = {"lower": "LCASE", "upper": "UCASE", "startswith": "STRSTARTS", "endswith": "STRENDS"}
"""Methods of texts as functions of SPARQL."""


def field(scope: Scope, expression: Field) -> Value:
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


def iso_part(scope: Scope, base: Expression, position: int | None) -> Value:
    """Year, week or weekday of the ISO calendar, by position."""
    value = scope.value(base)
    if value.kind not in (Kind.DATE, Kind.DATETIME) or position not in (0, 1, 2):
        raise TreeTypeError("isocalendar() is of a date, and has .year, .week and three items")
    day = as_number(as_day(value, scope.let), scope.let)
    if position == 2:
        return Value(whole(weekday(day) + 1), Type(Kind.INT, "isoweekday"))
    part = iso_week(scope.let, day)[position]
    return Value(whole(part), Type(Kind.INT, "year" if position == 0 else None))


def method(scope: Scope, expression: Method) -> Value:
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
