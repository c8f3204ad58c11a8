"""Apple Health's records of sleep, stage by stage and source by source, as sleeps; in memory only sums by sleep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from ..base import Record, digest
from .record import put

__all__ = ["Sleeps"]

_STAGES: Final = {
    "InBed": "_inBed",
    "Asleep": "asleep",
    "AsleepUnspecified": "asleep",
    "AsleepCore": "_light",
    "AsleepDeep": "_deep",
    "AsleepREM": "_rem",
    "Awake": "_awake",
}
_DETAILED: Final = ("_light", "_deep", "_rem")
_PAUSE: Final = timedelta(hours=1)
"""A longer one lies between two sleeps."""
_LONGEST: Final = timedelta(days=1)
_MOST: Final = 200_000
"""Sleeps of one export."""
_PREFIX: Final = "HKCategoryValueSleepAnalysis"


@dataclass
class _Sleep:
    """What one source recorded without a long pause."""

    start: datetime
    end: datetime
    source: str
    sums: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def asleep(self) -> float:
        """Seconds asleep, never more than there are: of stages, else as a whole."""
        stages = sum(self.sums.get(name, 0.0) for name in _DETAILED)
        return min(stages or self.sums.get("asleep", 0.0), (self.end - self.start).total_seconds())

    @property
    def worth(self) -> tuple[bool, float, float]:
        """By which one of several that tell of the same time is chosen: stages, then the time asleep, then in bed."""
        return any(name in self.sums for name in _DETAILED), self.asleep, self.sums.get("_inBed", 0.0)


class Sleeps:
    """The sleeps of one export, from all its sources."""

    def __init__(self) -> None:
        self._open: dict[str, _Sleep] = {}
        self._closed: list[_Sleep] = []

    def add(self, element: Any, start: datetime, end: datetime) -> str:
        """Adds a record; why it cannot be added, or nothing."""
        stage = _STAGES.get((element.get("value") or "").removeprefix(_PREFIX))
        if stage is None:
            return f"a stage of sleep that is not known: {element.get('value')!r:.60}"
        if end <= start or end - start > _LONGEST:
            return "a sleep of no length, or of more than a day"
        source = element.get("sourceName") or ""
        sleep = self._open.get(source)
        if sleep is None or start > sleep.end + _PAUSE or end < sleep.start - _PAUSE or end - sleep.start > _LONGEST:
            if len(self._closed) + len(self._open) >= _MOST:
                return f"more than {_MOST} sleeps in one export"
            if sleep is not None:
                self._closed.append(sleep)
            sleep = self._open[source] = _Sleep(start, end, source)
        sleep.start, sleep.end = min(sleep.start, start), max(sleep.end, end)
        sleep.sums[stage] = sleep.sums.get(stage, 0.0) + (end - start).total_seconds()
        return ""

    def records(self) -> Iterator[Record]:
        """A record for each sleep: of the sources that tell of the same time, what the one says that knows most."""
        group: list[_Sleep] = []
        until: datetime | None = None
        for sleep in sorted([*self._closed, *self._open.values()], key=lambda one: (one.start, one.source)):
            if until is not None and sleep.start >= until:
                yield _record(group)
                group, until = [], None
            group.append(sleep)
            until = sleep.end if until is None else max(until, sleep.end)
        if group:
            yield _record(group)


def _record(group: list[_Sleep]) -> Record:
    best = max(group, key=lambda one: one.worth)
    record: Record = {"sourceName": best.source, "_kind": "sleep", "_label": f"sleep {best.start:%Y-%m-%d}"}
    in_bed = max(one.sums.get("_inBed", 0.0) for one in group)
    put(record, {name: best.sums.get(name) for name in (*_DETAILED, "_awake")})
    put(record, {"_seconds": best.asleep or None, "_inBed": in_bed or None, "_device": best.source or None})
    record["startDate"], record["endDate"] = best.start.isoformat(), best.end.isoformat()
    record["_start"] = best.start.replace(tzinfo=None).isoformat()
    record["_end"] = best.end.replace(tzinfo=None).isoformat()
    record["_precision"] = "second"
    record["_id"] = f"sleep-{digest([best.start.timestamp()])}"
    return record
