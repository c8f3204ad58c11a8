"""How answers are said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.engine.answers.sentence import SHOWN, sentence


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (2352.7, "EUR", "2,352.70 EUR"),
        (7, "EUR", "7 EUR"),
        (12.1, "km", "12.1 km"),
        (1234.5678, "kcal", "1,234.57 kcal"),
        (5400, "s", "1 h 30 min"),
        (1.994521, None, "1.99452"),
        (26101.369863, None, "26101.37"),
        (2024, None, "2024"),
    ],
)
def test_numbers_are_said_in_their_unit(value: float, unit: str | None, said: str) -> None:
    assert sentence([value], "number", unit, 3).startswith(said)


def test_labels_of_events_stand_once_with_their_days() -> None:
    days = ["2024-01-07T09:41:00", None, "2024-01-09T07:17:00", "2024-01-09T08:00:00"]
    told = sentence(["running", "", "running", "cycling"], "events", None, 4, days=days)
    assert told == "running (2 times from 2024-01-07 to 2024-01-09), (without a title) and cycling (from 4 events)."


@given(st.lists(st.text("ab ,;", min_size=1, max_size=6).filter(str.strip), min_size=2, max_size=14, unique=True))
def test_one_sees_where_an_item_ends(items: list[str]) -> None:
    said = sentence(items, "text", None, 0)
    named = items[:SHOWN]
    if any("," in item for item in named):
        assert said.count(";") == len(named) - 1 + (len(items) > SHOWN) + sum(item.count(";") for item in named)
    else:
        assert said.count(",") == len(named) - (1 if len(items) > SHOWN else 2)
    assert (f"and {len(items) - SHOWN} more" in said) == (len(items) > SHOWN)


def test_all_values_are_named_if_wanted() -> None:
    values = [f"v{number}" for number in range(30)]
    assert "more" not in sentence(values, "text", None, 0, shown=None)
    assert "and 28 more" in sentence(values, "text", None, 0, shown=2)
