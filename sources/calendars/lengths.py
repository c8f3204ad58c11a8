"""How long entries last over a change of the clocks (RFC 5545, 3.3.6 and 3.8.5.3).

Days and weeks of a DURATION are nominal, to the same clock time; its hours are exact, as is the span from DTSTART to
DTEND, which each instance of a series has, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

__all__ = ["Length", "Time", "length_of", "stated_length"]

Time = date | datetime
_WRITTEN: Final = re.compile(
    r"\s*\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class Length:
    """Days that end at the same clock time, and an exact span after them."""

    days: int
    exact: timedelta

    def after(self, start: Time) -> Time:
        """When something ends that begins at `start`."""
        if not isinstance(start, datetime):
            start = datetime.combine(start, time()) if self.exact % timedelta(days=1) else start
        if not isinstance(start, datetime) or start.tzinfo is None:
            return start + timedelta(days=self.days) + self.exact
        day = start + timedelta(days=self.days)
        return (day.astimezone(UTC) + self.exact).astimezone(start.tzinfo) if self.exact else day


def stated_length(text: str | None) -> Length | None:
    """The value of a DURATION; None for none, and for one that is no plain duration."""
    found = _WRITTEN.fullmatch(text or "")
    if found is None or not any(found.groups()):
        return None
    weeks, days, hours, minutes, seconds = (int(number or 0) for number in found.groups())
    return Length(7 * weeks + days, timedelta(hours=hours, minutes=minutes, seconds=seconds))


def length_of(component: Any, stated: Length | None) -> Length | None:
    """How long each instance of an entry lasts; `stated` is its DURATION. None where the clock alone tells."""
    if stated is not None or "DTEND" not in component:
        return stated
    start, end = component["DTSTART"].dt, component["DTEND"].dt
    if not all(isinstance(value, datetime) and value.tzinfo is not None for value in (start, end)):
        return None
    return Length(0, end.astimezone(UTC) - start.astimezone(UTC))
