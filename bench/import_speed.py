"""Import of a key-value list against Oxigraph's bulk load of the same N-Quads, in one run.

python -m reqap_kg.bench.import_speed [EVENTS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import pyoxigraph as ox

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..store.generations import current
from .events import write_events
from .table import Figure

NOW = datetime(2025, 3, 1, 12)


def measure(count: int = 45_000, seed: int = 7) -> list[Figure]:
    """Seconds of the import, of the bare bulk load, and their ratio (at most 4 is wanted)."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_events(root / "events.jsonl", count, seed)
        begin = time.perf_counter()
        report = ingest([root / "events.jsonl"], root / "store", IngestOptions(Settings(), NOW))
        imported = time.perf_counter() - begin
        before = ox.Store.read_only(str(root / "store" / str(current(root / "store")) / "db"))
        before.dump(str(root / "all.nq"), format=ox.RdfFormat.N_QUADS)
        bare = _bulk_load_seconds(root / "all.nq", root / "bare")
        triples = report.sources[0].triples
    return [
        Figure(f"import of {count:,} events ({triples:,} triples)", f"{imported:.1f} s"),
        Figure("bulk load of the same N-Quads", f"{bare:.1f} s"),
        Figure("ratio import / bulk load (wanted: at most 4)", f"{imported / bare:.2f}"),
    ]


def _bulk_load_seconds(path: Path, target: Path) -> float:
    """Seconds that Oxigraph alone takes to bulk load an N-Quads file into a new database at `target`."""
    begin = time.perf_counter()
    store = ox.Store(target)
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_QUADS)
    store.flush()
    return time.perf_counter() - begin


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 45_000):
        print(figure)
