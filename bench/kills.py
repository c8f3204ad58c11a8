"""Kills imports with SIGKILL at random moments; the store must open and hold the old or the new state each time.

python -m reqap_kg.bench.kills [KILLS]
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ..engine.importing.catalog import read_catalog
from ..ontology.namespaces import DERIVED, VOCABULARY_GRAPH
from ..store.generations import open_graph
from .events import write_events
from .table import Figure

NOW = datetime(2025, 3, 1, 12)
_COMMAND = (sys.executable, "-m", "reqap_kg.cli", "ingest", "--source", "life", "--now", NOW.isoformat(), "--json")


def measure(kills: int = 200, seed: int = 11, count: int = 1500, *, ahead: bool = True) -> list[Figure]:
    """Kills `kills` imports of two exports in turn, each after a random part of the time that an import takes, with
    texts read `ahead` or not."""
    rng = random.Random(seed)
    command = (*_COMMAND, "--index" if ahead else "--no-index")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        exports = [root / "a.jsonl", root / "b.jsonl"]
        for number, path in enumerate(exports):
            write_events(path, count + 200 * number, seed + number)
        store = root / "store"
        expected, seconds = [], 0.0
        for path in exports:
            begin = time.perf_counter()
            subprocess.run([*command, str(path), "--store", str(store)], check=True, stdout=subprocess.DEVNULL)
            seconds = time.perf_counter() - begin
            expected.append(_state(store))
        outcome = {"old": 0, "new": 0}
        held = 1
        for _ in range(kills):
            target = 1 - held
            _kill_one(command, exports[target], store, rng.uniform(0, seconds * 1.1))
            found = _state(store)
            if found not in expected:
                raise AssertionError(f"neither the old nor the new state: {found}, expected one of {expected}")
            outcome["new" if found == expected[target] else "old"] += 1
            held = expected.index(found)
    return [
        Figure(
            f"{kills} kills during an import: old state / new state / broken",
            f"{outcome['old']} / {outcome['new']} / 0",
        )
    ]


def _kill_one(command: Sequence[str], export: Path, store: Path, delay: float) -> None:
    process = subprocess.Popen([*command, str(export), "--store", str(store)], stdout=subprocess.DEVNULL)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()


def _state(store: Path) -> tuple[int, str]:
    """Number of imported quads and the digest of the one source: differs between the two exports.

    What is derived does not count: it is read ahead after an import's commit, so a kill may come before or amid it.
    """
    with open_graph(store, lock_seconds=30) as graph:
        (source,) = read_catalog(graph)
        imported = (iri for iri in graph.graphs() if iri != VOCABULARY_GRAPH and not iri.startswith(DERIVED))
        return sum(map(graph.count, imported)), source.digest


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        print(figure)
