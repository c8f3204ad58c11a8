"""Bounds on what an expression may compute, so that a hostile one ends soon and in little memory."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError

STEPS = 300_000
"""Steps that one function call may take; about half a second."""
STEPS_PER_ITEM = 200
"""Further steps for each item of the list that a function is of."""
STEPS_OF_SHORT_LISTS = 3_000_000
"""Further steps at most for a list compared with itself, which takes 4,000 a piece up to so many."""
MAX_TEXT = 100_000
"""Characters in a text."""
MAX_PATTERN = 500
"""Characters in a regular expression that a user gives."""
MAX_ITEMS = 1_000_000
"""Items in a list."""
MAX_NUMBER = 10**30
"""Every number is smaller than this."""
_TEXT_PER_STEP = 200
_SMALLEST = -60


class Steps:
    """What is left to compute. One is shared by everything that is computed together."""

    __slots__ = ("left",)

    def __init__(self, left: int = STEPS) -> None:
        self.left = left

    @classmethod
    def for_items(cls, count: int) -> Steps:
        """The steps for a function of a list of so many items, or of so many rows one by one."""
        return cls(STEPS + min(4_000 * count, STEPS_OF_SHORT_LISTS) + STEPS_PER_ITEM * count)

    def take(self, count: int = 1) -> None:
        """Raises TreeTypeError when there are too few left."""
        self.left -= count
        if self.left < 0:
            raise TreeTypeError("too much to compute")

    def weigh(self, value: Any) -> None:
        """Takes a step per item of a list, also of the lists inside: for what compares or hashes them all."""
        if not isinstance(value, tuple):
            return
        pending = [value]
        while pending:
            at = pending.pop()
            self.take(len(at))
            pending.extend(item for item in at if isinstance(item, tuple))


def bounded(value: Any, steps: Steps) -> Any:
    """The value. Raises TreeTypeError for a text, list or number that is too large."""
    if isinstance(value, str):
        fits_text(len(value))
        steps.take(len(value) // _TEXT_PER_STEP)
    elif isinstance(value, tuple):
        fits_list(len(value))
    elif isinstance(value, int | Decimal):
        return number(value)
    return value


def fits_text(length: int) -> None:
    """Raises TreeTypeError for more characters than a text may have; asked before it is made."""
    if length > MAX_TEXT:
        raise TreeTypeError(f"a text of more than {MAX_TEXT} characters")


def fits_list(length: int) -> None:
    """Raises TreeTypeError for more items than a list may have; asked before it is made."""
    if length > MAX_ITEMS:
        raise TreeTypeError(f"a list of more than {MAX_ITEMS} items")


def number(value: int | Decimal) -> int | Decimal:
    """The number; 0 for one that is next to nothing. Raises TreeTypeError for one that is too large."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TreeTypeError("not a finite number")
        if value and value.adjusted() < _SMALLEST:
            return Decimal(0)
        if value.adjusted() < 30:
            return value
    elif -MAX_NUMBER < value < MAX_NUMBER:
        return value
    raise TreeTypeError("a number of more than 30 digits")
