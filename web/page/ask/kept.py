"""Answers that were given, kept for what is asked next of them: parts of their page, and follow-ups.

They are kept in memory only, and few of them: whatever is gone is asked again, as the address says all of it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Final

from ....engine.answers.answer import Answer, Evidence
from ....engine.answers.telling import Sought
from ....engine.conversation.turns import Turn
from ....operators.base import Node
from ....store.vocabulary import Vocabulary
from .asked import Said

_MOST: Final = 64
_MOST_EVENTS: Final = 60_000
_FRESH: Final = timedelta(minutes=5)
"""How long an answer is given again to the same question; one part of a page gets it however old it is."""
Chain = tuple[Said, ...]


@dataclass(frozen=True)
class Happening:
    """What counts once: the event that stands for it, and the others that tell of it."""

    event: Evidence
    others: tuple[Evidence, ...] = ()
    start: str | None = None
    """When it took place."""


@dataclass(frozen=True)
class Kept:
    """An answered turn with what its page is made of. `turns` are those before it, as they were answered; `answer` is
    that of the turn, or why there is none; `tree` is what was run, None where nothing was."""

    turn: Turn
    turns: tuple[Turn, ...]
    answer: Answer
    at: datetime
    tree: Node | None
    sought: Sought
    happenings: tuple[Happening, ...]
    vocabulary: Vocabulary
    sides: tuple[Answer, ...] = ()
    """What the answer compares, each with its own number."""
    later: dict[str, Any] = field(default_factory=dict[str, Any], compare=False)
    """What was found for its page since: other readings, ways to go on, all of its events."""

    @property
    def plans(self) -> tuple[str, ...]:
        """The trees of all whose events are behind the answer."""
        return tuple(part.plan for part in (self.sides or self.answer.each))

    @property
    def size(self) -> int:
        """How many events it holds."""
        return sum(len(part.events) for part in self.answer.each) + len(self.later.get("order", ())) + 1


class Answers:
    """Answers by what was asked, in a state of the store."""

    def __init__(self) -> None:
        self._held: OrderedDict[Chain, tuple[str, Kept]] = OrderedDict()
        self._guard = Lock()

    def get(self, chain: Chain, state: str, *, at: datetime | None = None, now: datetime | None = None) -> Kept | None:
        """The answer of a question after others: the one that was given `at` a time, one that is as good `now`, or any
        where neither is given."""
        with self._guard:
            found = self._held.get(chain)
            if found is None or found[0] != state:
                return None
            kept = found[1]
            if at is not None and kept.at != at:
                return None
            is_fresh = now is None or (kept.at <= now < kept.at + _FRESH and kept.at.date() == now.date())
            if not is_fresh:
                return None
            self._held.move_to_end(chain)
            return kept

    def keep(self, chain: Chain, state: str, kept: Kept) -> None:
        """Keeps one; those that were not asked for longest go."""
        with self._guard:
            self._held[chain] = state, kept
            self._held.move_to_end(chain)
            while len(self._held) > 1 and (len(self._held) > _MOST or self._events() > _MOST_EVENTS):
                self._held.popitem(last=False)

    def _events(self) -> int:
        return sum(kept.size for _, kept in self._held.values())
