"""What may stand in conditions and functions: the names of parts, methods and functions, and their arity.

These tables are the whole of it: a name that is not here is refused when a text is read. What each means stands in
`evaluation/functions.py`.
"""

from __future__ import annotations

from ..errors import TreeTypeError

Arity = tuple[int, int]
"""The fewest and the most positional arguments."""

FIELDS = frozenset({"year", "month", "day", "hour", "minute", "second", "days", "seconds", "week"})
"""What may follow a value after a dot without parentheses: parts of dates, times and durations."""

_NONE: Arity = (0, 0)
_ONE: Arity = (1, 1)
METHODS: dict[str, Arity] = {
    **dict.fromkeys(("lower", "upper", "title"), _NONE),
    **dict.fromkeys(("strip", "split"), (0, 1)),
    **dict.fromkeys(("startswith", "endswith", "count", "join", "strftime"), _ONE),
    "replace": (0, 2),
    **dict.fromkeys(("weekday", "isoweekday", "isocalendar", "date", "time", "isoformat", "total_seconds"), _NONE),
}
"""Methods of values."""

_DAY_PARTS = frozenset({"year", "month", "day"})
_CLOCK_PARTS = frozenset({"hour", "minute", "second"})
METHOD_KEYWORDS: dict[str, frozenset[str]] = {"replace": _DAY_PARTS | _CLOCK_PARTS}
"""Keyword arguments that a method takes."""

CALLS: dict[str, Arity] = {
    **dict.fromkeys(("len", "abs", "sum", "mean", "median", "any", "all", "set", "list", "sorted"), _ONE),
    **dict.fromkeys(("str", "int", "float", "bool"), _ONE),
    **dict.fromkeys(("round", "next"), (1, 2)),
    **dict.fromkeys(("min", "max"), (1, 64)),
    "range": (1, 3),
    "zip": (1, 8),
    "percentile": (2, 2),
    "date": (3, 3),
    "time": (0, 3),
    "datetime": (3, 6),
    "timedelta": (0, 2),
    "relativedelta": _NONE,
    **dict.fromkeys(("date.today", "datetime.now"), _NONE),
    **dict.fromkeys(("date.fromisoformat", "time.fromisoformat", "datetime.fromisoformat"), _ONE),
    "datetime.combine": (2, 2),
    "calendar.monthrange": (2, 2),
    "nearest": (2, 2),
}
"""Functions by name."""

KEYWORDS: dict[str, frozenset[str]] = {
    "sorted": frozenset({"key", "reverse"}),
    "min": frozenset({"key", "default"}),
    "max": frozenset({"key", "default"}),
    "date": _DAY_PARTS,
    "time": _CLOCK_PARTS,
    "datetime": _DAY_PARTS | _CLOCK_PARTS,
    "timedelta": frozenset({"days", "seconds", "minutes", "hours", "weeks"}),
    "relativedelta": frozenset({"years", "months", "weeks", "days", "hours", "minutes", "seconds"}),
}
"""Keyword arguments that a function takes."""

COUNTED = frozenset({"date", "time", "datetime"})
"""Functions whose keywords count as arguments."""

BUILTINS = frozenset(
    {"len", "sum", "min", "max", "mean", "median", "round", "abs", "sorted", "set", "list", "str", "int", "float"}
    | {"bool", "any", "all"}
)
"""Functions that may be given by name alone: `fct=len`."""

BINARY = frozenset({"+", "-", "*", "/", "//", "%"})
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"})


def check_arity(what: str, given: int, allowed: Arity) -> None:
    """Raises TreeTypeError for too few or too many arguments."""
    fewest, most = allowed
    if not fewest <= given <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise TreeTypeError(f"{what} takes {wanted} arguments, not {given}")
