"""Figures as they stand in docs/benchmarks.md."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure: what was measured, and the value with its unit."""

    what: str
    value: str

    def __str__(self) -> str:
        return f"| {self.what} | {self.value} |"
