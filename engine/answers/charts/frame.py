"""What a chart draws: columns with what they are, and rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from ..answer import Plain

PAPER: Final = "#ffffff"
INK: Final = "#1b1d1f"
SOFT: Final = "#5c6166"
LINE: Final = "#e4e1da"
ACCENT: Final = "#0f6b5c"
ACCENT_GROUND: Final = "#e3f0ec"
EMPTY: Final = "#f3f1ec"
LAND: Final = "#d5d0c5"
SERIES: Final = (
    ACCENT, "#c0572b", "#3c6db3", "#8a6d1f", "#7b5ea7", "#5cc3ae", "#a3a8ad", "#e6b35c", "#8fb0e0", "#b88aa8",
)  # fmt: skip
"""The accent first, then the colours of kinds of events, then lighter ones."""
WIDTH: Final = 560
"""The reading column of the page, less what an axis takes."""
HEIGHT: Final = 260
LABEL_LIMIT: Final = 180
_FONT: Final = "Inter, 'Liberation Sans', Arial, 'Noto Sans', sans-serif"


def config() -> dict[str, Any]:
    """The configuration of every chart."""
    axis = {
        "labelFont": _FONT, "titleFont": _FONT, "labelFontSize": 12, "titleFontSize": 12.5, "titleFontWeight": 500,
        "labelColor": SOFT, "titleColor": SOFT, "domainColor": LINE, "tickColor": LINE, "gridColor": LINE,
        "labelLimit": LABEL_LIMIT, "titleLimit": WIDTH, "labelPadding": 6, "titlePadding": 10, "ticks": False,
    }  # fmt: skip
    return {
        "background": PAPER,
        "padding": 16,
        "font": _FONT,
        "view": {"stroke": None},
        "axis": axis,
        "title": {
            "font": _FONT, "fontSize": 15, "fontWeight": 600, "color": INK, "anchor": "start", "offset": 14,
            "limit": WIDTH + LABEL_LIMIT, "lineHeight": 20, "frame": "bounds",
            "subtitleFont": _FONT, "subtitleFontSize": 12.5, "subtitleColor": SOFT, "subtitlePadding": 6,
            "subtitleLineHeight": 17,
        },
        "legend": {
            "labelFont": _FONT, "titleFont": _FONT, "labelFontSize": 12.5, "titleFontSize": 12.5,
            "titleFontWeight": 500, "labelColor": INK, "titleColor": SOFT, "labelLimit": LABEL_LIMIT,
            "titleLimit": LABEL_LIMIT, "symbolType": "square", "rowPadding": 4,
        },
        "range": {
            "category": list(SERIES), "ramp": [ACCENT_GROUND, ACCENT], "heatmap": [ACCENT_GROUND, ACCENT],
        },
        "bar": {"color": ACCENT},
        "rect": {"color": ACCENT},
        "line": {"color": ACCENT, "strokeWidth": 2},
        "area": {"color": ACCENT},
        "point": {"color": ACCENT},
        "text": {"font": _FONT, "fontSize": 12, "color": INK},
    }  # fmt: skip


MOST_ROWS: Final = 10_000
"""Rows of an answer that a chart looks at."""
Row = tuple[Plain | None, ...]


class Role(StrEnum):
    """What a column is for: it tells the rows apart, measures them, or says where they are."""

    DIMENSION = "dimension"
    MEASURE = "measure"
    POSITION = "position"


class Type(StrEnum):
    """What the values of a column are."""

    TEMPORAL = "temporal"
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    QUANTITATIVE = "quantitative"
    GEOGRAPHIC = "geographic"


class Grain(StrEnum):
    """How long a value of time lasts, or how often it comes again; moments have none."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    HOUR = "hour-of-day"
    WEEKDAY = "weekday"
    MONTH_OF_YEAR = "month-of-year"

    @property
    def returns(self) -> bool:
        """Whether it comes again: a weekday, not a day."""
        return self in (Grain.HOUR, Grain.WEEKDAY, Grain.MONTH_OF_YEAR)


@dataclass(frozen=True)
class Column:
    """A column; `order` has the values of an ordinal one as they follow one another."""

    name: str
    role: Role
    type: Type
    grain: Grain | None = None
    unit: str | None = None
    order: tuple[Plain, ...] = ()

    @property
    def title(self) -> str:
        """Its name in words with its unit; of what has no name of its own the unit."""
        name = " ".join(self.name.replace("_", " ").split())
        if self.unit is None:
            return name
        return self.unit if name in ("", "value") else f"{name} ({self.unit})"


@dataclass(frozen=True)
class ChartData:
    """Columns and rows of a chart, what the answer tells (docs/planner.md, "Analysis types"), and the question.

    Values of time are text that sorts as time goes: 2024, 2024-Q1, 2024-03, 2024-W09, 2024-03-01; hours are numbers,
    weekdays and months of the year English names.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    analysis: str = ""
    question: str = ""
    note: str = ""
    """What the reader must know of it: what is left out."""
    counted: bool = False
    """Whether it counts the events that an answer rests on."""

    def at(self, role: Role) -> tuple[int, ...]:
        """The places of the columns of a role."""
        return tuple(at for at, column in enumerate(self.columns) if column.role is role)

    @property
    def dimensions(self) -> tuple[Column, ...]:
        """The columns that tell rows apart."""
        return tuple(self.columns[at] for at in self.at(Role.DIMENSION))

    @property
    def measures(self) -> tuple[Column, ...]:
        """The columns that are measured."""
        return tuple(self.columns[at] for at in self.at(Role.MEASURE))

    def values(self, column: Column) -> list[Plain | None]:
        """The values of a column, row by row."""
        at = self.columns.index(column)
        return [row[at] for row in self.rows]

    def numbers(self, column: Column) -> list[float]:
        """The numbers of a column that are known."""
        return [float(one) for one in self.values(column) if isinstance(one, int | float)]

    def members(self, column: Column) -> list[Plain]:
        """The values of a column, each once: of a scale or of time in its order, else as they come."""
        found = [one for one in dict.fromkeys(self.values(column)) if one is not None]
        if column.order:
            places = {value: at for at, value in enumerate(column.order)}
            return sorted(found, key=lambda one: places.get(one, len(places)))
        if column.type is Type.TEMPORAL:
            return sorted(found, key=str)
        if column.type is Type.QUANTITATIVE:
            return sorted(found, key=lambda one: float(one) if isinstance(one, int | float) else 0.0)
        return found

    def told(self, note: str) -> ChartData:
        """The same with another note behind those that there are."""
        return replace(self, note=" ".join(filter(None, (self.note, note))))
