"""Arithmetic on values: numbers, dates and durations, texts and lists put together."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from .budget import Steps, fits_text
from .plain_values import NoValue, shown

_MICROSECOND = timedelta(microseconds=1)


def binary(operator: str, left: Any, right: Any, steps: Steps) -> Any:
    """`left operator right`. Raises NoValue for a division by zero or a day outside the calendar, TreeTypeError."""
    if isinstance(left, date) and isinstance(right, date) and isinstance(left, datetime) != isinstance(right, datetime):
        left, right = _moment(left), _moment(right)
    if isinstance(left, Decimal | int) and isinstance(right, timedelta | relativedelta):
        left, right = (right, left) if operator == "*" else (left, right)
    if isinstance(left, timedelta) and isinstance(right, Decimal):
        return _scaled(operator, left, right)
    if isinstance(left, str | tuple) or isinstance(right, str | tuple):
        return _joined(operator, left, right, steps)
    if operator in ("/", "//", "%") and not right:
        raise NoValue
    return _arithmetic(operator, left, right)


def refused(operator: str, left: Any, right: Any) -> TreeTypeError:
    """The error of values that an operator is not for."""
    return TreeTypeError(f"{shown(left)} {operator} {shown(right)} cannot be computed")


def _arithmetic(operator: str, left: Any, right: Any) -> Any:
    try:
        if operator == "+":
            return left + right
        if operator == "-":
            return left - right
        if operator == "*":
            return left * right
        if operator == "/":
            return _quotient(left, right)
        if operator in ("//", "%"):
            return _divided(operator, left, right)
    except TypeError as bad:
        raise refused(operator, left, right) from bad
    except (OverflowError, ValueError) as bad:
        raise NoValue(f"outside the calendar: {bad}") from bad
    raise refused(operator, left, right)


def _quotient(left: Any, right: Any) -> Any:
    if not isinstance(left, timedelta):
        return Decimal(left) / Decimal(right)
    if isinstance(right, timedelta):
        return Decimal(left // _MICROSECOND) / Decimal(right // _MICROSECOND)
    return left / right


def _divided(operator: str, left: Any, right: Any) -> Any:
    if not isinstance(left, Decimal) and not isinstance(right, Decimal):  # exact
        return left // right if operator == "//" else left % right
    quotient = int((Decimal(left) / Decimal(right)).to_integral_value(ROUND_FLOOR))
    return quotient if operator == "//" else left - right * quotient


def _scaled(operator: str, length: timedelta, factor: Decimal) -> Any:
    if operator not in ("*", "/"):
        raise refused(operator, length, factor)
    if operator == "/" and not factor:
        raise NoValue
    microseconds = Decimal(length // _MICROSECOND)
    try:
        return timedelta(microseconds=round(microseconds * factor if operator == "*" else microseconds / factor))
    except OverflowError as bad:
        raise NoValue from bad


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _joined(operator: str, left: Any, right: Any, steps: Steps) -> Any:
    """Two texts or two lists, one behind the other."""
    if operator != "+" or type(left) is not type(right):
        raise refused(operator, left, right)
    if isinstance(left, str):
        fits_text(len(left) + len(right))
    else:
        steps.take(len(left) + len(right))
    return left + right
