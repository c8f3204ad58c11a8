"""Calendar arithmetic in standard SPARQL 1.1: days and moments as numbers, and back.

SPARQL 1.1 has no arithmetic on dates (stores that have it differ), so a day becomes its Julian day number and a moment
its seconds since day 0; the formulas are those of Fliegel and Van Flandern (1968) for the proleptic Gregorian calendar.
`let` names an expression: it adds an Extend to the pattern and gives the variable.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from ..sparql.algebra import INTEGER, Call, Expr, Iri, Operation, Var, call, text
from .casts import NOTHING, number, seconds, typed

Let = Callable[[Expr, str], Var]
JULIAN_OF_ORDINAL = 1_721_425
"""Julian day number of the day before 1 January of year 1, from which Python counts."""
DAY = 86_400


def floor(value: Expr) -> Expr:
    """The whole number below."""
    return call("FLOOR", value)


def fixed_day(value: date) -> int:
    """Julian day number of a date."""
    return value.toordinal() + JULIAN_OF_ORDINAL


def fixed_moment(value: datetime) -> Expr:
    """A moment's seconds since day 0, as a number."""
    midnight = datetime.combine(value.date(), datetime.min.time())
    return number(seconds(timedelta(days=fixed_day(value)) + (value.replace(tzinfo=None) - midnight)))


def day_number(let: Let, day: Expr) -> Expr:
    """Julian day number of an xsd:date or xsd:dateTime."""
    early = let(floor((14 - call("MONTH", day)) / 12), "early")
    year = let(call("YEAR", day) + 4800 - early, "y")
    month = call("MONTH", day) + 12 * early - 3
    days = call("DAY", day) + floor((153 * month + 2) / 5) + 365 * year
    return let(days + floor(year / 4) - floor(year / 100) + floor(year / 400) - 32045, "day")


def moment_number(let: Let, moment: Expr) -> Expr:
    """Seconds of an xsd:dateTime since day 0."""
    clock = 3600 * call("HOURS", moment) + 60 * call("MINUTES", moment) + call("SECONDS", moment)
    return let(DAY * day_number(let, moment) + clock, "moment")


def weekday(day: Expr) -> Expr:
    """Monday is 0, of a Julian day number."""
    return day - 7 * floor(day / 7)


def date_of_number(let: Let, day: Expr) -> Expr:
    """The xsd:date of a Julian day number."""
    return typed(_iso_day(let, day), "date")


def moment_of_number(let: Let, moment: Expr) -> Expr:
    """The xsd:dateTime of seconds since day 0, to the second."""
    whole = let(floor(moment), "whole")
    day = let(floor(whole / DAY), "day")
    rest = let(whole - DAY * day, "rest")
    hour = let(floor(rest / 3600), "hour")
    minute = let(floor((rest - 3600 * hour) / 60), "minute")
    second = rest - 3600 * hour - 60 * minute
    clock = _joined(":", *(_padded(part, 2) for part in (hour, minute, second)))
    return typed(call("CONCAT", _iso_day(let, day), text("T"), *clock.arguments), "dateTime")


def date_of_parts(let: Let, year: Expr, month: Expr, day: Expr) -> Expr:
    """The xsd:date of a year, month and day of the month; no value where there is no such day."""
    made = let(typed(_iso(year, month, day), "date"), "date")
    return call("IF", Operation("=", (call("DAY", made), day)), made, NOTHING)


def year_of_number(let: Let, day: Expr) -> Expr:
    """The year of a Julian day number."""
    return _civil(let, day)[0]


def iso_week(let: Let, day: Expr) -> tuple[Expr, Expr]:
    """Year and week of the ISO 8601 calendar, of a Julian day number: those of the week's Thursday."""
    thursday = let(day + 3 - weekday(day), "thursday")
    year = let(year_of_number(let, thursday), "iso_year")
    before = let(year + 4799, "y")
    first = 307 + 365 * before + floor(before / 4) - floor(before / 100) + floor(before / 400) - 32045
    return year, floor((thursday - first) / 7) + 1


def _civil(let: Let, day: Expr) -> tuple[Expr, Expr, Expr]:
    """Year, month and day of the month of a Julian day number (Richards 2013)."""
    f = let(day + 1401 + floor(floor((4 * day + 274277) / 146097) * 3 / 4) - 38, "f")
    e = let(4 * f + 3, "e")
    cycle = let(floor(e / 1461), "cycle")
    h = let(5 * floor((e - 1461 * cycle) / 4) + 2, "h")
    turn = let(floor(h / 153) + 2, "turn")
    month = let(turn - 12 * floor(turn / 12) + 1, "month")
    return cycle - 4716 + floor((14 - month) / 12), month, floor((h - 153 * floor(h / 153)) / 5) + 1


def _iso_day(let: Let, day: Expr) -> Expr:
    return _iso(*_civil(let, day))


def _iso(year: Expr, month: Expr, day: Expr) -> Expr:
    return _joined("-", _padded(year, 4), _padded(month, 2), _padded(day, 2))


def _joined(sign: str, first: Expr, *rest: Expr) -> Call:
    return call("CONCAT", first, *(part for one in rest for part in (text(sign), one)))


def _padded(value: Expr, width: int) -> Expr:
    return call("SUBSTR", call("STR", call(Iri(INTEGER), 10**width + value)), 2)
