"""How charts look: colours, type and lines of the page, in the light."""

from __future__ import annotations

from typing import Any, Final

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
