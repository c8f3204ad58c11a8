"""What expressions may compute is bounded: hostile ones end soon, long honest lists are computed."""

from __future__ import annotations

import time as clock
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest

from reqap_kg.errors import TreeTypeError
from reqap_kg.operators.evaluation.budget import MAX_TEXT
from reqap_kg.operators.evaluation.evaluate import Environment, NoValue, Steps, evaluate_function
from reqap_kg.operators.syntax.text import parse_function

NOW = datetime(2024, 3, 10, 12, 30)
ROW: dict[str, Any] = {"n": 7, "t": "Abc"}
ENVIRONMENT = Environment({}, NOW)


def value(text: str, row: Any = ROW) -> Any:
    return evaluate_function(parse_function(f"lambda a: {text}"), row, ENVIRONMENT)


@pytest.mark.parametrize(
    "text",
    [
        "sum(1 for i in range(1000000))",
        "[1 for i in range(1000) for j in range(1000) for k in range(1000)]",
        "list(range(10000000))",
        "list(range(100000000000000000000))",
        '("x" * 90000) * 90000',
        '("x" * 1000).replace("x", "y" * 1000)',
        '"".replace("", "y" * 100000) + ("x" * 1000).replace("", "y" * 1000)',
        '("y" * 1000).join("x" * 1000)',
        "1e29 * 100",
        "[x for x in " + "[[y, y] for y in " * 30 + "[[1]]" + "]" * 30 + "] == 3",
        "str([[x, x] for x in " * 25 + "[1]" + "])" * 25,
        "[sorted(range(100000)) for i in range(100)]",
        '[("x" * 99999).upper() for i in range(100000)]',
        "[i in list(range(100000)) for i in range(100000)]",
        "-" * 60 + 'a["t"]',
    ],
)
def test_what_is_too_much_ends_within_a_second(text: str) -> None:
    started = clock.perf_counter()
    with pytest.raises((TreeTypeError, NoValue)):
        value(text)
    assert clock.perf_counter() - started < 2


def test_doubling_structures_are_bounded_when_they_are_compared() -> None:
    deep = "[" * 20 + "1" + "]" * 20
    doubled = "[x, x]"
    text = deep
    for _ in range(20):
        text = f"[{doubled} for x in {text}]"
    for wrapped in (f"{text} == {text}", f"set({text})", f"sorted({text})", f"str({text})"):
        started = clock.perf_counter()
        with suppress(TreeTypeError, NoValue):
            value(wrapped)
        assert clock.perf_counter() - started < 2, wrapped[:30]


def test_many_rows_share_one_bound() -> None:
    function = parse_function('lambda a: sum(x for x in range(200)) + a["n"]')
    shared = Environment({}, NOW, None, Steps(5_000))
    evaluate_function(function, ROW, shared)
    with pytest.raises(TreeTypeError, match="too much"):
        [evaluate_function(function, ROW, shared) for _ in range(100)]
    enough = Environment({}, NOW, None, Steps.for_items(10_000))
    assert all(evaluate_function(function, ROW, enough) == 19907 for _ in range(1_000))


def test_a_long_list_of_rows_is_no_attack() -> None:
    rows = tuple({"n": number, "t": str(number % 10)} for number in range(20_000))
    function = parse_function('lambda l: sum(e["n"] for e in l if e["t"] == "3" and e["n"] % 2 == 1)')
    assert evaluate_function(function, rows, ENVIRONMENT) == sum(n for n in range(20_000) if n % 10 == 3)


def test_a_text_may_have_as_many_characters_as_the_bound_says() -> None:
    row = {"t": "x" * (MAX_TEXT // 2)}
    assert len(value('a["t"] + a["t"]', row)) == MAX_TEXT
    with pytest.raises(TreeTypeError, match="characters"):
        value('a["t"] + a["t"] + "x"', row)
