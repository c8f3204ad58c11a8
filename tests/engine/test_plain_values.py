"""Values of answers as JSON and people get them."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from reqap_kg.engine.answers.answer import plain


@pytest.mark.parametrize(
    ("value", "answer_type", "given"),
    [
        (datetime(2024, 3, 1, 9, 5, 7), "datetime", "2024-03-01T09:05:07"),
        (datetime(2024, 3, 1, 9, 5), "date", "2024-03-01"),
        (datetime(2024, 3, 1, 9, 5), "time", "09:05"),
        (time(9, 5, 7), "time", "09:05:07"),
        (date(2024, 3, 1), "month", "2024-03"),
    ],
)
def test_moments_are_iso_texts(value: datetime | date | time, answer_type: str, given: str) -> None:
    assert plain(value, answer_type) == given
