"""Types of values in the algebra, and which type each part, method and operation gives.

A value that is missing has any type; see `evaluate` for what operations on it give.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from ...errors import TreeTypeError
from ..algebra import BINARY
from ..nodes import AttributeType


class Kind(StrEnum):
    """What a value is."""

    INT = "int"
    FLOAT = "float"
    STR = "str"
    BOOL = "bool"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    DURATION = "duration"
    LIST = "list"
    TUPLE = "tuple"
    """Several values as one: `part` of its Type names their kinds, with commas between."""
    EVENT = "event"
    NONE = "none"
    ANY = "any"
    """What a check before anything runs cannot know."""


NUMBERS = frozenset({Kind.INT, Kind.FLOAT})
DAYS = frozenset({Kind.DATE, Kind.DATETIME})
CLOCKS = frozenset({Kind.TIME, Kind.DATETIME})
ORDERED = NUMBERS | DAYS | {Kind.TIME, Kind.DURATION, Kind.STR}


@dataclass(frozen=True, slots=True)
class Type:
    """A value's type.

    `part` says which part of a calendar a number is (month, weekday, isoweekday, year, hour), so that 3 may be shown as
    March; `unit` is the unit's short name, `unit_property` the property that holds the unit per event (currency).
    """

    kind: Kind
    part: str | None = None
    unit: str | None = None
    unit_property: str | None = None

    def __str__(self) -> str:
        return self.kind.value

    def plain(self) -> Type:
        """The same kind without part and unit."""
        return Type(self.kind)


INT, FLOAT, STR, BOOL = Type(Kind.INT), Type(Kind.FLOAT), Type(Kind.STR), Type(Kind.BOOL)
DATE, TIME, DATETIME, DURATION = Type(Kind.DATE), Type(Kind.TIME), Type(Kind.DATETIME), Type(Kind.DURATION)
LIST, EVENT, NONE, ANY = Type(Kind.LIST), Type(Kind.EVENT), Type(Kind.NONE), Type(Kind.ANY)


def type_of_attribute(kind: AttributeType, unit: str | None = None, unit_property: str | None = None) -> Type:
    """The type of what EXTRACT reads."""
    measured = kind in (AttributeType.INT, AttributeType.FLOAT)
    return Type(Kind(kind.value), None, unit if measured else None, unit_property if measured else None)


def field_type(base: Type, name: str) -> Type:
    """Type of `base.name`. Raises TreeTypeError where a value of the type has no such part."""
    if name in ("year", "month", "day") and base.kind in DAYS:
        return replace(INT, part=name if name != "day" else None)
    if name in ("hour", "minute", "second") and base.kind in CLOCKS:
        return replace(INT, part="hour" if name == "hour" else None)
    if name in ("days", "seconds") and base.kind is Kind.DURATION:
        return INT
    raise TreeTypeError(f"a {base} has no .{name}")


def binary_type(operator: str, left: Type, right: Type) -> Type:
    """Type of `left operator right`. Raises TreeTypeError for what cannot be computed."""
    a, b = left.kind, right.kind
    if a in NUMBERS and b in NUMBERS and operator in BINARY:
        return _number(operator, left, right)
    if operator == "+" and a is Kind.STR and b is Kind.STR:
        return STR
    if operator == "-" and a in DAYS and b in DAYS:
        return DURATION
    if operator in "+-" and b is Kind.DURATION and a in DAYS | {Kind.DURATION}:
        return left.plain()
    if operator == "+" and a is Kind.DURATION and b in DAYS:
        return right.plain()
    if operator == "*" and {a, b} & NUMBERS and Kind.DURATION in (a, b):
        return DURATION
    if operator == "/" and a is Kind.DURATION and (b in NUMBERS or b is Kind.DURATION):
        return DURATION if b in NUMBERS else FLOAT
    raise TreeTypeError(f"{left} {operator} {right} cannot be computed")


def _number(operator: str, left: Type, right: Type) -> Type:
    whole = left.kind is Kind.INT and right.kind is Kind.INT
    kind = Kind.INT if operator == "//" or (whole and operator != "/") else Kind.FLOAT
    same = left.unit == right.unit and left.unit_property == right.unit_property
    if operator in "+-" and same:
        return Type(kind, None, left.unit, left.unit_property)
    return Type(kind)


def common_kind(left: Type, right: Type) -> Kind:
    """The kind in which two values are compared: a day and a moment as days. Raises TreeTypeError if there is none."""
    a, b = left.kind, right.kind
    if a is b:
        return a
    if a in NUMBERS and b in NUMBERS:
        return Kind.FLOAT
    if a in DAYS and b in DAYS:
        return Kind.DATE
    raise TreeTypeError(f"a {left} cannot be compared with a {right}")
