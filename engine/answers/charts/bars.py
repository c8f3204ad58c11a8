"""Bars, pies and histograms in Vega-Lite."""

from __future__ import annotations

import math
from typing import Any, Final

from .columns import clean
from .fitting import axis_of, bins, member_said, series_of
from .frame import HEIGHT, INK, LABEL_LIMIT, PAPER, WIDTH, ChartData
from .parts import (
    BY,
    LABEL,
    MOST_LABELLED,
    OTHER,
    SAID,
    SERIES,
    VALUE,
    Spec,
    band_axis,
    field_of,
    held,
    inline,
    is_time,
    number_at,
    number_format,
    numbers_of,
    quantity,
    records,
    scaled,
    telling,
    value_axis,
)

_BARS: Final = {"type": "bar", "cornerRadiusEnd": 2}
_LETTER: Final = 6.6
"""Width of a letter, roughly."""
_ROW: Final = 24
"""Height of a bar that lies."""
_BAR: Final = 56
"""Most pixels for a bar that stands, with the room beside it."""
_LEAST_SLICE: Final = 0.03
"""Share of a pie from which on its per cent are written on it."""


def bar(data: ChartData) -> Spec:
    """Bars that stand side by side."""
    rows, by, title = records(data), data.dimensions[0], scaled(data, data.measures[0]).title
    numbers = numbers_of(rows)
    x = band_axis(data, by)
    x["scale"] = {**x.get("scale", {}), "paddingInner": 0.3, "paddingOuter": 0.15}
    y = value_axis(title, numbers)
    width = min(WIDTH, max(140, len(rows) * _BAR))
    layers: list[Spec] = [{"mark": _BARS, "encoding": {"x": x, "y": y, **telling(rows, title)}}]
    if len(numbers) <= MOST_LABELLED:
        layers.append(_written(rows, {"x": x, "y": y}, numbers, width=width / len(rows)))
        _with_room(y, numbers, 20)
    return {"data": inline(rows, timely=is_time(by)), "width": width, "height": HEIGHT, "layer": layers}


def horizontal_bar(data: ChartData) -> Spec:
    """Bars that lie below one another, each with its name before it."""
    rows, by, title = records(data), data.dimensions[0], scaled(data, data.measures[0]).title
    numbers = numbers_of(rows)
    y = band_axis(data, by, labelAngle=0, labelLimit=LABEL_LIMIT, title=None)
    y["scale"] = {**y.get("scale", {}), "paddingInner": 0.3, "paddingOuter": 0.15}
    x = value_axis(title, numbers)
    layers: list[Spec] = [{"mark": _BARS, "encoding": {"x": x, "y": y, **telling(rows, title)}}]
    if len(numbers) <= MOST_LABELLED:
        layers.append(_written(rows, {"x": x, "y": y}, numbers))
        _with_room(x, numbers, 56)
    height = max(2, len(rows)) * _ROW
    return {"data": inline(rows, timely=is_time(by)), "width": WIDTH - 120, "height": height, "layer": layers}


def _with_room(channel: Spec, numbers: list[float], pixels: int) -> None:
    """Leaves out lines and labels that numbers on bars stand for; where there are negative ones, leaves room for
    these beyond the ends of bars instead."""
    if min(numbers, default=0) < 0:
        channel["scale"] = {"padding": pixels, "nice": False}
    else:
        channel["axis"] |= {"grid": False, "labels": False}


def _written(rows: list[Spec], encoding: Spec, numbers: list[float], *, width: float | None = None) -> Spec:
    """The numbers at the ends of bars: beyond them, on the side that they go to; upright over bars that stand, of a
    `width`, where they are wider than these."""
    form = number_format(numbers)
    for row in rows:
        row[LABEL] = 1 if isinstance(row[VALUE], int | float) and row[VALUE] < 0 else 0
    letters = max((len(f"{number:,.2f}".rstrip("0").rstrip(".")) for number in numbers), default=0)
    mark: Spec = {"type": "text", "fontSize": 12, "color": INK, "baseline": "middle", "aria": False}
    if width is not None and letters * _LETTER <= width:
        mark["dy"] = {"expr": f"datum.{LABEL} ? 12 : -8"}
    else:
        mark["dx"] = {"expr": f"datum.{LABEL} ? -6 : 6"}
        mark |= {"align": {"expr": f"datum.{LABEL} ? 'right' : 'left'"}, "angle": 0 if width is None else 270}
    return {"mark": mark, "encoding": {**encoding, "text": {**quantity(VALUE), "format": form}}}


def folded(data: ChartData) -> tuple[list[Spec], list[str]]:
    """Records of series: the members of the second dimension, or the measures; and their names in order."""
    by, series = axis_of(data), series_of(data)
    if series is not None:
        names = [member_said(one, series) for one in (data.members(series) if series.order else held(data, series))]
        how = scaled(data, data.measures[0])
        triples = [
            (row, how.of(number_at(data, row, data.measures[0])), _named(data, row, series)) for row in data.rows
        ]
    else:
        names = [clean(measure.name.replace("_", " ")) for measure in data.measures]
        names = names if len(names) > 1 else [scaled(data, data.measures[0]).title]
        most = max(data.measures, key=lambda measure: max(map(abs, data.numbers(measure)), default=0.0))
        how = scaled(data, most)
        triples = [
            (row, how.of(number_at(data, row, measure)), name)
            for row in data.rows
            for measure, name in zip(data.measures, names, strict=True)
        ]
    rows: list[Spec] = []
    for row, number, name in triples:
        value = number_at(data, row, by)
        said = member_said(value, by) if value is not None else ""
        rows.append({BY: field_of(value, by), SAID: said, SERIES: name, VALUE: number})
    return rows, list(dict.fromkeys(names))


def _named(data: ChartData, row: Any, series: Any) -> str:
    return member_said(number_at(data, row, series), series)


def series_title(data: ChartData) -> str:
    """What the measure of several series is called: its own title, or the unit that several have."""
    if len(data.measures) == 1:
        return scaled(data, data.measures[0]).title
    return scaled(data, data.measures[0]).unit or ""


def series_colour(data: ChartData, names: list[str]) -> Spec:
    """The channel of series: a colour each."""
    series = series_of(data)
    title = clean(series.title) if series is not None else None
    return {"field": SERIES, "type": "nominal", "sort": None, "scale": {"domain": names}, "legend": {"title": title}}


def grouped_bar(data: ChartData) -> Spec:
    """Bars of each group side by side."""
    rows, names = folded(data)
    by, width = axis_of(data), WIDTH - 100
    x = band_axis(data, by)
    x["scale"] = {**x.get("scale", {}), "paddingInner": 0.25}
    encoding: Spec = {
        "x": x,
        "xOffset": {"field": SERIES, "type": "nominal", "sort": None, "scale": {"domain": names}},
        "y": value_axis(series_title(data), numbers_of(rows)),
        "color": series_colour(data, names),
    }
    layers: list[Spec] = [{"mark": _BARS, "encoding": {**encoding, **telling(rows, series_title(data))}}]
    numbers = numbers_of(rows)
    if len(numbers) <= MOST_LABELLED and min(numbers, default=0) >= 0:
        text = {key: value for key, value in encoding.items() if key != "color"}
        room = 0.75 * width / max(1, len({row[SAID] for row in rows}) * len(names))
        layers.append(_written(rows, text, numbers, width=room))
        _with_room(encoding["y"], numbers, 20)
    return {"data": inline(rows, timely=is_time(by)), "width": width, "height": HEIGHT, "layer": layers}


def stacked_bar(data: ChartData) -> Spec:
    """Bars upon one another; shares that are not in per cent yet are made so."""
    rows, names = folded(data)
    by = axis_of(data)
    y = value_axis(series_title(data), numbers_of(rows), stack="zero")
    if data.analysis == "share" and data.measures[0].unit != "%":
        y |= {
            "stack": "normalize",
            "axis": {"title": f"share of {series_title(data)}", "format": ".0%", "tickCount": 5},
        }
    x = band_axis(data, by)
    x["scale"] = {**x.get("scale", {}), "paddingInner": 0.3}
    encoding: Spec = {
        "x": x,
        "y": y,
        "color": series_colour(data, names),
        "order": quantity(OTHER),
        **telling(rows, series_title(data)),
    }
    for row in rows:
        row[OTHER] = names.index(row[SERIES])
    mark = {"type": "bar", "cornerRadiusEnd": 0, "stroke": PAPER, "strokeWidth": 0.5}
    return {
        "data": inline(rows, timely=is_time(by)),
        "width": WIDTH - 100,
        "height": HEIGHT,
        "mark": mark,
        "encoding": encoding,
    }


def normalised(title: str) -> Spec:
    """A channel of amounts as shares of their sum."""
    return {"stack": "normalize", "axis": {"title": f"share of {title}", "format": ".0%", "tickCount": 5}}


def pie(data: ChartData) -> Spec:
    """Slices, the greatest first, each with its per cent; names beside it in the same order."""
    rows = records(data)
    total = math.fsum(numbers_of(rows))
    names = [row[SAID] for row in rows]
    for at, row in enumerate(rows):
        part = float(row[VALUE] or 0) / total
        row |= {OTHER: at, LABEL: f"{part:.0%}" if part >= _LEAST_SLICE else ""}
    told = telling(rows, scaled(data, data.measures[0]).title)
    theta = {**quantity(VALUE), "stack": True}
    order = quantity(OTHER)
    legend = {"title": clean(data.dimensions[0].title), "symbolType": "circle"}
    colour = {"field": SAID, "type": "nominal", "sort": None, "scale": {"domain": names}, "legend": legend}
    slices = {"type": "arc", "outerRadius": 110, "stroke": PAPER, "strokeWidth": 1.5}
    labels = {"field": LABEL, "type": "nominal"}
    said = {"type": "text", "radius": 128, "aria": False, "fontSize": 12.5, "color": INK}
    return {
        "data": inline(rows),
        "width": 290,
        "height": 290,
        "encoding": {"theta": theta, "order": order},
        "layer": [
            {"mark": slices, "encoding": {"color": colour, **told}},
            {"mark": said, "encoding": {"text": labels}},
        ],
    }


def histogram(data: ChartData) -> Spec:
    """How many numbers fall into each part of their range."""
    how = scaled(data, data.measures[0])
    numbers = [number for one in data.numbers(data.measures[0]) if (number := how.of(one)) is not None]
    found = bins([float(number) for number in numbers], most=max(6, min(20, math.isqrt(2 * len(numbers)) + 1)))
    rows = [{BY: one.low, OTHER: one.high, VALUE: one.count, SAID: f"{one.low:g} to {one.high:g}"} for one in found]
    counts = [float(one.count) for one in found]
    step = found[0].high - found[0].low
    x: Spec = {**quantity(BY), "bin": {"binned": True, "step": step}}
    x["axis"] = {"title": how.title or "value", "format": number_format(numbers_of(rows, OTHER)), "grid": False}
    y = value_axis("how many", counts)
    mark = {"type": "bar", "binSpacing": 1}
    layer = {"mark": mark, "encoding": {"x": x, "x2": {"field": OTHER}, "y": y, **telling(rows, "")}}
    return {"data": inline(rows), "width": WIDTH, "height": HEIGHT, "layer": [layer]}
