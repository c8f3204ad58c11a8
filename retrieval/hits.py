"""What RETRIEVE finds: events, each with a score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """An event found, with a score from 0 to 1; at least 0.5 for those that are taken."""

    event: str
    score: float
