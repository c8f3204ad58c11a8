"""Charts as plain text, for a terminal or a file: drawn by plotext, or as rows of bars, shades or numbers where text
shows these better. Nothing depends on colours."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Final

from .bars import folded
from .choose import Chart
from .columns import clean
from .fitting import axis_of, bins, is_ordered, member_said, round_step, series_of
from .frame import ChartData, Column, Grain, Type
from .parts import SAID, SERIES, VALUE, all_members, held, number_at, numbers_of, positions, scaled, texts, written
from .periods import first_day, moment_of
from .rules import Kind

_LEAST_WIDTH, _MOST_WIDTH = 40, 240
_LEAST_HEIGHT, _MOST_HEIGHT = 8, 100
_MARKS: Final = "*o+x#@%&"
"""What the points of each series are drawn with."""
_SHADES: Final = " ·░▒▓█"
_LONGEST_LABEL: Final = 28
_TICKS: Final = 6
_SAME: Final = 1e-9
"""Share of a value by which another differs at most that is drawn at the same place."""
_PART: Final = "▏▎▍▌▋▊▉█"


def in_terminal(chart: Chart, width: int, height: int) -> str:
    """A chart as lines of text, so many letters wide at most; what plotext draws is as many lines high."""
    width = min(_MOST_WIDTH, max(_LEAST_WIDTH, width))
    height = min(_MOST_HEIGHT, max(_LEAST_HEIGHT, height))
    head = textwrap.wrap(chart.data.question, width)
    body = _DRAWN[chart.kind](chart.data, width, height)
    note = textwrap.wrap(clean(chart.data.note), width)
    lines = [*head, *([""] if head else []), *(line.rstrip() for line in body), *note]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- bars
def _bars(data: ChartData, width: int, height: int) -> list[str]:
    """Bars that stand, where their names and the height do; else bars that lie."""
    by = data.dimensions[0]
    names = [_short_name(one, by) for one in _members(data, by)]
    room = sum(_width(name) + 2 for name in names) + 8
    lies = min(data.numbers(data.measures[0]), default=0) < 0 or not is_ordered(by)
    if lies or (room > width and by.type is not Type.TEMPORAL) or len(names) < 4 or len(names) * 2 > width - 8:
        return _lying(data, width, height)
    at, measured = data.columns.index(by), data.measures[0]
    how = scaled(data, measured)
    known = {row[at]: how.of(number_at(data, row, measured)) for row in data.rows}
    numbers = [float(known.get(one) or 0) for one in _members(data, by)]
    figure = _figure(width, height)
    figure.draw(figure.bar(list(range(1, len(numbers) + 1)), numbers, width=0.7))
    _scale(figure, [0.0, *numbers], range(len(numbers)))
    _ticks(figure, list(range(1, len(names) + 1)), names, width)
    return [how.title, *_built(figure)]


def _lying(data: ChartData, width: int, _height: int) -> list[str]:
    by, measure = data.dimensions[0], data.measures[0]
    how = scaled(data, measure)
    rows = [(member_said(number_at(data, row, by), by), how.of(number_at(data, row, measure))) for row in data.rows]
    return [*_bar_rows(rows, width), *([how.title] if how.title else [])]


def _pie(data: ChartData, width: int, _height: int) -> list[str]:
    """A pie's parts as bars in per cent."""
    by, measure = data.dimensions[0], data.measures[0]
    total = math.fsum(data.numbers(measure))
    parts = [
        (member_said(number_at(data, row, by), by), round(100 * float(number_at(data, row, measure) or 0) / total, 1))
        for row in data.rows
    ]
    return [*_bar_rows(parts, width), "% of the whole"]


def _histogram(data: ChartData, width: int, _height: int) -> list[str]:
    how = scaled(data, data.measures[0])
    numbers = [float(n) for one in data.numbers(data.measures[0]) if (n := how.of(one)) is not None]
    found = bins(numbers, most=max(6, min(20, math.isqrt(2 * len(numbers)) + 1)))
    rows = [(f"{written(one.low)} to {written(one.high)}", one.count) for one in found]
    return [*_bar_rows(rows, width), f"how many, by {how.title or 'value'}"]


def _bar_rows(rows: Sequence[tuple[str, float | None]], width: int) -> list[str]:
    """Names, bars and numbers; bars of negative numbers go to the left of those of others."""
    names = _padded([_cut(name, _LONGEST_LABEL) for name, _ in rows])
    said = [written(number) or "–" for _, number in rows]
    numbers = [float(number or 0) for _, number in rows]
    least, most = min(0.0, *numbers), max(0.0, *numbers)
    room = max(8, width - _width(names[0]) - max(map(len, said)) - 3)
    unit = room / ((most - least) or 1.0)
    left = round(-least * unit)
    lines = []
    for name, number, text in zip(names, numbers, said, strict=True):
        if least < 0:
            bar = "█" * round(abs(number) * unit)
            drawn = bar.rjust(left) + "│" if number < 0 else " " * left + "│" + bar
        else:
            drawn = "│" + _eighths(number * unit)
        lines.append(f"{name} {drawn} {text}")
    return lines


def _eighths(length: float) -> str:
    """A bar to an eighth of a letter."""
    eighths = round(length * 8)
    return "█" * (eighths // 8) + (_PART[eighths % 8 - 1] if eighths % 8 else "")


# ---------------------------------------------------------------- lines and points
def _lines(data: ChartData, width: int, height: int) -> list[str]:
    """A line of signs for each series, with what each sign stands for below."""
    by = axis_of(data)
    rows, names = folded(data)
    members = data.members(by)
    places = {member_said(one, by): _place(one, by, at) for at, one in enumerate(members)}
    figure = _figure(width, height)
    for at, name in enumerate(names):
        held_here = [row for row in rows if row[SERIES] == name and isinstance(row[VALUE], int | float)]
        mark = _MARKS[at % len(_MARKS)] if len(names) > 1 else None
        signal = figure.signal([places[row[SAID]] for row in held_here], numbers_of(held_here), marker=mark)
        figure.draw(signal.lines(True))
    _scale(figure, numbers_of(rows), list(places.values()))
    _ticks(figure, list(places.values()), [_short_name(one, by) for one in members], width)
    series = [f"{_MARKS[at % len(_MARKS)]} {name}" for at, name in enumerate(names)] if len(names) > 1 else []
    title = scaled(data, data.measures[0]).title if len(data.measures) == 1 else data.measures[0].unit or ""
    return [title, *_built(figure), *textwrap.wrap("   ".join(series), width)]


def _areas(data: ChartData, width: int, height: int) -> list[str]:
    """One outline as a line; of areas upon one another the numbers."""
    return _lines(data, width, height) if series_of(data) is None else _groups(data, width, height)


def _scatter(data: ChartData, width: int, height: int) -> list[str]:
    upward = data.measures[-1]
    across = data.measures[0] if len(data.measures) == 2 else data.dimensions[0]
    how = scaled(data, upward)
    found: list[tuple[float, float]] = []
    for at, row in enumerate(data.rows):
        x, y = number_at(data, row, across), how.of(number_at(data, row, upward))
        if x is not None and y is not None:
            found.append((_place(x, across, at), float(y)))
    figure = _figure(width, height)
    figure.draw(figure.signal([x for x, _ in found], [y for _, y in found], marker="•"))
    _scale(figure, [y for _, y in found], [x for x, _ in found])
    if across.type is Type.TEMPORAL:
        members = data.members(across)
        places = [_place(one, across, at) for at, one in enumerate(members)]
        _ticks(figure, places, [_short_name(one, across) for one in members], width)
    return [how.title, *_built(figure), clean(across.title).rjust(width)]


def _map(data: ChartData, width: int, height: int) -> list[str]:
    """Places as numbers at their longitude and latitude, and what they are below."""
    north, east = positions(data)
    figure = _figure(width, height)
    named: list[str] = []
    found: list[tuple[float, float]] = []
    for at, row in enumerate(data.rows):
        up, right = number_at(data, row, north), number_at(data, row, east)
        if isinstance(up, int | float) and isinstance(right, int | float):
            figure.draw(figure.text(right, up, str(at + 1)))
            found.append((float(right), float(up)))
            said = [member_said(number_at(data, row, column), column) for column in data.dimensions]
            values = [written(scaled(data, one).of(number_at(data, row, one))) for one in data.measures]
            named.append(" ".join(filter(None, (f"{at + 1}", *said, *values))))
    _scale(figure, [up for _, up in found], [right for right, _ in found])
    shown = named[: 3 * height]
    more = [f"and {len(named) - len(shown):,} more"] if len(named) > len(shown) else []
    return [*_built(figure), "", *textwrap.wrap("   ".join((*shown, *more)), width)]


def _place(value: object, column: Column, at: int) -> float:
    """Where a value stands on an axis: days for time, numbers for a scale, else its place in the order."""
    if column.type is Type.QUANTITATIVE and isinstance(value, int | float):
        return float(value)
    if column.type is Type.TEMPORAL and column.grain is not None:
        return float(first_day(str(value), column.grain).toordinal())
    moment = moment_of(str(value)) if column.type is Type.TEMPORAL else None
    if moment is not None:
        return moment.toordinal() + (moment.hour * 60 + moment.minute) / 1440
    return float(at)


def _figure(width: int, height: int) -> Any:
    """An empty figure of plotext, which has one for all."""
    import plotext

    terminal: Any = plotext.terminal
    figure: Any = plotext.figure
    figure.clear()
    terminal.limit(False, False)
    figure.plot_size(width, height)
    return figure


def _ticks(figure: Any, places: Sequence[float], names: Sequence[str], width: int) -> None:
    """Names at some of the places, as many as have room."""
    room = max(1, width // (max(map(_width, names), default=0) + 3))
    every = max(1, math.ceil(len(names) / max(2, min(room, max(_TICKS, room)))))
    figure.ruler("x").ticks(list(places[::every]), list(names[::every]))


def _scale(figure: Any, numbers: Sequence[float], across: Sequence[float] = ()) -> None:
    """Round numbers at the axis of values; an axis whose values are all the same is given some length."""
    for axis, held_there in (("y", numbers), ("x", across)):
        least, most = min(held_there, default=0.0), max(held_there, default=0.0)
        if most - least <= _SAME * max(abs(least), abs(most)):
            beside = max(1.0, abs(most) / 10)
            figure.ruler(axis).lim(least - beside, most + beside)
    least, most = min(numbers, default=0.0), max(numbers, default=0.0)
    if most - least > _SAME * max(abs(least), abs(most)):
        step = round_step(most / 4 - least / 4)
        steps = range(math.ceil(least / step - 1e-9), math.floor(most / step + 1e-9) + 1)
        places = [round(at * step, 10) for at in steps]
        figure.ruler("y").ticks(places, [f"{place:,.6g}" if abs(place) < 1e6 else f"{place:.3g}" for place in places])


def _built(figure: Any) -> list[str]:
    return str(figure.build().string(colorless=True)).rstrip("\n").split("\n")


# ---------------------------------------------------------------- grids and tables
def _groups(data: ChartData, width: int, height: int) -> list[str]:
    """Groups as a table: a row for each member, a column for each series."""
    if series_of(data) is None:
        return _table(data, width, height)
    by = axis_of(data)
    rows, names = folded(data)
    known = {(row[SAID], row[SERIES]): row[VALUE] for row in rows}
    members = [member_said(one, by) for one in _members(data, by)]
    columns = [["", *members]]
    columns += [[name, *(written(known.get((one, name))) for one in members)] for name in names]
    return [*_aligned(columns, width), scaled(data, data.measures[0]).title]


def _grid(data: ChartData, width: int, height: int) -> list[str]:
    """Numbers where there is room for them, else shades."""
    by = axis_of(data)
    series = series_of(data)
    if series is None or (len(all_members(data, by)) + 1) * 2 > width:
        return _table(data, width, height)
    rows, _ = folded(data)
    known = {(row[SAID], row[SERIES]): row[VALUE] for row in rows}
    across = [member_said(one, by) for one in all_members(data, by)]
    down = [member_said(one, series) for one in _members(data, series)]
    cells = [[written(known.get((one, other))) for one in across] for other in down]
    columns = [["", *down], *([name, *(line[at] for line in cells)] for at, name in enumerate(across))]
    if sum(max(map(_width, column)) + 2 for column in columns) <= width:
        return [*_aligned(columns, width), scaled(data, data.measures[0]).title]
    most = max(numbers_of(rows), default=0.0)
    names = _padded([_cut(name, _LONGEST_LABEL) for name in ("", *down)])
    shades = ["".join(_shade(known.get((one, other)), most) * 2 for one in across) for other in down]
    ends = f"{across[0]} to {across[-1]}"
    lines = [f"{name} {line}" for name, line in zip(names, [ends, *shades], strict=True)]
    return [*(line[:width] for line in lines), _key(data, most)]


def _calendar(data: ChartData, _wide: int, _height: int) -> list[str]:
    """Each year's days, a column for each week, darker where there is more."""
    by, measure = data.dimensions[0], data.measures[0]
    how = scaled(data, measure)
    known = {str(number_at(data, row, by)): how.of(number_at(data, row, measure)) for row in data.rows}
    years = sorted({day[:4] for day in known})
    most = max((float(number) for number in known.values() if number is not None), default=0.0)
    lines: list[str] = []
    for year in range(int(years[0]), int(years[-1]) + 1):
        first = date(year, 1, 1)
        days = [first + timedelta(days=at) for at in range(366) if (first + timedelta(days=at)).year == year]
        weeks = [[" "] * 54 for _ in range(7)]
        for day in days:
            weeks[day.weekday()][(day.timetuple().tm_yday - 1 + first.weekday()) // 7] = _day(known, day, most)
        names = ("Mon", "", "Wed", "", "Fri", "", "Sun")
        lines += [str(year), *(f"{name:3} {''.join(week)}" for name, week in zip(names, weeks, strict=True))]
    return [*lines, _key(data, most)]


def _day(known: Mapping[str, float | int | None], day: date, most: float) -> str:
    return _shade(known[day.isoformat()], most) if day.isoformat() in known else "·"


def _shade(value: float | int | None, most: float) -> str:
    """Darker for more; the lightest but one for the least that there is."""
    if not isinstance(value, int | float) or value <= 0 or most <= 0:
        return _SHADES[1] if value is not None else _SHADES[0]
    return _SHADES[min(len(_SHADES) - 1, 2 + int(value / most * (len(_SHADES) - 2)))]


def _key(data: ChartData, most: float) -> str:
    return f"{_SHADES[2]} little to {_SHADES[-1]} {written(most)}: {scaled(data, data.measures[0]).title}"


def _table(data: ChartData, width: int, _height: int) -> list[str]:
    return _aligned([texts(data, at) for at in range(len(data.columns))], width)


def _aligned(columns: Sequence[Sequence[str]], width: int) -> list[str]:
    """Columns beside one another, cut so that they fit; those of numbers to the right."""
    room = max(4, (width - 2 * (len(columns) - 1)) // len(columns))
    natural = [max(map(_width, column)) for column in columns]
    spare = width - 2 * (len(columns) - 1) - sum(min(one, room) for one in natural)
    shown: list[list[str]] = []
    for column, wide in zip(columns, natural, strict=True):
        allowed = min(wide, room + max(0, spare))
        spare -= max(0, allowed - room)
        right = all(cell == "" or cell.replace(",", "").replace(".", "").lstrip("-").isdigit() for cell in column[1:])
        shown.append(_padded([_cut(cell, allowed) for cell in column], right=right))
    return ["  ".join(cells) for cells in zip(*shown, strict=True)]


# ---------------------------------------------------------------- letters
def _members(data: ChartData, by: Column) -> list[Any]:
    return data.members(by) if is_ordered(by) else held(data, by)


def _short_name(value: Any, column: Column) -> str:
    """A member as it stands at an axis: periods as they are sorted, short names of what comes again."""
    if column.type is Type.TEMPORAL:
        return str(value)[:10]
    said = member_said(value, column)
    if column.grain is not None:
        return said[:2] if column.grain is Grain.HOUR else said[:3]
    return _cut(said, _LONGEST_LABEL)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _cut(text: str, most: int) -> str:
    if _width(text) <= most:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, max(1, most - 1)).rstrip() + "…"


def _padded(cells: Sequence[str], *, right: bool = False) -> list[str]:
    wide = max(map(_width, cells), default=0)
    return [" " * (wide - _width(cell)) + cell if right else cell + " " * (wide - _width(cell)) for cell in cells]


_DRAWN: Final[Mapping[Kind, Callable[[ChartData, int, int], list[str]]]] = MappingProxyType(
    {
        Kind.BAR: _bars,
        Kind.HORIZONTAL_BAR: _lying,
        Kind.GROUPED_BAR: _groups,
        Kind.STACKED_BAR: _groups,
        Kind.LINE: _lines,
        Kind.AREA: _areas,
        Kind.PIE: _pie,
        Kind.HISTOGRAM: _histogram,
        Kind.SCATTER: _scatter,
        Kind.HEATMAP: _grid,
        Kind.CALENDAR: _calendar,
        Kind.MAP: _map,
        Kind.TABLE: _table,
        Kind.NONE: _table,
    }
)
