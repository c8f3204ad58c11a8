"""Calendars in Vega-Lite: each year's days in columns of weeks, darker where there is more."""

from __future__ import annotations

import calendar as calendars
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from ..answer import Plain
from .frame import ChartData
from .lines import shades
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
    telling,
)
from .theme import EMPTY, SOFT

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
