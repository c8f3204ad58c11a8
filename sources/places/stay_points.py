"""Visits and trips out of raw positions: stay points (Li et al., 2008, "Mining user similarity based on location
history"), computed while positions are read, in constant memory.

Positions that stay within 200 m of one another for 20 minutes are a stay; what lies between two stays is a trip. A
position that is far off for a moment does not end a stay. A day without positions ends what went on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ...texts.lexicon.nearest_town import kilometres

__all__ = ["Point", "Stay", "Trip", "stays_and_trips"]

METRES: Final = 200
MINUTES: Final = 20
_NEAR: Final = METRES / 1000
_LONG: Final = MINUTES * 60.0
_GAP: Final = 86_400.0
"""Seconds without positions after which nobody knows where somebody was."""
_THIN: Final = 30.0
"""Positions that follow one another faster are only counted, and measured for the length of a trip."""
_SHORTEST: Final = 0.5
"""Kilometres of the shortest trip: less is moving about."""
_FASTEST: Final = 0.35
"""Kilometres a second that nobody goes; a position that would need it is a fault, unless the next ones agree."""
_FAULTS: Final = 3
_NAMES: Final = 20
"""Different names of a place that are counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """A position at a moment (seconds since 1970, UTC), with the name of the place where the export tells one."""

    at: float
    latitude: float
    longitude: float
    name: str | None = None
    travelled: float = 0.0
    """Kilometres from the first position to this one; counted here."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A stay: from the first to the last position, at their middle."""

    start: float
    end: float
    latitude: float
    longitude: float
    points: int
    name: str | None
    arrived: float
    """Kilometres from the first position of all to the first one here."""
    left: float


@dataclass(frozen=True, slots=True)
class Trip:
    """What lies between two stays, as long as the way through all positions between them."""

    start: float
    end: float
    origin: Stay
    destination: Stay
    distance: float


@dataclass(slots=True)
class _Window:
    """Positions near the first one of them. Once they are a stay, only their sums are kept."""

    points: deque[Point] = field(default_factory=deque[Point])
    first: Point | None = None
    last: Point | None = None
    count: int = 0
    north: float = 0.0
    east: float = 0.0
    names: Counter[str] = field(default_factory=Counter[str])

    def fits(self, point: Point) -> bool:
        if self.first is None or self.last is None:
            return True
        return point.at - self.last.at <= _GAP and _apart(self.first, point) <= _NEAR

    @property
    def is_stay(self) -> bool:
        return self.first is not None and self.last is not None and self.last.at - self.first.at >= _LONG

    def add(self, point: Point) -> None:
        self.first = self.first or point
        self.last = point
        self.count += 1
        self.north += point.latitude - self.first.latitude
        self.east += (point.longitude - self.first.longitude + 180) % 360 - 180
        if point.name is not None and (point.name in self.names or len(self.names) < _NAMES):
            self.names[point.name] += 1
        if self.is_stay:
            self.points.clear()
        else:
            self.points.append(point)

    def stay(self) -> Stay:
        first, last = self.first, self.last
        if first is None or last is None:
            raise ValueError("no positions")
        middle = first.latitude + self.north / self.count, first.longitude + self.east / self.count
        name = next((name for name, _ in self.names.most_common(1)), None)
        return Stay(first.at, last.at, *middle, self.count, name, first.travelled, last.travelled)


def stays_and_trips(points: Iterable[Point]) -> Iterator[Stay | Trip]:
    """Stays and the trips between them, of positions in the order of time."""
    before: Stay | None = None
    for stay in _stays(_measured(points)):
        if before is None:
            before = stay
        elif stay.start - before.end <= _LONG and _km(before, stay) <= _NEAR:
            before = _joined(before, stay)
        else:
            yield before
            distance = stay.arrived - before.left
            if stay.start - before.end <= _GAP and distance >= _SHORTEST:
                yield Trip(before.end, stay.start, before, stay, distance)
            before = stay
    if before is not None:
        yield before


def _stays(points: Iterable[Point]) -> Iterator[Stay]:
    window = _Window()
    for point in points:
        coming = deque((point,))
        while coming:
            following = coming.popleft()
            if window.fits(following):
                window.add(following)
                continue
            if window.is_stay:
                yield window.stay()
                coming.appendleft(following)
            else:
                # Not long enough: the same is tried from the second position on.
                window.points.popleft()
                coming.extendleft((following, *reversed(window.points)))
            window = _Window()
    if window.is_stay:
        yield window.stay()


def _measured(points: Iterable[Point]) -> Iterator[Point]:
    """Positions with the way so far, without faults and without those that follow one another too fast to tell more."""
    before: Point | None = None
    kept = float("-inf")
    faults = 0
    for point in points:
        if before is not None:
            far = _apart(before, point)
            if far > max(point.at - before.at, 1.0) * _FASTEST and faults < _FAULTS:
                faults += 1
                continue
            point = replace(point, travelled=before.travelled + far)
        before, faults = point, 0
        if point.at - kept >= _THIN:
            kept = point.at
            yield point


def _joined(one: Stay, two: Stay) -> Stay:
    """Two stays at one place as one."""
    longer = max(one, two, key=lambda stay: stay.end - stay.start)
    return replace(
        longer, start=one.start, end=two.end, points=one.points + two.points, arrived=one.arrived, left=two.left
    )


def _apart(one: Point, two: Point) -> float:
    return kilometres(one.latitude, one.longitude, two.latitude, two.longitude)


def _km(one: Stay, two: Stay) -> float:
    return kilometres(one.latitude, one.longitude, two.latitude, two.longitude)
