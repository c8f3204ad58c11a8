"""In which order a file writes day, month and year, told from all its dates together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

__all__ = ["DayOrder", "infer_order", "split_date"]

_PARTS = re.compile(r"\D*(\d{1,4})\D+(\d{1,2})\D+(\d{1,4})\D*")
_ORDERS = ("DMY", "MDY", "YMD")


@dataclass(frozen=True)
class DayOrder:
    """`DMY`, `MDY` or `YMD`; `certain` when the dates allow no other."""

    order: str
    certain: bool


def split_date(text: str, order: str) -> date | None:
    """The date that `text` is when its numbers stand in `order`; None when it is none."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    numbers = dict(zip(order, found.groups(), strict=True))
    year = int(numbers["Y"]) + (2000 if len(numbers["Y"]) <= 2 else 0)
    if len(numbers["Y"]) == 3 or len(numbers["D"]) > 2 or len(numbers["M"]) > 2:
        return None
    try:
        return date(year, int(numbers["M"]), int(numbers["D"]))
    except ValueError:
        return None


def infer_order(texts: Sequence[str]) -> DayOrder:
    """The order in which most dates are dates; between equals, the one in which they are sorted, then by separator.

    A file that is sorted under one order only, or newest first under one only, is in that order. When nothing tells,
    points and years of four digits mean day first, slashes with years of two digits month first.
    """
    valid = {order: sum(1 for text in texts if split_date(text, order)) for order in _ORDERS}
    most = max(valid.values(), default=0)
    left = [order for order in _ORDERS if valid[order] == most]
    if most == 0 or len(left) == 1:
        return DayOrder(left[0] if most else "DMY", most > 0)
    disorder = {order: _disorder([day for text in texts if (day := split_date(text, order))]) for order in left}
    least = min(disorder.values())
    tidy = [order for order in left if disorder[order] == least]
    if len(tidy) == 1:
        return DayOrder(tidy[0], True)
    short_year = re.fullmatch(r"\s*\d{1,2}/\d{1,2}/\d{2}\s*", next(iter(texts), "")) is not None
    guess = "MDY" if short_year and "MDY" in tidy else tidy[0]
    return DayOrder(guess, False)


def _disorder(days: list[date]) -> tuple[int, int]:
    """How many neighbours break the better of both orders; then falling is better, as exports begin with today."""
    falls = sum(1 for one, two in pairwise(days) if one > two)
    rises = sum(1 for one, two in pairwise(days) if one < two)
    return min(falls, rises), rises
