"""The graph of a store that is open: what the floors above are given, wherever the store is."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

from .graph import WritableGraph


class EventGraph(WritableGraph):
    """The graph of one generation of a store, open for queries, and for derived graphs when open for writing."""

    directory: Path
    """The store's folder, or that which stands for one that may only be read."""
    generation: str
    """Changes with every import; indexes name it."""
    notes: tuple[str, ...]
    """What to say with every answer: how the store could be opened."""

    @abstractmethod
    def close(self) -> bool:
        """Lets go of the store; whether it is closed by that."""

    @property
    def index_directory(self) -> Path:
        """Where indexes of this generation live; created on first use."""
        folder = self.directory / self.generation / "index"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def cache_directory(self) -> Path:
        """Where content-addressed caches live, across generations."""
        folder = self.directory / "cache"
        folder.mkdir(parents=True, exist_ok=True)
        return folder
