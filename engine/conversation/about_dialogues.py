"""Questions about what was asked of reqap-kg and answered: they are put to the dialogues, all others to the life."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from ...config import Settings
from ...ontology.namespaces import EV
from ...planner.followups.dialogue_questions import AskedHere
from ...planner.followups.followups import FollowUps
from ...planner.patterns.limits import check_question
from ...store.generations import EventGraph
from ...store.index.index import ValueIndex
from ..answers.answer import Answer
from ..asking.chat_routing import ANYTHING
from ..asking.planned import Planned
from .journal import Journal
from .kept import read_dialogues

__all__ = ["AboutDialogues"]

TOLD: Final = "what was asked of reqap-kg, which is kept apart from your sources, is asked"
_MOST_PLANS: Final = 4
_MAY_BE: Final = re.compile(r"(?i)\b(?:you|your|we|our|this|questions?|ask(?:ed)?|reqap)\b")
"""A word of these stands in every such question: others need not be looked at."""


class _Life(Protocol):
    """What knows a life: a `KnowledgeGraph`."""

    settings: Settings
    graph: EventGraph
    index: ValueIndex

    def follow_ups(self, *, now: datetime) -> FollowUps: ...

    def plan(self, question: str, *, now: datetime) -> Planned: ...

    def plans(self, question: str, *, now: datetime, top: int) -> tuple[Planned, ...]: ...

    def ask_plan(
        self, question: str, planned: Planned, *, now: datetime, most_events: int | None = ..., explain: bool = ...
    ) -> Answer: ...


@dataclass(frozen=True)
class AboutDialogues:
    """Answers the questions about dialogues, of a life whose store is at `directory`; `opening` opens a store."""

    life: _Life
    directory: Path
    opening: Callable[[Path, Settings], AbstractContextManager[_Life]]

    def answer(self, question: str, now: datetime, most_events: int | None, *, explain: bool) -> Answer | None:
        """The answer of the dialogues; None to a question that is not about them, or where none are kept."""
        asked = self._asked(question, now)
        if asked is None:
            return None
        with self._opened(now) as dialogues:
            planned = _planned(dialogues, asked.question, now)
            found = dialogues.ask_plan(asked.question, planned, now=now, most_events=most_events, explain=explain)
        return replace(found, question=question, notes=(TOLD, *self.life.graph.notes, *found.notes))

    def plan(self, question: str, now: datetime) -> Planned | None:
        """Its plan; None as `answer`."""
        asked = self._asked(question, now)
        if asked is None:
            return None
        with self._opened(now) as dialogues:
            planned = _planned(dialogues, asked.question, now)
        return replace(planned, notes=(TOLD, *planned.notes))

    def is_asked(self, question: str, now: datetime) -> bool:
        """Whether the dialogues answer it, which are not opened for that."""
        return self._asked(question, now) is not None

    def _asked(self, question: str, now: datetime) -> AskedHere | None:
        check_question(question)
        if not _MAY_BE.search(question) or Journal(self.directory).is_empty:
            return None
        asked = self.life.follow_ups(now=now).asked_here(question)
        return None if asked is None or (not asked.addressed and self._holds_talk) else asked

    @property
    def _holds_talk(self) -> bool:
        """Whether the life has chats of its own, which "what did we discuss" is about."""
        return EV + "ChatMessage" in self.life.index.statistics.classes

    @contextmanager
    def _opened(self, now: datetime) -> Iterator[_Life]:
        folder = read_dialogues(self.directory, self.life.settings, now=now)
        with self.opening(folder, self.life.settings) as dialogues:
            yield dialogues


def _planned(dialogues: _Life, question: str, now: datetime) -> Planned:
    """Its plan. Somebody may have asked the same before: then all of its words are also the text of a message, and
    what is said by whom and when counts more than that."""
    first = dialogues.plan(question, now=now)
    if _tells_more(first):
        return first
    others = dialogues.plans(question, now=now, top=_MOST_PLANS)
    return next((one for one in others if _tells_more(one)), first)


def _tells_more(planned: Planned) -> bool:
    """Whether a rule of chats reads the question, but not as one of which anything said may be the answer."""
    return planned.of_chats and planned.steps[0][0] != ANYTHING
