"""Periods of time as text: how they are read, which day each begins on, which follows, what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from .frame import Grain

_QUARTER: Final = re.compile(r"(?:(?P<year>\d{4})[- ]?Q(?P<n>[1-4])|Q(?P<m>[1-4])[- ](?P<of>\d{4}))")
_WEEK: Final = re.compile(r"(\d{4})-?W(\d{2})")
_MONTH: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d")
_MOST_FILLED: Final = 5_000


def period_of(text: str) -> tuple[Grain | None, str] | None:
    """The grain of a text that says a time, and the time as charts write it; no grain for a moment, None for other
    texts."""
    if quarter := _QUARTER.fullmatch(text):
        return Grain.QUARTER, f"{quarter['year'] or quarter['of']}-Q{quarter['n'] or quarter['m']}"
    if week := _WEEK.fullmatch(text):
        return (Grain.WEEK, f"{week[1]}-W{week[2]}") if 1 <= int(week[2]) <= _weeks(int(week[1])) else None
    if _YEAR.fullmatch(text):
        return Grain.YEAR, text
    if _MONTH.fullmatch(text) and not text.startswith("0000"):
        return Grain.MONTH, text
    if _DAY.fullmatch(text):
        return (Grain.DAY, text) if day_of(text) is not None else None
    if _MOMENT.match(text):
        moment = moment_of(text)
        return None if moment is None else (None, moment.isoformat(timespec="seconds"))
    return None


def _weeks(year: int) -> int:
    """How many weeks a year has (ISO 8601)."""
    return date(year, 12, 28).isocalendar().week if year else 0


def day_of(text: str) -> date | None:
    """The day of an ISO date or date and time; None where there is no such day."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def moment_of(text: str) -> datetime | None:
    """A date and time as the wall showed it, without its zone; None for what is none."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def as_period(day: date, grain: Grain) -> str:
    """The period that a day is in."""
    if grain is Grain.YEAR:
        return f"{day.year:04d}"
    if grain is Grain.QUARTER:
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    if grain is Grain.MONTH:
        return f"{day.year:04d}-{day.month:02d}"
    if grain is Grain.WEEK:
        year, week, _ = day.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return day.isoformat()


def first_day(period: str, grain: Grain) -> date:
    """The day that a period begins on."""
    year = int(period[:4])
    if grain is Grain.YEAR:
        return date(year, 1, 1)
    if grain is Grain.QUARTER:
        return date(year, 3 * int(period[-1]) - 2, 1)
    if grain is Grain.MONTH:
        return date(year, int(period[5:7]), 1)
    return date.fromisocalendar(year, int(period[-2:]), 1) if grain is Grain.WEEK else date.fromisoformat(period)


def between(first: str, last: str, grain: Grain) -> Iterator[str]:
    """The periods from one to another, both with it; so many at most that a chart can have."""
    at = first_day(first, grain)
    for _ in range(_MOST_FILLED):
        period = as_period(at, grain)
        yield period
        if period >= last:
            return
        at = _following(at, grain)


def _following(day: date, grain: Grain) -> date:
    months = {Grain.YEAR: 12, Grain.QUARTER: 3, Grain.MONTH: 1}.get(grain)
    if months is None:
        return day + timedelta(days=7 if grain is Grain.WEEK else 1)
    ahead = day.year * 12 + day.month - 1 + months
    return date(ahead // 12, ahead % 12 + 1, 1)


def span(first: str, last: str, grain: Grain) -> int:
    """How many periods there are from one to another, both with it."""
    days = (first_day(last, grain) - first_day(first, grain)).days
    apart = {Grain.YEAR: 365.2425, Grain.QUARTER: 91.31, Grain.MONTH: 30.4369, Grain.WEEK: 7.0}.get(grain, 1.0)
    return round(days / apart) + 1


def period_said(period: str, grain: Grain | None) -> str:
    """What a period is called: March 2024, Q1 2024, week of 4 March 2024."""
    if grain is None:
        moment = moment_of(period)
        return period if moment is None else f"{_day_said(moment.date())}, {moment:%H:%M}"
    if grain is Grain.QUARTER:
        return f"Q{period[-1]} {period[:4]}"
    if grain is Grain.MONTH:
        return f"{first_day(period, grain):%B} {period[:4]}"
    if grain is Grain.WEEK:
        return f"week of {_day_said(first_day(period, grain))}"
    return _day_said(date.fromisoformat(period)) if grain is Grain.DAY else period


def _day_said(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
