"""The memory benchmark of the RML engine, on a small file: more data must not take more memory."""

from __future__ import annotations

import re

from reqap_kg.bench.rml_memory import measure


def _peak(megabytes: int) -> float:
    figures = measure(megabytes)
    found = re.fullmatch(r"([\d,]+) MiB", figures[-1].value)
    assert found
    return float(found.group(1).replace(",", ""))


def test_memory_stays_constant() -> None:
    small, large = _peak(2), _peak(30)
    assert large < small + 20
    assert large < 300


def test_the_memory_of_whoever_measures_does_not_count() -> None:
    held = bytearray(800_000_000)
    held[::4096] = b"x" * len(held[::4096])  # a page that was never written takes no memory
    assert _peak(2) < 300
    assert len(held) == 800_000_000
