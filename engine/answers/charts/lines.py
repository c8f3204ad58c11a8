"""Lines, areas, points and grids in Vega-Lite."""

from __future__ import annotations

from typing import Any, Final

from .bars import folded, normalised, series_colour, series_title
from .columns import clean
from .fitting import axis_of, member_said, series_of
from .frame import ACCENT, ACCENT_GROUND, EMPTY, HEIGHT, INK, PAPER, WIDTH, ChartData, Column, Grain
from .parts import (
    BY,
    OTHER,
    SAID,
    SERIES,
    VALUE,
    Spec,
    all_members,
    band_axis,
    field_of,
    held,
    inline,
    is_time,
    number_at,
    number_format,
    numbers_of,
    quantity,
    scaled,
    telling,
    value_axis,
    written,
)

_MOST_DOTS: Final = 62
"""Points of a line up to which each is marked."""
_NEAR: Final = 0.6
"""The least value's share of the greatest from which on an axis does not begin at 0."""
_MOST_WRITTEN: Final = 170
"""Cells of a grid up to which each has its number written in it."""
Encoding = dict[str, Any]


def line(data: ChartData) -> Spec:
    """A line, or one for each series."""
    rows, encoding = _along(data)
    numbers = numbers_of(rows)
    if min(numbers, default=0) > _NEAR * max(numbers, default=0):
        encoding["y"]["scale"] = {"zero": False}
    dots = {"filled": True, "size": 36} if len(rows) <= _MOST_DOTS else False
    mark = {"type": "line", "point": dots, "interpolate": "linear"}
    return _lined(data, rows, mark, encoding)


def area(data: ChartData) -> Spec:
    """An area, or areas upon one another; shares that are not in per cent yet are made so."""
    rows, encoding = _along(data)
    if series_of(data) is not None:
        encoding["y"]["stack"] = "zero"
        if data.analysis == "share" and data.measures[0].unit != "%":
            encoding["y"] |= normalised(series_title(data))
    return _lined(data, rows, {"type": "area", "line": series_of(data) is None, "fillOpacity": 0.75}, encoding)


def _along(data: ChartData) -> tuple[list[Spec], Encoding]:
    """Records along the dimension that has an order, and their channels."""
    by = axis_of(data)
    several = series_of(data) is not None or len(data.measures) > 1
    rows, names = folded(data)
    encoding: Encoding = {"x": _flowing(data, by), "y": value_axis(series_title(data), numbers_of(rows))}
    if several:
        encoding["color"] = series_colour(data, names)
    return rows, encoding | telling(rows, series_title(data))


def _flowing(data: ChartData, by: Column) -> Spec:
    """The channel of a dimension that flows: of time as long as it is, of a scale in its steps."""
    if is_time(by):
        axis: Spec = {"title": None, "grid": False, "labelOverlap": True, "labelFlush": True, "tickCount": 8}
        if by.grain is Grain.YEAR:
            axis |= {"format": "%Y", "tickCount": {"interval": "year", "step": _year_step(data, by)}}
        if by.grain in (Grain.MONTH, Grain.QUARTER) and len(data.members(by)) <= 24:
            axis |= {"format": "%b %Y"}
        return {"field": BY, "type": "temporal", "scale": {"type": "utc"}, "axis": axis}
    if by.type == "quantitative":
        axis = {"title": clean(by.title), "grid": False}
        return {"field": BY, "type": "quantitative", "scale": {"zero": False, "nice": False}, "axis": axis}
    return band_axis(data, by)


def _year_step(data: ChartData, by: Column) -> int:
    years = [int(str(one)) for one in data.members(by)]
    return max(1, (max(years) - min(years)) // 10) if years else 1


def _lined(data: ChartData, rows: list[Spec], mark: Spec, encoding: Encoding) -> Spec:
    width = WIDTH - 100 if "color" in encoding else WIDTH
    return {
        "data": inline(rows, timely=is_time(axis_of(data))),
        "width": width,
        "height": HEIGHT,
        "mark": mark,
        "encoding": encoding,
    }


def scatter(data: ChartData) -> Spec:
    """Points: of two measures, or of one over time or along a scale."""
    upward = data.measures[-1]
    across = data.measures[0] if len(data.measures) == 2 else data.dimensions[0]
    name = data.dimensions[0] if data.dimensions and len(data.measures) == 2 else None
    how, other = scaled(data, upward), scaled(data, across)
    rows: list[Spec] = []
    for row in data.rows:
        at, value = number_at(data, row, across), how.of(number_at(data, row, upward))
        if at is None or value is None:
            continue
        x = other.of(at) if across in data.measures else field_of(at, across)
        there = f"{written(other.of(at))} {other.title}" if across in data.measures else member_said(at, across)
        said = member_said(number_at(data, row, name), name) if name is not None else ""
        rows.append({BY: x, VALUE: value, SAID: ", ".join(filter(None, (said, there)))})
    encoding: Encoding = {"x": _point_axis(data, across, rows), "y": value_axis(how.title, numbers_of(rows))}
    encoding["y"]["scale"] = {"zero": False, "nice": True}
    encoding |= telling(rows, how.title)
    mark = {"type": "point", "filled": True, "size": 50, "opacity": 0.65, "color": ACCENT}
    values = inline(rows, timely=is_time(across))
    return {"data": values, "width": WIDTH, "height": HEIGHT + 60, "mark": mark, "encoding": encoding}


def _point_axis(data: ChartData, across: Column, rows: list[Spec]) -> Spec:
    if across not in data.measures:
        return _flowing(data, across)
    axis = {"title": scaled(data, across).title, "format": number_format(numbers_of(rows, BY)), "tickCount": 8}
    return {"field": BY, "type": "quantitative", "scale": {"zero": False, "nice": True}, "axis": axis}


def heatmap(data: ChartData) -> Spec:
    """A grid; the dimension that comes again less often, or has more members, goes across."""
    across, down = _sides(data)
    measure = data.measures[0]
    how = scaled(data, measure)
    rows: list[Spec] = []
    for row in data.rows:
        at, of = number_at(data, row, across), number_at(data, row, down)
        if at is not None and of is not None:
            value = how.of(number_at(data, row, measure))
            cell = {BY: field_of(at, across), SAID: member_said(at, across), SERIES: member_said(of, down)}
            rows.append({**cell, VALUE: value})
    numbers = numbers_of(rows)
    x, y = band_axis(data, across), _rows_axis(data, down)
    form = number_format(numbers)
    legend = {"title": how.title, "format": form, "gradientLength": 120, "tickCount": 4}
    colour = {"field": VALUE, "type": "quantitative", "scale": shades(numbers), "legend": legend}
    cells: Spec = {
        "mark": {"type": "rect", "stroke": PAPER},
        "encoding": {"x": x, "y": y, "color": colour, **telling(rows, how.title)},
    }
    layers = [cells]
    cell = min(46.0, (WIDTH - 60) / max(1, len(all_members(data, across))))
    if len(rows) <= _MOST_WRITTEN and cell >= 20:
        layers.append(_in_cells(rows, x, y, numbers))
    size = {
        "width": max(120, round(cell * len(all_members(data, across)))),
        "height": 24 * len(all_members(data, down)),
    }
    return {"data": inline(rows, timely=is_time(across)), **size, "layer": layers}


def _in_cells(rows: list[Spec], x: Spec, y: Spec, numbers: list[float]) -> Spec:
    """The numbers in cells, light where these are dark."""
    least, most = min(numbers, default=0.0), max(numbers, default=0.0)
    for row in rows:
        row[OTHER] = 1 if isinstance(row[VALUE], int | float) and row[VALUE] > (least + most) / 2 else 0
    text = {**quantity(VALUE), "format": ".3~s" if most >= 10_000 else number_format(numbers)}
    mark = {"type": "text", "aria": False, "fontSize": 11, "color": {"expr": f"datum.{OTHER} ? '{PAPER}' : '{INK}'"}}
    return {"mark": mark, "encoding": {"x": x, "y": y, "text": text}}


def shades(numbers: list[float]) -> Spec:
    """Light to dark; around 0 from one colour to another where values are below it."""
    if min(numbers, default=0) < 0:
        most = max(map(abs, numbers))
        return {"domain": [-most, 0, most], "range": ["#c0572b", EMPTY, ACCENT]}
    return {"range": [ACCENT_GROUND, ACCENT], "zero": min(numbers, default=0) < _NEAR * max(numbers, default=0)}


def _sides(data: ChartData) -> tuple[Column, Column]:
    one, other = data.dimensions
    if is_time(one) != is_time(other):
        return (one, other) if is_time(one) else (other, one)
    longer = len(all_members(data, one)) >= len(all_members(data, other))
    return (one, other) if longer else (other, one)


def _rows_axis(data: ChartData, down: Column) -> Spec:
    order = all_members(data, down) if down.order or is_time(down) else held(data, down)
    members = [member_said(one, down) for one in order]
    axis = {"title": None if down.grain is not None else clean(down.title), "labelAngle": 0}
    return {"field": SERIES, "type": "ordinal", "sort": None, "scale": {"domain": members}, "axis": axis}
