"""Moving whole stores: dumps for backups, and the bare bulk load that imports are measured against."""

from __future__ import annotations

import time
from pathlib import Path

import pyoxigraph as ox

from ..generations import open_graph


def dump_nquads(directory: Path, path: Path) -> None:
    """Writes every quad of a store to one N-Quads file. Raises StoreError where there is no store."""
    with open_graph(directory) as graph:
        graph.dump(path)


def bulk_load_seconds(path: Path, target: Path) -> float:
    """Seconds that Oxigraph alone takes to bulk load an N-Quads file into a new database at `target`."""
    begin = time.perf_counter()
    store = ox.Store(target)
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_QUADS)
    store.flush()
    return time.perf_counter() - begin
