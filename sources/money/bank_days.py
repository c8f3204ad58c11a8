"""Days as banks write them: numbers in an order that the whole file tells, names of months, eight digits."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Final

from ..day_order import DayOrder, split_date

__all__ = ["day_text", "moment_of"]

_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?")
_WITH_NAMES: Final = ("%d %b %Y", "%d %B %Y", "%d %b %y", "%b %d %Y", "%B %d %Y")
_EIGHT: Final = re.compile(r"(?:19|20)\d{6}")


def day_text(text: str) -> str:
    """What of a cell is its day, without the clock."""
    plain = text.strip()
    named = _named(plain)
    if named is not None:
        return named.isoformat()
    first = plain.replace("T", " ").split(" ")[0].rstrip(",")
    return f"{first[:4]}-{first[4:6]}-{first[6:]}" if _EIGHT.fullmatch(first) else first


def moment_of(text: str, order: DayOrder) -> date | datetime | None:
    """The day in a cell, with the time of day where it tells one; None where it is no day of a life."""
    day = split_date(day_text(text), order.order)
    if day is None or not 1950 <= day.year <= 2150:
        return None
    clock = _CLOCK.search(text[6:]) if ":" in text else None
    try:
        return datetime.combine(day, time(int(clock[1]), int(clock[2]), int(clock[3] or 0))) if clock else day
    except ValueError:
        return day


def _named(text: str) -> date | None:
    """The day of `01 Jan 2023` or `Jan 1, 2023`."""
    if not any(sign.isalpha() for sign in text[:12]) or len(text) > 30:
        return None
    words = re.sub(r"[-,./ ]+", " ", text).strip().split(" ")[:3]
    for pattern in _WITH_NAMES:
        try:
            return datetime.strptime(" ".join(words), pattern).date()
        except ValueError:
            continue
    return None
