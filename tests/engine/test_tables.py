"""Groups are told with their labels."""

from __future__ import annotations

from datetime import date

import pytest

from reqap_kg.compiler.query import Shape
from reqap_kg.engine.answers.answer_values import shape
from reqap_kg.execution.run import Result
from reqap_kg.planner.search.plan import AnswerForm
from reqap_kg.store.vocabulary import Vocabulary, packaged_vocabulary

NUMBER = AnswerForm("number")


def found(columns: tuple[str, ...], *rows: tuple[object, ...]) -> Result:
    answer = tuple(row[-1] for row in rows)
    return Result(columns, rows, answer, "number", None, True, (), "", Shape.ROWS)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return packaged_vocabulary()


def test_each_group_has_its_label_also_where_two_measure_the_same(vocabulary: Vocabulary) -> None:
    given = found(("month", "value"), (date(2024, 2, 1), 3), (date(2024, 1, 1), 3), (date(2024, 3, 1), 1.5))
    shaped = shape(given, NUMBER, vocabulary)
    assert shaped.answer_type == "table"
    assert shaped.values == ("2024-01: 3", "2024-02: 3", "2024-03: 1.5")
    assert shaped.table is not None
    assert shaped.table.rows == (("2024-01", 3), ("2024-02", 3), ("2024-03", 1.5))


def test_groups_of_two_parts_have_both(vocabulary: Vocabulary) -> None:
    shaped = shape(found(("year", "city", "value"), (2023, "Cork", 2), (2024, "Cork", 4)), NUMBER, vocabulary)
    assert shaped.values == ("2023, Cork: 2", "2024, Cork: 4")


def test_a_tree_that_somebody_wrote_has_its_values_alone(vocabulary: Vocabulary) -> None:
    assert shape(found(("year", "value"), (2023, 2), (2024, 4)), AnswerForm("any"), vocabulary).values == (2, 4)
