"""Which recurrence rules may be expanded, and how far: a rule can yield a date every second, or never one.

What a rule costs is bounded before the library sees it. The library looks for the next date up to the year 9999, which
takes a minute for a daily rule that never has one; the Gregorian calendar repeats itself every 400 years, so here a
rule is tried so late that those 400 years are all that is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, datetime, time, timedelta
from itertools import islice
from math import prod
from typing import Any, Final

from dateutil.rrule import rrulestr
from icalendar import vRecur

__all__ = ["RuleProblem", "Searches", "cost_of_entry", "last_wanted"]

_MOST_OCCURRENCES: Final = 10_000
"""Of one rule: every day for 27 years."""
_DAY_PARTS: Final = ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY")
_TIME_PARTS: Final = ("BYHOUR", "BYMINUTE", "BYSECOND")
_FINER: Final = {"HOURLY": 1, "MINUTELY": 2, "SECONDLY": 3}
"""Frequencies finer than daily, and how many of the time parts say no longer how often but only when."""
_FINE: Final = frozenset({"DAILY", *_FINER})
_MOST_TIMES: Final = 48
"""Times that the lists of hours, minutes and seconds of a rule may yield in one day (or hour)."""
_MOST_RULES: Final = 10
"""Rules of one entry; RFC 5545 knows one."""
_VALUES: Final = 50
_CHARACTERS: Final = 4_000
"""What an occurrence may repeat of its entry before it counts as more than one."""
_SEARCHES: Final = 100
"""Rules of one file that are searched for dates in vain."""
_CYCLE: Final = 400
"""Years after which the calendar repeats itself, weekdays too."""


class RuleProblem(Exception):
    """A rule that cannot be expanded; caught where series are expanded."""


@dataclass
class Searches:
    """How many rules of a file may still be searched for dates that never come."""

    left: int = _SEARCHES


def cost_of_entry(component: Any) -> int:
    """How much an occurrence of an entry counts: tenfold where its rule is finer than daily, as no calendar of a
    person's does, and more where it repeats many values or long texts. Raises RuleProblem for a malformed rule."""
    held = [value for _, value in component.property_items(recursive=False)]
    values = sum(_count(value) for value in held)
    characters = sum(len(value) for value in held if isinstance(value, str))
    return (10 if _is_finer_than_daily(component) else 1) * max(1, values // _VALUES + characters // _CHARACTERS)


def _is_finer_than_daily(component: Any) -> bool:
    """Whether a rule of an entry yields several times a day by its frequency. Raises RuleProblem if it is malformed."""
    return any(_parts(rule).get("FREQ") in _FINER for rule in _listed(component.get("RRULE", [])))


def _count(value: Any) -> int:
    if isinstance(value, vRecur):
        return sum(len(_listed(part)) for part in value.values())
    return len(getattr(value, "dts", (value,)))


def last_wanted(component: Any, stop: datetime, most: int, searches: Searches) -> tuple[datetime, str | None]:
    """`stop`, or an earlier time when the entry's rules and dates yield more than `most` occurrences until then, and a
    remark. A rule that yields nothing after some time gets the number of what it yields, so that nobody looks further.

    Raises RuleProblem for a rule that is malformed, yields too many times a day, or never yields anything.
    """
    rules = _listed(component.get("RRULE", []))
    if len(rules) > _MOST_RULES:
        raise RuleProblem(f"more than {_MOST_RULES} rules")
    most = min(most, _MOST_OCCURRENCES // (10 if _is_finer_than_daily(component) else 1))
    problem: str | None = None
    start = component["DTSTART"].dt
    begin = datetime.combine(start, start.time() if isinstance(start, datetime) else time())
    for number, rule in enumerate(rules):
        parts = _parts(rule)
        limit, ends = _limit(parts, begin, stop, most, searches)
        if ends is not None and "COUNT" not in parts:
            rules[number] = _counted(parts, ends)
            component["RRULE"] = rules if len(rules) > 1 else rules[0]
        if limit is not None:
            stop, problem = limit, f"more than {most} occurrences: those after {limit:%Y-%m-%d} are left out"
    added = sorted(_added(component, stop))
    if len(added) > most:
        stop = added[most]
        problem = f"more than {most} occurrences: those after {stop:%Y-%m-%d} are left out"
    return stop, problem


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _counted(parts: dict[str, str], count: int) -> vRecur:
    kept = ";".join(f"{name}={value}" for name, value in parts.items() if name != "UNTIL")
    return vRecur.from_ical(f"{kept};COUNT={count}")


def _added(component: Any, stop: datetime) -> Iterator[datetime]:
    """Dates that an entry names one by one (RDATE), as wall-clock times up to `stop`."""
    for dates in _listed(component.get("RDATE", [])):
        for item in dates.dts:
            value = item.dt[0] if isinstance(item.dt, tuple) else item.dt
            moment = value.replace(tzinfo=None) if isinstance(value, datetime) else datetime.combine(value, time())
            if moment <= stop:
                yield moment


def _parts(rule: Any) -> dict[str, str]:
    text = rule.to_ical().decode("ascii", "replace").upper()
    parts = dict(part.partition("=")[::2] for part in text.split(";") if "=" in part)
    interval = parts.get("INTERVAL", "1")
    if not interval.isdigit() or len(interval) > 9 or int(interval) < 1:
        raise RuleProblem(f"INTERVAL={interval:.20}")
    frequency = parts.get("FREQ", "")
    if frequency in _FINE and "BYSETPOS" in parts:
        raise RuleProblem(f"BYSETPOS in a rule with FREQ={frequency}")
    if "BYEASTER" in parts:
        raise RuleProblem("BYEASTER, which is no part of a rule")
    named = any(name in parts for name in (*_DAY_PARTS, *_TIME_PARTS))
    if frequency in _FINER and named and (frequency != "HOURLY" or int(interval) > 1):
        raise RuleProblem(f"FREQ={frequency} together with lists of days or times")
    times = prod(parts[name].count(",") + 1 for name in _TIME_PARTS[_FINER.get(frequency, 0) :] if name in parts)
    if times > _MOST_TIMES:
        raise RuleProblem(f"its lists of hours, minutes and seconds yield {times} times {_period(frequency)}")
    return parts


def _period(frequency: str) -> str:
    return "an hour" if frequency in _FINER else "a day"


def _limit(
    parts: dict[str, str], begin: datetime, stop: datetime, allowed: int, searches: Searches
) -> tuple[datetime | None, int | None]:
    """The first moment beyond what is allowed, if there is one; and how many there are where no more follow."""
    if searches.left <= 0 and not _surely_yields(parts):
        raise RuleProblem("too many rules of this file yield no dates")
    days = ";".join(f"{name}={parts[name]}" for name in _DAY_PARTS if name in parts)
    try:
        until = _until(parts.get("UNTIL", ""), stop)
        if parts["FREQ"] != "YEARLY" and until.year > begin.year + _CYCLE:
            raise RuleProblem(f"it goes on for more than {_CYCLE} years")
        later = (MAXYEAR - max(begin.year, until.year)) // _CYCLE * _CYCLE
        moved = begin.replace(year=begin.year + later)
        if parts["FREQ"] in _FINE and days and not any(islice(rrulestr(f"FREQ=YEARLY;{days}", dtstart=moved), 1)):
            # A yearly rule looks for such a day in a few hundred steps, a daily one in many thousand.
            raise RuleProblem("a rule that never yields a date")
        text = ";".join(f"{name}={value}" for name, value in parts.items() if name not in ("UNTIL", "COUNT"))
        most = int(parts["COUNT"]) if parts.get("COUNT", "").isdigit() else allowed + 1
        number = 0
        for late in islice(rrulestr(text, dtstart=moved), most):
            moment = late.replace(year=late.year - later)
            if moment > until:
                return None, None
            if number >= allowed:
                return moment, None
            number += 1
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError, IndexError) as bad:
        raise RuleProblem(str(bad)) from bad
    if number < most:
        searches.left -= 1
    if not number:
        raise RuleProblem("a rule that never yields a date")
    return None, number


def _surely_yields(parts: dict[str, str]) -> bool:
    """Whether a rule has a date in every few years, whatever else is in it: no two of its parts can exclude another."""
    return parts.get("INTERVAL", "1") == "1" and parts.keys() & {*_DAY_PARTS, "BYSETPOS"} <= {"BYDAY"}


def _until(text: str, stop: datetime) -> datetime:
    try:
        return min(stop, datetime.strptime(text[:8], "%Y%m%d") + timedelta(days=2))
    except (ValueError, OverflowError):
        return stop
