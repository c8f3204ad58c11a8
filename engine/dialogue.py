"""A dialogue that the store keeps, so that one can ask later what was discussed.

    with Dialogue.open(directory, settings, now=now) as dialogue:
        turn = dialogue.ask("How many runs did I do in 2024?", now=now)

What is said is a line of DIR/dialogue.jsonl each, on disk before it goes on: a process that is killed loses at most the
answer it was working on. The journal is imported as the source `reqap-kg` like any other export, into a new generation,
when a dialogue ends and, for what a killed one left, when the next begins. Its messages are of a class of their own
(ev:DialogueTurn), since a question about a life says nothing of what happened in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ..config import Settings
from ..ontology.namespaces import DIALOGUE_SOURCE
from ..store.generations import exists
from ..store.index import Progress
from ..store.overlay import is_writable
from .conversation import Turn, asked
from .ingest import IngestOptions, ingest
from .journal import Journal
from .knowledge import KnowledgeGraph

__all__ = ["Dialogue", "keep_dialogue"]

ME = "me"


def keep_dialogue(directory: Path, settings: Settings, *, now: datetime) -> bool:
    """Imports what the journal has and the store has not; whether there was any. The store must not be open.

    Raises as `ingest` does, StoreBusy where another process holds the store.
    """
    journal = Journal(directory)
    if journal.is_kept or not exists(directory):
        return False
    size = journal.size
    ingest([journal.path], directory, IngestOptions(settings, now))
    journal.mark_kept(size)
    return True


@dataclass
class Dialogue:
    """A running dialogue over an open store; its turns lean on each other."""

    known: KnowledgeGraph
    journal: Journal
    keeps: bool = True
    turns: list[Turn] = field(default_factory=list[Turn])

    @classmethod
    @contextmanager
    def open(
        cls, directory: Path, settings: Settings | None = None, *, now: datetime, progress: Progress | None = None
    ) -> Iterator[Dialogue]:
        """Opens the store at `directory` for a dialogue. Raises StoreError where there is none, StoreBusy when it is
        held. `now` is when what an earlier dialogue left is imported."""
        chosen = settings or Settings()
        # The ontology of a domain may have no dialogues, and some stores may only be read.
        keeps = chosen.keep_dialogue and chosen.domain is None and is_writable(directory)
        if keeps:
            keep_dialogue(directory, chosen, now=now)
        dialogue: Dialogue | None = None
        try:
            with KnowledgeGraph.open(directory, chosen, progress) as known:
                dialogue = cls(known, Journal(directory), keeps)
                yield dialogue
        finally:
            if keeps and dialogue is not None:
                keep_dialogue(directory, chosen, now=now)

    def ask(
        self, question: str, *, now: datetime, explain: bool = False, tell: Callable[[str, str], None] | None = None
    ) -> Turn:
        """The next turn: a question, which may lean on the turns before it, with its answer or why there is none."""
        self.hear(question, now=now)
        turn = asked(self.known, question, self.turns, now=now, explain=explain, tell=tell)
        self.turns.append(turn)
        self.say(turn, now=now)
        return turn

    def hear(self, question: str, *, now: datetime) -> None:
        """Stores a question, before it is answered by whoever keeps turns of their own."""
        if self.keeps:
            self.journal.add(ME, question, now)

    def say(self, turn: Turn, *, now: datetime) -> None:
        """Stores what is said in answer to it."""
        if self.keeps:
            self.journal.add(DIALOGUE_SOURCE, _said(turn), now)


def _said(turn: Turn) -> str:
    """What is said in answer to a question."""
    parts: Sequence[str] = (turn.note, turn.answer.text if turn.answer else str(turn.failure or ""), turn.said)
    return "\n".join(part for part in parts if part)
