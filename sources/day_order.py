"""In which order a file writes day, month and year, told from all its dates together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

__all__ = ["DayOrder", "infer_order", "split_date"]

_PARTS = re.compile(r"\D*(\d{1,4})\D+(\d{1,2})\D+(\d{1,4})\D*")
_POINTS = re.compile(r"\s*\d{1,2}\.\d{1,2}\.\d{2}(?:\d\d)?\s*")
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


def infer_order(texts: Sequence[str], first: date = date.min, last: date = date.max) -> DayOrder:
    """The order in which most dates are dates that may be; between equals the one in which they are sorted.

    `first` and `last`: before the service began and after the file was written nothing can have happened. A file that
    is far better sorted under one order only is in that order; else points mean day first, and between equals falling
    dates are likelier. When nothing tells, years of four digits mean day first, slashes with years of two month first.
    """
    valid = {order: _possible(texts, order, first, last) for order in _ORDERS}
    most = max(map(len, valid.values()), default=0)
    left = [order for order in _ORDERS if len(valid[order]) == most]
    if most == 0 or len(left) == 1:
        return DayOrder(left[0] if most else "DMY", most > 0)
    disorder = {order: _disorder(valid[order]) for order in left}
    best, second = sorted(left, key=lambda order: disorder[order][0])[:2]
    if disorder[best][0] * 4 < disorder[second][0]:
        return DayOrder(best, True)
    if "DMY" in left and all(_POINTS.fullmatch(text) for text in texts):
        return DayOrder("DMY", True)  # nobody writes month or a short year first with points and no spaces
    unsorted = disorder[best][0] * 4 > most
    tidy = [order for order in left if unsorted or disorder[order] == min(disorder.values())]
    if len(tidy) == 1:
        return DayOrder(tidy[0], True)
    short_year = re.fullmatch(r"\s*\d{1,2}/\d{1,2}/\d{2}\s*", next(iter(texts), "")) is not None
    guess = "MDY" if short_year and "MDY" in tidy else tidy[0]
    return DayOrder(guess, False)


def _possible(texts: Sequence[str], order: str, first: date, last: date) -> list[date]:
    days = (split_date(text, order) for text in texts)
    return [day for day in days if day is not None and first <= day <= last]


def _disorder(days: list[date]) -> tuple[int, int]:
    """How many neighbours break the better of both orders; then falling is better, as exports begin with today."""
    falls = sum(1 for one, two in pairwise(days) if one > two)
    rises = sum(1 for one, two in pairwise(days) if one < two)
    return min(falls, rises), rises
