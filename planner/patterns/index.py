"""Which patterns a question may match: found by the words they need, so that most of a large rule book is never
looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Protocol


class Needing(Protocol):
    """An expression, with what must be there for it to match: of each set one."""

    @property
    def needs(self) -> tuple[frozenset[str], ...]: ...


class Expressed(Protocol):
    """A pattern as the index sees it."""

    @property
    def expressions(self) -> Sequence[Needing]: ...


class PatternIndex:
    """Positions of patterns by a word, or '@' and a kind, that one of their expressions needs."""

    def __init__(self, patterns: Sequence[Expressed]) -> None:
        self._by_need: dict[str, list[int]] = {}
        self._always: list[int] = []
        for position, pattern in enumerate(patterns):
            keys: set[str] = set()
            for expression in pattern.expressions:
                if not expression.needs:
                    self._always.append(position)
                else:
                    keys |= min(expression.needs, key=len)
            for key in keys:
                self._by_need.setdefault(key, []).append(position)

    def positions(self, present: Iterable[str]) -> Agenda:
        """Those that may match where these words and kinds are present."""
        agenda = Agenda(self._by_need, self._always)
        for key in present:
            agenda.add(key)
        return agenda


class Agenda(Iterator[int]):
    """Positions in ascending order; more may come while it is gone through, from where it has got to."""

    def __init__(self, by_need: dict[str, list[int]], always: Sequence[int]) -> None:
        self._by_need = by_need
        self._waiting: list[int] = sorted(set(always))
        self._seen = set(self._waiting)
        self._at = -1

    def add(self, key: str) -> None:
        """Something more is there."""
        for position in self._by_need.get(key, ()):
            if position > self._at and position not in self._seen:
                self._seen.add(position)
                heappush(self._waiting, position)

    def __next__(self) -> int:
        if not self._waiting:
            raise StopIteration
        self._at = heappop(self._waiting)
        return self._at


_KEPT: dict[int, tuple[Sequence[Expressed], PatternIndex]] = {}


def index_of(patterns: Sequence[Expressed]) -> PatternIndex:
    """The index of patterns; those of the rule books in use are kept."""
    found = _KEPT.get(id(patterns))
    if found is None or found[0] is not patterns:
        if len(_KEPT) >= 16:
            _KEPT.clear()
        found = _KEPT[id(patterns)] = (patterns, PatternIndex(patterns))
    return found[1]
