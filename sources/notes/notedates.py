"""Dates as people write them at the head of a note: in a heading, a file name, a `Date:` line, front matter.

Only complete and unambiguous dates are read (with their year; `3/4/2024` could be two days and is none).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any, Final

from ...operators.reading.names import month_of
from ...operators.reading.read_times import Moment, find_date

__all__ = ["Moment", "date_at_start", "date_in", "moment_of"]

_WEEKDAY: Final = re.compile(r"([^\W\d]{2,12})\.?,?\s+")
_HEAD: Final = 400
"""Characters of a text in which its date is looked for."""


def date_in(text: str) -> Moment | None:
    """The first complete date in a short text such as a heading."""
    return find_date(text[:_HEAD])


def date_at_start(text: str) -> Moment | None:
    """A date with which `text` begins, a weekday before it aside."""
    weekday = _WEEKDAY.match(text)
    skipped = weekday.end() if weekday and month_of(weekday[1]) is None else 0
    moment = date_in(text)
    return moment if moment is not None and moment.start <= skipped else None


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
