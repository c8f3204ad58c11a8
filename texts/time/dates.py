"""Dates as they are written: ISO, with the month's name, in numbers, days of the month, and ranges of them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from ...operators.reading.names import month_said, weekday_of
from ...operators.reading.read_times import read_moment
from ..when import When
from .context import Context, date_or_none, last_of, plus

_TH: Final = r"(?:st|nd|rd|th|\.|º|er)?"
_YEAR: Final = r"(?:,?\s*(?P<year>(?:19|20)\d\d)(?!\d)|,?\s*(?P<short>['’]\d\d)(?!\d))?"
_NAME: Final = r"(?P<month>[^\W\d_]{3,10})\b\.?"
_WEEKDAY: Final = r"(?:(?P<weekday>[^\W\d_]{2,12})\.?,?\s+(?:the\s+)?)?"
_TO: Final = r"\s?(?:-|–|—|to|until|till|til|through|bis|a|à|au|al|and|&|/)\s?"
_DIGIT: Final = re.compile(r"\d")
_MARKED: Final = re.compile(r"\d[/.-]\d")
_NTH: Final = re.compile(r"\d(?:st|nd|rd|th)", re.IGNORECASE)
_ISO: Final = re.compile(r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)")
_DAY_MONTH: Final = re.compile(
    rf"{_WEEKDAY}(?<![\d.,:£€$])(?P<day>\d{{1,2}}){_TH}(?:{_TO}(?P<last>\d{{1,2}}){_TH})?\s*(?:of\s+|de\s+|-)?{_NAME}{_YEAR}",
    re.IGNORECASE,
)
_MONTH_DAY: Final = re.compile(
    rf"{_WEEKDAY}(?<![^\W\d_]){_NAME}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:\d|[.,]\d|\s?(?:am|pm|km|%))"
    rf"(?:{_TO}(?P<last>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))?{_YEAR}",
    re.IGNORECASE,
)
_NUMERIC: Final = re.compile(
    rf"{_WEEKDAY}(?<![\d./£€$-])(?P<one>\d{{1,2}})(?P<mark>[/.-])(?P<two>\d{{1,2}})(?:(?P=mark)(?P<year>\d{{4}}|\d\d)|(?P<dot>\.(?=\s|,|$)))?(?![\d/-]|\.\d)"
)
_ORDINAL: Final = re.compile(
    r"(?:\b(?P<prep>on|by|from|until|till|til|to|for|of|since|before|after|am|&|and|-)\s+)?(?:(?P<weekday>(?!the\b)[^\W\d_]{2,9})\.?,?\s+)?(?P<the>the\s+)?"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:floor|street|st\b|avenue|time|place|birthday|bday|anniversary|one|year|round|century|grade|"
    r"hole|edition|season|attempt|of\s(?!this)|class|row|mile|week|day|month|marathon|parkrun|century|(?-i:[A-Z][a-z]+)))(?!\s*/)",
    re.IGNORECASE,
)
_WEEKDAY_DAY: Final = re.compile(
    r"\b(?P<weekday>[^\W\d_]{2,12})\.?,?\s+(?P<day>\d{1,2})\b(?!\s*(?:[:.h/]\d|[ap]\.?m\b|[-–]|o['’]clock|km\b|k\b|euro|€|%|x\b|"
    r"people|min|hours?|uhr))",
    re.IGNORECASE,
)
_VERBS_OF_MAY: Final = re.compile(
    r"\s+(?:be|have|not|also|well|need|take|come|go|get|want|or|i|you|we)\b", re.IGNORECASE
)
_BEFORE_NUMERIC: Final = re.compile(
    r"(?:\b(?:on|from|until|till|by|since|for|to|am|le|el|dated?|den|of)\s*|[(:–-]\s?|^|\n|\|\s|,\s)$", re.IGNORECASE
)
_CLOCK_BEHIND: Final = re.compile(r"\s*+(?:,|at|@|um|-|–)?\s*+\d{1,2}(?:[:.h]\d\d|\s?[ap]m)", re.IGNORECASE)


def dates(context: Context) -> Iterator[When]:
    """Dates that the text writes out, by kind; they may overlap."""
    text = context.text
    if not _DIGIT.search(text):
        return
    yield from _iso(context)
    for shape in (_DAY_MONTH, _MONTH_DAY):
        for found in shape.finditer(text):
            yield from _named(context, found, shape is _MONTH_DAY)
    if _MARKED.search(text):
        for found in _NUMERIC.finditer(text):
            yield from _numeric(context, found)
    if _NTH.search(text):
        for found in _ORDINAL.finditer(text):
            yield from _ordinal(context, found)
    for found in _WEEKDAY_DAY.finditer(text):
        yield from _weekday_day(context, found)


def _iso(context: Context) -> Iterator[When]:
    for found in _ISO.finditer(context.text):
        day = date_or_none(int(found["y"]), int(found["m"]), int(found["d"]))
        if day:
            yield context.when(found.span(), day)


def _named(context: Context, found: re.Match[str], month_first: bool) -> Iterator[When]:
    """13 May, Sat 13th of May 2023, May 13, 3-9 May."""
    name = found["month"]
    month = month_said(name)
    if month is None or (month_first and not name[0].isupper() and len(name) < 5):
        return
    if name.casefold() == "may" and not name[0].isupper() and _VERBS_OF_MAY.match(context.text, found.end("month")):
        return
    if name.casefold() == "march" and month_first and not name[0].isupper():
        return
    weekday = weekday_of(found["weekday"] or "")
    start = found.start() if weekday is not None else found.start("month") if month_first else found.start("day")
    number, last_number = int(found["day"]), int(found["last"] or 0)
    day = _with_year(context, found, month, number, weekday, (start, found.end()))
    if day is None:
        return
    last = date_or_none(day.year, month, last_number) if last_number > number else None
    yield context.when((start, found.end()), day, last)


def _with_year(
    context: Context, found: re.Match[str], month: int, number: int, weekday: int | None, span: tuple[int, int]
) -> dt.date | None:
    said = found["year"] or found["short"]
    if said:
        return date_or_none(int(said) if found["year"] else 2000 + int(said[1:]), month, number)
    return _nearest_year(context, month, number, weekday, span)


def _nearest_year(
    context: Context, month: int, number: int, weekday: int | None, span: tuple[int, int]
) -> dt.date | None:
    """The day of a month in the year that is meant: where the weekday fits, near, and in the sentence's direction."""
    year = context.today.year
    near = [date_or_none(year + step, month, number) for step in (-1, 0, 1) if dt.MINYEAR < year + step < dt.MAXYEAR]
    days = [day for day in near if day is not None]
    fitting = [day for day in days if weekday is None or day.weekday() == weekday]
    return context.nearest(fitting or days, *span)


def _numeric(context: Context, found: re.Match[str]) -> Iterator[When]:
    """13/05/2023, 23.11., 3/9."""
    weekday = weekday_of(found["weekday"] or "")
    start = found.start() if weekday is not None else found.start("one")
    span, text = (start, found.end()), context.text
    if found["year"]:
        whole = text[found.start("one") : found.end()]
        moment = read_moment(whole, context.day_first)
        if moment is not None:
            yield context.when(span, moment if type(moment) is dt.date else moment.date())  # type: ignore[union-attr]
        return
    sure = weekday is not None or _CLOCK_BEHIND.match(text, found.end()) is not None
    if found["mark"] == "-" or (
        found["mark"] == "." and not (found["dot"] or (sure and len(found["two"]) < 3 and weekday is not None))
    ):
        return
    if (
        not sure
        and not found["dot"]
        and not _BEFORE_NUMERIC.search(text, max(0, found.start("one") - 12), found.start("one"))
    ):
        return
    one, two = int(found["one"]), int(found["two"])
    days = [
        day
        for order in (context.day_first, not context.day_first)
        if (day := _nearest_year(context, two if order else one, one if order else two, weekday, span)) is not None
    ]
    fitting = [day for day in days if weekday is None or day.weekday() == weekday] or days
    if found["mark"] == "." and not 1 <= two <= 12:
        return
    if fitting:
        far = abs((fitting[0] - context.today).days) > 150 and len(fitting) > 1
        swap = far and abs((fitting[1] - context.today).days) < 40 and found["mark"] == "/"
        yield context.when(span, fitting[1 if swap else 0], score=0.9 if sure else 0.7)


def _ordinal(context: Context, found: re.Match[str]) -> Iterator[When]:
    """On the 3rd, Sat 12th."""
    weekday = weekday_of(found["weekday"] or "")
    bare = not found["prep"] and not found["the"]
    if (bare and weekday is None) or (found["weekday"] and weekday is None and not found["the"]):
        return
    number = int(found["day"])
    start = (
        found.start("weekday") if weekday is not None else found.start("the") if found["the"] else found.start("day")
    )
    span = (start, found.end())
    days: list[dt.date] = []
    for step in range(-6, 7):
        count = context.today.year * 12 + context.today.month - 1 + step
        year, month = count // 12, count % 12 + 1
        if dt.MINYEAR < year < dt.MAXYEAR and number <= last_of(year, month).day and number:
            days.append(dt.date(year, month, number))
    fitting = [day for day in days if weekday is None or day.weekday() == weekday]
    day = context.nearest(fitting or days, *span)
    if day is not None:
        yield context.when(span, day, score=0.9 if found["the"] or weekday is not None else 0.7)


def _weekday_day(context: Context, found: re.Match[str]) -> Iterator[When]:
    """Saturday 21: only where that day is a Saturday soon, or was one lately."""
    weekday, number = weekday_of(found["weekday"]), int(found["day"])
    near = (plus(context.today, step) for step in range(-45, 60))
    fitting = [day for day in near if day.day == number and day.weekday() == weekday]
    day = context.nearest(fitting, *found.span()) if weekday is not None else None
    if day is not None:
        yield context.when(found.span(), day, score=0.8)
