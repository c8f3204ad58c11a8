"""`make bench`: everything that docs/benchmarks.md reports, a table a part.

python -m reqap_kg.bench.run
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys

PARTS = (
    ("Start of the command line", "startup"),
    ("Import of 45,000 events", "import_speed"),
    ("Questions over the demo life", "ask_speed"),
    ("Memory of the RML runner over 1 GB of JSON Lines", "rml_memory"),
    ("Imports killed at random moments", "kills"),
)


def main() -> None:
    """Prints a Markdown table per part; each runs in a process of its own, so that none bears another's memory."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    for title, module in PARTS:
        print(f"## {title}\n\n| what | value |\n|---|---|", flush=True)
        subprocess.run([sys.executable, "-m", f"reqap_kg.bench.{module}"], check=True)
        print(flush=True)


if __name__ == "__main__":
    main()
