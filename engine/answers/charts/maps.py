"""Maps of points in Vega-Lite. No outline of land is fetched: large towns, in grey, show where it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....texts.lexicon.positions import Box, Position, towns_within
from .fitting import member_said
from .frame import ACCENT, INK, LABEL_LIMIT, LAND, LINE, PAPER, WIDTH, ChartData
from .parts import (
    SAID,
    VALUE,
    Spec,
    inline,
    names,
    number_at,
    number_format,
    numbers_of,
    positions,
    quantity,
    scaled,
    telling,
)
from .parts import titled as _titled

_MOST_NAMED: Final = 40
_TOWNS_ACROSS: Final = 72
"""Squares beside one another of which each shows a town in grey."""
_LEAST_DEGREES: Final = 6.0
"""Height of the smallest part of the world that is shown."""
_STEPS: Final = (1, 2, 5, 10, 15, 30)
"""Degrees between lines of latitude and longitude."""
_NORTH, _EAST, _ASIDE, _DOWN = "north", "east", "aside", "down"
_LEAST_HEIGHT, _MOST_HEIGHT = 0.45, 0.85
"""Of the width."""
_LARGEST: Final = 700
"""Square pixels of the largest point."""
_PLAIN: Final = 90
_LAND_NOTE: Final = "Grey dots: towns."


@dataclass(frozen=True)
class _View:
    """A part of the world as it is drawn: far apart or in Mercator's projection, and so many pixels high."""

    box: Box
    is_wide: bool
    height: float

    def pixel(self, at: Position) -> tuple[float, float]:
        """Where a position is drawn."""
        box = self.box
        across = (at.longitude - box.west) / (box.east - box.west)
        top, bottom, y = (self._up(degrees) for degrees in (box.north, box.south, at.latitude))
        return across * WIDTH, (top - y) / (top - bottom) * self.height

    def _up(self, degrees: float) -> float:
        return degrees if self.is_wide else _mercator(degrees)


def map_of(data: ChartData) -> Spec:
    """Points where places are, as large as their values; in grey the large towns around."""
    rows = _places(data)
    view = _view([Position(row[_NORTH], row[_EAST]) for row in rows])
    numbers = numbers_of(rows)
    differs = bool(data.measures) and len(set(numbers)) > 1
    size = _size(data, numbers) if differs else {"value": _PLAIN}
    told = telling(rows, scaled(data, data.measures[0]).title if data.measures else "")
    at = {"latitude": quantity(_NORTH), "longitude": quantity(_EAST)}
    point = {"type": "circle", "color": ACCENT, "opacity": 0.7, "stroke": PAPER}
    layers: list[Spec] = [
        _graticule(view.box),
        _land(view.box, at),
        {"data": inline(rows), "mark": point, "encoding": {**at, "size": size, **told}},
    ]
    named = _named(rows, view, max(numbers, default=0.0) if differs else 0.0)
    if named:
        offset = {"dx": {"expr": f"datum.{_ASIDE}"}, "dy": {"expr": f"datum.{_DOWN}"}}
        mark = {"type": "text", "fontSize": 12, "color": INK, "limit": LABEL_LIMIT, "baseline": "middle", **offset}
        layers.append({"data": inline(named), "mark": mark, "encoding": {**at, "text": names(SAID)}})
    kind = "equirectangular" if view.is_wide else "mercator"
    return {
        "title": _titled(data.told(_LAND_NOTE)),
        "width": WIDTH,
        "height": round(view.height),
        "projection": {"type": kind},
        "layer": layers,
    }


def _size(data: ChartData, numbers: list[float]) -> Spec:
    how = scaled(data, data.measures[0])
    legend: Spec = {"title": how.title, "format": number_format(numbers), "values": _round_values(max(numbers))}
    legend |= {"symbolType": "circle", "symbolFillColor": ACCENT, "symbolStrokeWidth": 0, "symbolOpacity": 0.7}
    scale = {"type": "linear", "domain": [0, max(numbers)], "range": [20, _LARGEST]}
    return {**quantity(VALUE), "scale": scale, "legend": legend}


def _round_values(most: float) -> list[float]:
    """Three round values up to the greatest."""
    power = 10.0 ** math.floor(math.log10(most / 3))
    step = max(times * power for times in (1, 2, 2.5, 3, 5) if times * power <= most / 3)
    return [float(f"{step * times:.6g}") for times in (1, 2, 3)]


def _places(data: ChartData) -> list[Spec]:
    north, east = positions(data)
    rows: list[Spec] = []
    for row in data.rows:
        up, right = number_at(data, row, north), number_at(data, row, east)
        if not isinstance(up, int | float) or not isinstance(right, int | float) or abs(up) > 90 or abs(right) > 180:
            continue
        found: Spec = {_NORTH: up, _EAST: right}
        if data.dimensions:
            found[SAID] = member_said(number_at(data, row, data.dimensions[0]), data.dimensions[0])
        if data.measures:
            found[VALUE] = scaled(data, data.measures[0]).of(number_at(data, row, data.measures[0]))
        rows.append(found)
    return rows


def _view(places: Sequence[Position]) -> _View:
    """The part of the world with all places and room beside them; all of it where they are far apart."""
    south, north = min(at.latitude for at in places), max(at.latitude for at in places)
    west, east = min(at.longitude for at in places), max(at.longitude for at in places)
    beside = max(_LEAST_DEGREES / 2, 0.2 * max(north - south, (east - west) / 2))
    south, north = max(-80.0, south - beside), min(82.0, north + beside)
    west, east = max(-180.0, west - 1.4 * beside), min(180.0, east + 1.4 * beside)
    if east - west > 180:
        south, north, west, east = min(south, -56.0), max(north, 75.0), -180.0, 180.0
    is_wide = east - west > 120
    high = north - south if is_wide else math.degrees(_mercator(north) - _mercator(south))
    wide = max(east - west, high / _MOST_HEIGHT)
    middle = min(180.0 - wide / 2, max(-180.0 + wide / 2, (west + east) / 2))
    west, east = middle - min(wide, 360.0) / 2, middle + min(wide, 360.0) / 2
    if high / wide < _LEAST_HEIGHT and not is_wide:
        more = (wide * _LEAST_HEIGHT / high - 1) * (north - south) / 2
        south, north = max(-80.0, south - more), min(82.0, north + more)
        high = math.degrees(_mercator(north) - _mercator(south))
    return _View(Box(south, west, north, east), is_wide, WIDTH * high / wide)


def _mercator(degrees: float) -> float:
    return math.log(math.tan(math.pi / 4 + math.radians(degrees) / 2))


def _graticule(box: Box) -> Spec:
    """Lines of latitude and longitude, which also say what part of the world is shown."""
    extent = [[round(box.west, 3), round(box.south, 3)], [round(box.east, 3), round(box.north, 3)]]
    widest = max(box.east - box.west, box.north - box.south)
    step = next((one for one in _STEPS if widest / one <= 12), _STEPS[-1])
    graticule = {"extent": extent, "step": [step, step]}
    mark = {"type": "geoshape", "fill": None, "stroke": LINE, "filled": False}
    return {"data": {"graticule": graticule}, "mark": mark}


def _land(box: Box, at: Spec) -> Spec:
    towns: list[Any] = [
        {_NORTH: round(town.latitude, 2), _EAST: round(town.longitude, 2)} for town in towns_within(box, _TOWNS_ACROSS)
    ]
    return {
        "data": inline(towns),
        "mark": {"type": "circle", "size": 6, "color": LAND, "opacity": 1, "aria": False},
        "encoding": at,
    }


def _named(rows: Sequence[Spec], view: _View, most: float) -> list[Spec]:
    """The names that have room beside their points without touching another: of the greatest values first."""
    taken: list[tuple[float, float, float, float]] = []
    points = [(view.pixel(Position(row[_NORTH], row[_EAST])), _radius(row, most)) for row in rows]
    for (x, y), radius in points:
        taken.append((x - radius, y - radius, x + radius, y + radius))
    found: list[Spec] = []
    for row, ((x, y), radius) in zip(rows[:_MOST_NAMED], points, strict=False):
        half = min(LABEL_LIMIT, 7.0 * len(str(row.get(SAID, "")))) / 2
        for aside, down in ((0, -radius - 8), (0, radius + 9), (radius + half + 4, 0), (-radius - half - 4, 0)):
            box = (x + aside - half, y + down - 7, x + aside + half, y + down + 7)
            own = (x - radius, y - radius, x + radius, y + radius)
            if row.get(SAID) and not any(_touch(box, other) for other in taken if other != own):
                taken.append(box)
                found.append({**row, _ASIDE: round(aside, 1), _DOWN: round(down, 1)})
                break
    return found


def _radius(row: Spec, most: float) -> float:
    part = float(row.get(VALUE) or 0) / most if most else None
    return math.sqrt((_PLAIN if part is None else 20 + part * (_LARGEST - 20)) / math.pi)


def _touch(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
