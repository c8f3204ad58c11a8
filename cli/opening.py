"""Opening the store for questions, with progress on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..engine.knowledge import KnowledgeGraph
from .common import settings, store_directory
from .printing.progress import steps_bar


@contextmanager
def opened(store: Path | None, config: Path | None) -> Iterator[KnowledgeGraph]:
    """The store that the options name, by the settings that they name."""
    with (
        steps_bar(visible=True) as progress,
        KnowledgeGraph.open(store_directory(store), settings(config), progress) as known,
    ):
        yield known
