"""The grammar of logical forms: each operator with the sorts of its arguments.

A form is a tree of operators of fixed arity, so that a decoder can write it symbol by symbol and never leave the
grammar. Words of the question stand in it as they were said: whoever builds the operator tree reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Sort(Enum):
    """What an argument is: a value, a list of events, an attribute, words of the question, a comparison."""

    VALUE = "a value"
    EVENTS = "events"
    KEY = "an attribute"
    WORDS = "words in quotes"
    TEST = "a comparison"


_V, _E, _K, _W, _T = Sort

TESTS: Final = ("=", "!=", ">", "<", ">=", "<=")

EVENTS: Final[Mapping[str, tuple[Sort, ...]]] = {
    "events": (_W,),
    "where": (_E, _K, _T, _W),
    "during": (_E, _E),
    "not_during": (_E, _E),
    "same_day": (_E, _E),
    "not_same_day": (_E, _E),
    "next_day": (_E, _E),
    "previous_day": (_E, _E),
    "same": (_K, _E, _E),
    "not_same": (_K, _E, _E),
    "after": (_E, _E, _W),
    "before": (_E, _E, _W),
    "after_first": (_E, _E),
    "after_last": (_E, _E),
    "before_first": (_E, _E),
    "before_last": (_E, _E),
    "first": (_E, _W),
    "last": (_E, _W),
    "nth": (_E, _W),
    "highest": (_E, _K, _W),
    "lowest": (_E, _K, _W),
    "either": (_E, _E),
}
"""Operators that give events."""

VALUES: Final[Mapping[str, tuple[Sort, ...]]] = {
    "show": (_E,),
    "count": (_E,),
    "exists": (_E,),
    "get": (_K, _E),
    "distinct": (_K, _E),
    "sum": (_K, _E),
    "avg": (_K, _E),
    "median": (_K, _E),
    "max": (_K, _E),
    "min": (_K, _E),
    "most": (_K, _V, _W),
    "least": (_K, _V, _W),
    "each": (_K, _V),
    "having": (_K, _V, _T, _W),
    "avg_each": (_K, _V),
    "median_each": (_K, _V),
    "max_each": (_K, _V),
    "min_each": (_K, _V),
    "count_having": (_K, _V, _T, _W),
    "without": (_K, _E),
    "more": (_V, _V),
    "over": (_V, _T, _W),
    "pick": (_W, _V, _W, _V),
    "pick_less": (_W, _V, _W, _V),
    "plus": (_V, _V),
    "minus": (_V, _V),
    "ratio": (_V, _V),
    "percent": (_V, _V),
    "growth": (_V, _V),
    "date": (_W,),
    "now": (),
    "days_between": (_V, _V),
    "age": (_W, _V),
    "gap": (_E,),
    "streak": (_K, _E),
    "unit": (_W, _V),
    "both": (_V, _V),
    "none": (_W,),
}
"""Operators that give values."""

OPERATORS: Final[Mapping[str, tuple[Sort, ...]]] = {**EVENTS, **VALUES}

DEFAULTS: Final[Mapping[str, str]] = {
    "first": "1",
    "last": "1",
    "highest": "1",
    "lowest": "1",
    "most": "1",
    "least": "1",
}
"""The words at the end of an operator that may be left out."""


@dataclass(frozen=True)
class Words:
    """Words as the question says them."""

    text: str


@dataclass(frozen=True)
class Form:
    """An operator with its arguments; attributes and comparisons are plain text."""

    operator: str
    arguments: tuple[Form | Words | str, ...] = ()


def walk(form: Form) -> Iterator[Form]:
    """The form and all forms in it, from the top."""
    yield form
    for argument in form.arguments:
        if isinstance(argument, Form):
            yield from walk(argument)


def words_in(form: Form) -> Iterator[str]:
    """All words of the question that stand in a form, from left to right."""
    for argument in form.arguments:
        if isinstance(argument, Words):
            yield argument.text
        elif isinstance(argument, Form):
            yield from words_in(argument)


def keys_in(form: Form) -> Iterator[str]:
    """The attributes that a form names."""
    for one in walk(form):
        yield from (part for part in one.arguments if isinstance(part, str) and part[0].isalpha())


_TESTED: Final = re.compile(r"(?<=, )([!<>=]=?), (?=\")")
"""A comparison and the comma behind it: none is written."""


def format_form(form: Form) -> str:
    """A form as text; conditions of events stand in the parentheses of their events."""
    conditions: list[str] = []
    while form.operator == "where":
        inner, key, test, words = form.arguments
        assert isinstance(inner, Form)
        assert isinstance(words, Words)
        conditions.append(f"{key}{test}{_quoted(words)}")
        form = inner
    given = list(form.arguments)
    if form.operator in DEFAULTS and given[-1] == Words(DEFAULTS[form.operator]):
        given.pop()
    parts = [format_form(a) if isinstance(a, Form) else _quoted(a) if isinstance(a, Words) else a for a in given]
    joined = ", ".join([*parts, *reversed(conditions)])
    return form.operator + "(" + _TESTED.sub(r"\1", joined) + ")"


def _quoted(words: Words) -> str:
    return '"' + words.text.replace('"', "'") + '"'
