"""Apple Health's records beside workouts as days: steps, distance, energy, floors, heart rates; only sums are kept.

A phone and a watch count the same steps. Of each hour the source that counted most is taken, as no source alone has
the whole day.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from ..base import Record
from .record import day_record, positive, quantity

__all__ = ["SUMMED", "Days"]

SUMMED: Final = {
    "StepCount": "_steps",
    "DistanceWalkingRunning": "_km",
    "ActiveEnergyBurned": "_kcal",
    "FlightsClimbed": "_floors",
    "AppleExerciseTime": "_activeSeconds",
}
_UNITS: Final = {"count": 1.0, "km": 1.0, "m": 0.001, "mi": 1.609344, "ft": 0.0003048, "yd": 0.0009144, "min": 60.0}
_ENERGY: Final = {"kcal": 1.0, "cal": 1.0, "Cal": 1.0, "kJ": 1 / 4.184, "J": 1 / 4184}
_RATES: Final = ("HeartRate", "RestingHeartRate")
_MOST_DAYS: Final = 60_000
_MOST_SOURCES: Final = 16
"""Of a kind of record on one day."""
_HOUR: Final = timedelta(hours=1)


@dataclass
class _Rates:
    """The heart rates of a day."""

    count: int = 0
    total: float = 0.0
    lowest: float = math.inf
    highest: float = 0.0
    resting: int = 0
    at_rest: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.lowest = min(self.lowest, value)
        self.highest = max(self.highest, value)

    def values(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.count:
            found |= {"_bpm": round(self.total / self.count, 1)}
            found |= {"_bpmMinimum": round(self.lowest, 1), "_bpmMaximum": round(self.highest, 1)}
        if self.resting:
            found["_bpmResting"] = round(self.at_rest / self.resting, 1)
        return found


class Days:
    """Sums by day of the records of one export."""

    def __init__(self) -> None:
        self._hours: dict[tuple[date, str], dict[str, array[float]]] = {}
        self._rates: dict[date, _Rates] = {}
        self._days: set[date] = set()

    @staticmethod
    def takes(kind: str) -> bool:
        """Whether records of a kind are added up here."""
        return kind in SUMMED or kind in _RATES

    def add(self, kind: str, element: Any, start: datetime, end: datetime) -> str:
        """Adds a record; why it cannot be added, or nothing."""
        value = quantity(element.get("value"))
        if value is None or value < 0:
            return "value is no number"
        if start.date() not in self._days:
            if len(self._days) >= _MOST_DAYS:
                return f"more than {_MOST_DAYS} days in one export"
            self._days.add(start.date())
        if kind in _RATES:
            return self._rate(kind, element, start.date(), value)
        factor = (_ENERGY if kind == "ActiveEnergyBurned" else _UNITS).get(element.get("unit") or "")
        if factor is None:
            return f"a unit that is not known: {element.get('unit')!r:.30}"
        return self._spread(SUMMED[kind], element.get("sourceName") or "", start, end, value * factor)

    def _rate(self, kind: str, element: Any, day: date, value: float) -> str:
        if element.get("unit") != "count/min" or value == 0:
            return "no heart rate in beats a minute"
        rates = self._rates.setdefault(day, _Rates())
        if kind == "HeartRate":
            rates.add(value)
        else:
            rates.resting += 1
            rates.at_rest += value
        return ""

    def _spread(self, key: str, source: str, start: datetime, end: datetime, value: float) -> str:
        """Adds a value to the hours that it was measured in, of the day on which it began."""
        by_source = self._hours.setdefault((start.date(), key), {})
        hours = by_source.get(source)
        if hours is None:
            if len(by_source) >= _MOST_SOURCES:
                return f"more than {_MOST_SOURCES} sources on one day"
            hours = by_source[source] = array("d", bytes(8 * 24))
        midnight = start.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        until = min(end, midnight)
        if until - start <= _HOUR:
            hours[start.hour] += value
            return ""
        length = (until - start).total_seconds()
        at = start
        while at < until:
            following = min(at.replace(minute=0, second=0, microsecond=0) + _HOUR, until)
            hours[at.hour] += value * (following - at).total_seconds() / length
            at = following
        return ""

    def records(self) -> Iterator[Record]:
        """A record for each day that has a value."""
        for day in sorted(self._days):
            values: dict[str, Any] = {}
            for key in SUMMED.values():
                by_source = self._hours.get((day, key))
                if by_source:
                    total = sum(map(max, zip(*by_source.values(), strict=True)))
                    values[key] = round(total) if key in ("_steps", "_floors") else positive(total)
            rates = self._rates.get(day)
            values |= rates.values() if rates else {}
            if any(value is not None for value in values.values()):
                yield day_record(day, values)
