"""Which recurrence rules may be expanded, and how far: a rule can yield a date every second, or never one."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final

from dateutil.rrule import rrulestr

__all__ = ["MOST_OCCURRENCES", "RuleProblem", "is_finer_than_daily", "last_wanted"]

MOST_OCCURRENCES: Final = 10_000
"""Of one rule: every day for 27 years."""
_DAY_PARTS: Final = ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY")
_FINE: Final = frozenset({"DAILY", "HOURLY", "MINUTELY", "SECONDLY"})


class RuleProblem(Exception):
    """A rule that cannot be expanded; caught where series are expanded."""


def is_finer_than_daily(component: Any) -> bool:
    """Whether a rule of an entry yields several times a day by its frequency, as no calendar of a person's does."""
    rules = component.get("RRULE", [])
    found = (_parts(rule).get("FREQ") for rule in (rules if isinstance(rules, list) else [rules]))
    return any(frequency in _FINE and frequency != "DAILY" for frequency in found)


def last_wanted(component: Any, stop: datetime, most: int = MOST_OCCURRENCES) -> tuple[datetime, str | None]:
    """`stop`, or an earlier time when the entry's rules yield more than `most` occurrences until then, and a remark.

    Raises RuleProblem for a rule that is malformed or never yields anything.
    """
    rules = component.get("RRULE", [])
    problem: str | None = None
    for rule in rules if isinstance(rules, list) else [rules]:
        limit = _limit(_parts(rule), component["DTSTART"].dt, stop, most)
        if limit is not None:
            stop, problem = (
                limit,
                f"more than {most} occurrences: those after {limit:%Y-%m-%d} are left out",
            )
    return stop, problem


def _parts(rule: Any) -> dict[str, str]:
    text = rule.to_ical().decode("ascii", "replace").upper()
    parts = dict(part.partition("=")[::2] for part in text.split(";") if "=" in part)
    if not parts.get("INTERVAL", "1").isdigit() or int(parts.get("INTERVAL", "1")) < 1:
        raise RuleProblem(f"INTERVAL={parts['INTERVAL']}")
    if parts.get("FREQ") in _FINE and "BYSETPOS" in parts:
        raise RuleProblem(f"BYSETPOS in a rule with FREQ={parts['FREQ']}")
    return parts


def _limit(parts: dict[str, str], start: date, stop: datetime, allowed: int) -> datetime | None:
    begin = datetime.combine(start, start.time() if isinstance(start, datetime) else time())
    days = ";".join(f"{name}={parts[name]}" for name in _DAY_PARTS if name in parts)
    try:
        if parts["FREQ"] in _FINE and days and not any(islice(rrulestr(f"FREQ=YEARLY;{days}", dtstart=begin), 1)):
            # A yearly rule looks for such a day in 8,000 steps, a daily one in three million.
            raise RuleProblem("a rule that never yields a date")
        text = ";".join(f"{name}={value}" for name, value in parts.items() if name not in ("UNTIL", "COUNT"))
        until = _until(parts.get("UNTIL", ""), stop)
        most = int(parts["COUNT"]) if parts.get("COUNT", "").isdigit() else allowed + 1
        for number, moment in enumerate(islice(rrulestr(text, dtstart=begin), most)):
            if moment > until:
                return None
            if number >= allowed:
                return moment
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError) as bad:
        raise RuleProblem(str(bad)) from bad
    return None


def _until(text: str, stop: datetime) -> datetime:
    try:
        return min(stop, datetime.strptime(text[:8], "%Y%m%d") + timedelta(days=2))
    except (ValueError, OverflowError):
        return stop
