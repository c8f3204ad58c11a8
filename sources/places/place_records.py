"""Records of visits, trips and check-ins: the same keys for every export, which `mappings/places.ttl` maps.

`_start` and `_end` are wall-clock times in the zone of the place (of the nearest town), `_startInstant` and
`_endInstant` the same in UTC. Where no town is near, times are in the offset that the export states, else in the home
zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from math import isfinite
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...texts.lexicon.nearest_town import Town, town_at
from ..base import Record, digest

__all__ = ["DERIVED", "RECORDED", "Spot", "degrees", "fact", "moment", "number", "offset", "trip", "visit"]

RECORDED, DERIVED = "recorded", "derived"
"""Whether an export tells the event itself, or it was computed from positions."""
_FIRST: Final = datetime(1970, 1, 2, tzinfo=UTC)
_LAST: Final = datetime(2200, 1, 1, tzinfo=UTC)
_WRAPPED: Final = 2**32
"""Some phones wrote degrees times 10^7 that were out of a whole number's range."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A position with what an export says of it: the name of the place, its town and its country."""

    latitude: float | None = None
    longitude: float | None = None
    name: str = ""
    city: str = ""
    country: str = ""

    @property
    def town(self) -> Town | None:
        """The town in which it lies, where the position is known."""
        if self.latitude is None or self.longitude is None:
            return None
        return town_at(round(self.latitude, 3), round(self.longitude, 3))

    def called(self) -> str:
        """The place and its town, as far as they are known; else the position."""
        town = self.town
        parts = [self.name, self.city or (town.name if town else "")]
        said = ", ".join(dict.fromkeys(part for part in parts if part))
        if said or self.latitude is None or self.longitude is None:
            return said
        return f"{self.latitude:.4f}, {self.longitude:.4f}"


def number(value: Any) -> float | None:
    """A finite number, also where it is written as a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if isfinite(found) else None


def degrees(latitude: Any, longitude: Any, *, by: float = 1.0) -> tuple[float, float] | None:
    """A position of two numbers that are degrees times `by`; None where they are none, or both are zero."""
    found = (number(latitude), number(longitude))
    if found[0] is None or found[1] is None:
        return None
    north, east = ((part - _WRAPPED if by > 1 and part > 1.8e9 else part) / by for part in (found[0], found[1]))
    return (north, east) if abs(north) <= 90 and abs(east) <= 180 and (north or east) else None


def moment(value: Any, *, zone: tzinfo = UTC) -> datetime | None:
    """A moment of an ISO text, or of seconds or milliseconds since 1970; None for what is none, or none of a life."""
    try:
        if isinstance(value, str) and not value.strip().lstrip("-").isdigit():
            found = datetime.fromisoformat(value.strip())
            found = found if found.tzinfo else found.replace(tzinfo=zone)
        else:
            seconds = number(value)
            if seconds is None:
                return None
            found = datetime.fromtimestamp(seconds / 1000 if abs(seconds) > 1e11 else seconds, UTC)
        return found if _FIRST <= found < _LAST else None
    except (ValueError, OverflowError, OSError):
        return None


def visit(kind: str, start: datetime, end: datetime | None, spot: Spot, home: ZoneInfo) -> Record:
    """The record of a visit or a check-in, still without its `_id`."""
    record = _timed(kind, (start, spot), (end, spot), home)
    record["_place"] = spot.name or None
    record["_label"] = spot.called() or "a place without a name"
    return record | _where(spot)


def trip(start: datetime, end: datetime, origin: Spot, goal: Spot, home: ZoneInfo, *, metres: float | None) -> Record:
    """The record of a trip, still without its `_id`."""
    record = _timed("trip", (start, origin), (end, goal), home)
    ends = origin.called(), goal.called()
    record["_origin"], record["_destination"] = _ends(origin), _ends(goal)
    record["_label"] = " → ".join(ends) if all(ends) else "a trip"
    record["_metres"] = None if metres is None or metres < 0 else round(metres)
    return record | _where(goal)


def fact(record: Record, *identity: object) -> Record:
    """The record with an identifier from its kind, its begin and what else identifies it."""
    record["_id"] = digest((record["_kind"], record["_startInstant"], *identity))
    return record


def _where(spot: Spot) -> Record:
    town = spot.town
    known = spot.latitude is not None and spot.longitude is not None
    return {
        "_latitude": round(spot.latitude or 0.0, 6) if known else None,
        "_longitude": round(spot.longitude or 0.0, 6) if known else None,
        "_city": spot.city or (town.name if town else None),
        "_country": spot.country or (town.country if town else None),
    }


def _ends(spot: Spot) -> list[str]:
    """By what a trip's begin or end may be called."""
    town = spot.town
    return [said for said in dict.fromkeys((spot.name, spot.city or (town.name if town else ""))) if said]


def _timed(kind: str, start: tuple[datetime, Spot], end: tuple[datetime | None, Spot], home: ZoneInfo) -> Record:
    began, ended = _wall(*start, home), _wall(end[0], end[1], home) if end[0] is not None else None
    if began is not None and ended is not None and end[0] is not None and ended < began:
        ended = began + (end[0] - start[0])  # over the date line, against the clock
    record: Record = {"_kind": kind, "_basis": RECORDED, "_start": began.isoformat() if began else None}
    record["_startInstant"] = _utc(start[0])
    if ended is not None and end[0] is not None:
        record["_end"], record["_endInstant"] = ended.isoformat(), _utc(end[0])
        record["_seconds"] = (end[0] - start[0]).total_seconds()
    return record


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _wall(at: datetime, spot: Spot, home: ZoneInfo) -> datetime:
    """Wall-clock time at a place, to the second."""
    town = spot.town
    zone: tzinfo | None = _zone(town.zone) if town else None
    if zone is None:
        zone = at.tzinfo if at.utcoffset() and at.tzinfo else home
    return at.astimezone(zone).replace(tzinfo=None, microsecond=0)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def offset(minutes: Any) -> tzinfo | None:
    """The zone of so many minutes from UTC; None for what is no such number."""
    found = number(minutes)
    return timezone(timedelta(minutes=found)) if found is not None and abs(found) < 24 * 60 else None
