"""How far long work is on the whole, and how long it still takes, from what its steps tell of themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_READING: Final = 0.08
"""Share of an import that is the reading of its files, of which it is not known how many records they have."""
_STEPS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "computing values": (_READING, 0.09),
        "loading the store": (_READING, 0.1),
        "indexing": (0.1, 0.1),
        "index": (0.1, 0.18),
        "load the models": (0.18, 0.22),
        "embed": (0.22, 0.5),
        "read texts": (0.5, 0.6),
        "read events": (0.6, 0.98),
        "validating": (0.0, 1.0),
    }
)
"""At which share of the whole each step begins and ends, as a rule."""
_REPEATED: Final = frozenset({"embed", "read events"})
_EACH: Final = 0.6
"""Steps that are gone through several times, and what of the rest of one each pass takes."""
_LEAST_SHARE: Final = 0.12
_LEAST_SECONDS: Final = 4.0
"""From which on it can be told how long the rest takes."""
_MINUTE: Final = 60


class Whole:
    """The share of all work that is done, which never falls; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begun = clock()
        self._first: float | None = None
        self._reached = 0.0
        self._step, self._from, self._done = "", 0.0, 0

    @property
    def share(self) -> float:
        """From 0 to 1; work that begins in the middle begins at 0, too."""
        first = self._first or 0.0
        return (self._reached - first) / (1 - first)

    def file(self) -> None:
        """A file begins."""
        self._first = self._first or 0.0
        self._reached += max(_READING - self._reached, 0.0) * 0.3

    def reach(self, step: str, done: int, total: int) -> None:
        """A step is so far; one of unknown length only begins."""
        begin, end = _STEPS.get(step, (0.0, 1.0))
        if self._first is None:
            self._first = self._reached = begin
        if step != self._step or done < self._done:
            self._from = max(self._reached, begin)
        self._step, self._done = step, done
        part = (end - self._from) * (done / total if total else 0.0)
        self._reached = max(self._reached, self._from + part * (_EACH if step in _REPEATED else 1.0))

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes, as fast as it went; None while that cannot be told."""
        spent = self._clock() - self._begun
        if self.share < _LEAST_SHARE or spent < _LEAST_SECONDS:
            return None
        return spent * (1 - self.share) / self.share

    @property
    def left(self) -> str:
        """The same in words; empty while it cannot be told."""
        seconds = self.seconds_left
        if seconds is None:
            return ""
        if seconds < _MINUTE:
            return f"about {max(5, round(seconds / 5) * 5)} s left"
        return f"about {round(seconds / _MINUTE)} min left"
