"""From token tags to spans of the text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.models.reading.reader import LEAST, spans_of, trigger_spots

TEXT = "Dinner w/ Clara & Jo | Kyoto Lane"


def tags(*rows: tuple[float, float]):
    return np.array(rows, dtype=np.float32).reshape(-1, 2)


def read(held: dict[tuple[int, int], tuple[float, float]], text=TEXT, shift=0):
    """Spans of tokens that stand at the given places of the text: (part of a value, begins one)."""
    places = sorted(held)
    return spans_of(tags(*(held[p] for p in places)), [(a + shift, b + shift) for a, b in places], shift, text)


OUT, BEGIN, IN = (0.1, 0.05), (0.9, 0.8), (0.9, 0.1)


def test_a_run_of_tokens_is_one_span():
    found = read({(0, 6): OUT, (23, 28): BEGIN, (29, 33): IN})
    assert [TEXT[s.start : s.end] for s in found] == ["Kyoto Lane"]
    assert found[0].score == pytest.approx(0.9, abs=1e-6)


def test_a_new_beginning_is_another_span():
    found = read({(10, 15): BEGIN, (16, 17): IN, (18, 20): BEGIN})
    assert sorted(TEXT[s.start : s.end] for s in found) == ["Clara", "Jo"]


def test_half_a_word_becomes_the_word():
    found = read({(24, 28): BEGIN})
    assert [TEXT[s.start : s.end] for s in found] == ["Kyoto"]


def test_no_span_goes_over_the_end_of_a_part():
    found = read({(18, 20): BEGIN, (21, 22): IN, (23, 28): IN})
    assert {TEXT[s.start : s.end] for s in found} == {"Jo", "Kyoto"}


def test_tokens_before_the_text_are_none():
    found = spans_of(tags(BEGIN, BEGIN, BEGIN), [(0, 5), (0, 0), (20, 26)], 20, TEXT)
    assert [TEXT[s.start : s.end] for s in found] == ["Dinner"]


def test_the_surest_comes_first():
    found = read({(0, 6): (0.5, 0.6), (10, 15): OUT, (23, 28): BEGIN})
    assert [TEXT[s.start : s.end] for s in found] == ["Kyoto", "Dinner"]


@given(
    text=st.text(max_size=30),
    cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.floats(0, 1, width=32)), max_size=8),
)
def test_spans_lie_in_any_text(text, cuts):
    places = sorted((min(a, b, len(text)), min(max(a, b), len(text)), p) for a, b, p in cuts)
    rows = [(p, p / 2) for *_, p in places]
    found = spans_of(tags(*rows), [(a, b) for a, b, _ in places], 0, text)
    assert all(0 <= s.start < s.end <= len(text) and s.score >= LEAST - 1e-6 for s in found)


def test_triggers_are_runs_of_tokens_the_likeliest_first():
    rows = tags((0.9, 0.9), (0.8, 0.1), (0.1, 0.1), (0.4, 0.1), (0.95, 0.9), (0.9, 0.8))
    offsets = [(0, 3), (3, 5), (6, 8), (9, 12), (13, 15), (16, 18)]
    assert trigger_spots(rows, offsets, most=4) == [
        (4, 5, pytest.approx(0.95)),
        (0, 2, pytest.approx(0.9)),
        (5, 6, pytest.approx(0.9)),
        (3, 4, pytest.approx(0.4)),
    ]
    assert len(trigger_spots(rows, offsets, most=2)) == 2
    assert trigger_spots(rows, [(0, 0)] * 6, most=4) == [], "signs before and after the line tell nothing"
