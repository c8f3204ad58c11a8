"""Methods and functions of present values: of texts, dates and lists; items and parts of lists and texts; folds.

Nothing here depends on the machine: names of days and months are English.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from .budget import MAX_ITEMS, MAX_NUMBER, fits_list, fits_text
from .plain_values import NoValue, rounded, shown, text_of

_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_DAYS, _MONTHS = tuple(calendar.day_name), tuple(calendar.month_name)
_MIDNIGHT, _DAY_ZERO = time(), date(1900, 1, 1)
_DIGITS = 30


# ---------------------------------------------------------------- items and parts
def item(value: Any, at: int) -> Any:
    """`value[at]`. Raises NoValue where there is none, TreeTypeError where values of the kind have no items."""
    try:
        return _sequence(value, "items")[at]
    except IndexError as bad:
        raise NoValue from bad


def section(value: Any, start: int | None, stop: int | None) -> Any:
    """`value[start:stop]`. Raises TreeTypeError."""
    return _sequence(value, "parts")[start:stop]


def _sequence(value: Any, what: str) -> Any:
    if not isinstance(value, str | tuple):
        raise TreeTypeError(f"{shown(value)} has no {what}")
    return value


def items(value: Any) -> tuple[Any, ...]:
    """What a loop runs over: items of a list, characters of a text. Raises TreeTypeError."""
    if isinstance(value, str | tuple):
        return tuple(value)
    raise TreeTypeError(f"{shown(value)} is not a list")


def position(value: Any) -> int:
    """A whole number, also where it is held as a fractional one. Raises TreeTypeError for others."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, int):
        return value
    raise TreeTypeError(f"{shown(value)} is not a whole number")


def field(value: Any, name: str) -> Any:
    """A part of a value by its name. Raises AttributeError where it has none."""
    if name in ("days", "seconds") and isinstance(value, int | Decimal) and not value:
        return 0  # a sum of durations over nothing
    if isinstance(value, date) and name == "week":
        return value.isocalendar().week
    if isinstance(value, date | time | timedelta):
        return getattr(value, name)
    raise AttributeError(name)


# ---------------------------------------------------------------- methods
def _replace(text: str, old: str, new: str) -> str:
    fits_text(len(text) + text.count(old) * max(0, len(new) - len(old)))
    return text.replace(old, new)


def _join(text: str, parts: Any) -> str:
    """The parts with the text between them; those that are missing do not count."""
    known = [part for part in items(parts) if part is not None]
    fits_text(sum(len(part) + len(text) for part in known))
    return text.join(known)


def _total_seconds(value: Any) -> Decimal:
    """The length of a duration in seconds, exactly."""
    if not value:
        return Decimal(0)  # also a sum of durations over nothing
    return Decimal(value // timedelta(microseconds=1)) / 1_000_000


_WRITE: dict[str, Callable[[date, time], str]] = {
    "Y": lambda d, _: f"{d.year:04}",
    "m": lambda d, _: f"{d.month:02}",
    "d": lambda d, _: f"{d.day:02}",
    "y": lambda d, _: f"{d.year % 100:02}",
    "B": lambda d, _: _MONTHS[d.month],
    "b": lambda d, _: _MONTHS[d.month][:3],
    "A": lambda d, _: _DAYS[d.weekday()],
    "a": lambda d, _: _DAYS[d.weekday()][:3],
    "j": lambda d, _: f"{d.timetuple().tm_yday:03}",
    "V": lambda d, _: f"{d.isocalendar().week:02}",
    "G": lambda d, _: f"{d.isocalendar().year:04}",
    "u": lambda d, _: str(d.isoweekday()),
    "H": lambda _, t: f"{t.hour:02}",
    "I": lambda _, t: f"{(t.hour + 11) % 12 + 1:02}",
    "M": lambda _, t: f"{t.minute:02}",
    "S": lambda _, t: f"{t.second:02}",
    "p": lambda _, t: "AM" if t.hour < 12 else "PM",
    "%": lambda _d, _t: "%",
}


def _strftime(value: date | time, pattern: str) -> str:
    """The date or time written by a pattern of strftime's directives; `%-d` leaves zeros out.

    Raises TreeTypeError for a directive that there is not.
    """
    fits_text(len(pattern) * 5)
    day = _DAY_ZERO if isinstance(value, time) else value
    clock = value if isinstance(value, time) else value.time() if isinstance(value, datetime) else _MIDNIGHT

    def written(match: re.Match[str]) -> str:
        write = _WRITE.get(match[2])
        if write is None:
            raise TreeTypeError(f"no directive {match[0]}; there are {' '.join('%' + name for name in _WRITE)}")
        text = write(day, clock)
        return text.lstrip("0 ") or "0" if match[1] else text

    return re.sub("(?s)%(-?)(.?)", written, pattern)


def _replaced(value: Any, *arguments: Any, **parts: Any) -> Any:
    if arguments:
        raise TypeError("the parts of a date are replaced by name")
    return value.replace(**parts)


_OF_DAY: dict[str, Callable[..., Any]] = {
    "weekday": date.weekday,
    "isoweekday": date.isoweekday,
    "isocalendar": lambda value: tuple(value.isocalendar()),
    "isoformat": date.isoformat,
    "strftime": _strftime,
    "replace": _replaced,
    "date": lambda value: value,
}
METHODS: dict[type, dict[str, Callable[..., Any]]] = {
    str: {
        **{
            name: getattr(str, name) for name in ("lower", "upper", "title", "strip", "startswith", "endswith", "count")
        },
        "split": lambda *arguments: tuple(str.split(*arguments)),
        "replace": _replace,
        "join": _join,
    },
    tuple: {"count": lambda value, wanted: value.count(wanted)},
    datetime: {
        **_OF_DAY,
        "isoformat": datetime.isoformat,
        "date": datetime.date,
        "time": lambda value: value.time().replace(microsecond=0),
    },
    date: _OF_DAY,
    time: {"isoformat": time.isoformat, "strftime": _strftime, "replace": _replaced},
    timedelta: {"total_seconds": _total_seconds},
    **{key: {"total_seconds": _total_seconds} for key in (int, Decimal)},
}
"""What a method gives of a value and the method's arguments, by the value's type."""


# ---------------------------------------------------------------- functions
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
    return value if isinstance(value, int) and places >= 0 else rounded(value, places)


def _plain(value: Any) -> Any:
    """A number as the libraries of dates take it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _of_parts(build: Callable[..., Any]) -> Callable[..., Any]:
    def made(*arguments: Any, **keywords: Any) -> Any:
        if any(not isinstance(part, int | Decimal) for part in (*arguments, *keywords.values())):
            raise TypeError
        return build(*map(_plain, arguments), **{name: _plain(value) for name, value in keywords.items()})

    return made


def _timedelta(days: Any = 0, seconds: Any = 0, **parts: Any) -> timedelta:
    amounts = {"days": days, "seconds": seconds, **parts}
    if any(not isinstance(amount, int | Decimal) for amount in amounts.values()):
        raise TypeError
    total = sum((amount * _SECONDS[name] for name, amount in amounts.items()), Decimal(0))
    return timedelta(microseconds=int(total * 1_000_000))


def _naive(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Reads an ISO text; a zone is left out, since all times are those of the wall clock."""
    return lambda text: parse(text).replace(tzinfo=None)


def _range(*bounds: Any) -> tuple[int, ...]:
    counted = range(*map(position, bounds))
    if len(counted) > MAX_ITEMS:
        fits_list(len(counted))
    return tuple(counted)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": _round,
    "str": text_of,
    "int": _int,
    "float": _float,
    "date": _of_parts(date),
    "time": _of_parts(time),
    "datetime": _of_parts(datetime),
    "timedelta": _timedelta,
    "relativedelta": _of_parts(relativedelta),
    "date.fromisoformat": date.fromisoformat,
    "time.fromisoformat": _naive(time.fromisoformat),
    "datetime.fromisoformat": _naive(datetime.fromisoformat),
    "datetime.combine": datetime.combine,
    "calendar.monthrange": lambda year, month: tuple(map(int, calendar.monthrange(position(year), position(month)))),
    "range": _range,
    "zip": lambda *lists: tuple(zip(*map(items, lists), strict=False)),
    "percentile": lambda values, share: _percentile(items(values), share),
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


# ---------------------------------------------------------------- folds: items that are missing do not count
def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """A set, which is kept in the order of its values; in that of their appearance where they have none."""
    found = dict.fromkeys(value for value in values if value is not None)
    try:
        return tuple(sorted(found))
    except TypeError:
        return tuple(found)


def _values(items: Iterable[Any]) -> list[Any]:
    return [item for item in items if item is not None]


def _sum(items: Any) -> Any:
    values = _values(items)
    if not values:
        return 0
    if any(isinstance(value, str | tuple) for value in values):
        raise TreeTypeError("sum() is of numbers and durations")
    return sum(values[1:], values[0] + 0 if isinstance(values[0], bool) else values[0])


def _mean(items: Any) -> Any:
    values = _values(items)
    if not values:
        raise NoValue
    total: Any = _sum(values)
    return total / len(values) if isinstance(total, timedelta) else Decimal(total) / len(values)


def _percentile(values: Iterable[Any], share: Any) -> Any:
    """The least value that so many of a hundred values do not exceed (nearest rank)."""
    ranked = sorted(_values(values))
    if not ranked or not 0 < share <= 100:
        raise NoValue
    return ranked[-(-len(ranked) * share // 100) - 1 if share else 0]


def _median(items: Any) -> Any:
    values = sorted(_values(items))
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else _mean(values[middle - 1 : middle + 1])


FOLDS: dict[str, Callable[[Any], Any]] = {
    "len": len,
    "sum": _sum,
    "mean": _mean,
    "median": _median,
    "set": distinct,
    "list": tuple,
}
