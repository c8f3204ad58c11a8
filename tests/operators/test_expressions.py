"""What expressions mean where Python has no example: missing values, conventions of the algebra, bounds, refusals."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from reqap_kg.errors import TreeTypeError
from reqap_kg.operators.evaluation.evaluate import Environment, NoValue, evaluate_function
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.syntax.text import parse_function

NOW = datetime(2024, 3, 10, 12, 30)
ROW: dict[str, Any] = {
    "n": 7,
    "f": Decimal("2.5"),
    "zero": 0,
    "t": "Abc",
    "empty": "",
    "d": date(2024, 2, 29),
    "dt": datetime(2024, 2, 29, 23, 5),
    "tm": time(23, 5),
    "long": timedelta(minutes=95),
    "tags": ("x", "Y"),
    "none": (),
    "yes": True,
    "no": False,
    "m": None,
}
ENVIRONMENT = Environment({}, NOW)


def value(text: str, row: Any = ROW) -> Any:
    return evaluate_function(parse_function(f"lambda a: {text}"), row, ENVIRONMENT)


# ---------------------------------------------------------------- missing values
@pytest.mark.parametrize(
    "text",
    [
        'a["m"]["x"]',
        'a["m"] + 1',
        '-a["m"]',
        'a["m"].year',
        'a["m"].lower()',
        'a["t"].startswith(a["m"])',
        'len(a["m"])',
        'a["m"] > 3',
        'a["m"][0]',
        'a["tags"][5]',
        'a["m"] and a["n"]',
        'a["zero"] or a["m"]',
        'a["m"] or False',
        'a["no"] or a["m"]',
        'a["yes"] and a["m"]',
        'not a["m"]',
        'a["m"] in [1, 2]',
        '3 in [1, a["m"]]',
        '1 if a["m"] > 3 else 0',
        'a["n"] / a["zero"]',
        'a["n"] // 0',
        'a["n"] % 0',
        'int(a["t"])',
        'float("nan")',
        'float("1e400")',
        'date(2024, 2, a["n"] + 23)',
        'a["d"].replace(year=2023)',
        'a["d"] + timedelta(days=10000000)',
        'a["d"] + relativedelta(years=9000)',
        'timedelta(days=a["n"] * 100000000000000000000)',
        'date.fromisoformat("soon")',
        "time(25)",
        "min([])",
        "max(x for x in [1] if x > 3)",
        "statistics.mean([])",
        "next(x for x in [] if x)",
        'sorted(a["m"])',
        '(1, a["m"]) < (1, 2)',
        'a["d"] - a["m"]',
        'relativedelta(months=a["m"])',
    ],
)
def test_there_is_no_value(text: str) -> None:
    with suppress(NoValue):
        assert value(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a["m"] or 0', 0),
        ('(a["m"] or "").lower()', ""),
        ('a["m"] or a["empty"] or "x"', "x"),
        ('a["m"] or a["t"]', "Abc"),
        ('a["none"] or "nothing"', "nothing"),
        ('a["m"] or []', ()),
        ('a["m"] or True', True),
        ('a["m"] > 3 or a["n"] > 3', True),
        ('a["m"] and 0', 0),
        ('a["m"] and False', False),
        ('a["m"] > 3 and a["no"]', False),
        ('a["m"] if a["m"] else 5', 5),
        ('a["zero"] if a["zero"] else 5', 5),
        ('a.get("m", 4)', 4),
        ('a.get("unknown", 4)', 4),
        ('a["m"] is None', True),
        ('a["unknown"] is None', True),
        ('a["none"] is None', True),
        ('a["m"].year is None', True),
        ('a["n"] is None', False),
        ('a["n"] is not None and a["n"] > 3', True),
        ('"n" in a', True),
        ('"m" in a', False),
        ('"none" in a', False),
        ('a["m"] in a["tags"]', False),
        ('sum([1, a["m"], 2])', 3),
        ('", ".join(["a", a["m"], "b"])', "a, b"),
        ('[a["m"], 1]', (None, 1)),
        ('(a["m"], 1)', (None, 1)),
        ('sorted([3, 1], key=lambda x: (x, a["m"]))', ()),
        ('any(x > 3 for x in [a["m"], 5])', True),
        ('all(x > 3 for x in [a["m"], 5])', True),
        ("sum([], timedelta()).total_seconds()", Decimal(0)),
        ("sum([timedelta(hours=1)], timedelta())", timedelta(hours=1)),
        ("sum(x for x in [] if x)", 0),
        ("len([])", 0),
    ],
)
def test_what_is_missing_counts_as_the_algebra_says(text: str, expected: Any) -> None:
    assert value(text) == expected
    assert type(value(text)) is type(expected)


# ---------------------------------------------------------------- conventions
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a["d"] == a["dt"]', True),
        ('a["d"] < "2024-03-01"', True),
        ('a["dt"] >= "2024-02-29T23:00"', True),
        ('a["tm"] >= "23:00"', True),
        ('a["dt"] - a["d"]', timedelta(hours=23, minutes=5)),
        ("round(2.5)", 3),
        ("round(0.125, 2)", Decimal("0.13")),
        ("str(1.50)", "1.5"),
        ('str(a["yes"])', "true"),
        ('str(a["dt"])', "2024-02-29T23:05:00"),
        ('str(a["tags"])', "['x', 'Y']"),
        ("0.1 + 0.2 == 0.3", True),
        ("1 / 3 * 3 < 1", True),
        ("date.today()", date(2024, 3, 10)),
        ('date.today().year - a["d"].year', 0),
        ("datetime.now()", NOW),
        ("datetime.today() - timedelta(hours=1)", NOW - timedelta(hours=1)),
        ('a["d"].strftime("%-d.%-m.%Y")', "29.2.2024"),
        ('a["d"].week', 9),
        ("a.n + a.f", Decimal("9.5")),
        ("{3, 1, 2}", (1, 2, 3)),
        ('set(["b", "a", "b"])', ("a", "b")),
        ('datetime.fromisoformat("2024-02-03T10:00:00+02:00")', datetime(2024, 2, 3, 10)),
    ],
)
def test_conventions_of_the_algebra(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_functions_by_name() -> None:
    texts = {"len": 2, "sorted": ("Y", "x"), "set": ("Y", "x"), "any": True}
    for name, expected in texts.items():
        function = parse_function(name)
        assert evaluate_function(function, ("x", "Y"), ENVIRONMENT) == expected
    assert evaluate_function(parse_function("statistics.median"), (1, 5, 2), ENVIRONMENT) == 2


def test_a_trees_answers() -> None:
    found = {"one": (4,), "many": (3, 9, 5), "none": ()}

    def answers(tree: Node) -> tuple[Any, ...]:
        return found[str(getattr(tree, "question", ""))]

    environment = Environment({}, NOW, answers)
    for text, expected in {
        'QUD("one").result + 1': 5,
        'QUD("many").result': 3,
        'QUD("many").result[1]': 9,
        'max(QUD("many").result)': 9,
        'sum(x for x in QUD("many").result)': 17,
        'a in QUD("many").result': True,
        'a + 1 in QUD("many").result': False,
        'QUD("none").result is None': True,
    }.items():
        assert evaluate_function(parse_function(f"lambda a: {text}"), 5, environment) == expected, text


# ---------------------------------------------------------------- values of a wrong kind
@pytest.mark.parametrize(
    "text",
    [
        'a["t"] + 1',
        'a["n"] + a["t"]',
        'a["n"].lower()',
        'a["t"].year',
        'a["t"].weekday()',
        'a["n"].strftime("%Y")',
        'a["d"].strftime("%Q")',
        'a["d"].strftime("100%")',
        'a["d"] + 1',
        'a["n"] < a["t"]',
        'a["yes"] < a["no"]',
        'a["d"] > 3',
        'a["t"]["x"]',
        'a["n"][0]',
        "[1, 2] - 1",
        '[1] + "x"',
        '"x" - "y"',
        'sum(a["tags"])',
        "sorted([1, 'x'])",
        "max([1, 'x'])",
        "[x for x in 5]",
        "[x for x, y in [1, 2]]",
        "[x for x, y in [(1, 2, 3)]]",
        'len(a["n"])',
        'abs(a["t"])',
        'round(a["t"])',
        "timedelta(days='x')",
        "relativedelta(months='x')",
        '"x".join([1])',
        'a["d"].replace(2024)',
        '"x".replace(year=3)',
        '"ab".startswith(3)',
        "nearest(a['n'], a['n'])",
        "zip(1, 2)",
        "range(1.5)",
        "a < a",
    ],
)
def test_values_of_a_wrong_kind_are_refused(text: str) -> None:
    with pytest.raises(TreeTypeError):
        value(text)
