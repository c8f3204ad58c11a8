"""Tables of text in Vega-Lite, for what no chart shows well."""

from __future__ import annotations

from typing import Final

from .columns import clean
from .fitting import member_said
from .frame import ChartData, Role
from .parts import LABEL, SAID, VALUE, Spec, inline, names, quantity, scaled, written
from .theme import INK, SOFT, WIDTH

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
