"""Arithmetic on values: numbers, dates and durations, texts and lists, and sets."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from .budget import MAX_NUMBER, Steps, fits_list, fits_text
from .folds import distinct
from .values import Members, NoValue, shown

_MICROSECOND = timedelta(microseconds=1)


def binary(operator: str, left: Any, right: Any, steps: Steps) -> Any:
    """`left operator right`. Raises NoValue for a division by zero or a day outside the calendar, TreeTypeError."""
    if isinstance(left, date) and isinstance(right, date) and isinstance(left, datetime) != isinstance(right, datetime):
        left, right = _moment(left), _moment(right)
    if isinstance(left, Decimal | int) and isinstance(right, timedelta | relativedelta | str | tuple):
        left, right = (right, left) if operator == "*" else (left, right)
    if isinstance(left, timedelta | relativedelta) and isinstance(right, Decimal):
        return _scaled(operator, left, right)
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _lists(operator, left, right, steps)
    if isinstance(left, str):
        return _texts(operator, left, right)
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
        if operator == "**":
            return _power(left, right)
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


def _power(left: Any, right: Any) -> Any:
    if not isinstance(left, int | Decimal) or not isinstance(right, int | Decimal):
        raise TypeError
    if not left and right < 0:
        raise NoValue
    if isinstance(left, int) and isinstance(right, int) and right >= 0:
        if abs(left) > 1 and (abs(left).bit_length() - 1) * right > MAX_NUMBER.bit_length():
            raise TreeTypeError("a number of more than 30 digits")
        return left**right
    return Decimal(left) ** Decimal(right)


def _scaled(operator: str, length: timedelta | relativedelta, factor: Decimal) -> Any:
    if operator not in ("*", "/"):
        raise refused(operator, length, factor)
    if operator == "/" and not factor:
        raise NoValue
    if isinstance(length, relativedelta):
        return _arithmetic(operator, length, float(factor))
    microseconds = Decimal(length // _MICROSECOND)
    try:
        return timedelta(microseconds=round(microseconds * factor if operator == "*" else microseconds / factor))
    except OverflowError as bad:
        raise NoValue from bad


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _texts(operator: str, left: str, right: Any) -> str:
    if operator == "+" and isinstance(right, str):
        fits_text(len(left) + len(right))
        return left + right
    if operator == "*" and isinstance(right, int):
        fits_text(len(left) * right)
        return left * right
    raise refused(operator, left, right)


def _lists(operator: str, left: Any, right: Any, steps: Steps) -> tuple[Any, ...]:
    if operator == "*" and isinstance(left, tuple) and isinstance(right, int):
        fits_list(len(left) * right)
        steps.take(max(0, len(left) * right))
        return left * right
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        raise refused(operator, left, right)
    steps.take(len(left) + len(right))
    if operator == "+":
        return tuple(left) + tuple(right)
    steps.weigh(left)
    steps.weigh(right)
    return combined(operator, left, right)


def combined(operator: str, left: tuple[Any, ...], right: tuple[Any, ...]) -> Members:
    """The set `left | right`, `&`, `-` or `^`."""
    a, b = set(left), set(right)
    made = {"|": a | b, "&": a & b, "-": a - b, "^": a ^ b}.get(operator)
    if made is None:
        raise TreeTypeError(f"no {operator} of lists")
    return distinct(item for item in (*left, *right) if item in made)
