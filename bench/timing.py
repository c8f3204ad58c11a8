"""Wall-clock times of work in this process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of one run, and what it gave."""
    begin = time.perf_counter()
    found = work()
    return (time.perf_counter() - begin) * 1000, found


def alternating(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each over `rounds`, run in turn so that what else the machine does meets all alike."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(timed(work)[0])
    return {name: statistics.median(found) for name, found in taken.items()}
