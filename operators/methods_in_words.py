"""What functions and methods of trees are in words, by how many values they are given (-1: any number)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

DONE: Final[Mapping[tuple[str, int], str]] = {
    **dict.fromkeys((("lower", 0), ("upper", 0), ("title", 0), ("strip", 0), ("isoformat", 0)), "{0}"),
    ("strip", 1): "{0} without {1} at its ends", ("split", 0): "the words of {0}",
    ("split", 1): "{0} taken apart at {1}", ("count", 1): "how often {1} stands in {0}",
    ("replace", 2): "{0} with {2} in the place of {1}", ("replace", -1): "{0} with {all}",
    ("join", 1): "{1} with {0} between them", ("strftime", 1): "{0} written as {1}",
    ("isoweekday", 0): "weekday of {0}", ("weekday", 0): "weekday of {0}", ("isocalendar", 0): "week of {0}",
    ("date", 0): "day of {0}", ("time", 0): "time of {0}", ("total_seconds", 0): "seconds of {0}",
}  # fmt: skip
"""Methods: {0} is the value whose they are."""
CALLED: Final[Mapping[tuple[str, int], str]] = {
    ("len", 1): "number of {0}", ("sum", 1): "sum of {0}", ("mean", 1): "average of {0}",
    ("max", 1): "greatest of {0}", ("min", 1): "least of {0}", ("max", -1): "greatest of {all}",
    ("min", -1): "least of {all}", ("median", 1): "median of {0}", ("abs", 1): "size of {0}",
    ("percentile", 2): "percentile {1} of {0}",
    ("round", 1): "{0}, rounded", ("round", 2): "{0}, rounded to {1} digits",
    **dict.fromkeys((("list", 1), ("str", 1), ("int", 1), ("float", 1)), "{0}"), ("set", 1): "each different {0}",
    ("bool", 1): "whether there is {0}", ("sorted", 1): "{0} in order", ("next", 1): "first of {0}",
    ("next", 2): "first of {0}, or {1}", ("range", 1): "the numbers below {0}",
    ("range", 2): "the numbers from {0} to below {1}", ("range", 3): "the numbers from {0} to below {1}, each {2} on",
    ("zip", -1): "{all} side by side", ("date.today", 0): "today", ("datetime.now", 0): "now",
    ("datetime.combine", 2): "{0} at {1}",
    **dict.fromkeys((("date.fromisoformat", 1), ("time.fromisoformat", 1), ("datetime.fromisoformat", 1)), "{0}"),
    **dict.fromkeys((("date", -1), ("datetime", -1)), "the day of {all}"), ("time", -1): "the time of {all}",
    ("time", 0): "00:00", ("calendar.monthrange", 2): "the days of month {1} of {0}",
    ("nearest", 2): "{0} nearest to {1}",
}  # fmt: skip
"""Functions."""
TESTED: Final[Mapping[str, str]] = {
    "startswith": "{0} begins with {1}", "endswith": "{0} ends with {1}", "any": "any of {0}", "all": "all of {0}",
    "nearest": "{0} nearest to {1}",
}  # fmt: skip
"""What is a condition; {0} is the value whose method it is, or the first that is given."""
_WRITTEN: Final[Mapping[str, str]] = {
    "Y": "year", "y": "year", "G": "year", "m": "month", "B": "month", "b": "month", "d": "day", "j": "day",
    "A": "weekday", "a": "weekday", "u": "weekday", "V": "week", "H": "hour", "I": "hour", "p": "half of the day",
    "M": "minute", "S": "second",
}  # fmt: skip
"""What strftime() writes."""


def plain(name: str) -> str:
    """A name of a tree as words."""
    return name.replace("_", " ")


def written(form: str, base: str) -> str:
    """A moment as a form has it: "year and month of start date"."""
    told = [_WRITTEN[sign] for mark, sign in pairwise(form) if mark == "%" and sign in _WRITTEN]
    return f"{listed(list(dict.fromkeys(told)), 'and') or 'nothing'} of {base}"


def amount(number: str, unit: str) -> str:
    """1 day, 3 days; what sets a part of a moment is a unit without an s."""
    if not unit.endswith("s"):
        return f"{unit} {number}"
    return f"{number} {unit[:-1] if number == '1' else unit}"


def keyword(name: str, said: str) -> str:
    """What is given by name."""
    return f"{plain(name)} {said}"


def listed(said: Sequence[str], word: str) -> str:
    """ "a, b and c"."""
    *first, last = said or ("",)
    return f"{', '.join(first)} {word} {last}" if first else last


def from_to(start: str | None, stop: str | None) -> str:
    """From which place to which."""
    return f"{f' from place {start}' if start else ''}{f' up to place {stop}' if stop else ''}"
