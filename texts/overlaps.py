"""Which of several overlapping spans of a text stay: one pass for whatever finds spans."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Protocol, TypeVar


class Placed(Protocol):
    """Something that stands at [start, end) of a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Placed)


def non_overlapping(ranked: Iterable[P]) -> list[P]:
    """The spans that overlap none ranked before them, in the order of the text."""
    starts: list[int] = []
    kept: list[P] = []
    for one in ranked:
        at = bisect_right(starts, one.start)
        if (at == 0 or kept[at - 1].end <= one.start) and (at == len(kept) or one.end <= kept[at].start):
            starts.insert(at, one.start)
            kept.insert(at, one)
    return kept
