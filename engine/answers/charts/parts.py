"""Parts that specifications in Vega-Lite are made of: records, axes, numbers. Names of fields are those given here, so
that no name of a column is read as a path; values are data, never parts of an expression."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any, Final

from ..answer import Plain
from .columns import clean
from .fitting import member_said
from .frame import INK, LINE, SOFT, WIDTH, ChartData, Column, Grain, Role, Row, Type
from .periods import first_day, moment_of

Spec = dict[str, Any]
BY, SERIES, SAID, VALUE, OTHER, LABEL = "by", "series", "said", "value", "other", "label"
"""Fields of records: the dimension, what tells series apart, how the dimension is said, measures, what is written."""
_TELLS: Final = "tells"
MOST_LABELLED: Final = 15
"""Bars up to which each has its number written on it."""
_LETTERS_BESIDE: Final = 80
"""Letters that have room beside one another below a chart."""
_TITLE_LETTERS: Final = 76
_TITLE_LINES: Final = 3
_TIME: Final = "utc:'%Y-%m-%dT%H:%M:%S'"
PARSED: Final = {"parse": {BY: _TIME}}
_UNITS: Final = {Grain.YEAR: "utcyear", Grain.QUARTER: "utcyearquarter", Grain.MONTH: "utcyearmonth"}
_AT_FIRST: Final = (
    "[utcFormat(datum.value, '{upper}'), {begins} || datum.index === 0 ? utcFormat(datum.value, '{lower}') : '']"
)
_DAY_OF: Final = {"upper": "%-d", "lower": "%b"}
_LABELS: Final = {
    Grain.YEAR: "utcFormat(datum.value, '%Y')",
    Grain.QUARTER: _AT_FIRST.format(upper="Q%q", begins="utcmonth(datum.value) === 0", lower="%Y"),
    Grain.MONTH: _AT_FIRST.format(upper="%b", begins="utcmonth(datum.value) === 0", lower="%Y"),
    Grain.WEEK: _AT_FIRST.format(begins="utcdate(datum.value) <= 7", **_DAY_OF),
    Grain.DAY: _AT_FIRST.format(begins="utcdate(datum.value) === 1", **_DAY_OF),
}
"""What stands at a bar of each grain: constant expressions over Vega's own values."""


@dataclass(frozen=True)
class Scaled:
    """How a measure is shown: what its values are divided by, its unit then, and its title."""

    factor: float
    unit: str | None
    title: str

    def of(self, value: Plain | None) -> float | int | None:
        """A value as it is drawn."""
        if not isinstance(value, int | float):
            return None
        return value if self.factor == 1 else round(value / self.factor, 4)


def scaled(data: ChartData, column: Column) -> Scaled:
    """Seconds as minutes or hours where there are many, all else as it is."""
    most = max(map(abs, data.numbers(column)), default=0.0)
    if column.unit == "s" and most >= 180:
        factor, unit = (3600.0, "h") if most >= 7200 else (60.0, "min")
        name = Column(column.name, column.role, column.type, unit=unit).title
        return Scaled(factor, unit, clean(name))
    return Scaled(1, column.unit, clean(column.title))


def number_format(numbers: list[float]) -> str:
    """The d3-format of some numbers: thousands parted, no more digits than tell them apart."""
    is_whole = all(number.is_integer() for number in numbers)
    most = max(map(abs, numbers), default=0.0)
    if most >= 1e7:
        return ".3~s"
    return ",d" if is_whole or most >= 1000 else ",.1~f" if most >= 100 else ",.2~f" if most >= 0.1 else ".2~g"


def time_of(value: Plain, column: Column) -> str:
    """A period or moment as the parser of the chart reads it: the moment it begins, without a zone."""
    if column.grain is None:
        moment = moment_of(str(value))
        return str(value) if moment is None else moment.isoformat(timespec="seconds")
    return f"{first_day(str(value), column.grain).isoformat()}T00:00:00"


def field_of(value: Plain | None, column: Column) -> Plain | None:
    """A member of a dimension as a record has it."""
    if value is None or column.type is Type.QUANTITATIVE:
        return value
    return time_of(value, column) if column.type is Type.TEMPORAL else member_said(value, column)


def number_at(data: ChartData, row: Row, column: Column) -> Plain | None:
    """A row's value of a column."""
    return row[data.columns.index(column)]


def band_axis(data: ChartData, column: Column, **axis: Any) -> Spec:
    """The channel of a dimension whose members stand side by side, in the order of the data."""
    if column.type is Type.TEMPORAL and column.grain is not None:
        unit = _UNITS.get(column.grain, "utcyearmonthdate")
        shown = {"labelExpr": _LABELS[column.grain], "labelAngle": 0, "labelOverlap": "greedy"}
        return {
            "field": BY,
            "timeUnit": unit,
            "type": "ordinal",
            "axis": {**shown, "title": _years(data, column), **axis},
        }
    members = [member_said(one, column) for one in all_members(data, column)]
    shown = {"title": clean(column.title), "labelOverlap": column.type is not Type.NOMINAL, **_labels(members, column)}
    return {"field": SAID, "type": "ordinal", "sort": None, "scale": {"domain": members}, "axis": {**shown, **axis}}


def _years(data: ChartData, column: Column) -> str | None:
    """The years of days and weeks, whose labels have none."""
    years = sorted({str(one)[:4] for one in data.members(column)})
    if column.grain not in (Grain.DAY, Grain.WEEK) or not years:
        return None
    return years[0] if len(years) == 1 else f"{years[0]} to {years[-1]}"


def _labels(members: list[str], column: Column) -> Spec:
    """How members are written below bars: short names of what comes again, aslant what needs more room."""
    if column.grain in (Grain.WEEKDAY, Grain.MONTH_OF_YEAR):
        return {"title": None, "labelAngle": 0, "labelExpr": "slice(datum.label, 0, 3)"}
    if column.grain is Grain.HOUR:
        return {"labelAngle": 0, "labelExpr": "slice(datum.label, 0, 2)"}
    letters = max(map(len, members), default=0) * len(members)
    return {"labelAngle": 0 if letters <= _LETTERS_BESIDE or column.type is Type.QUANTITATIVE else -40}


def all_members(data: ChartData, column: Column) -> list[Plain]:
    """The members of a dimension; of times that come again those without a row, too."""
    if column.grain is not None and column.grain.returns:
        return list(column.order)
    return list(
        dict.fromkeys(data.members(column) if column.order or column.type is Type.QUANTITATIVE else held(data, column))
    )


def held(data: ChartData, column: Column) -> list[Plain]:
    """The values of a column as its rows come."""
    return [one for one in dict.fromkeys(data.values(column)) if one is not None]


def value_axis(title: str, numbers: list[float], **channel: Any) -> Spec:
    """The channel of a measure."""
    whole = all(number.is_integer() for number in numbers)
    axis: Spec = {"title": title, "format": number_format(numbers), "tickCount": 5, "domain": False}
    if min(numbers, default=0) < 0:
        axis["gridColor"] = {"condition": {"test": "datum.value === 0", "value": SOFT}, "value": LINE}
    if whole:
        axis["tickMinStep"] = 1
    return {"field": VALUE, "type": "quantitative", "axis": axis, **channel}


def records(data: ChartData) -> list[Spec]:
    """The rows of one measure by one dimension."""
    by, measure = data.dimensions[0], data.measures[0]
    how = scaled(data, measure)
    rows: list[Spec] = []
    for row in data.rows:
        value = number_at(data, row, by)
        said = member_said(value, by) if value is not None else ""
        number = how.of(number_at(data, row, measure))
        rows.append({BY: field_of(value, by), SAID: said, VALUE: number})
    return rows


def numbers_of(rows: list[Spec], name: str = VALUE) -> list[float]:
    """The numbers of some records."""
    return [float(row[name]) for row in rows if isinstance(row.get(name), int | float)]


def quantity(name: str) -> Spec:
    """A channel of numbers."""
    return {"field": name, "type": "quantitative"}


def names(name: str) -> Spec:
    """A channel of names."""
    return {"field": name, "type": "nominal"}


def written(number: float | None) -> str:
    """A number as text; nothing for none."""
    if number is None:
        return ""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.2f}".rstrip("0").rstrip(".")


def telling(rows: list[Spec], title: str) -> Spec:
    """The channels that tell of a mark in words, to who points at it or has it read: what its record says."""
    for row in rows:
        series = str(row.get(SERIES, ""))
        names_ = ", ".join(filter(None, (str(row.get(SAID, "")), "" if title.startswith(series) else series)))
        value = row.get(VALUE)
        amount = " ".join(filter(None, (written(value), title))) if isinstance(value, int | float) else ""
        row[_TELLS] = ": ".join(filter(None, (names_, amount)))
    return {"tooltip": names(_TELLS), "description": names(_TELLS)}


def inline(rows: list[Spec], *, timely: bool = False) -> Spec:
    """Data that stands in the specification."""
    return {"values": rows, **({"format": PARSED} if timely else {})}


def titled(data: ChartData) -> Spec:
    """The question above a chart, and what is left out of it."""
    lines = textwrap.wrap(data.question, _TITLE_LETTERS, max_lines=_TITLE_LINES, placeholder=" …") or [""]
    note = textwrap.wrap(clean(data.note), _TITLE_LETTERS + 10, max_lines=_TITLE_LINES, placeholder=" …")
    return {"text": lines, **({"subtitle": note} if note else {})}


def is_time(column: Column) -> bool:
    """Whether a dimension is one of time that goes on."""
    return column.type is Type.TEMPORAL


def positions(data: ChartData) -> tuple[Column, Column]:
    """The columns of degrees north and east."""
    found = [data.columns[at] for at in data.at(Role.POSITION)]
    east = next(
        (column for column in found if column.name.lower().startswith("lo") or column.name.lower() == "lng"), found[-1]
    )
    return next(column for column in found if column is not east), east


_ROW: Final = 22
_LEAST_LETTERS: Final = 28
_LETTER: Final = 6
_KINDS: Final = {"domain": ["head", "row"], "range": [SOFT, INK]}


def table(data: ChartData) -> Spec:
    """Rows and columns of text; numbers to the right."""
    width = max(70, WIDTH // max(1, len(data.columns)))
    layers = [_column(data, at, width) for at in range(len(data.columns))]
    return {"width": width * len(data.columns), "height": _ROW * (len(data.rows) + 1), "layer": layers}


def texts(data: ChartData, at: int) -> list[str]:
    """A column as text: its title, then its values."""
    column = data.columns[at]
    if column.role is not Role.DIMENSION:
        how = scaled(data, column)
        return [how.title, *(written(how.of(row[at])) for row in data.rows)]
    return [clean(column.title), *(member_said("" if row[at] is None else row[at], column) for row in data.rows)]


def _column(data: ChartData, at: int, width: int) -> Spec:
    is_number = data.columns[at].role is not Role.DIMENSION
    rows: list[Spec] = [
        {LABEL: _short(text, width), VALUE: (line + 0.5) * _ROW, SAID: "row" if line else "head"}
        for line, text in enumerate(texts(data, at))
    ]
    side = {"align": "right", "x": (at + 1) * width - 12} if is_number else {"align": "left", "x": at * width}
    mark = {"type": "text", "baseline": "middle", "limit": width - 12, **side}
    scale = {"domain": [_ROW * (len(data.rows) + 1), 0], "nice": False, "zero": False}
    encoding = {
        "y": {**quantity(VALUE), "axis": None, "scale": scale},
        "color": {**names(SAID), "legend": None, "scale": _KINDS},
        "text": names(LABEL),
    }
    return {"data": inline(rows), "mark": mark, "encoding": encoding}


def _short(text: str, width: int) -> str:
    most = max(_LEAST_LETTERS, width // _LETTER)
    return text if len(text) <= most else text[: most - 1] + "…"
