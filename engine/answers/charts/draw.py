"""Charts as files: pictures, drawn without a browser and without a network, or their specification."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ....errors import OutputError, UsageError
from .choose import Chart
from .terminal import in_terminal
from .vega import VERSION

__all__ = ["ENDINGS", "draw", "in_terminal"]
_SCALE: Final = 2.0
"""Pixels of a PNG for each of the chart."""


def draw(chart: Chart, path: Path) -> None:
    """Writes a chart as its file's ending says: a picture, or the specification in JSON. Raises UsageError for another
    ending and for a path that cannot be written, OutputError where the chart cannot be drawn."""
    make = _MAKERS.get(path.suffix.lower())
    if make is None:
        raise UsageError(f"a chart cannot be written as {path.name!r}; endings that can: {', '.join(ENDINGS)}")
    made = make(chart)
    try:
        path.write_bytes(made)
    except OSError as bad:
        raise UsageError(f"{path} cannot be written: {bad.strerror or bad}") from bad


def _svg(chart: Chart) -> bytes:
    from vl_convert import vegalite_to_svg

    try:
        return vegalite_to_svg(chart.spec, vl_version=VERSION, allowed_base_urls=[]).encode()
    except ValueError as bad:
        raise OutputError(f"the chart cannot be drawn: {_first_line(bad)}") from bad


def _png(chart: Chart) -> bytes:
    from vl_convert import vegalite_to_png

    try:
        return vegalite_to_png(chart.spec, vl_version=VERSION, scale=_SCALE, allowed_base_urls=[])
    except ValueError as bad:
        raise OutputError(f"the chart cannot be drawn: {_first_line(bad)}") from bad


def _json(chart: Chart) -> bytes:
    return f"{json.dumps(chart.spec, ensure_ascii=False, indent=1)}\n".encode()


def _first_line(bad: ValueError) -> str:
    return str(bad).partition("\n")[0][:200]


_MAKERS: Final[Mapping[str, Callable[[Chart], bytes]]] = MappingProxyType({".svg": _svg, ".png": _png, ".json": _json})
ENDINGS: Final = (".svg", ".png", ".json", ".vl.json")
"""Endings of files that charts are written to."""
