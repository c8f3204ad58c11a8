"""Plain Python values of the algebra: comparing, constructing and writing them. See `evaluate` for which they are."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import ReqapError, TreeTypeError


class NoValue(ReqapError):
    """An expression has no value: something in it is missing. Never leaves the evaluator and the compiler."""


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}


def compare(operator: str, left: Any, right: Any) -> bool:
    """`left operator right`: a day and a moment as days, an ISO text with a date as that date.

    Raises TreeTypeError for values that cannot be compared.
    """
    left, right = _alike(left, right), _alike(right, left)
    if isinstance(left, date) and isinstance(right, date) and isinstance(left, datetime) != isinstance(right, datetime):
        left, right = day(left), day(right)
    if _family(left) != _family(right) or (_has_no_order(left) and operator not in ("==", "!=")):
        raise TreeTypeError(f"{shown(left)} {operator} {shown(right)} cannot be compared")
    try:
        return _COMPARE[operator](left, right)
    except TypeError as bad:
        if isinstance(left, tuple) and isinstance(right, tuple) and (None in left or None in right):
            raise NoValue from bad
        raise TreeTypeError(f"{shown(left)} {operator} {shown(right)} cannot be compared") from bad


def _has_no_order(value: Any) -> bool:
    return isinstance(value, bool | Mapping | relativedelta)


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal; values of different kinds are not."""
    try:
        return compare("==", left, right)
    except TreeTypeError:
        return False


def _family(value: Any) -> str:
    for kinds, name in _FAMILIES:
        if isinstance(value, kinds):
            return name
    return type(value).__name__


_FAMILIES: tuple[tuple[Any, str], ...] = (
    (bool, "truth"),
    ((int, Decimal), "number"),
    (str, "text"),
    (date, "day"),
    (tuple, "list"),
    (Mapping, "event"),
)


def _alike(value: Any, other: Any) -> Any:
    """An ISO text beside a date, time or moment as one of those."""
    if not isinstance(value, str) or not isinstance(other, date | time):
        return value
    parse = datetime.fromisoformat if "T" in value or " " in value.strip() else type(other).fromisoformat
    try:
        return parse(value)
    except ValueError as bad:
        raise TreeTypeError(f"{value!r} is not a {type(other).__name__}") from bad


def day(value: date) -> date:
    """The day of a date or a moment."""
    return value.date() if isinstance(value, datetime) else value


def text_of(value: Any) -> str:
    """How str() writes a value: numbers without needless zeros, dates as in ISO 8601, lists as in Python."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, tuple):
        return f"[{', '.join(_quoted(item) for item in value)}]"
    return str(value)


def shown(value: Any) -> str:
    """A value in an error: short, whatever its size."""
    if isinstance(value, tuple):
        return "a list"
    return "an event" if isinstance(value, Mapping) else text_of(value)[:80]


def _quoted(value: Any) -> str:
    return repr(value) if isinstance(value, str) else text_of(value)


def rounded(value: int | Decimal, digits: int = 0) -> int | Decimal:
    """The number rounded, halves up; an integer if no digits are asked for."""
    scale = Decimal(10) ** digits
    result = (Decimal(value) * scale + Decimal("0.5")).to_integral_value(ROUND_FLOOR) / scale
    return int(result) if digits == 0 else result
