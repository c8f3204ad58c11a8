"""Import of a key-value list against Oxigraph's bulk load of the same N-Quads, in one run.

python -m reqap_kg.bench.import_speed [EVENTS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..store.upkeep.bulk import bulk_load_seconds, dump_nquads
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
        dump_nquads(root / "store", root / "all.nq")
        bare = bulk_load_seconds(root / "all.nq", root / "bare")
        triples = report.sources[0].triples
    return [
        Figure(f"import of {count:,} events ({triples:,} triples)", f"{imported:.1f} s"),
        Figure("bulk load of the same N-Quads", f"{bare:.1f} s"),
        Figure("ratio import / bulk load (wanted: at most 4)", f"{imported / bare:.2f}"),
    ]


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 45_000):
        print(figure)
