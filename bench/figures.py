"""The figures that the documents quote: measured here, kept in docs/figures.json, compared by the tests.

    python -m reqap_kg.bench.figures DIR [--out docs/figures.json]

DIR holds lives in the layout of the suite `personas`. Per life: Hit@1, the share of questions answered, the share of
these that is right. A document quotes one as `0.79<!-- figure p1.hit1 -->`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from ..evaluation.metrics import scored
from ..evaluation.running import RunOptions, run_suite

SUITE = "personas"


def figures_of(life: Path) -> Iterator[tuple[str, str]]:
    """Names and values, to two decimals, of one life."""
    options = RunOptions()
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "predictions.jsonl"
        run_suite(SUITE, life, out, options)
        whole = scored(SUITE, life, [out], options.suite).systems[0].whole
    for name, value in (("hit1", whole.hit), ("answered", whole.answered), ("precision", whole.precision)):
        yield f"{life.name}.{name}", f"{value:.2f}"


def main(arguments: Sequence[str]) -> None:
    """Measures every life of a folder and puts its figures into the file; others that stand there stay."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.figures")
    parser.add_argument("lives", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, default=Path("docs/figures.json"))
    parser.add_argument("--today", type=date.fromisoformat, required=True, help="the date to write down")
    given = parser.parse_args(arguments)
    kept = json.loads(given.out.read_text(encoding="utf-8")) if given.out.is_file() else {}
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    for life in sorted(path.parent for path in given.lives.glob("*/questions.jsonl")):
        for name, value in figures_of(life):
            print(f"{name}: {value}", flush=True)
            kept[name] = {"value": value, "measured": given.today.isoformat(), "machine": machine, "by": parser.prog}
    given.out.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
