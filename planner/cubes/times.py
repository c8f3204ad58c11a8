"""Conditions on the time of facts, from what patterns read."""

from __future__ import annotations

from datetime import date, timedelta

from ...store.rdf import Term
from ..patterns.functions import time_test, written
from .cube import TIME, Attribute, Cube
from .pieces import Piece
from .query import Condition

_DAY = 'attr["start_date"]'
_CLOCK = 'attr["start_time"]'


def condition_of(piece: Piece, cube: Cube, facts: str) -> Condition | None:
    """The condition that a time stands for; None where the facts have no such time."""
    table = cube.facts[facts]
    if piece.role == "FiscalPeriod":
        return _within(*fiscal_period(piece, cube), piece) if cube.fiscal and table.timed else None
    if table.timed:
        made = _of_time(piece)
        return _negated(made, piece) if made else None
    year = next(
        (d for d in cube.dimensions.values() if d.sort == "time" and d.kind == "int" and facts in d.facts), None
    )
    begin, end = (piece.variables.get(name) for name in ("begin", "end"))
    if year is None or "TimeRange" not in piece.kinds or begin is None or end is None:
        return None
    return _negated(_years(begin, end, year, piece.words), piece)


def whole_period(piece: Piece) -> str:
    """The grain that a range is one whole period of: year, quarter, month; empty where it is none."""
    begin, end = piece.said("begin"), piece.said("end")
    if not begin or not end:
        return ""
    first, last = date.fromisoformat(begin[:10]), date.fromisoformat(end[:10])
    after = last + timedelta(days=1)
    if first.day != 1 or after.day != 1:
        return ""
    months = (after.year - first.year) * 12 + after.month - first.month
    return {12: "year", 3: "quarter", 1: "month"}.get(months, "")


def fiscal_period(piece: Piece, cube: Cube) -> tuple[date, date]:
    """The first and last day of a fiscal year, which is called by the year that it ends in, or of a quarter of it."""
    begins, year = cube.fiscal or 1, int(piece.said("year"))
    first = date(year if begins == 1 else year - 1, begins, 1)
    quarter = piece.said("q").lower().removeprefix("q")
    start = _later(first, 3 * (int(quarter) - 1)) if quarter else first
    return start, _later(start, 3 if quarter else 12) - timedelta(days=1)


def _later(day: date, months: int) -> date:
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def _within(first: date, last: date, piece: Piece) -> Condition:
    test = f'{{}}["start_date"] >= {_day(first)} and {{}}["start_date"] <= {_day(last)}'
    return Condition(test, (), piece.words, TIME, timed=True)


def _day(day: date) -> str:
    return f"date({day.year}, {day.month}, {day.day})"


def _of_time(piece: Piece) -> Condition | None:
    parts: list[str] = []
    said = piece.said
    if "TimeRange" in piece.kinds:
        parts += [
            f"{_DAY} {sign} {written(piece.variables[name])}"
            for name, sign in (("begin", ">="), ("end", "<="))
            if name in piece.variables
        ]
        if len(parts) == 2 and said("begin") == said("end"):
            parts = [f"{_DAY} == {written(piece.variables['begin'])}"]
    if "Weekdays" in piece.kinds:
        parts.append(f"{_DAY}.isoweekday() in [{', '.join(said('days').split(','))}]")
    if "TimeOfDay" in piece.kinds:
        parts.append(f"({time_test(_CLOCK, piece.variables['from'], piece.variables['to'])})")
    if "YearlyMonths" in piece.kinds:
        parts.append(f"{_DAY}.month in [{', '.join(said('months').split(','))}]")
    if "YearlyDay" in piece.kinds:
        parts.append(f"{_DAY}.month == {said('month')} and {_DAY}.day == {said('day')}")
    if "DayTest" in piece.kinds:
        parts.append(f"({said('test')})")
    if "InstantRange" in piece.kinds:
        parts += [
            f'attr["start_datetime"] {sign} {written(piece.variables[name])}'
            for name, sign in (("from", ">="), ("to", "<="))
        ]
    text = " and ".join(parts).replace("attr[", "{}[")
    return Condition(text, (), piece.words, TIME, timed=True) if text else None


def _negated(made: Condition, piece: Piece) -> Condition:
    return made.negated() if "Negated" in piece.kinds else made


def _years(begin: Term, end: Term, year: Attribute, words: str) -> Condition:
    first, last = (int(term.value[:4]) for term in (begin, end))
    own = f'{{}}["{year.key}"]'
    text = f"{own} == {first}" if first == last else f"{own} >= {first} and {own} <= {last}"
    return Condition(text, (year,), words, year.iri)
