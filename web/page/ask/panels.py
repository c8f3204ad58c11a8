"""What is open below an answer: one of its tabs, as a template with its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ....engine.answers.charts.choose import Chart
from ....engine.answers.charts.parts import MOST_LABELLED
from ....engine.answers.charts.rules import Kind
from ....engine.knowledge import KnowledgeGraph
from .asked import Asked
from .how import explained, parts_of
from .kept import Kept, happened, size_of
from .listing import PAGE, Listing, behind, groups, things, values
from .picture import lines_of
from .tabs import HOW, LISTED, SPARQL, TABLE, Tabs

_LONGEST_ADDRESS: Final = 7_000
_YEAR: Final = 540
_WEEK: Final = 77
"""Width and height of a year of a calendar."""
_FEW: Final = 5


@dataclass(frozen=True)
class Panel:
    """What is shown in it: a template and its values."""

    template: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Drawn:
    """A chart for the browser: its specification, how it is told to those who do not see it, and a note."""

    spec: dict[str, Any]
    told: str
    note: str
    is_map: bool


def panel_of(
    kept: Kept, asked: Asked, name: str, tabs: Tabs, known: KnowledgeGraph, *, first: int = 0, measure: bool = False
) -> Panel:
    """The panel of a tab; of a table its rows from `first` on; of a tree its times, if it is to `measure` them."""
    values: dict[str, Any] = {"asked": asked, "name": name}
    if name == HOW:
        parts = explained(kept, known, measure=measure)
        told = [list(lines_of(part.picture)) if part.picture is not None else [] for part in parts]
        return Panel("ask/how.html.j2", {**values, "ran": list(zip(parts, told, strict=True)), "answer": kept.answer})
    if name == SPARQL:
        return Panel("ask/sparql.html.j2", {**values, "ran": parts_of(kept.answer), "longest": _LONGEST_ADDRESS})
    if name in (TABLE, LISTED):
        listing = _listing(kept, name, known, first)
        more = asked.part("show", show=name, first=str(first + PAGE))
        return Panel("ask/table.html.j2", {**values, "listing": listing, "more": more})
    chart = tabs.chart(name)
    if chart is None:
        return Panel("ask/nothing.html.j2", values)
    if chart.kind is Kind.TABLE:
        return Panel("ask/table.html.j2", {**values, "listing": _listing(kept, TABLE, known, first), "more": ""})
    return Panel("ask/chart.html.j2", {**values, "drawn": drawn(chart)})


def later(asked: Asked, name: str) -> Panel:
    """A panel that comes by itself, after the answer."""
    return Panel("ask/later.html.j2", {"asked": asked, "name": name})


def _listing(kept: Kept, name: str, known: KnowledgeGraph, first: int) -> Listing:
    answer = kept.answer
    if name == LISTED:
        return things(kept, known.graph, first) if answer.answer_type == "events" else values(answer, first)
    if answer.table is not None and answer.answer_type == "table":
        return groups(answer.table, answer, first)
    size = size_of(kept, known)
    events = [event for one in happened(kept, known, first, PAGE) for event in (one.event, *one.others)]
    return behind(kept, events, known.graph, first, size)


def _without_title(layer: dict[str, Any]) -> dict[str, Any]:
    """Bars that have their numbers on them, and are counts, need no title beside them: the headline says of what."""
    y = layer["encoding"]["y"]
    return {**layer, "encoding": {**layer["encoding"], "y": {**y, "axis": {**y["axis"], "title": None}}}}


def _narrow(year: dict[str, Any]) -> dict[str, Any]:
    """A year that fits the reading column, with what its shades mean below; nothing where there is one shade."""
    cells = year["data"]["values"]
    different = {cell["value"] for cell in cells if cell["value"] is not None}
    base, days, *others = year["layer"]
    colour = days["encoding"]["color"]
    below = {"orient": "bottom", "direction": "horizontal", "gradientLength": 120, "titleOrient": "left"}
    whole = sorted(different) if all(isinstance(one, int) for one in different) and len(different) <= _FEW else None
    legend = {**colour["legend"], **below, **({"values": whole} if whole else {})} if len(different) > 1 else None
    shaded = {**days, "encoding": {**days["encoding"], "color": {**colour, "legend": legend}}}
    return {**year, "width": _YEAR, "height": _WEEK, "layer": [base, shaded, *others]}


def drawn(chart: Chart) -> Drawn:
    """A chart as a page has it: without the question, which stands above, on the page's own ground."""
    spec = {name: value for name, value in chart.spec.items() if name not in ("title", "$schema")}
    spec["config"] = {**spec.get("config", {}), "background": "transparent", "padding": 0}
    if chart.kind is Kind.BAR and chart.data.counted and len(chart.data.rows) <= MOST_LABELLED:
        spec["layer"] = [_without_title(layer) for layer in spec["layer"]]
    if chart.kind is Kind.CALENDAR:
        spec["vconcat"] = [_narrow(year) for year in spec["vconcat"]]
    return Drawn(spec, str(spec.get("description", "")), chart.data.note, chart.kind is Kind.MAP)
