"""Spans of a text in order, so that whether one of many stands at a place is looked up and not searched for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate


class Spans:
    """Spans [start, end) by their start; built once, asked in logarithmic time."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        held = sorted(spans)
        self._starts = [start for start, _ in held]
        self._last = list(accumulate((end for _, end in held), max))

    def meet(self, start: int, end: int) -> bool:
        """Whether a span overlaps [start, end)."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._last[before - 1] > start
