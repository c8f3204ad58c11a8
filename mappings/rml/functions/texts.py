"""Text for maps: joining, choosing, cutting, splitting."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import regex

from ....operators.evaluation.budget import MAX_PATTERN
from ..nquads import text_of
from .types import Function, Unconvertible, examples, told

PATTERN_SECONDS: Final = 0.2
"""Longest time one regular expression may take on one value."""
_LONGEST_CASES: Final = 20_000
_GROUP: Final = re.compile(r"[0-9]{1,4}")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z_]+|\d+")


def lower(value: Any) -> str:
    """Lower case."""
    return text_of(value).lower()


def trim(value: Any) -> str | None:
    """Without blanks around, and runs of blanks inside as one; nothing when nothing is left."""
    return " ".join(text_of(value).split()) or None


def concat(values: list[Any], separator: Any) -> str | None:
    """The values that are there, in the order of the map, with a separator between."""
    between = "" if separator is None else text_of(separator)
    return between.join(text_of(value) for value in values if value != "") or None


def first(values: list[Any]) -> Any:
    """The first value that is there and not empty."""
    return next((value for value in values if value != ""), None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    if len(pattern) > MAX_PATTERN:
        raise Unconvertible(f"a pattern of more than {MAX_PATTERN} characters")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError, LookupError) as bad:
        raise Unconvertible(f"the pattern is no regular expression: {bad}") from bad


def group(value: Any, pattern: Any, index: Any) -> str | None:
    """A group of the first match of a regular expression, by number or name; nothing without a match."""
    try:
        match = _compiled(text_of(pattern)).search(text_of(value), timeout=PATTERN_SECONDS)
        if match is None:
            return None
        text = "1" if index is None else text_of(index)
        return match.group(int(text) if _GROUP.fullmatch(text) else text) or None
    except TimeoutError as bad:
        raise Unconvertible("the pattern takes too long on this value") from bad
    except IndexError as bad:
        raise Unconvertible(f"the pattern has no group {told(index)}") from bad


def _cases(text: str) -> dict[str, str]:
    if len(text) > _LONGEST_CASES:
        raise Unconvertible(f"fn:cases of more than {_LONGEST_CASES} characters")
    return _known_cases(text)


@lru_cache(maxsize=256)
def _known_cases(text: str) -> dict[str, str]:
    pairs = [part.split("=", 1) for part in text.split("|") if part]
    if any(len(pair) != 2 for pair in pairs):
        raise Unconvertible("fn:cases that are not of the form in=out|in=out")
    return {key.strip().lower(): out.strip() for key, out in pairs}


def case(value: Any, cases: Any, default: Any) -> Any:
    """One of several outcomes by the value, compared without case; without one, the default, or nothing."""
    found = _cases(text_of(cases)).get(text_of(value).strip().lower())
    return (found or None) if found is not None else default


def camel_to_words(value: Any) -> str | None:
    """TraditionalStrengthTraining → traditional strength training; runs of capitals stay one word."""
    words = _WORD.findall(text_of(value))
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words) or None


def _whole(length: Any) -> int:
    try:
        return int(text_of(length))
    except ValueError as bad:
        raise Unconvertible("fn:length is no whole number") from bad


def truncate(value: Any, length: Any) -> str | None:
    """At most so many characters on one line, cut at a word, with … where something is missing."""
    limit = _whole(length) if length is not None else 80
    text = " ".join(text_of(value).split())
    if len(text) <= limit:
        return text or None
    cut = text[: max(limit - 1, 1)]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:.–-") + "…"


def _separator(separator: Any) -> str:
    text = text_of(separator)
    if not text:
        raise Unconvertible("fn:separator is empty")
    return text


def split(value: Any, separator: Any) -> list[str]:
    """The parts of a text between separators (a comma when none is told), without blanks around and empty ones."""
    between = "," if separator is None else _separator(separator)
    return [part.strip() for part in text_of(value).split(between) if part.strip()]


TEXT_FUNCTIONS: Final = (
    Function("lower", lower, "Lower case.", "xsd:string", examples=examples(({"value": "RUNNING"}, "running"))),
    Function(
        "trim",
        trim,
        "Without blanks around; runs of blanks inside become one. Nothing when nothing is left.",
        "xsd:string",
        examples=examples(({"value": "  a   b "}, "a b"), ({"value": "  "}, None)),
    ),
    Function(
        "concat",
        concat,
        "The values that are there, in the order of the map, with fn:separator between.",
        "xsd:string",
        required=(),
        optional=("separator",),
        many="value",
        examples=examples(
            ({"value": ["Ada", "Lovelace"], "separator": " "}, "Ada Lovelace"),
            ({"value": ["Ada"], "separator": " "}, "Ada"),
        ),
    ),
    Function(
        "first",
        first,
        "The first value that is there and not empty.",
        "that of the value",
        required=(),
        many="value",
        examples=examples(({"value": ["", "mobile", "desktop"]}, "mobile")),
    ),
    Function(
        "group",
        group,
        "A group (1 when none is told, or a name) of the first match of a regular expression; nothing without a match.",
        "xsd:string",
        required=("value", "pattern"),
        optional=("group",),
        checks=(("pattern", lambda value: _compiled(text_of(value))),),
        examples=examples(
            ({"value": "Show: Season 2: Pilot", "pattern": r"Season (\d+)", "group": 1}, "2"),
            ({"value": "Film", "pattern": r"Season (\d+)"}, None),
        ),
    ),
    Function(
        "case",
        case,
        "One of several outcomes by the value, compared without case: in=out|in=out. Else fn:default, or nothing.",
        "xsd:string",
        required=("value", "cases"),
        optional=("default",),
        checks=(("cases", lambda value: _cases(text_of(value))),),
        examples=examples(
            ({"value": "TRUE", "cases": "true=sent|false=received"}, "sent"),
            ({"value": "x", "cases": "a=b", "default": "other"}, "other"),
        ),
    ),
    Function(
        "camelToWords",
        camel_to_words,
        "Words of a name written together.",
        "xsd:string",
        examples=examples(
            ({"value": "TraditionalStrengthTraining"}, "traditional strength training"),
            ({"value": "HKWorkout"}, "HK workout"),
        ),
    ),
    Function(
        "truncate",
        truncate,
        "A short label: at most fn:length (80) characters on one line, cut at a word, with …",
        "xsd:string",
        optional=("length",),
        checks=(("length", _whole),),
        examples=examples(({"value": "one two three four", "length": 12}, "one two…"), ({"value": "short"}, "short")),
    ),
    Function(
        "split",
        split,
        "The parts between separators (a comma when none is told), each a value.",
        "list of xsd:string",
        optional=("separator",),
        checks=(("separator", _separator),),
        examples=examples(({"value": "Ann; Bob", "separator": ";"}, ["Ann", "Bob"])),
    ),
)
"""Every function on text."""
