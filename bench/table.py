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

    @classmethod
    def read(cls, line: str) -> Figure | None:
        """The figure that a line of a table states, None where it states none."""
        parts = line.strip().removeprefix("| ").removesuffix(" |").split(" | ")
        return cls(*parts) if line.startswith("| ") and len(parts) == 2 else None
