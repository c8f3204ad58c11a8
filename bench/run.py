"""`make bench`: everything that docs/benchmarks.md reports, a table a part.

    python -m reqap_kg.bench.run [PART ...] [--json FILE]

Parts are the modules of this folder; all of them where none is named.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .table import Figure

PARTS: Mapping[str, str] = {
    "startup": "Start of the command line",
    "import_speed": "Import of 45,000 events",
    "ask_speed": "Questions over the demo life",
    "structured": "Structured trees against hand-written SPARQL",
    "joins": "Joins of songs and workouts",
    "planning": "Reading, checking, rewriting and compiling trees; planning questions",
    "census": "Questions of QUASL's Table I",
    "retrieving": "RETRIEVE over 45,000 events",
    "served": "The resident service over 45,000 events",
    "served.page": "The page over 45,000 events, in Chromium",
    "long_chats": "A million chat messages",
    "rml_memory": "Memory of the RML runner over 1 GB of JSON Lines",
    "kills": "Imports killed at random moments",
}
"""Titles by module, in the order in which they run."""


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table per part; each runs in a process of its own, so that none bears another's memory."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.run")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    given = parser.parse_args(arguments)
    if unknown := [part for part in given.parts if part not in PARTS]:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}\n", flush=True)
    found = {part: _figures(part) for part in given.parts or PARTS}
    if given.json is not None:
        parts = {part: [vars(figure) for figure in figures] for part, figures in found.items()}
        given.json.write_text(json.dumps({"machine": machine, "parts": parts}, indent=2) + "\n", encoding="utf-8")


def _figures(part: str) -> list[Figure]:
    """Runs a part and prints its table as it comes; gives what the table states."""
    print(f"## {PARTS[part]}\n\n| what | value |\n|---|---|", flush=True)
    found: list[Figure] = []
    command = [sys.executable, "-m", f"{__package__}.{part}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            figure = Figure.read(line)
            if figure is not None:
                found.append(figure)
    if process.returncode != 0:
        raise SystemExit(f"{part} failed with {process.returncode}")
    print(flush=True)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
