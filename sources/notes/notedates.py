"""Dates as people write them at the head of a note: in a heading, a file name, a `Date:` line, front matter.

Only complete and unambiguous dates are read (with their year; `3/4/2024` could be two days and is none).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

__all__ = ["Moment", "date_at_start", "date_in", "moment_of"]

_MONTHS: Final = (
    ("january", "janvier", "januar", "janeiro", "enero", "gennaio"),
    ("february", "février", "fevrier", "februar", "fevereiro", "febrero", "febbraio"),
    ("march", "mars", "märz", "maerz", "março", "marzo"),
    ("april", "avril", "abril", "aprile"),
    ("may", "mai", "maio", "mayo", "maggio"),
    ("june", "juin", "juni", "junho", "junio", "giugno"),
    ("july", "juillet", "juli", "julho", "julio", "luglio"),
    ("august", "août", "aout", "agosto"),
    ("september", "septembre", "setembro", "septiembre", "settembre"),
    ("october", "octobre", "oktober", "outubro", "octubre", "ottobre"),
    ("november", "novembre", "novembro", "noviembre"),
    ("december", "décembre", "decembre", "dezember", "dezembro", "diciembre", "dicembre"),
)
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names} | {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
} | {"sept": 9}  # fmt: skip
_MONTH: Final = "(?P<month>" + "|".join(sorted(_NUMBER_OF, key=len, reverse=True)) + r")\b\.?"
_DAY: Final = r"(?P<day>\d{1,2})"
_CLOCK: Final = (
    r"(?:[T,]?\s*(?:at\s+|um\s+|@\s*)?(?P<hour>\d{1,2})[:h](?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?\s*(?P<zone>Z\b|[+-]\d\d:?\d\d)?)?"
)
_SHAPES: Final = tuple(
    re.compile(shape + _CLOCK, re.IGNORECASE)
    for shape in (
        r"(?<!\d)(?P<year>\d{4})(?P<sep>[-/._])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)",
        r"(?<!\d)(?P<first>\d{1,2})(?P<sep>[/-])(?P<other>\d{1,2})(?P=sep)(?P<year>\d{4})(?!\d)",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?{_MONTH},?\s+(?:de\s+)?(?P<year>\d{{4}})(?!\d)",
        rf"\b{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)(?!\d)",
    )
)
_WEEKDAY: Final = re.compile(r"[^\W\d]{2,12}\.?,?\s+", re.UNICODE)


@dataclass(frozen=True)
class Moment:
    """A date or date-time as ISO text, with offset only where one is stated; `precision` day, minute or second."""

    iso: str
    precision: str
    start: int = 0
    """Where in the text it begins, and (`end`) where it ends."""
    end: int = 0


def date_in(text: str) -> Moment | None:
    """The first complete date in a short text such as a heading."""
    found = [moment for shape in _SHAPES for match in shape.finditer(text[:400]) if (moment := _moment(match))]
    return min(found, key=lambda moment: (moment.start, -moment.end), default=None)


def date_at_start(text: str) -> Moment | None:
    """A date with which `text` begins, a weekday before it aside."""
    weekday = _WEEKDAY.match(text)
    skipped = weekday.end() if weekday and not re.match(_MONTH, text, re.IGNORECASE) else 0
    moment = date_in(text)
    return moment if moment is not None and moment.start <= skipped else None


def _moment(match: re.Match[str]) -> Moment | None:
    parts = match.groupdict()
    day_month = _day_month(parts)
    if day_month is None:
        return None
    try:
        day = date(int(parts["year"]), day_month[1], day_month[0])
        if not parts["hour"]:
            return Moment(day.isoformat(), "day", match.start(), match.end())
        hour = int(parts["hour"])
        if parts["half"]:
            hour = hour % 12 + (12 if parts["half"].lower() == "p" else 0)
        time = datetime(day.year, day.month, day.day, hour, int(parts["minute"]), int(parts["second"] or 0))
    except ValueError:
        return None
    zone = (parts["zone"] or "").upper()
    if len(zone) == 5:
        zone = f"{zone[:3]}:{zone[3:]}"
    return Moment(time.isoformat() + zone, "second" if parts["second"] else "minute", match.start(), match.end())


def _day_month(parts: dict[str, Any]) -> tuple[int, int] | None:
    if parts.get("first"):
        first, other = int(parts["first"]), int(parts["other"])
        if first > 12 >= other or first == other:
            return first, other
        return (other, first) if other > 12 >= first else None
    month = parts["month"].lower()
    return int(parts["day"]), int(month) if month.isdigit() else _NUMBER_OF[month]


def moment_of(value: Any) -> Moment | None:
    """The date or date-time that a value of front matter is: a date of YAML, a text, or seconds since 1970."""
    if isinstance(value, datetime):
        precise = "second" if value.second else "minute"
        return Moment(value.replace(microsecond=0).isoformat().replace("+00:00", "Z"), precise)
    if isinstance(value, date):
        return Moment(value.isoformat(), "day")
    if isinstance(value, str):
        found = date_at_start(value.strip())
        return Moment(found.iso, found.precision) if found else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        # 1980 to 2100, as seconds or milliseconds; smaller numbers are years, counts, …
        for seconds in (value, value / 1000):
            if 315_532_800 <= seconds < 4_102_444_800:
                return moment_of(datetime.fromtimestamp(seconds, UTC))
    return None
