"""The conversations that run: their turns, and whether what is said is kept.

They are in memory, few of them, by names that nobody guesses; what is kept of one is in the journal of the store.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Final

from ....engine.answers.answer import Answer
from ....engine.conversation.dialogue import Dialogue
from ....engine.conversation.turns import UNDO, Turn, answer_of
from ....engine.knowledge import KnowledgeGraph
from ....errors import UsageError
from ....planner.patterns.limits import check_question

_MOST: Final = 32
_MOST_TURNS: Final = 200
_NAME_BYTES: Final = 12
COMMANDS: Final = {
    "/undo": "takes the last question back",
    "/new": "begins anew: nothing before is leaned on",
    "/forget": "the same, and deletes what is kept of this chat",
}


@dataclass(frozen=True)
class Turned:
    """A turn with its answer, or that of a question that was declined, and when it was asked."""

    turn: Turn
    answer: Answer | None
    at: datetime


@dataclass
class Talk:
    """One conversation. `dialogue` is made when something is said for the first time."""

    name: str
    keep: bool
    turned: list[Turned] = field(default_factory=list[Turned])
    dialogue: Dialogue | None = None

    def over(self, known: KnowledgeGraph, directory: Path) -> Dialogue:
        """The dialogue, over the store as it is open now."""
        if self.dialogue is None:
            self.dialogue = Dialogue.over(known, directory, keep=self.keep)
        self.dialogue.known = known
        return self.dialogue

    def say(self, text: str, known: KnowledgeGraph, directory: Path, now: datetime) -> Turned | None:
        """What is answered to a text; None for a command. Raises UsageError for one that there is not, and for a text
        that is too long."""
        dialogue = self.over(known, directory)
        if text.startswith("/") or (text.lower() in UNDO and self.turned):
            self._obey(text.lower() if text.startswith("/") else "/undo", dialogue)
            return None
        check_question(text)
        if len(self.turned) >= _MOST_TURNS:
            raise UsageError(f"a conversation has at most {_MOST_TURNS} turns: /new begins another")
        turn = dialogue.ask(text, now=now)
        self.turned.append(Turned(turn, answer_of(turn, known, now), now))
        return self.turned[-1]

    def _obey(self, command: str, dialogue: Dialogue) -> None:
        if command == "/undo":
            self.turned = self.turned[:-1]
            dialogue.turns = dialogue.turns[:-1]
        elif command == "/new":
            self.turned, dialogue.turns = [], []
        elif command == "/forget":
            self.turned = []
            dialogue.forget()
        else:
            raise UsageError(f"there is no {command.split()[0]}; there are {', '.join(COMMANDS)}")


class Talks:
    """Conversations by their names; those that were used longest ago are left."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Talk] = OrderedDict()
        self._guard = Lock()

    def begun(self, *, keep: bool) -> Talk:
        """A new one."""
        talk = Talk(token_urlsafe(_NAME_BYTES), keep)
        with self._guard:
            self._held[talk.name] = talk
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return talk

    def named(self, name: str) -> Talk | None:
        """The one of this name, if it still runs."""
        with self._guard:
            if name in self._held:
                self._held.move_to_end(name)
            return self._held.get(name)
