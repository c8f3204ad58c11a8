"""Records of visits and trips that are derived from positions: what every reader of raw positions gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from heapq import heappush, heappushpop
from itertools import chain, islice, pairwise
from typing import Final
from zoneinfo import ZoneInfo

from ...errors import SourceError
from ..base import BadRecord, Record, Tally
from .place_records import DERIVED, Spot, fact, trip, visit
from .stay_points import METRES, MINUTES, Point, Stay, Trip, stays_and_trips

__all__ = ["ACCURACY", "NOT_EXACT", "derived_records"]

ACCURACY: Final = METRES
"""Metres of the least exact position that is used: those that are worse make stays where nobody stayed."""
NOT_EXACT: Final = f"a position that is exact to more than {ACCURACY} m, not used"
_AHEAD: Final = 2_000
"""Positions that are put in the order of time among one another."""


def derived_records(points: Iterable[Point], path: str, tally: Tally, home: ZoneInfo) -> Iterator[Record | BadRecord]:
    """Visits and trips, the newest last; then the reasons why positions were not used.

    Raises SourceError where there are no positions at all.
    """
    counted = _Counted(points)
    ahead = list(islice(counted, _AHEAD))
    sign = -1.0 if _falls(ahead) else 1.0
    found = 0
    for one in stays_and_trips(_sorted(ahead, counted, sign, tally)):
        found += 1
        yield _of_stay(one, sign, home) if isinstance(one, Stay) else _of_trip(one, sign, home)
    reasons = tuple(tally.report())
    if not counted.number and not reasons:
        raise SourceError(f"{path}: there are no positions in it")
    if counted.number and not found:
        reason = f"positions at no place for {MINUTES} minutes: neither a visit nor a trip"
        yield BadRecord(path, f"{counted.number:,} positions", reason, counted.number)
    yield from reasons


class _Counted:
    """Points, counted as they are taken."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._points = iter(points)
        self.number = 0

    def __iter__(self) -> Iterator[Point]:
        return self

    def __next__(self) -> Point:
        point = next(self._points)
        self.number += 1
        return point


def _falls(points: list[Point]) -> bool:
    """Whether the newest come first."""
    later = sum(1 if two.at > one.at else -1 for one, two in pairwise(points) if one.at != two.at)
    return later < 0


def _sorted(ahead: list[Point], rest: Iterable[Point], sign: float, tally: Tally) -> Iterator[Point]:
    """Points in the order of time, backwards where they came so: then time is counted backwards, too.

    Those that are out of order by more than the buffer are left out.
    """
    heap: list[tuple[float, int, Point]] = []
    last = float("-inf")
    for number, point in enumerate(chain(ahead, rest), start=1):
        turned = replace(point, at=sign * point.at)
        if number <= len(ahead):
            heappush(heap, (turned.at, number, turned))
            continue
        first = heappushpop(heap, (turned.at, number, turned))[2]
        if first.at < last:
            tally.add(f"position {number}", "a position out of the order of time, not used")
            continue
        last = first.at
        yield first
    for _, _, point in sorted(heap):
        yield point


def _of_stay(stay: Stay, sign: float, home: ZoneInfo) -> Record:
    start, end = _moments(stay, sign)
    record = visit("visit", start, end, _spot(stay), home)
    record["_basis"] = DERIVED
    record["positions"] = stay.points
    return fact(record)


def _of_trip(one: Trip, sign: float, home: ZoneInfo) -> Record:
    start, end = _moments(one, sign)
    ends = (one.origin, one.destination) if sign > 0 else (one.destination, one.origin)
    record = trip(start, end, _spot(ends[0]), _spot(ends[1]), home, metres=one.distance * 1000)
    record["_basis"] = DERIVED
    return fact(record)


def _spot(stay: Stay) -> Spot:
    east = (stay.longitude + 180) % 360 - 180
    return Spot(max(-90.0, min(90.0, stay.latitude)), east, stay.name or "")


def _moments(one: Stay | Trip, sign: float) -> tuple[datetime, datetime]:
    ends = sorted((sign * one.start, sign * one.end))
    return datetime.fromtimestamp(ends[0], UTC), datetime.fromtimestamp(ends[1], UTC)
