"""What may stand in conditions and functions: the names of parts, methods, functions and constants, and their arity.

These tables are the whole of it: a name that is not here is refused when a text is read. What each means stands in
`text_values`, `dates`, `collection_values`, `folds` and `functions`.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import MAXYEAR, date, datetime, time
from decimal import Decimal
from typing import Any

from ..errors import TreeTypeError

Arity = tuple[int, int]
"""The fewest and the most positional arguments."""

FIELDS = frozenset({"year", "month", "day", "hour", "minute", "second", "days", "seconds", "week", "years", "months"})
"""What may follow a value after a dot without parentheses: parts of dates, times and durations."""

_NONE: Arity = (0, 0)
_ONE: Arity = (1, 1)
METHODS: dict[str, Arity] = {
    **dict.fromkeys(("lower", "upper", "title", "capitalize", "casefold", "swapcase", "splitlines"), _NONE),
    **dict.fromkeys(("isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal", "isspace"), _NONE),
    **dict.fromkeys(("isupper", "islower", "istitle"), _NONE),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (0, 1)),
    **dict.fromkeys(("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"), _ONE),
    **dict.fromkeys(("split", "rsplit"), (0, 2)),
    **dict.fromkeys(("find", "rfind", "index", "count"), (1, 3)),
    **dict.fromkeys(("center", "ljust", "rjust"), (1, 2)),
    **dict.fromkeys(("zfill", "join", "strftime"), _ONE),
    "replace": (0, 3),
    **dict.fromkeys(("weekday", "isoweekday", "isocalendar", "date", "time"), _NONE),
    **dict.fromkeys(("total_seconds", "timestamp", "toordinal"), _NONE),
    "isoformat": (0, 2),
    **dict.fromkeys(("union", "intersection", "difference"), (0, 16)),
    **dict.fromkeys(("symmetric_difference", "issubset", "issuperset", "isdisjoint"), _ONE),
    **dict.fromkeys(("keys", "values", "items", "total", "groups"), _NONE),
    "get": (1, 2),
    "most_common": (0, 1),
    "group": (0, 1),
}
"""Methods of values."""

_DAY_PARTS = frozenset({"year", "month", "day"})
_CLOCK_PARTS = frozenset({"hour", "minute", "second"})
METHOD_KEYWORDS: dict[str, frozenset[str]] = {
    "replace": _DAY_PARTS | _CLOCK_PARTS | {"microsecond"},
    "split": frozenset({"sep", "maxsplit"}),
    "rsplit": frozenset({"sep", "maxsplit"}),
    "isoformat": frozenset({"sep", "timespec"}),
    "most_common": frozenset({"n"}),
}
"""Keyword arguments that a method takes."""

CALLS: dict[str, Arity] = {
    **dict.fromkeys(("len", "abs", "mean", "any", "all", "set", "list", "sorted", "str"), _ONE),
    **dict.fromkeys(("int", "float", "bool", "dict", "reversed", "iter", "Counter"), _ONE),
    **dict.fromkeys(("median", "mode", "stdev", "pstdev", "variance"), _ONE),
    **dict.fromkeys(("math.floor", "math.ceil", "math.sqrt", "math.trunc"), _ONE),
    **dict.fromkeys(("round", "sum", "format", "next"), (1, 2)),
    **dict.fromkeys(("min", "max"), (1, 64)),
    "range": (1, 3),
    "enumerate": (1, 2),
    "zip": (1, 8),
    "divmod": (2, 2),
    "isinstance": (2, 2),
    "date": (3, 3),
    "time": (0, 3),
    "datetime": (3, 6),
    "timedelta": (0, 2),
    "relativedelta": (0, 2),
    **dict.fromkeys(("date.today", "datetime.now", "datetime.today"), _NONE),
    **dict.fromkeys(("date.fromisoformat", "time.fromisoformat", "datetime.fromisoformat"), _ONE),
    "datetime.combine": (2, 2),
    "datetime.strptime": (2, 2),
    "datetime.fromtimestamp": _ONE,
    "date.fromordinal": _ONE,
    "calendar.monthrange": (2, 2),
    "calendar.isleap": _ONE,
    **dict.fromkeys(("re.search", "re.match", "re.fullmatch", "re.findall"), (2, 3)),
    "re.sub": (3, 3),
    "nearest": (2, 2),
}
"""Functions by name."""

KEYWORDS: dict[str, frozenset[str]] = {
    "sorted": frozenset({"key", "reverse"}),
    "min": frozenset({"key", "default"}),
    "max": frozenset({"key", "default"}),
    "enumerate": frozenset({"start"}),
    "date": _DAY_PARTS,
    "time": _CLOCK_PARTS,
    "datetime": _DAY_PARTS | _CLOCK_PARTS,
    "timedelta": frozenset({"days", "seconds", "minutes", "hours", "weeks", "milliseconds", "microseconds"}),
    "relativedelta": frozenset({"years", "months", "weeks", "days", "hours", "minutes", "seconds"})
    | _DAY_PARTS
    | _CLOCK_PARTS,
}
"""Keyword arguments that a function takes."""

COUNTED = frozenset({"date", "time", "datetime"})
"""Functions whose keywords count as arguments."""

BUILTINS = frozenset(
    {"len", "sum", "min", "max", "mean", "round", "abs", "sorted", "set", "list", "str", "int", "float", "bool"}
    | {"any", "all", "median", "mode", "stdev", "pstdev", "variance", "reversed", "Counter", "next"}
)
"""Functions that may be given by name alone: `fct=len`."""

BINARY = frozenset({"+", "-", "*", "/", "//", "%", "**", "&", "|", "^"})
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"})

_DAYS, _MONTHS = tuple(calendar.day_name), tuple(calendar.month_name)
TYPES = frozenset(
    {"str", "int", "float", "bool", "list", "tuple", "set", "dict", "date", "time", "datetime", "timedelta"}
)
"""Types that isinstance() knows."""

CONSTANTS: Mapping[str, Any] = {
    "calendar.day_name": _DAYS,
    "calendar.day_abbr": tuple(name[:3] for name in _DAYS),
    "calendar.month_name": _MONTHS,
    "calendar.month_abbr": tuple(name[:3] for name in _MONTHS),
    "math.pi": Decimal("3.141592653589793"),
    "math.e": Decimal("2.718281828459045"),
    "date.min": date.min,
    "date.max": date.max,
    "time.min": time(),
    "time.max": time(23, 59, 59),
    "datetime.min": datetime.min,
    "datetime.max": datetime(MAXYEAR, 12, 31, 23, 59, 59),
    "re.IGNORECASE": "i",
    "re.MULTILINE": "m",
    "re.DOTALL": "s",
}
"""Values by name. Names of days and months are English whatever the machine's language."""


def check_arity(what: str, given: int, allowed: Arity) -> None:
    """Raises TreeTypeError for too few or too many arguments."""
    fewest, most = allowed
    if not fewest <= given <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise TreeTypeError(f"{what} takes {wanted} arguments, not {given}")
