"""Start of the command line against the start of bare `import typer`, and what an `ask` imports.

python -m reqap_kg.bench.startup
"""

from __future__ import annotations

import subprocess
import sys
import time

from .table import Figure


def measure(rounds: int = 15) -> list[Figure]:
    """Best of `rounds` seconds of each, and the ratio (at most 3 is wanted)."""
    bare = _best([sys.executable, "-c", "import typer"], rounds)
    ours = _best([sys.executable, "-m", "reqap_kg.cli", "--help"], rounds)
    return [
        Figure('`python -c "import typer"`', f"{bare * 1000:.0f} ms"),
        Figure("`reqap-kg --help`", f"{ours * 1000:.0f} ms"),
        Figure("ratio (wanted: at most 3)", f"{ours / bare:.2f}"),
    ]


def _best(command: list[str], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        found.append(time.perf_counter() - begin)
    return min(found)


if __name__ == "__main__":
    for figure in measure():
        print(figure)
