"""Specifications in Vega-Lite: one function for each kind of chart, and what all of them have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from .bars import bar, grouped_bar, histogram, horizontal_bar, pie, stacked_bar
from .calendars import calendar
from .fitting import member_said
from .frame import ChartData
from .lines import area, heatmap, line, scatter
from .maps import map_of
from .parts import scaled, titled
from .rules import Kind
from .tables import table
from .theme import config

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
