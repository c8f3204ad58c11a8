"""`make bench`: everything that docs/benchmarks.md reports, one table.

python -m reqap_kg.bench.run
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable

from . import import_speed, kills, rml_memory, startup
from .table import Figure

PARTS: tuple[tuple[str, Callable[[], Iterable[Figure]]], ...] = (
    ("Start of the command line", startup.measure),
    ("Import of 45,000 events", import_speed.measure),
    ("Memory of the RML runner over 1 GB of JSON Lines", rml_memory.measure),
    ("Imports killed at random moments", kills.measure),
)


def main() -> None:
    """Prints a Markdown table per part, each as soon as it is measured."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    for title, measure in PARTS:
        print(f"## {title}\n\n| what | value |\n|---|---|", flush=True)
        for figure in measure():
            print(figure, flush=True)
        print()


if __name__ == "__main__":
    main()
