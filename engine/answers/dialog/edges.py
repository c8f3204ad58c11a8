"""Round edges of ranges, so that people can say in which of them something is: 5, 10, 20 km."""

from __future__ import annotations

from math import floor, log10
from typing import Final

import numpy as np

from ....store.index.columns import Numbers

_ROUND: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)
_SECONDS: Final = (60.0, 3600.0)


def round_edges(values: Numbers, most: int) -> list[float]:
    """At most `most` − 1 edges that part values into ranges with about as many each, each as round as it can be
    without moving far."""
    quantiles = np.quantile(values, np.linspace(0, 1, most + 1)[1:-1])
    low, high = float(values.min()), float(values.max())
    edges = sorted({_rounded(float(one)) for one in quantiles})
    return [edge for edge in edges if low < edge <= high]


def _rounded(value: float) -> float:
    """The nearest round number: one of 1, 1.5, 2 … times a power of ten."""
    if value == 0:
        return 0.0
    sign, size = (-1.0 if value < 0 else 1.0), abs(value)
    power = 10.0 ** floor(log10(size))
    nearest = min(_ROUND, key=lambda one: abs(one * power - size)) * power
    return sign * float(f"{nearest:.12g}")


def shown_number(value: float, *, is_time: bool = False) -> str:
    """A number as people write it; lengths of time in seconds as minutes or hours."""
    if is_time and value >= _SECONDS[1]:
        return f"{value / _SECONDS[1]:,.1f}".removesuffix(".0") + " h"
    if is_time and value >= _SECONDS[0]:
        return f"{value / _SECONDS[0]:,.1f}".removesuffix(".0") + " min"
    if is_time:
        return f"{value:g} s"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"
