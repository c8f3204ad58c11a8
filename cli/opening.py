"""Opening the store for questions, with progress on a terminal; or what a service lends, which has it open already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..config import Settings
from .common import settings, store_directory
from .printing.progress import steps_bar

if TYPE_CHECKING:  # what a command does not need is not imported by it
    from ..engine.conversation.dialogue import Dialogue
    from ..engine.knowledge import KnowledgeGraph
    from ..store.graph import StoreGraph
    from ..store.index.index import Progress


_NO_ANSWERS: Final = {"keep_dialogue", "resident", "service", "mcp"}


@dataclass
class Lent:
    """A store that a service has open, lent to the command that it runs."""

    known: KnowledgeGraph
    directory: Path
    progress: Progress | None = None
    """Who hears what is being done."""
    chat: Callable[[Any], None] | None = None
    """Goes on with a chat line by line, so that others are answered between two."""

    def tell(self, step: str, done: int, total: int) -> None:
        """Passes on how far the work is."""
        if self.progress is not None:
            self.progress(step, done, total)


lent: Final[ContextVar[Lent | None]] = ContextVar("lent", default=None)
"""What the service that runs this command lends; None in a process of its own."""


@contextmanager
def opened(store: Path | None, config: Path | None) -> Iterator[KnowledgeGraph]:
    """The store that the options name, by the settings that they name."""
    directory, chosen = store_directory(store), settings(config)
    with steps_bar(visible=True, text="reading your texts") as progress:
        held = _lent_for(directory, chosen)
        if held is not None:
            held.progress = progress
            yield held.known
            return
        from ..engine.knowledge import KnowledgeGraph

        with KnowledgeGraph.open(directory, chosen, progress) as known:
            yield known
    if chosen.resident and lent.get() is None:
        from .resident.starting import begin_resident

        begin_resident(directory, config, chosen.service.idle_minutes)


@contextmanager
def opened_to_read(store: Path | None, chosen: Settings) -> Iterator[StoreGraph]:
    """The graph of the store that the options name, for queries alone."""
    directory = store_directory(store)
    held = _lent_for(directory, chosen)
    if held is not None:
        yield held.known.graph
        return
    from ..engine.conversation.kept import opened_graph

    with opened_graph(directory, chosen) as graph:
        yield graph


@contextmanager
def opened_dialogue(directory: Path, chosen: Settings, progress: Progress | None) -> Iterator[Dialogue]:
    """A dialogue over a store."""
    from ..engine.conversation.dialogue import Dialogue

    held = _lent_for(directory, chosen)
    if held is not None:
        held.progress = progress
        yield Dialogue.over(held.known, directory, keep=chosen.keep_dialogue)
        return
    with Dialogue.open(directory, chosen, progress) as dialogue:
        yield dialogue


def _lent_for(directory: Path, chosen: Settings) -> Lent | None:
    """What is lent, if it is this store by these settings."""
    held = lent.get()
    if held is None or held.directory != directory.absolute() or not same_settings(held.known.settings, chosen):
        return None
    return held


def same_settings(one: Settings, other: Settings) -> bool:
    """Whether two settings answer alike: how a chat is kept is each chat's own, and the service's are no answer's."""
    return one.model_dump(exclude=_NO_ANSWERS) == other.model_dump(exclude=_NO_ANSWERS)
