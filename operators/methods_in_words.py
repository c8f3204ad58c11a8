"""What functions and methods of trees are in words, by how many values they are given (-1: any number)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

DONE: Final[Mapping[tuple[str, int], str]] = {
    **dict.fromkeys((("lower", 0), ("casefold", 0), ("strip", 0), ("lstrip", 0), ("rstrip", 0)), "{0}"),
    **dict.fromkeys((("upper", 0), ("title", 0), ("capitalize", 0), ("swapcase", 0)), "{0}"),
    **dict.fromkeys((("keys", 0), ("items", 0), ("groups", 0)), "what is in {0}"),
    ("values", 0): "the values in {0}",
    **dict.fromkeys((("strip", 1), ("lstrip", 1), ("rstrip", 1)), "{0} without {1} at its ends"),
    ("removeprefix", 1): "{0} without {1} at its beginning", ("removesuffix", 1): "{0} without {1} at its end",
    ("splitlines", 0): "the lines of {0}", ("split", 0): "the words of {0}", ("rsplit", 0): "the words of {0}",
    **dict.fromkeys((("split", -1), ("rsplit", -1), ("partition", 1), ("rpartition", 1)), "{0} taken apart at {all}"),
    **dict.fromkeys((("find", -1), ("rfind", -1), ("index", -1)), "where {all} stands in {0}"),
    ("count", -1): "how often {all} stands in {0}", ("replace", 2): "{0} with {2} in the place of {1}",
    **dict.fromkeys((("replace", -1), ("center", -1), ("ljust", -1), ("rjust", -1)), "{0} with {all}"),
    ("zfill", 1): "{0} as {1} digits", ("join", 1): "{1} with {0} between them", ("strftime", 1): "{0} written as {1}",
    ("isoweekday", 0): "weekday of {0}", ("weekday", 0): "weekday of {0}", ("isocalendar", 0): "week of {0}",
    ("date", 0): "day of {0}", ("time", 0): "time of {0}", ("isoformat", -1): "{0}", ("isoformat", 0): "{0}",
    ("total_seconds", 0): "seconds of {0}", ("timestamp", 0): "{0} in seconds", ("toordinal", 0): "{0} in days",
    ("union", -1): "{0} together with {all}", ("intersection", -1): "what {0} and {all} share",
    ("difference", -1): "{0} without {all}", ("symmetric_difference", 1): "what only one of {0} and {1} has",
    ("total", 0): "number of {0}", ("get", 1): "{1} of {0}", ("get", 2): "{1} of {0}, or {2}",
    ("most_common", 0): "{0}, the most frequent first", ("most_common", 1): "the {1} most frequent of {0}",
    ("group", 0): "what was found in {0}", ("group", 1): "part {1} of what was found in {0}",
}  # fmt: skip
"""Methods: {0} is the value whose they are."""
CALLED: Final[Mapping[tuple[str, int], str]] = {
    ("len", 1): "number of {0}", ("sum", 1): "sum of {0}", ("sum", 2): "{1} and the sum of {0}",
    ("mean", 1): "average of {0}", ("max", 1): "greatest of {0}", ("min", 1): "least of {0}",
    ("max", -1): "greatest of {all}", ("min", -1): "least of {all}", ("median", 1): "median of {0}",
    ("mode", 1): "most frequent of {0}", ("abs", 1): "size of {0}",
    **dict.fromkeys((("stdev", 1), ("pstdev", 1)), "standard deviation of {0}"), ("variance", 1): "variance of {0}",
    ("pvariance", 1): "variance of {0}", ("round", 1): "{0}, rounded", ("round", 2): "{0}, rounded to {1} digits",
    ("math.floor", 1): "{0}, rounded down", ("math.trunc", 1): "{0} without its fraction",
    ("math.ceil", 1): "{0}, rounded up", ("math.sqrt", 1): "square root of {0}",
    **dict.fromkeys((("list", 1), ("str", 1), ("int", 1), ("float", 1), ("dict", 1), ("iter", 1)), "{0}"),
    ("set", 1): "each different {0}", ("Counter", 1): "how often each of {0} is there",
    ("bool", 1): "whether there is {0}",
    ("sorted", 1): "{0} in order", ("reversed", 1): "{0} from the end", ("next", 1): "first of {0}",
    ("next", 2): "first of {0}, or {1}", ("format", 1): "{0}", ("format", 2): "{0} written as {1}",
    ("range", 1): "the numbers below {0}", ("range", 2): "the numbers from {0} to below {1}",
    ("range", 3): "the numbers from {0} to below {1}, each {2} on", ("enumerate", -1): "each of {0} with its place",
    ("zip", -1): "{all} side by side", ("divmod", 2): "{0} divided by {1} and what is left",
    ("date.today", 0): "today", ("datetime.now", 0): "now", ("datetime.today", 0): "now",
    ("datetime.combine", 2): "{0} at {1}", ("datetime.strptime", 2): "the time that {0} says as {1}",
    **dict.fromkeys((("date.fromisoformat", 1), ("time.fromisoformat", 1), ("datetime.fromisoformat", 1)), "{0}"),
    ("datetime.fromtimestamp", 1): "the time that {0} says", ("date.fromordinal", 1): "the day that {0} says",
    **dict.fromkeys((("date", -1), ("datetime", -1)), "the day of {all}"), ("time", -1): "the time of {all}",
    ("time", 0): "00:00", ("calendar.monthrange", 2): "the days of month {1} of {0}",
    ("re.findall", -1): "what in {1} is like {0}", ("re.sub", 3): "{2} with {1} in the place of what is like {0}",
    ("nearest", 2): "{0} nearest to {1}",
}  # fmt: skip
"""Functions."""
TESTED: Final[Mapping[str, str]] = {
    "startswith": "{0} begins with {1}", "endswith": "{0} ends with {1}", "isdigit": "{0} has digits alone",
    "isnumeric": "{0} has digits alone", "isdecimal": "{0} has digits alone", "isalpha": "{0} has letters alone",
    "isalnum": "{0} has letters and digits alone", "isspace": "{0} is blank", "isupper": "{0} is in capitals",
    "islower": "{0} is in small letters", "istitle": "{0} begins each word with a capital",
    "issubset": "all of {0} is in {1}", "issuperset": "all of {1} is in {0}",
    "isdisjoint": "{0} shares nothing with {1}",
    "re.search": "{1} has something like {0}", "re.match": "{1} begins like {0}", "re.fullmatch": "{1} is like {0}",
    "isinstance": "{0} is of kind {1}", "calendar.isleap": "{0} is a leap year",
    "any": "any of {0}", "all": "all of {0}",
    "nearest": "{0} nearest to {1}",
}  # fmt: skip
"""What is a condition; {0} is the value whose method it is, or the first that is given."""
CONSTANTS: Final[Mapping[str, str]] = {
    "calendar.day_name": "the names of weekdays", "calendar.day_abbr": "the short names of weekdays",
    "calendar.month_name": "the names of months", "calendar.month_abbr": "the short names of months",
    "math.pi": "pi", "math.e": "e", "date.min": "the first day", "date.max": "the last day", "time.min": "00:00",
    "time.max": "23:59:59", "datetime.min": "the first moment", "datetime.max": "the last moment",
    "re.IGNORECASE": "in any case", "re.MULTILINE": "line by line", "re.DOTALL": "across lines",
    "str": "text", "int": "whole number", "float": "number", "bool": "yes or no", "list": "list", "tuple": "list",
    "set": "set", "dict": "table", "date": "day", "time": "time", "datetime": "moment", "timedelta": "length of time",
}  # fmt: skip
"""Constants, and the kinds that a value may be of."""
WRITTEN: Final[Mapping[str, str]] = {
    "Y": "year", "y": "year", "G": "year", "m": "month", "B": "month", "b": "month", "d": "day", "e": "day", "j": "day",
    "A": "weekday", "a": "weekday", "u": "weekday", "w": "weekday", "V": "week", "W": "week", "U": "week",
    "H": "hour", "I": "hour", "p": "half of the day", "M": "minute", "S": "second", "F": "day", "x": "day",
    "T": "time", "R": "time", "X": "time", "c": "moment",
}  # fmt: skip
"""What strftime() writes."""
UNITS: Final[Mapping[str, tuple[str, ...]]] = {"timedelta": ("days", "seconds"), "relativedelta": ("years", "months")}
"""What values without a keyword count."""


def plain(name: str) -> str:
    """A name of a tree as words."""
    return name.replace("_", " ")


def written(form: str, base: str) -> str:
    """A moment as a form has it: "year and month of start date"."""
    told = [WRITTEN[sign] for mark, sign in pairwise(form) if mark == "%" and sign in WRITTEN]
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
