"""A process that is killed while it writes or removes derivations leaves whole ones only."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from derived_life import import_source

from reqap_kg.execution.derivations.derive import list_derivations, read_hits
from reqap_kg.store.generations import open_graph

WRITER = """
import sys
from pathlib import Path
from reqap_kg.execution.derivations.derive import Step, drop_derivations, write_hits
from reqap_kg.retrieval.hits import Hit
from reqap_kg.store.generations import open_graph

with open_graph(Path(sys.argv[1]), write=True) as graph:
    print("open", flush=True)
    for number in range(10_000):
        step = Step("RETRIEVE", f"query {number % 7}", "m", "h", f"digest {number}")
        write_hits(graph, step, [Hit(f"urn:e{n}", 0.9) for n in range(500)], ended="2025-01-01T12:00:00")
        if number % 50 == 49:
            drop_derivations(graph, "query 3")
"""


@pytest.mark.long
def test_kills_leave_whole_derivations(tmp_path: Path) -> None:
    import_source(tmp_path, "climbs")
    delays = random.Random(7)
    seen = 0
    for _ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "store")], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        time.sleep(delays.uniform(0.1, 0.6))
        writer.kill()
        writer.wait()
        writer.stdout.close()
        with open_graph(tmp_path / "store", write=True) as graph:
            found = list_derivations(graph)
            assert all(len(read_hits(graph, d.activity)) == d.results == 500 for d in found)
            derived = [iri for iri in graph.graphs() if "/derived/" in iri]
            assert sorted(derived) == sorted(d.graph for d in found)
            seen += len(found)
    assert seen > 0


def test_a_write_that_fails_leaves_nothing_of_it(tmp_path: Path) -> None:
    import_source(tmp_path, "climbs")

    def failing():
        yield from ()
        raise OSError("no space left")

    with open_graph(tmp_path / "store", write=True) as graph:
        with pytest.raises(OSError, match="no space"):
            graph.replace_graph("urn:derived", failing())
        assert "urn:derived" not in graph.graphs()
