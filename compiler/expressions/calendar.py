"""Calendar arithmetic in standard SPARQL 1.1: days and moments as numbers, and back.

SPARQL 1.1 has no arithmetic on dates (stores that have it differ), so a day becomes its Julian day number and a moment
its seconds since day 0; the formulas are those of Fliegel and Van Flandern (1968) for the proleptic Gregorian calendar.
`let` names an expression: it adds `BIND(expression AS ?name)` to the pattern and gives the variable.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from .terms import number, seconds

Let = Callable[[str, str], str]
JULIAN_OF_ORDINAL = 1_721_425
"""Julian day number of the day before 1 January of year 1, from which Python counts."""
DAY = 86_400


def fixed_day(value: date) -> int:
    """Julian day number of a date."""
    return value.toordinal() + JULIAN_OF_ORDINAL


def fixed_moment(value: datetime) -> str:
    """A moment's seconds since day 0, as a number."""
    midnight = datetime.combine(value.date(), datetime.min.time())
    return number(seconds(timedelta(days=fixed_day(value)) + (value.replace(tzinfo=None) - midnight)))


def day_number(let: Let, day: str) -> str:
    """Julian day number of an xsd:date or xsd:dateTime."""
    early = let(f"FLOOR((14 - MONTH({day})) / 12)", "early")
    year = let(f"(YEAR({day}) + 4800 - {early})", "y")
    month = f"(MONTH({day}) + 12 * {early} - 3)"
    leaps = f"FLOOR({year} / 4) - FLOOR({year} / 100) + FLOOR({year} / 400)"
    return let(f"(DAY({day}) + FLOOR((153 * {month} + 2) / 5) + 365 * {year} + {leaps} - 32045)", "day")


def moment_number(let: Let, moment: str) -> str:
    """Seconds of an xsd:dateTime since day 0."""
    clock = f"3600 * HOURS({moment}) + 60 * MINUTES({moment}) + SECONDS({moment})"
    return let(f"({DAY} * {day_number(let, moment)} + {clock})", "moment")


def weekday(day: str) -> str:
    """Monday is 0, of a Julian day number."""
    return f"({day} - 7 * FLOOR({day} / 7))"


def date_of_number(let: Let, day: str) -> str:
    """The xsd:date of a Julian day number."""
    return f"STRDT({_iso_day(let, day)}, xsd:date)"


def moment_of_number(let: Let, moment: str) -> str:
    """The xsd:dateTime of seconds since day 0, to the second."""
    whole = let(f"FLOOR({moment})", "whole")
    day = let(f"FLOOR({whole} / {DAY})", "day")
    rest = let(f"({whole} - {DAY} * {day})", "rest")
    hour = let(f"FLOOR({rest} / 3600)", "hour")
    minute = let(f"FLOOR(({rest} - 3600 * {hour}) / 60)", "minute")
    second = f"({rest} - 3600 * {hour} - 60 * {minute})"
    clock = ', ":", '.join(_padded(part, 2) for part in (hour, minute, second))
    return f'STRDT(CONCAT({_iso_day(let, day)}, "T", {clock}), xsd:dateTime)'


def date_of_parts(let: Let, year: str, month: str, day: str) -> str:
    """The xsd:date of a year, month and day of the month; no value where there is no such day."""
    text = f'CONCAT({_padded(year, 4)}, "-", {_padded(month, 2)}, "-", {_padded(day, 2)})'
    made = let(f"STRDT({text}, xsd:date)", "date")
    return f'IF(DAY({made}) = {day}, {made}, xsd:integer(""))'


def year_of_number(let: Let, day: str) -> str:
    """The year of a Julian day number."""
    return _civil(let, day)[0]


def iso_week(let: Let, day: str) -> tuple[str, str]:
    """Year and week of the ISO 8601 calendar, of a Julian day number: those of the week's Thursday."""
    thursday = let(f"({day} + 3 - {weekday(day)})", "thursday")
    year = let(year_of_number(let, thursday), "iso_year")
    before = let(f"({year} + 4799)", "y")
    leaps = f"FLOOR({before} / 4) - FLOOR({before} / 100) + FLOOR({before} / 400)"
    first = f"(1 + FLOOR((153 * 10 + 2) / 5) + 365 * {before} + {leaps} - 32045)"
    return year, f"(FLOOR(({thursday} - {first}) / 7) + 1)"


def _civil(let: Let, day: str) -> tuple[str, str, str]:
    """Year, month and day of the month of a Julian day number (Richards 2013)."""
    f = let(f"({day} + 1401 + FLOOR(FLOOR((4 * {day} + 274277) / 146097) * 3 / 4) - 38)", "f")
    e = let(f"(4 * {f} + 3)", "e")
    cycle = let(f"FLOOR({e} / 1461)", "cycle")
    h = let(f"(5 * FLOOR(({e} - 1461 * {cycle}) / 4) + 2)", "h")
    turn = let(f"(FLOOR({h} / 153) + 2)", "turn")
    month = let(f"({turn} - 12 * FLOOR({turn} / 12) + 1)", "month")
    day_of_month = f"(FLOOR(({h} - 153 * FLOOR({h} / 153)) / 5) + 1)"
    return f"({cycle} - 4716 + FLOOR((14 - {month}) / 12))", month, day_of_month


def _iso_day(let: Let, day: str) -> str:
    year, month, day_of_month = _civil(let, day)
    return f'CONCAT({_padded(year, 4)}, "-", {_padded(month, 2)}, "-", {_padded(day_of_month, 2)})'


def _padded(value: str, width: int) -> str:
    return f"SUBSTR(STR(xsd:integer({10**width} + {value})), 2)"
