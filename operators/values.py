"""Plain Python values of the algebra: comparing, constructing and writing them. See `evaluate` for which they are."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from typing import Any

from dateutil.relativedelta import relativedelta

from ..errors import ReqapError, TreeTypeError


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
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def compare(operator: str, left: Any, right: Any) -> bool:
    """`left operator right`: a day and a moment as days, an ISO text with a date as that date.

    Raises TreeTypeError for values that cannot be compared.
    """
    left, right = _alike(left, right), _alike(right, left)
    if isinstance(left, date) and isinstance(right, date) and isinstance(left, datetime) != isinstance(right, datetime):
        left, right = day(left), day(right)
    if _family(left) != _family(right) or (isinstance(left, bool | tuple) and operator not in ("==", "!=")):
        raise TreeTypeError(f"{text_of(left)} {operator} {text_of(right)} cannot be compared")
    return _COMPARE[operator](left, right)


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal; values of different kinds are not."""
    try:
        return compare("==", left, right)
    except TreeTypeError:
        return False


def _family(value: Any) -> str:
    for kinds, name in ((bool, "truth"), ((int, Decimal), "number"), (date, "day"), (Mapping, "event")):
        if isinstance(value, kinds):
            return name
    return type(value).__name__


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


def calendar_part(value: date, position: int) -> int:
    """Year, week or weekday of the ISO calendar, by position."""
    return tuple(value.isocalendar())[position]


def text_of(value: Any) -> str:
    """How str() writes a value: numbers without needless zeros, dates as in ISO 8601."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def rounded(value: int | Decimal, digits: int = 0) -> int | Decimal:
    """The number rounded, halves up; an integer if no digits are asked for."""
    scale = Decimal(10) ** digits
    result = (Decimal(value) * scale + Decimal("0.5")).to_integral_value(ROUND_FLOOR) / scale
    return int(result) if digits == 0 else result


def constructed(name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The value of a function that makes one: date(), timedelta(), int(), round() and so on.

    Raises NoValue for a text that is no such value, TreeTypeError for arguments of a wrong kind.
    """
    build = _CONSTRUCTORS.get(name)
    if build is None:
        raise TreeTypeError(f"{name}() cannot be computed here")
    try:
        return build(*arguments, **keywords)
    except (TypeError, AttributeError) as bad:
        raise TreeTypeError(f"{name}() is given values of a wrong kind") from bad
    except (ValueError, InvalidOperation, OverflowError) as bad:
        raise NoValue(f"{name}(): {bad}") from bad


def _timedelta(days: Any = 0, seconds: Any = 0, **parts: Any) -> timedelta:
    total = Decimal(days) * 86_400 + Decimal(seconds)
    total += sum((Decimal(value) * _SECONDS[name] for name, value in parts.items()), Decimal(0))
    return timedelta(microseconds=int(total * 1_000_000))


def _int(value: Any) -> int:
    return int(value.strip()) if isinstance(value, str) else int(value)


def _float(value: Any) -> Decimal:
    result = Decimal(value.strip() if isinstance(value, str) else value)
    if not result.is_finite():
        raise ValueError("not a finite number")
    return result


_CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": rounded,
    "str": text_of,
    "int": _int,
    "float": _float,
    "bool": bool,
    "date": date,
    "time": time,
    "datetime": datetime,
    "timedelta": _timedelta,
    "relativedelta": relativedelta,
    "date.fromisoformat": date.fromisoformat,
    "time.fromisoformat": time.fromisoformat,
    "datetime.fromisoformat": datetime.fromisoformat,
    "datetime.combine": datetime.combine,
}
