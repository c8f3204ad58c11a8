"""A dialogue that is kept, so that one can ask later what was discussed.

    with Dialogue.open(directory, settings) as dialogue:
        turn = dialogue.ask("How many runs did I do in 2024?", now=now)

What is said is a line of DIR/dialogue.jsonl each, on disk before it goes on: a process that is killed loses at most the
answer it was working on. It never becomes an event of the life that the store is about (engine/conversation/kept.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...config import Settings
from ...ontology.namespaces import DIALOGUE_SOURCE
from ...store.generations import NOTE
from ...store.index.index import Progress
from ..knowledge import KnowledgeGraph
from .conversation import asked
from .journal import Journal
from .turns import Turn, followed

__all__ = ["Dialogue"]

ME = "me"


@dataclass
class Dialogue:
    """A running dialogue over an open store; its turns lean on each other."""

    known: KnowledgeGraph
    journal: Journal
    keeps: bool = True
    turns: list[Turn] = field(default_factory=list[Turn])
    begins: int = 0
    """Bytes of the journal before this dialogue."""

    @classmethod
    @contextmanager
    def open(
        cls, directory: Path, settings: Settings | None = None, progress: Progress | None = None
    ) -> Iterator[Dialogue]:
        """Opens the store at `directory` for a dialogue. Raises StoreError where there is none, StoreBusy when it is
        held."""
        chosen = settings or Settings()
        with KnowledgeGraph.open(directory, chosen, progress) as known:
            yield cls.over(known, directory, keep=chosen.keep_dialogue)

    @classmethod
    def over(cls, known: KnowledgeGraph, directory: Path, *, keep: bool = True) -> Dialogue:
        """A dialogue over a store that is open, which is at `directory`."""
        journal = Journal(directory)
        dialogue = cls(known, journal, begins=journal.size)
        # The ontology of a domain may have no dialogues, and some stores may only be read.
        dialogue.keeps = keep and known.settings.domain is None and not dialogue.only_reads
        return dialogue

    @property
    def only_reads(self) -> bool:
        """Whether the store may only be read, so that nothing can be kept."""
        return NOTE in self.known.graph.notes

    def ask(
        self, question: str, *, now: datetime, explain: bool = False, tell: Callable[[str, str], None] | None = None
    ) -> Turn:
        """The next turn: a question, which may lean on the turns before it, with its answer or why there is none."""
        self.hear(question, now=now)
        turn = asked(self.known, question, self.turns, now=now, explain=explain, tell=tell)
        self.turns = list(followed(self.turns, turn))
        self.say(turn, now=now)
        return turn

    def hear(self, question: str, *, now: datetime) -> None:
        """Keeps a question, before it is answered by whoever keeps turns of their own."""
        if self.keeps:
            self.journal.add(ME, question, now)

    def say(self, turn: Turn, *, now: datetime) -> None:
        """Keeps what is said in answer to it."""
        if self.keeps:
            self.journal.add(DIALOGUE_SOURCE, _said(turn), now)

    def forget(self) -> None:
        """Deletes what is kept of this dialogue, also what the prompt keeps, and leans on none of it."""
        self.turns = []
        if self.keeps:
            self.journal.cut(self.begins)
            self.journal.remove_history()


def _said(turn: Turn) -> str:
    """What is said in answer to a question."""
    parts: Sequence[str] = (turn.note, turn.answer.text if turn.answer else str(turn.failure or ""), turn.said)
    return "\n".join(part for part in parts if part)
