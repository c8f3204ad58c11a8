"""What one call of a tool gives away."""

from __future__ import annotations

from dataclasses import dataclass

from .models import Result


@dataclass(frozen=True)
class Given:
    """The content, with the IRIs of the events in it, and how many rows or values it has."""

    content: Result
    events: tuple[str, ...] = ()
    rows: int = 0
