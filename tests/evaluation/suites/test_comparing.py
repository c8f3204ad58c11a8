"""Answers are compared as the data's own score.py compares them."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reqap_kg.evaluation.suites import comparing_personas, timelineqa


@pytest.mark.parametrize(
    ("gold", "given", "kind", "exact", "relaxed"),
    [
        ([120], [120.5], "number", True, True),
        ([120], [130], "number", False, True),
        ([120], [133], "number", False, False),
        ([0], [0.004], "number", True, True),
        ([0], [], "number", False, False),
        ([30], ["30 minutes"], "duration", True, True),
        (["2024-03-01"], ["March 1st, 2024"], "date", True, True),
        (["2024-03"], ["2024-03-17"], "month", True, True),
        (["March"], ["2024-03"], "month", True, True),
        (["2024-03"], ["March"], "month", False, False),
        (["Saturday"], ["Sat"], "weekday", True, True),
        (["09:05"], ["9:05 in the morning"], "time", True, True),
        (["The Élan"], ["elan"], "text", True, True),
        (["Hozier"], ["Hozier (artist)"], "text", True, True),
        (["Hozier"], ["Dermot Kennedy", "Hozier"], "text", False, False),
        (["a", "b"], ["b", "a"], "list", True, True),
        (["a", "b"], ["a"], "list", False, False),
        ([True], ["yes"], "boolean", True, True),
        ([], [0], "none", True, True),
        ([], [], "none", True, True),
        ([], [3], "none", False, False),
    ],
)
def test_answers_about_personas(gold: list[Any], given: list[Any], kind: str, exact: bool, relaxed: bool) -> None:
    row = {"answer": gold, "answer_type": kind}
    assert comparing_personas.right(row, given) is exact
    assert comparing_personas.right(row, given, relaxed=True) is relaxed


def test_other_names_of_a_value_are_right() -> None:
    row = {"answer": ["Robert Lind"], "answer_type": "text", "also_accept": ["Bob", ["x", "y"]]}
    assert comparing_personas.right(row, ["bob"])
    assert not comparing_personas.right(row, ["x"])
    assert comparing_personas.right(row | {"answer_type": "list"}, ["y", "x"])


@pytest.mark.parametrize(
    ("gold", "given", "kind", "verdict"),
    [
        (3, "three", "number", (True, True)),
        (3, 3.1, "number", (False, True)),
        (2.5, 2.504, "number", (True, True)),
        (90, "PT1H30M", "number", (True, True)),
        (0, 0.01, "number", (False, False)),
        (["a", "b"], "b and a", "list", (True, True)),
        ("2020-01-05", "January 5, 2020", "date", (True, True)),
        ("2020-01", "Jan 2020", "month", (True, True)),
        ("2020", "in 2020", "year", (True, True)),
        (True, "Yes.", "boolean", (True, True)),
        ("Ellie", "ellie", "string", (True, True)),
        (None, [], "string", (True, True)),
        ("Ellie", None, "string", (False, False)),
    ],
)
def test_answers_about_lifelogs(gold: Any, given: Any, kind: str, verdict: tuple[bool, bool]) -> None:
    assert timelineqa.judged({"answer": gold, "answer_type": kind}, given) == verdict


@pytest.mark.shared_data
def test_persona_answers_are_judged_as_by_the_datas_own_script(shared_data: Path) -> None:
    script = _module(shared_data / "personas" / "score.py")
    rows = [row for path in (shared_data / "personas").glob("*/questions.jsonl") for row in _lines(path)]
    compared = _compare(
        rows,
        lambda row, given: (script.right(row, given), script.right(row, given, True)),
        lambda row, given: (
            comparing_personas.right(row, given),
            comparing_personas.right(row, given, relaxed=True),
        ),
    )
    assert compared > 10_000


@pytest.mark.shared_data
def test_lifelog_answers_are_judged_as_by_the_datas_own_script(shared_data: Path) -> None:
    script = _module(shared_data / "timelineqa" / "score.py")
    rows = [row for path in (shared_data / "timelineqa").glob("*/questions_*.jsonl") for row in _lines(path)]
    compared = _compare(
        rows,
        lambda row, given: tuple(script.judge(row, given, False, False)),
        timelineqa.judged,
    )
    assert compared > 10_000


def _compare(rows: list[Any], theirs: Callable[[Any, Any], Any], ours: Callable[[Any, Any], Any]) -> int:
    """Judges answers of other questions, twisted at random, by both; gives how many were judged right by both."""
    seed = random.Random(20)
    pool = [value for row in rows for value in _values(row["answer"])]
    compared = 0
    for row in rows:
        for given in _guesses(row, pool, seed):
            assert tuple(map(bool, theirs(row, given))) == ours(row, given), (row["answer"], given)
            compared += 1
    return compared


def _guesses(row: Any, pool: list[Any], seed: random.Random) -> Iterator[Any]:
    gold = row["answer"]
    yield from (gold, [], None, "", 0, [0], ["none"], [None], "not found", True, [False])
    also = row.get("also_accept") or row.get("answer_alt") or []
    yield from also
    for _ in range(60):
        values = [_twisted(value, seed) for value in (_values(gold) if seed.random() < 0.7 else [])]
        values += seed.sample(pool, seed.choice((0, 0, 0, 1, 2)))
        seed.shuffle(values)
        yield values if seed.random() < 0.8 else values[0] if values else None


def _values(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def _twisted(value: Any, seed: random.Random) -> Any:
    if isinstance(value, bool) or value is None:
        return seed.choice((value, str(value), "yes", "no"))
    if isinstance(value, int | float):
        factor = seed.choice((1, 1, 1, 1.004, 1.006, 1.09, 1.11, 0.91, -1))
        return seed.choice(
            (value * factor, str(value * factor), f"{value * factor:,.2f} km", f"about {value}", int(value))
        )
    text = str(value)
    return seed.choice(
        (text, text.upper(), f"the {text}", f"{text}!", f"{text} (2024)", text[:5], f"x{text}", text.replace("-", "/"))
    )


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"score_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
