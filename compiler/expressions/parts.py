"""Parts and methods of values in compiled expressions: years and hours, weekdays and weeks, texts in lower case."""

from __future__ import annotations

from ...errors import TreeTypeError
from ...operators.checking.types import TIME, Kind, Type, field_type, method_type
from ...operators.expressions import Expression, Field, Method
from .calendar import DAY, iso_week, weekday
from .scope import Scope
from .values import Value, as_day, as_number, as_term, whole


def field(scope: Scope, expression: Field) -> Value:
    """A part of a value: `.year`, `.hour`, `.days`."""
    base = expression.base
    if isinstance(base, Method) and base.name == "isocalendar":
        return iso_part(scope, base.base, {"year": 0, "week": 1}.get(expression.name))
    value = scope.value(base)
    kind = field_type(value.type, expression.name)
    if value.kind is Kind.DURATION:
        days = f"FLOOR({value.text} / {DAY})"
        rest = f"FLOOR({value.text} - {DAY} * {days})"
        return Value(whole(days if expression.name == "days" else rest), kind)
    text = as_term(value, scope.let).text
    if value.moment is not None:
        text = value.moment
    elif value.kind is Kind.TIME:
        start = {"hour": 1, "minute": 4, "second": 7}[expression.name]
        return Value(f"xsd:integer(SUBSTR(STR({text}), {start}, 2))", kind)
    names = {"hour": "HOURS", "minute": "MINUTES", "second": "SECONDS"}
    made = f"{names.get(expression.name, expression.name.upper())}({text})"
    return Value(whole(f"FLOOR({made})") if expression.name == "second" else made, kind)


def iso_part(scope: Scope, base: Expression, position: int | None) -> Value:
    """Year, week or weekday of the ISO calendar, by position."""
    value = scope.value(base)
    if value.kind not in (Kind.DATE, Kind.DATETIME) or position not in (0, 1, 2):
        raise TreeTypeError("isocalendar() is of a date, and has .year, .week and three items")
    day = as_number(as_day(value, scope.let), scope.let)
    if position == 2:
        return Value(whole(f"({weekday(day)} + 1)"), Type(Kind.INT, "isoweekday"))
    part = iso_week(scope.let, day)[position]
    return Value(whole(part), Type(Kind.INT, "year" if position == 0 else None))


def method(scope: Scope, expression: Method) -> Value:
    """A method of a value: `.lower()`, `.weekday()`."""
    value, name = scope.value(expression.base), expression.name
    if expression.keywords or (name == "strip" and expression.arguments):
        raise TreeTypeError(f".{name}() with these arguments cannot stand here")
    kind = method_type(value.type, name)
    texts = {"lower": "LCASE", "upper": "UCASE", "startswith": "STRSTARTS", "endswith": "STRENDS"}
    if name in texts:
        arguments = [scope.of_kind(argument, Kind.STR).text for argument in expression.arguments]
        return Value(f"{texts[name]}({', '.join([value.text, *arguments])})", kind)
    if name == "strip":
        return Value(f'REPLACE({value.text}, "^\\\\s+|\\\\s+$", "")', kind)
    if name in ("weekday", "isoweekday"):
        text = weekday(as_number(as_day(value, scope.let), scope.let))
        return Value(whole(text if name == "weekday" else f"({text} + 1)"), kind)
    if name == "date":
        return as_day(value, scope.let)
    if name == "time":
        return Value(f"STRDT(SUBSTR(STR({as_term(value, scope.let).text}), 12, 8), xsd:time)", TIME)
    return Value(value.text, kind)  # total_seconds
