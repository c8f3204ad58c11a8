"""Answers that were given, kept for what is asked next of them: parts of their page, and follow-ups.

They are kept in memory only, and few of them: whatever is gone is asked again, as the address says all of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Final

from ....engine.answers.answer import Answer, Evidence
from ....engine.answers.evidence import evidence
from ....engine.answers.telling import Sought
from ....engine.conversation.turns import Turn
from ....engine.knowledge import KnowledgeGraph
from ....operators.expressions import Node
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


_STARTS: Final = "SELECT ?e ?t { ?e ev:start ?t }"


def ordered(kept: Kept, known: KnowledgeGraph) -> dict[str, str]:
    """When each of them was, by IRI, in the order of their times."""
    if "order" not in kept.later:
        behind = [iri for plan in kept.plans for iri in known.events_of(plan, now=kept.at)]
        starts = {e.value: t.value for e, t in known.graph.select(_STARTS) if e is not None and t is not None}
        times = {iri: starts.get(iri, "") for iri in behind}
        kept.later["order"] = dict(sorted(times.items(), key=lambda one: (one[1], one[0])))
    return kept.later["order"]


def size_of(kept: Kept, known: KnowledgeGraph) -> int:
    """How many happenings there are."""
    return len(ordered(kept, known)) if kept.answer.more_events else len(kept.happenings)


def happened(kept: Kept, known: KnowledgeGraph, first: int, most: int) -> Sequence[Happening]:
    """Some of them, from the first on."""
    if not kept.answer.more_events:
        return kept.happenings[first : first + most]
    shown = list(ordered(kept, known))[first : first + most]
    return [Happening(event, start=event.start) for event in _marked(kept, evidence(known.graph, shown))]


def _marked(kept: Kept, events: Sequence[Evidence]) -> list[Evidence]:
    """Events with what is only told of them, as far as it is known."""
    told = {event.iri: event.basis for event in kept.answer.events}
    return [replace(event, basis=told.get(event.iri, event.basis)) for event in events]


def with_all(kept: Kept, known: KnowledgeGraph) -> Answer:
    """The answer with each happening once, and when it was: for what is only drawn over time."""
    answer = kept.answer
    if not answer.more_events:
        own = {event.iri for event in answer.events}
        once = (one for one in kept.happenings if one.event.iri in own)
        return replace(answer, events=tuple(replace(one.event, start=one.start) for one in once))
    events = tuple(Evidence(iri, "", "", "", start, None, "") for iri, start in ordered(kept, known).items())
    return replace(answer, events=events, more_events=False)
