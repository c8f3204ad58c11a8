"""Specifications in Vega-Lite: one function for each kind of chart, and what all of them have."""

from __future__ import annotations

import calendar as calendars
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Final

from ..answer import Plain
from .bars import bar, grouped_bar, histogram, horizontal_bar, pie, stacked_bar
from .fitting import member_said
from .frame import EMPTY, SOFT, ChartData, config
from .lines import area, heatmap, line, scatter, shades
from .maps import map_of
from .parts import (
    BY,
    LABEL,
    SAID,
    SERIES,
    VALUE,
    Spec,
    inline,
    names,
    number_at,
    number_format,
    quantity,
    scaled,
    table,
    telling,
    titled,
)
from .rules import Kind

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WEEKS: Final = 54
"""Columns of a year, which may begin on a Sunday and end on a Monday."""
_WEEK: Final = 12
"""Width of a week."""
_MONTHS: Final = {"type": "text", "aria": False, "align": "left", "baseline": "bottom", "fontSize": 11, "y": -4}


def calendar(data: ChartData) -> Spec:
    """The years below one another, with one scale of shades."""
    by, measure = data.dimensions[0], data.measures[0]
    how = scaled(data, measure)
    known = {str(number_at(data, row, by)): how.of(number_at(data, row, measure)) for row in data.rows}
    numbers = [float(number) for number in known.values() if number is not None]
    legend = {"title": how.title, "format": number_format(numbers), "gradientLength": 100, "tickCount": 4}
    scale = {**shades(numbers), "domain": [0, max(numbers, default=1) or 1]}
    colour = {**quantity(VALUE), "scale": scale, "legend": legend}
    years = sorted({int(day[:4]) for day in known})
    drawn = [_year(year, known, colour, how.title) for year in range(years[0], years[-1] + 1)]
    return {"vconcat": drawn, "spacing": 18, "resolve": {"scale": {"color": "shared"}}}


def _year(year: int, known: Mapping[str, Plain | None], colour: Spec, title: str) -> Spec:
    cells = _days(year, known)
    x: Spec = {"field": BY, "type": "ordinal", "axis": None, "scale": _domain(list(range(_WEEKS)))}
    axis = {"title": str(year), "titleAngle": 0, "titleAlign": "right", "domain": False, "labelFontSize": 10}
    axis |= {"values": list(_WEEKDAYS[::2]), "labelAngle": 0}
    y: Spec = {"field": SERIES, "type": "ordinal", "sort": None, "axis": axis, "scale": _domain(list(_WEEKDAYS))}
    valued = [{"filter": {"field": VALUE, "valid": True}}]
    told = telling(cells, title)
    return {
        "data": inline(cells),
        "width": _WEEKS * _WEEK,
        "height": 7 * (_WEEK + 1),
        "layer": [
            {"mark": {"type": "rect", "color": EMPTY, "aria": False}, "encoding": {"x": x, "y": y}},
            {"transform": valued, "mark": {"type": "rect"}, "encoding": {"x": x, "y": y, "color": colour, **told}},
            {"mark": {**_MONTHS, "color": SOFT}, "encoding": {"x": x, "text": names(LABEL)}},
        ],
    }


def _days(year: int, known: Mapping[str, Plain | None]) -> list[Spec]:
    """A record for each day of a year; the first of a month has its name."""
    first = date(year, 1, 1)
    found: list[Spec] = []
    for at in range(366 if calendars.isleap(year) else 365):
        day = first + timedelta(days=at)
        cell: Spec = {BY: (at + first.weekday()) // 7, SERIES: _WEEKDAYS[day.weekday()]}
        cell |= {SAID: f"{day.day} {day:%B} {day.year}", LABEL: f"{day:%b}" if day.day == 1 else ""}
        found.append({**cell, VALUE: known.get(day.isoformat())})
    return found


def _domain(values: list[int] | list[str]) -> Spec:
    return {"domain": values, "paddingInner": 0.1}


SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"
"""Names the version; nothing is read from there."""
VERSION: Final = "6.4"
"""The version of Vega-Lite that draws them here."""
_KINDS: Final[Mapping[Kind, Callable[[ChartData], dict[str, Any]]]] = MappingProxyType(
    {
        Kind.BAR: bar,
        Kind.HORIZONTAL_BAR: horizontal_bar,
        Kind.GROUPED_BAR: grouped_bar,
        Kind.STACKED_BAR: stacked_bar,
        Kind.LINE: line,
        Kind.AREA: area,
        Kind.PIE: pie,
        Kind.HISTOGRAM: histogram,
        Kind.SCATTER: scatter,
        Kind.HEATMAP: heatmap,
        Kind.CALENDAR: calendar,
        Kind.MAP: map_of,
        Kind.TABLE: table,
    }
)
_CALLED: Final = {Kind.BAR: "bar chart", Kind.LINE: "line chart", Kind.AREA: "area chart", Kind.PIE: "pie chart",
                  Kind.SCATTER: "scatter plot", Kind.MAP: "map of points"}  # fmt: skip


def specification(kind: Kind, data: ChartData) -> dict[str, Any]:
    """The specification of a chart of data that is fitted to its kind; all data stands in it."""
    return {
        "$schema": SCHEMA,
        "title": titled(data),
        "description": description(kind, data),
        "config": config(),
        **_KINDS[kind](data),
    }


def description(kind: Kind, data: ChartData) -> str:
    """What a chart shows, for who does not see it: kind, question, columns, range, and where it is greatest."""
    called = _CALLED.get(kind, kind.value.replace("-", " ") + (" chart" if "bar" in kind.value else ""))
    asked = data.question if data.question.endswith((".", "?", "!")) else f"{data.question}."
    parts = [f"{called[:1].upper()}{called[1:]}: {asked}"]
    if data.dimensions:
        by = data.dimensions[0]
        members = data.members(by)
        ends = f", from {member_said(members[0], by)} to {member_said(members[-1], by)}" if by.order or by.grain else ""
        parts.append(f"{len(members):,} members of {by.title}{ends}." if members else "")
    parts += [_range(data, at) for at in range(len(data.measures))]
    return " ".join(filter(None, (*parts, data.note)))


def _range(data: ChartData, at: int) -> str:
    measure = data.measures[at]
    how = scaled(data, measure)
    held = [(number, row) for row in data.rows if (number := how.of(row[data.columns.index(measure)])) is not None]
    if not held:
        return ""
    least, most = min(held, key=lambda one: one[0]), max(held, key=lambda one: one[0])
    name = how.title or "values"
    if not data.dimensions:
        return f"{name[:1].upper()}{name[1:]} between {least[0]:,} and {most[0]:,}."
    by = data.dimensions[0]
    where = [member_said(row[data.columns.index(by)], by) for _, row in (least, most)]
    return f"{name[:1].upper()}{name[1:]}: least {least[0]:,} ({where[0]}), most {most[0]:,} ({where[1]})."
