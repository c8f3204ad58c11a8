"""Assembles JSON values from parse events with an explicit stack: nesting costs neither recursion nor memory."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

__all__ = ["NOTHING", "Elements", "TooDeep"]

NOTHING: Final = object()
"""No element is complete yet (None is a value of JSON)."""


class TooDeep(Exception):
    """The text nests more containers than allowed; callers turn it into the package's own error."""


class Elements:
    """Takes `ijson.basic_parse` events; gives the elements of a top-level array, or the one top-level value.

    ijson's own builders keep a path per event, which for a text nested 100,000 deep is gigabytes; this keeps a stack.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._stack: list[Any] = []
        self._names: list[str] = []
        self._level = 0

    @property
    def is_array(self) -> bool:
        """Whether the top-level value is an array."""
        return self._level == 1

    @property
    def unfinished(self) -> Any:
        """The element being assembled, as far as it is known; None when there is none."""
        return self._stack[self._level] if len(self._stack) > self._level else None

    def feed(self, event: str, value: Any) -> Any:
        """The element that this event completes, or NOTHING. Raises TooDeep."""
        if event == "map_key":
            self._names[-1] = value
            return NOTHING
        if event in ("end_map", "end_array"):
            return self._close()
        if event == "start_map":
            return self._open({})
        if event == "start_array":
            return self._open([])
        # Only Python's own numbers have no limit of size; Decimals are what ijson makes of fractions.
        return self._place(float(value) if isinstance(value, Decimal) else value)

    def _open(self, made: Any) -> Any:
        if not self._stack:
            self._level = 1 if isinstance(made, list) else 0
        elif len(self._stack) >= self._depth:
            raise TooDeep
        self._place(made)
        self._stack.append(made)
        self._names.append("")
        return NOTHING

    def _close(self) -> Any:
        done = self._stack.pop()
        self._names.pop()
        whole_array = self._level == 1 and not self._stack
        return done if len(self._stack) == self._level and not whole_array else NOTHING

    def _place(self, value: Any) -> Any:
        if len(self._stack) <= self._level:
            return value
        parent = self._stack[-1]
        if isinstance(parent, dict):
            parent[self._names[-1]] = value
        else:
            parent.append(value)
        return NOTHING
