"""Functions of present values: those that make a date or a number, and those of lists."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from .budget import MAX_ITEMS, MAX_NUMBER, fits_list
from .collection_values import items, position
from .dates import strptime
from .formats import formatted
from .patterns import PATTERNS
from .values import NoValue, Table, rounded, shown, text_of

_SECONDS = {
    "weeks": Decimal(604_800),
    "days": Decimal(86_400),
    "hours": Decimal(3_600),
    "minutes": Decimal(60),
    "seconds": Decimal(1),
    "milliseconds": Decimal("0.001"),
    "microseconds": Decimal("0.000001"),
}
_EPOCH = datetime(1970, 1, 1)
_DIGITS = 30


# ---------------------------------------------------------------- numbers
def _int(value: Any) -> int:
    return int(value.strip()) if isinstance(value, str) else int(value)


def _float(value: Any) -> Decimal:
    result = Decimal(value.strip() if isinstance(value, str) else value)
    if not result.is_finite() or abs(result.adjusted()) > 2 * _DIGITS or abs(result) >= MAX_NUMBER:
        raise ValueError("not a finite number")
    return result


def _round(value: Any, digits: Any = 0) -> int | Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TypeError
    places = position(digits)
    if abs(places) > _DIGITS:
        raise TreeTypeError(f"round() to at most {_DIGITS} digits")
    if isinstance(value, int) and places >= 0:
        return value
    return rounded(value, places)


def _whole(rounding: str) -> Callable[[Any], int]:
    return lambda value: int(Decimal(value).to_integral_value(rounding))


def _divmod(left: Any, right: Any) -> tuple[Any, ...]:
    if not right:
        raise NoValue
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        quotient = int((Decimal(left) / Decimal(right)).to_integral_value(ROUND_FLOOR))
        return (quotient, left - quotient * right)
    return tuple(divmod(left, right))


# ---------------------------------------------------------------- dates and durations
def _plain(value: Any) -> Any:
    """A number as the libraries of dates take it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _of_parts(build: Callable[..., Any]) -> Callable[..., Any]:
    def made(*arguments: Any, **keywords: Any) -> Any:
        return build(*map(_plain, arguments), **{name: _plain(value) for name, value in keywords.items()})

    return made


def _timedelta(days: Any = 0, seconds: Any = 0, **parts: Any) -> timedelta:
    amounts = {"days": days, "seconds": seconds, **parts}
    if any(not isinstance(amount, int | Decimal) for amount in amounts.values()):
        raise TypeError
    total = sum((amount * _SECONDS[name] for name, amount in amounts.items()), Decimal(0))
    return timedelta(microseconds=int(total * 1_000_000))


def _relativedelta(*ends: Any, **parts: Any) -> relativedelta:
    """A calendar span of so many months and days, or that from the second date to the first."""
    if len(ends) == 1 or any(not isinstance(part, int | Decimal) for part in parts.values()):
        raise TypeError
    return relativedelta(*ends, **{name: _plain(value) for name, value in parts.items()})


def _from_timestamp(value: Any) -> datetime:
    return _EPOCH + _timedelta(seconds=value)


def _naive(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Reads an ISO text; a zone is left out, since all times are those of the wall clock."""

    def read(text: str) -> Any:
        found = parse(text)
        return found.replace(tzinfo=None) if isinstance(found, datetime | time) else found

    return read


# ---------------------------------------------------------------- lists
def _range(*bounds: Any) -> tuple[int, ...]:
    counted = range(*map(position, bounds))
    if len(counted) > MAX_ITEMS:
        fits_list(len(counted))
    return tuple(counted)


def _enumerate(values: Any, start: Any = 0) -> tuple[tuple[int, Any], ...]:
    return tuple(enumerate(items(values), position(start)))


def _dict(pairs: Any) -> Table:
    if isinstance(pairs, Table):
        return Table(pairs.entries)
    return Table(dict(pairs))


def _sum_from(values: Any, start: Any) -> Any:
    if isinstance(start, str):
        raise TypeError
    known = [value for value in items(values) if value is not None]
    if isinstance(start, tuple):
        fits_list(len(start) + sum(len(value) for value in known))
        return (*start, *(item for value in known for item in value))
    return sum(known, start)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": _round,
    "divmod": _divmod,
    "math.floor": _whole(ROUND_FLOOR),
    "math.ceil": _whole(ROUND_CEILING),
    "math.trunc": _whole(ROUND_DOWN),
    "math.sqrt": lambda value: Decimal(value).sqrt(),
    "str": text_of,
    "format": lambda value, spec="": formatted(value, spec),
    "int": _int,
    "float": _float,
    "date": _of_parts(date),
    "time": _of_parts(time),
    "datetime": _of_parts(datetime),
    "timedelta": _timedelta,
    "relativedelta": _relativedelta,
    "date.fromisoformat": date.fromisoformat,
    "time.fromisoformat": _naive(time.fromisoformat),
    "datetime.fromisoformat": _naive(datetime.fromisoformat),
    "datetime.combine": datetime.combine,
    "datetime.strptime": strptime,
    "datetime.fromtimestamp": _from_timestamp,
    "date.fromordinal": lambda value: date.fromordinal(position(value)),
    "calendar.monthrange": lambda year, month: tuple(calendar.monthrange(position(year), position(month))),
    "calendar.isleap": lambda year: calendar.isleap(position(year)),
    "range": _range,
    "enumerate": _enumerate,
    "zip": lambda *lists: tuple(zip(*map(items, lists), strict=False)),
    "reversed": lambda values: tuple(reversed(items(values))),
    "iter": items,
    "dict": _dict,
    "sum": _sum_from,
    **PATTERNS,
}
"""What a function gives of its arguments, all present."""

_WRONG_KIND = (TypeError, AttributeError)
_NO_SUCH = (ValueError, KeyError, IndexError, OverflowError, ArithmeticError)


def called(what: str, function: Callable[..., Any], arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
    """The function's value; `what` names it in errors.

    Raises NoValue where there is no such value (an int() of no number, 31 February), TreeTypeError for values of a
    wrong kind.
    """
    try:
        return function(*arguments, **keywords)
    except _WRONG_KIND as bad:
        given = ", ".join(shown(argument) for argument in arguments)
        raise TreeTypeError(f"{what} of {given}" if given else f"{what} is given values of a wrong kind") from bad
    except _NO_SUCH as bad:
        raise NoValue(f"{what}: {bad}") from bad
