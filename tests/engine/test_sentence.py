"""How answers are said."""

from __future__ import annotations

import pytest

from reqap_kg.engine.sentence import sentence


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
