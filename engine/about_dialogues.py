"""Questions about what was asked of reqap-kg and answered: they are put to the dialogues, all others to the life."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from ..config import Settings
from ..ontology.namespaces import EV
from ..planner.dialogue_questions import AskedHere
from ..planner.followups import FollowUps
from ..store.index import ValueIndex
from .answer import Answer
from .journal import Journal
from .kept import read_dialogues
from .planned import Planned

__all__ = ["AboutDialogues"]

TOLD: Final = "what was asked of reqap-kg, which is kept apart from your sources, is asked"
_MAY_BE: Final = re.compile(r"(?i)\b(?:you|your|we|our|this|questions?|ask(?:ed)?|reqap)\b")
"""A word of these stands in every such question: others need not be looked at."""


class _Life(Protocol):
    """What knows a life: a `KnowledgeGraph`."""

    settings: Settings
    index: ValueIndex

    def follow_ups(self, *, now: datetime) -> FollowUps: ...

    def plan(self, question: str, *, now: datetime) -> Planned: ...

    def ask(self, question: str, *, now: datetime, most_events: int | None = ..., explain: bool = ...) -> Answer: ...


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
            found = dialogues.ask(asked.question, now=now, most_events=most_events, explain=explain)
        return replace(found, question=question, notes=(TOLD, *found.notes))

    def plan(self, question: str, now: datetime) -> Planned | None:
        """Its plan; None as `answer`."""
        asked = self._asked(question, now)
        if asked is None:
            return None
        with self._opened(now) as dialogues:
            planned = dialogues.plan(asked.question, now=now)
        return replace(planned, notes=(TOLD, *planned.notes))

    def _asked(self, question: str, now: datetime) -> AskedHere | None:
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
