"""What expressions mean, held against Python itself: the same text is evaluated both ways and compared."""

from __future__ import annotations

import calendar
import statistics
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta
from python_cases import LOGIC, NUMBERS, TEXTS
from python_list_cases import DATES, LISTS

from reqap_kg.operators.evaluation.evaluate import Environment, evaluate_function
from reqap_kg.operators.expressions import Lambda
from reqap_kg.operators.syntax.text import format_expression, parse_function

NOW = datetime(2024, 3, 10, 12, 30)
ROW: dict[str, Any] = {
    "n": 7,
    "f": 2.75,
    "t": "Café Sommer",
    "d": date(2024, 2, 29),
    "dt": datetime(2024, 2, 29, 23, 5, 7),
    "tm": time(23, 5, 7),
    "long": timedelta(minutes=95),
    "ns": [5, 3, 8, 3],
    "words": ["kiwi", "fig", "Apple", "banana"],
    "dates": [date(2024, 1, 1), date(2024, 1, 5), date(2024, 3, 1)],
    "pairs": [("a", 3), ("b", 1), ("c", 3)],
    "yes": True,
    "no": False,
}
PYTHON: dict[str, Any] = {
    "date": date,
    "datetime": datetime,
    "time": time,
    "timedelta": timedelta,
    "relativedelta": relativedelta,
    "calendar": calendar,
    "statistics": statistics,
}
CASES = [line for block in (NUMBERS, TEXTS, DATES, LISTS, LOGIC) for line in block.strip().splitlines() if line]


def to_algebra(value: Any) -> Any:
    """A Python value as the evaluator holds it."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, list | tuple):
        return tuple(to_algebra(item) for item in value)
    return value


def plain(value: Any) -> Any:
    """A value of either side for comparison: numbers nearly, lists and tuples as tuples, sets sorted."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6)
    if isinstance(value, set | frozenset):
        return tuple(sorted(plain(item) for item in value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(plain(item) for item in value)
    return value


def ours(text: str, row: dict[str, Any] = ROW) -> Any:
    function = parse_function(f"lambda a: {text}")
    held = {name: to_algebra(value) for name, value in row.items()}
    return evaluate_function(function, held, Environment({}, NOW))


def test_there_are_several_hundred_cases() -> None:
    assert len(CASES) > 250
    assert len(set(CASES)) == len(CASES)


@pytest.mark.parametrize("text", CASES)
def test_an_expression_gives_what_python_gives(text: str) -> None:
    expected = eval(text, dict(PYTHON), {"a": ROW}) if "for" not in text and "lambda" not in text else None
    if expected is None:  # names inside a nested scope are looked up among the globals
        expected = eval(text, {**PYTHON, "a": ROW})
    assert plain(ours(text)) == plain(expected)


@pytest.mark.parametrize("text", CASES)
def test_an_expression_round_trips(text: str) -> None:
    function = parse_function(f"lambda a: {text}")
    assert isinstance(function, Lambda)
    written = format_expression(function)
    assert parse_function(written) == function
    assert format_expression(parse_function(written)) == written
