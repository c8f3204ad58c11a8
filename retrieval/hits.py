"""What RETRIEVE finds: events, each with a score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """An event found, with a score from 0 to 1; at least 0.5 for those that are taken."""

    event: str
    score: float


def best_of(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each event once, with its best score, best first."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.event] = max(hit.score, best.get(hit.event, 0.0))
    return tuple(Hit(event, score) for event, score in sorted(best.items(), key=lambda entry: (-entry[1], entry[0])))
