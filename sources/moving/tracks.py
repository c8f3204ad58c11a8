"""What a track of points adds up to: time, distance, climb, heart rate. Points are not kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

__all__ = ["Track"]

_EARTH: Final = 6_371.0088
"""The mean radius in kilometres (IUGG)."""
_NOISE: Final = 3.0
"""Metres by which a height must differ from the last one that counted: receivers' heights waver."""


@dataclass
class Track:
    """Points are added in the order of the file; between segments nothing is measured."""

    first: datetime | None = None
    last: datetime | None = None
    kilometres: float = 0.0
    climb: float = 0.0
    beats: float = 0.0
    measured: int = 0
    lowest: float | None = None
    highest: float | None = None
    points: int = 0
    _place: tuple[float, float] | None = None
    _height: float | None = None

    def segment(self) -> None:
        """The next point begins another segment."""
        self._place = None
        self._height = None

    def add(
        self, time: datetime | None, place: tuple[float, float] | None, height: float | None, beats: float | None
    ) -> None:
        """One point; what is None is not known of it."""
        self.points += 1
        if time is not None:
            self.first = time if self.first is None else min(self.first, time)
            self.last = time if self.last is None else max(self.last, time)
        if place is not None:
            if self._place is not None:
                self.kilometres += _between(self._place, place)
            self._place = place
        self._rise(height)
        if beats is not None:
            self.beats += beats
            self.measured += 1
            self.lowest = beats if self.lowest is None else min(self.lowest, beats)
            self.highest = beats if self.highest is None else max(self.highest, beats)

    def _rise(self, height: float | None) -> None:
        if height is None:
            return
        if self._height is None:
            self._height = height
        elif abs(height - self._height) >= _NOISE:
            self.climb += max(0.0, height - self._height)
            self._height = height

    def values(self) -> dict[str, Any]:
        """The quantities of a workout's record."""
        time = (self.last - self.first).total_seconds() if self.first and self.last else 0
        return {
            "_seconds": time or None,
            "_km": round(self.kilometres, 4) or None,
            "_climb": round(self.climb, 1) or None,
            "_bpm": round(self.beats / self.measured, 1) if self.measured else None,
            "_bpmMinimum": self.lowest,
            "_bpmMaximum": self.highest,
        }


def _between(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Kilometres on the sphere (haversine)."""
    south, north = math.radians(one[0]), math.radians(other[0])
    along = math.radians(other[1] - one[1])
    half = math.sin((north - south) / 2) ** 2 + math.cos(south) * math.cos(north) * math.sin(along / 2) ** 2
    return 2 * _EARTH * math.asin(math.sqrt(min(1.0, half)))
