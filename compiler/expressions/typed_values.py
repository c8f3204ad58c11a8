"""Values inside compiled expressions: SPARQL with a type, in one of two forms.

Days and moments that arithmetic gave are numbers (Julian days, seconds since day 0) until something needs them as
terms; lengths of time are always numbers of seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Protocol

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from ...operators.checking.types import (
    BOOL,
    DATE,
    DATETIME,
    DURATION,
    FLOAT,
    INT,
    LIST,
    STR,
    TIME,
    Kind,
    Type,
    common_kind,
)
from ...operators.conditions import FLIPPED
from ...operators.expressions import Expression
from ..scope import Context, Items
from ..sparql.algebra import DECIMAL, INTEGER, Expr, Iri, Operation, Step, Var, both, call, either, lifted, text
from .calendar import (
    DAY,
    Let,
    date_of_number,
    day_number,
    fixed_day,
    fixed_moment,
    floor,
    moment_number,
    moment_of_number,
)
from .casts import NOTHING, term, typed

UNKNOWN: Any = object()


@dataclass(frozen=True)
class Value:
    """An expression: its SPARQL, type, whether that is the number form, and its value if that is fixed."""

    expr: Expr
    type: Type
    numeric: bool = False
    fixed: Any = UNKNOWN
    items: Items | None = None
    moment: Var | None = None
    """The variable of the xsd:dateTime whose day or time it is."""

    @property
    def known(self) -> bool:
        """Whether the value does not depend on the graph."""
        return self.fixed is not UNKNOWN

    @property
    def kind(self) -> Kind:
        """The kind of its type."""
        return self.type.kind


_TYPES: tuple[tuple[type, Type], ...] = (
    (bool, BOOL),
    (int, INT),
    (Decimal, FLOAT),
    (str, STR),
    (datetime, DATETIME),
    (date, DATE),
    (time, TIME),
    (timedelta, DURATION),
    (tuple, LIST),
)


def fixed_value(value: Any) -> Value:
    """A Python value in an expression. Raises TreeTypeError for one that has no term."""
    if isinstance(value, relativedelta):
        value = _length(value)
    for kind, held in _TYPES:
        if isinstance(value, kind):
            return Value(NOTHING if held is LIST else term(value), held, held is DURATION, value)
    raise TreeTypeError(f"{value!r} cannot stand in a query")


def _length(value: relativedelta) -> timedelta:
    parts = (value.years, value.months, value.year, value.month, value.day, value.hour, value.minute, value.second)
    if any(parts):
        raise TreeTypeError("months and years can only be added to a fixed date, such as date.today()")
    return timedelta(days=value.days, hours=value.hours, minutes=value.minutes, seconds=value.seconds)


def as_term(value: Value, let: Let) -> Value:
    """The value as a term of its type."""
    if not value.numeric or value.kind is Kind.DURATION:
        return value
    make = date_of_number if value.kind is Kind.DATE else moment_of_number
    return replace(value, expr=make(let, value.expr), numeric=False)


def as_number(value: Value, let: Let) -> Expr:
    """The number form of a day, moment or length of time."""
    if value.numeric:
        return value.expr
    if value.known:
        fixed = value.fixed
        return fixed_moment(fixed) if isinstance(fixed, datetime) else lifted(fixed_day(fixed))
    return day_number(let, value.moment or value.expr) if value.kind is Kind.DATE else moment_number(let, value.expr)


def as_day(value: Value, let: Let) -> Value:
    """The day of a moment."""
    if value.kind is not Kind.DATETIME:
        return value
    if value.known:
        return fixed_value(value.fixed.date())
    if value.numeric:
        return Value(let(floor(value.expr / DAY), "day"), DATE, numeric=True)
    moment = value.expr if isinstance(value.expr, Var) else None
    return Value(typed(call("SUBSTR", call("STR", value.expr), 1, 10), "date"), DATE, moment=moment)


def as_moment(value: Value, let: Let) -> Value:
    """The midnight at which a day starts."""
    if value.kind is not Kind.DATE:
        return value
    if value.known:
        return fixed_value(datetime.combine(value.fixed, time()))
    return Value(DAY * as_number(value, let), DATETIME, numeric=True)


def alike(value: Value, other: Value) -> Value:
    """A fixed ISO text beside a date, time or moment as one of those. Raises TreeTypeError where it is none."""
    if value.kind is not Kind.STR or not value.known or other.kind not in (Kind.DATE, Kind.DATETIME, Kind.TIME):
        return value
    text = value.fixed
    parse: Callable[[str], Any] = time.fromisoformat if other.kind is Kind.TIME else datetime.fromisoformat
    if other.kind is Kind.DATE and "T" not in text and " " not in text.strip():
        parse = date.fromisoformat
    try:
        return fixed_value(parse(text))
    except ValueError as bad:
        raise TreeTypeError(f"{text!r} is not a {other.type}") from bad


def compared(operator: str, left: Value, right: Value, let: Let) -> Expr:
    """A comparison. Raises TreeTypeError for values that cannot be compared."""
    left, right = alike(left, right), alike(right, left)
    kind = common_kind(left.type, right.type)
    if kind is Kind.LIST or (kind is Kind.BOOL and operator not in ("==", "!=")):
        raise TreeTypeError(f"{left.type} {operator} {right.type} cannot be compared")
    if kind is Kind.DATE:
        left, right = as_day(left, let), as_day(right, let)
        if (found := _day_of(operator, left, right) or _day_of(FLIPPED[operator], right, left)) is not None:
            return found
    numeric = left.numeric or right.numeric
    a, b = (as_number(side, let) if numeric else side.expr for side in (left, right))
    return compare("=" if operator == "==" else operator, a, b)


def compare(operator: str, left: Expr, right: Expr | int) -> Expr:
    """A comparison as SPARQL has it."""
    return Operation(operator, (left, lifted(right)))


def _day_of(operator: str, left: Value, right: Value) -> Expr | None:
    """A comparison of a moment's day with a fixed day, by the midnights around it; None for other values."""
    if left.moment is None or not right.known or right.fixed >= date.max:
        return None
    begin, end = (term(datetime.combine(right.fixed + timedelta(days=n), time())) for n in (0, 1))
    before, after = compare("<", left.moment, begin), compare(">=", left.moment, end)
    since, until = compare(">=", left.moment, begin), compare("<", left.moment, end)
    tests = {"<": before, "<=": until, ">": after, ">=": since}
    return {**tests, "==": both(since, until), "!=": either(before, after)}[operator]


def truth(value: Value) -> Expr:
    """A value's truth: of texts and numbers as in Python; an error where it is missing."""
    if value.kind is Kind.BOOL:
        return value.expr
    if value.kind is Kind.STR:
        return compare("!=", value.expr, text(""))
    if value.kind in (Kind.INT, Kind.FLOAT, Kind.DURATION):
        return compare("!=", value.expr, 0)
    if value.kind in (Kind.DATE, Kind.TIME, Kind.DATETIME):
        return compare("=", value.expr, value.expr)
    raise TreeTypeError(f"a {value.type} is neither true nor false")


def like(kind: Type, value: Value) -> Expr:
    """A number as a term like the others of a type, so that equal values are one value."""
    mixed = kind.kind is Kind.FLOAT and value.kind is Kind.INT
    return call(Iri(DECIMAL), value.expr) if mixed else value.expr


def whole(value: Expr) -> Expr:
    """A number as an integer term."""
    return call(Iri(INTEGER), value)


class ExpressionScope(Protocol):
    """Names that are bound, what expressions need in the pattern, and the compiling of other expressions."""

    context: Context
    names: Mapping[str, Any]
    lets: list[Step]

    def let(self, value: Expr, wish: str) -> Var:
        """A variable for an expression that is used more than once."""
        ...

    def condition(self, expression: Expression) -> Expr:
        """A condition."""
        ...

    def truth(self, value: Value) -> Expr:
        """A value's truth."""
        ...

    def value(self, expression: Expression) -> Value:
        """An expression's SPARQL and type. Raises TreeTypeError."""
        ...

    def term(self, expression: Expression) -> Value:
        """An expression as a term."""
        ...

    def of_kind(self, expression: Expression, kind: Kind) -> Value:
        """An expression's value. Raises TreeTypeError where it is of another kind."""
        ...

    def inside(self, names: Mapping[str, Any], lets: list[Step]) -> ExpressionScope:
        """The same with more names, whose operators go elsewhere."""
        ...
