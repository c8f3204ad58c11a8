"""Answers in the unit that a question asks for, temperatures too, whose zeros differ."""

from __future__ import annotations

import pytest

from reqap_kg.compiler.query import Shape
from reqap_kg.engine.answers.answer_values import shape
from reqap_kg.execution.run import Result
from reqap_kg.planner.search.plan import AnswerForm
from reqap_kg.store.vocabulary import packaged_vocabulary


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (10.0, "km", "mi", 6.213712),
        (20.0, "°C", "fahrenheit", 68.0),
        (50.0, "°F", "°C", 10.0),
        (1.5, "kg", "g", 1500.0),
    ],
)
def test_values_come_in_the_unit_asked_for(value: float, unit: str, wanted: str, expected: float) -> None:
    found = Result(("x",), ((value,),), (value,), "number", unit, True, (), "", Shape.VALUE)
    shaped = shape(found, AnswerForm("number", wanted), packaged_vocabulary())
    assert shaped.values == (pytest.approx(expected),)


def test_a_unit_of_another_kind_changes_nothing() -> None:
    found = Result(("x",), ((5.0,),), (5.0,), "number", "km", True, (), "", Shape.VALUE)
    shaped = shape(found, AnswerForm("number", "kcal"), packaged_vocabulary())
    assert (shaped.values, shaped.unit) == ((5,), "km")
