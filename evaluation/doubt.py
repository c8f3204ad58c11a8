"""Whether an answer comes with a sign of doubt, by what a run noted of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def in_doubt(trace: Mapping[str, Any]) -> bool:
    """Whether whoever reads the answer is told that it may not be what was meant. Warnings and notes are none."""
    return bool(trace.get("doubt"))
