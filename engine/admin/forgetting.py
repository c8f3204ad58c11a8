"""Taking something out and making what stays ready for questions again: no text that stays is read twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, TypeVar

from ...config import Settings
from ...errors import ConfigError
from ...store.cache_file import caches_in
from ...store.generations import open_graph
from ...store.index.index import Progress
from ..derivations import is_read_ahead
from ..importing.precompute import Precomputed
from ..knowledge import KnowledgeGraph

T = TypeVar("T")


@dataclass(frozen=True)
class Forgotten(Generic[T]):
    """What was taken out, and what is ready for questions of the texts that stay: `ahead` is None where none were read
    before, or where the model is `missing`."""

    gone: T
    ahead: Precomputed | None = None
    missing: str | None = None


def forget_and_read(
    forgets: Callable[[], T], directory: Path, settings: Settings, *, now: datetime, progress: Progress | None = None
) -> Forgotten[T]:
    """Forgets; then what texts tell is told by those that stay. What was read of them is held in memory meanwhile, so
    that no file has a word of what went, whenever this ends.

    Raises as `forgets`.
    """
    with open_graph(directory, lock_seconds=settings.lock_seconds, access=settings.access) as graph:
        was_read = is_read_ahead(graph)
    if not was_read:
        return Forgotten(forgets())
    with closing(caches_in(directory / "cache")) as before:
        gone = forgets()
        with KnowledgeGraph.open(directory, settings, progress, before) as known:
            try:
                return Forgotten(gone, known.read_ahead(now=now))
            except ConfigError as missing:
                return Forgotten(gone, missing=str(missing))
