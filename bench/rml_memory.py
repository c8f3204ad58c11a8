"""Memory of the RML engine: a generated JSON Lines file is mapped by a process of its own, whose peak is reported.

python -m reqap_kg.bench.rml_memory [MEGABYTES]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .table import Figure

MEGABYTES = 1000
WANTED_MIB = 1024
IN_BETWEEN = """
import pathlib, resource, subprocess, sys
ended = subprocess.call(sys.argv[2:])
pathlib.Path(sys.argv[1]).write_text(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(ended)
"""
"""Starts a command and writes its peak to a file. On Linux the peak of a process begins with that of the one it was
started from (vfork), so what is measured is started from this, which is small, and not from whoever measures."""

MAP = """
@prefix rml: <http://w3id.org/rml/> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> .

<#Stream> a rml:TriplesMap ;
  rml:logicalSource [ rml:source "events.jsonl" ; rml:referenceFormulation rml:JSONPath ; rml:iterator "$" ] ;
  rml:subjectMap [ rml:template "https://example.org/event/{id}" ; rml:class ev:MusicStream ] ;
  rml:predicateObjectMap
    [ rml:predicate ev:songName ; rml:objectMap [ rml:reference "song" ] ] ,
    [ rml:predicate ev:artist ; rml:objectMap [ rml:reference "$.artists[*]" ] ] ,
    [ rml:predicate ev:text ; rml:objectMap [ rml:reference "note" ] ] ,
    [ rml:predicate ev:start ; rml:objectMap [ rml:functionExecution [ rml:function fn:wallClock ;
        rml:input [ rml:parameter fn:value ; rml:inputValueMap [ rml:reference "at" ] ] ] ] ] .
"""


def write_lines(path: Path, size: int, seed: int) -> int:
    """Write at least `size` bytes of JSON Lines, every record different; the number of records."""
    rng = random.Random(seed)
    words = [
        f"{a}{b}" for a in ("har", "lan", "cop", "wil", "mea", "rib") for b in ("bour", "tern", "per", "low", "dow")
    ]
    written = count = 0
    with path.open("w", encoding="utf-8") as out:
        while written < size:
            at = f"20{10 + count % 15}-0{1 + count % 9}-1{count % 10}T{count % 24:02}:{count % 60:02}:00Z"
            record = {
                "id": f"r{count}",
                "at": at,
                "song": f"{rng.choice(words)} {count}",
                "artists": rng.sample(words, 2),
                "note": " ".join(rng.choices(words, k=120)),
            }
            written += out.write(json.dumps(record) + "\n")
            count += 1
    return count


def measure(megabytes: int = MEGABYTES, seed: int = 7) -> list[Figure]:
    """Peak resident memory in MiB, records and triples per second, of `reqap-kg map` on a file of that size."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        count = write_lines(root / "events.jsonl", megabytes * 1_000_000, seed)
        (root / "map.ttl").write_text(MAP, encoding="utf-8")
        begin = time.perf_counter()
        lines, peak = _mapped(root / "map.ttl")
        took = time.perf_counter() - begin
    return [
        Figure(f"map of {megabytes:,} MB JSON Lines ({count:,} records, {lines:,} triples)", f"{took:.0f} s"),
        Figure("records per second", f"{count / took:,.0f}"),
        Figure(f"peak memory (wanted: at most {WANTED_MIB:,} MiB)", f"{peak:,.0f} MiB"),
    ]


def _mapped(map_file: Path) -> tuple[int, float]:
    """Lines that the process printed and the most memory it held, in MiB."""
    peak = map_file.with_name("peak")
    between = [sys.executable, "-I", "-S", "-c", IN_BETWEEN, str(peak)]
    command = [sys.executable, "-m", "reqap_kg.cli", "map", str(map_file)]
    lines = 0
    with subprocess.Popen([*between, *command], stdout=subprocess.PIPE, cwd=map_file.parent) as process:
        assert process.stdout is not None
        while block := process.stdout.read(1 << 20):
            lines += block.count(b"\n")
    if process.returncode != 0:
        raise SystemExit(f"the map ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return lines, int(peak.read_text()) * unit / 2**20


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]) if len(sys.argv) > 1 else MEGABYTES):
        print(figure)
