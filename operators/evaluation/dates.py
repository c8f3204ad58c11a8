"""Parts and methods of dates, times, moments and durations; writing and reading them by a pattern.

Nothing here depends on the machine: names of days and months are English, and a moment without a zone counts its
seconds since 1970 as if it were UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from dateutil.relativedelta import relativedelta

from ...errors import TreeTypeError
from ..algebra import CONSTANTS
from .budget import fits_text

_EPOCH = datetime(1970, 1, 1)
_DAYS, _MONTHS = CONSTANTS["calendar.day_name"], CONSTANTS["calendar.month_name"]
_MIDNIGHT, _DAY_ZERO = time(), date(1900, 1, 1)


def field(value: Any, name: str) -> Any:
    """A part of a value by its name. Raises AttributeError where it has none."""
    if name in ("days", "seconds") and isinstance(value, int | Decimal) and not value:
        return 0  # a sum of durations over nothing
    if isinstance(value, date) and name == "week":
        return value.isocalendar().week
    if isinstance(value, date | time | timedelta | relativedelta):
        return getattr(value, name)
    raise AttributeError(name)


def total_seconds(value: Any) -> Decimal:
    """The length of a duration in seconds, exactly."""
    if not isinstance(value, timedelta):
        if isinstance(value, int | Decimal) and not value:
            return Decimal(0)  # a sum of durations over nothing
        raise TypeError("not a duration")
    return Decimal(value // timedelta(microseconds=1)) / 1_000_000


# ---------------------------------------------------------------- writing by a pattern
def _parts(value: date | time) -> tuple[date, time]:
    if isinstance(value, time):
        return _DAY_ZERO, value
    return (value.date(), value.time()) if isinstance(value, datetime) else (value, _MIDNIGHT)


_WRITE: dict[str, Callable[[date, time], str]] = {
    "Y": lambda d, _: f"{d.year:04}",
    "m": lambda d, _: f"{d.month:02}",
    "d": lambda d, _: f"{d.day:02}",
    "e": lambda d, _: f"{d.day:2}",
    "y": lambda d, _: f"{d.year % 100:02}",
    "B": lambda d, _: _MONTHS[d.month],
    "b": lambda d, _: _MONTHS[d.month][:3],
    "h": lambda d, _: _MONTHS[d.month][:3],
    "A": lambda d, _: _DAYS[d.weekday()],
    "a": lambda d, _: _DAYS[d.weekday()][:3],
    "j": lambda d, _: f"{d.timetuple().tm_yday:03}",
    "U": lambda d, _: f"{(d.timetuple().tm_yday + 6 - d.isoweekday() % 7) // 7:02}",
    "W": lambda d, _: f"{(d.timetuple().tm_yday + 6 - d.weekday()) // 7:02}",
    "V": lambda d, _: f"{d.isocalendar().week:02}",
    "G": lambda d, _: f"{d.isocalendar().year:04}",
    "u": lambda d, _: str(d.isoweekday()),
    "w": lambda d, _: str(d.isoweekday() % 7),
    "F": lambda d, _: d.isoformat(),
    "D": lambda d, _: f"{d.month:02}/{d.day:02}/{d.year % 100:02}",
    "H": lambda _, t: f"{t.hour:02}",
    "I": lambda _, t: f"{(t.hour + 11) % 12 + 1:02}",
    "M": lambda _, t: f"{t.minute:02}",
    "S": lambda _, t: f"{t.second:02}",
    "f": lambda _, t: f"{t.microsecond:06}",
    "p": lambda _, t: "AM" if t.hour < 12 else "PM",
    "T": lambda _, t: f"{t.hour:02}:{t.minute:02}:{t.second:02}",
    "R": lambda _, t: f"{t.hour:02}:{t.minute:02}",
    "%": lambda _d, _t: "%",
}
_DIRECTIVE = re.compile(r"%(-?)(.?)", re.DOTALL)


def strftime(value: date | time, pattern: str) -> str:
    """The date or time written by a pattern of strftime's directives; `%-d` leaves zeros out.

    Raises TreeTypeError for a directive that there is not.
    """
    fits_text(len(pattern) * 5)
    day, clock = _parts(value)

    def written(match: re.Match[str]) -> str:
        write = _WRITE.get(match[2])
        if write is None:
            raise TreeTypeError(f"no directive {match[0]}; there are {' '.join('%' + name for name in _WRITE)}")
        text = write(day, clock)
        return text.lstrip("0 ") or "0" if match[1] else text

    return _DIRECTIVE.sub(written, pattern)


# ---------------------------------------------------------------- reading by a pattern
def _names(names: Any) -> str:
    return "(" + "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True)) + ")"


_READ: dict[str, tuple[str, str]] = {
    "Y": ("year", r"(\d{4})"),
    "y": ("short", r"(\d{2})"),
    "m": ("month", r"(\d{1,2})"),
    "d": ("day", r"(\d{1,2})"),
    "e": ("day", r"\s?(\d{1,2})"),
    "H": ("hour", r"(\d{1,2})"),
    "I": ("hour12", r"(\d{1,2})"),
    "M": ("minute", r"(\d{1,2})"),
    "S": ("second", r"(\d{1,2})"),
    "f": ("fraction", r"(\d{1,6})"),
    "p": ("half", r"([AaPp][Mm])"),
    "B": ("name", _names(_MONTHS)),
    "b": ("name", _names(CONSTANTS["calendar.month_abbr"])),
    "A": ("weekday", _names(_DAYS)),
    "a": ("weekday", _names(CONSTANTS["calendar.day_abbr"])),
}


def strptime(text: str, pattern: str) -> datetime:
    """The moment that a text says by a pattern. Raises ValueError for another text, TreeTypeError for the pattern."""
    fits_text(len(pattern) * 40)
    pattern = pattern.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S").replace("%R", "%H:%M")
    names: list[str] = []
    parts: list[str] = []
    for literal, directive in re.findall(r"([^%]+)|%-?(.?)", pattern, re.DOTALL):
        if literal:
            parts.append(r"\s+".join(re.escape(word) for word in re.split(r"\s+", literal)))
        elif directive == "%":
            parts.append("%")
        elif directive in _READ and _READ[directive][0] not in names:
            names.append(_READ[directive][0])
            parts.append(_READ[directive][1])
        else:
            raise TreeTypeError(f"no directive %{directive} here; there are {' '.join('%' + name for name in _READ)}")
    found = re.fullmatch("".join(parts), text, re.IGNORECASE)
    if found is None:
        raise ValueError(f"{text!r} is not written as {pattern!r}")
    return _moment(dict(zip(names, found.groups(), strict=True)))


def _moment(said: dict[str, str]) -> datetime:
    number = {name: int(text) for name, text in said.items() if text.isdecimal()}
    year = number.get("year", 1900)
    if "short" in number:  # as POSIX has it
        year = number["short"] + (2000 if number["short"] < 69 else 1900)
    month = number.get("month", 1)
    if "name" in said:
        month = [name[:3].lower() for name in _MONTHS].index(said["name"][:3].lower())
    hour = number.get("hour", 0)
    if "hour12" in number:
        if not 1 <= number["hour12"] <= 12:
            raise ValueError("an hour of 1 to 12")
        hour = number["hour12"] % 12 + (12 if said.get("half", "").lower() == "pm" else 0)
    fraction = int(said.get("fraction", "0").ljust(6, "0"))
    return datetime(year, month, number.get("day", 1), hour, number.get("minute", 0), number.get("second", 0), fraction)


# ---------------------------------------------------------------- methods
def _replace(value: Any, *arguments: Any, **parts: Any) -> Any:
    if arguments:
        raise TypeError("the parts of a date are replaced by name")
    return value.replace(**parts)


def _clock(value: datetime) -> time:
    return value.time().replace(microsecond=0)


_OF_DAY: dict[str, Callable[..., Any]] = {
    "weekday": date.weekday,
    "isoweekday": date.isoweekday,
    "isocalendar": lambda value: tuple(value.isocalendar()),
    "toordinal": date.toordinal,
    "isoformat": date.isoformat,
    "strftime": strftime,
    "replace": _replace,
}
DATE_METHODS: dict[type, dict[str, Callable[..., Any]]] = {
    datetime: {
        **_OF_DAY,
        "isoformat": datetime.isoformat,
        "date": datetime.date,
        "time": _clock,
        "timestamp": lambda value: total_seconds(value - _EPOCH),
    },
    date: {**_OF_DAY, "date": lambda value: value},
    time: {"isoformat": time.isoformat, "strftime": strftime, "replace": _replace},
    timedelta: {"total_seconds": total_seconds},
}
"""What a method gives of a value and the method's arguments, by the value's type."""
