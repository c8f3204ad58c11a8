"""`make fuzz`: the tests that draw random trees and hostile texts, with many more draws, other ones in each run.

    python tests/fuzz.py [--trees 10000] [--jobs 2] [--seed N]

Rounds of a few hundred trees run beside each other and say how far they are. Ends with 1 if any round found a fault,
which it prints; the seed, printed first, draws the same trees again.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TREES = (
    "tests/execution/test_against_reference.py",
    "tests/planner/test_rewrites.py",
    "tests/compiler/sparql/test_passes.py",
)
HOSTILE = "tests/operators/test_hostile.py"
HOSTILE_DRAWS = 10_000
"""How many mutations that file makes where FUZZ_TREES is set, whatever its value."""
ROUND = 250


@dataclass(frozen=True)
class Round:
    """One run of pytest: so many draws of each test of a file, from a seed."""

    file: str
    draws: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What a round found: nothing, or pytest's output."""

    round: Round
    fault: str | None


def rounds(trees: int, seed: int) -> Iterator[Round]:
    """The rounds of a run: the hostile texts in one, `trees` draws of each test of trees in many, files in turn."""
    yield Round(HOSTILE, HOSTILE_DRAWS, seed)
    for number, done in enumerate(range(0, trees, ROUND)):
        for file in TREES:
            yield Round(file, min(ROUND, trees - done), seed + number)


def play(one: Round) -> Outcome:
    """Runs a round. A file that is missing or holds no test is a fault too."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", one.file, f"--hypothesis-seed={one.seed}", "-p", "no:cacheprovider", "-x"],
        cwd=ROOT,
        env={**os.environ, "FUZZ_TREES": str(one.draws), "HYPOTHESIS_PROFILE": "search"},
        capture_output=True,
        text=True,
    )
    return Outcome(one, None if done.returncode == 0 else done.stdout + done.stderr)


def main(arguments: list[str]) -> int:
    """Plays all rounds; 1 if any found a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--trees", type=int, default=10_000, help="draws of each test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="rounds at once")
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    given = parser.parse_args(arguments)
    print(f"{given.trees:,} draws of each test, seed {given.seed}", flush=True)
    planned = list(rounds(given.trees, given.seed))
    begin, faults = time.monotonic(), 0
    drawn: dict[str, int] = dict.fromkeys((HOSTILE, *TREES), 0)
    with ThreadPoolExecutor(given.jobs) as pool:
        for done in as_completed([pool.submit(play, one) for one in planned]):
            outcome = done.result()
            drawn[outcome.round.file] += outcome.round.draws
            if outcome.fault is not None:
                faults += 1
                print(f"{outcome.round} found a fault:\n{outcome.fault}", flush=True)
            told = ", ".join(f"{Path(file).stem} {count:,}" for file, count in drawn.items())
            print(f"{time.monotonic() - begin:6.0f} s  {told}; rounds with a fault: {faults}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
