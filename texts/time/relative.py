"""Days told from the day of writing: yesterday, last night, on Saturday, two weeks ago, last weekend, in March."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from ...operators.reading.names import folded, month_said, spoken_weekdays
from ..quantities.number_words import NUMBER, number_of
from ..when import Direction, When
from .context import Context, last_of, plus, plus_months

_PART: Final = (
    r"(?:['’]s)?(?:\s+(?:early\s+|late\s+|mid\s*)?"
    r"(?:morning|afternoon|evening|night|lunchtime|lunch\s?time|nite|eve|arvo|am|pm)\b(?!['’]))?"
)
_TODAY: Final = re.compile(
    r"\b(?:(?:earlier|later|late|early)\s+)?(?:today|2day|tonight|tonite|2nite|this\s+(?:very\s+)?(?:morning|afternoon|evening|lunchtime|arvo|aft|eve)|"
    r"just\snow|right\snow|earlier\son|heute|hoje|hoy|aujourd['’]hui|oggi|vandaag|idag|i\sdag|dzisiaj|bugün|"
    r"esta\s(?:manhã|tarde|noite|mañana|noche)|ce\ssoir|ce\smatin|stasera|stamattina|vanavond|vanmorgen)\b(?!['’]s\s(?:world|kids|society))",
    re.IGNORECASE,
)
_DAYS: Final = {
    "before": (
        -2,
        r"(?:the\s+)?(?:day|night|evening)\s+before\s+(?:yesterday|last)|vorgestern|anteontem|anteayer|avant-hier|eergisteren",
    ),
    "yesterday": (
        -1,
        r"(?:yesterday|yday|yest|last\s+night|last\s+nite|last\s+evening|gestern|ontem(?:\sà\snoite)?|ayer|anoche|hier\s(?:soir|matin|après-midi)|ieri|"
        r"gisteren|gisteravond|igår|i\sgår|wczoraj|dün)",
    ),
    "tomorrow": (1, r"(?:tomorrow|tmrw|tmw|tmr|2moro|2morrow|tomoz|amanhã|demain|domani|morgen|mañana|jutro|yarın)"),
    "after": (
        2,
        r"(?:the\s+)?day\s+after\s+tomorrow|overmorrow|übermorgen|pasado\smañana|depois\sde\samanhã|après-demain",
    ),
}
_RELATIVE: Final = tuple(
    (days, re.compile(rf"\b(?:{shape})\b{_PART}", re.IGNORECASE)) for days, shape in _DAYS.values()
)
_UNIT: Final = r"(?P<unit>minute|min|hour|hr|day|night|week|wk|fortnight|month|year|yr)s?"
_COUNT: Final = (
    rf"(?P<count>{NUMBER}|an?\s+couple\s++(?:of\s++)?|a\s+few|couple\s++(?:of\s++)?|several|half\s+an?|an?|\d+)"
)
_AGO: Final = re.compile(
    rf"\b{_COUNT}\s*{_UNIT}\s+(?:ago|back|earlier|gone)(?P<today>\s+(?:today|tonight))?\b", re.IGNORECASE
)
_BACK: Final = re.compile(r"\b(?:ago|back|earlier|gone)\b", re.IGNORECASE)
_AHEAD: Final = re.compile(
    rf"\b(?:in|within)\s+{_COUNT}\s*(?P<unit>day|week|wk|fortnight|month)s?(?:['’]\stime)?\b(?!\s+(?:of|i|we))",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"\bthe\s+other\s+(?:day|night|evening|week|morning|weekend)\b|\b(?:recently|lately)\b", re.IGNORECASE
)
_WORD: Final = re.compile(r"\b[^\W\d_]{3,14}(?:-feira)?(?!-|[\w])", re.IGNORECASE)
_HOW: Final = re.compile(
    r"\b(?P<how>last|next|this(?:\s+(?:coming|past|last))?|past|coming|on|every|each|most|by|until|till|til|from|since|for|"
    r"a\s+week\s+(?:last|on)|the|of|all|some)\s+$",
    re.IGNORECASE,
)
_HOW_LONG: Final = 24
"""Characters before a weekday in which "a week last" and its like stand."""
_BEHIND: Final = re.compile(
    rf"\.?(?!-)(?P<part>{_PART})(?P<week>\s+week\b(?!\s*(?:of|on)))?(?P<gone>\s+(?:just\s+)?gone\b|\s+last\b)?",
    re.IGNORECASE,
)
_SPAN: Final = re.compile(
    r"\b(?P<how>last|next|this(?:\s+(?:coming|past))?|past|coming|over\sthe|at\sthe|all|on\sthe|the|mid)\s*(?P<unit>week-?end|w/?e\b|week(?!\s?-?(?:end|night|day))|month|year|summer|"
    r"winter|autumn|spring)\b(?!['’]s\s(?:end|theme))",
    re.IGNORECASE,
)
_MONTH: Final = re.compile(
    r"\b(?P<how>in|last|next|this|since|early|late|mid|back\sin|of|during)[\s-]+(?:early\s|late\s|mid[\s-]?)?(?P<month>[A-Za-zÀ-ÿ]{3,9})\b(?!\s+\d{1,2}\b(?!\d))(?:,?\s+(?P<year>(?:19|20)\d\d))?|"
    r"\b(?P<month2>[A-Z][a-z]{2,8})\s+(?P<year2>(?:19|20)\d\d)\b"
)
_YEAR: Final = re.compile(
    r"\b(?:in|during|throughout|back\sin|since|of)\s+(?:the\s(?:entire\s)?year\s)?"
    r"(?P<year>(?:19|20)\d\d)\b(?!\s*[\d€£$])",
    re.IGNORECASE,
)
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SITTING: Final = re.compile(r"\s+(?:in|on|down|next|by|through|here|there|with|up|outside|under|beside|behind|out)\b")
_ABBREVIATED: Final = frozenset(("sat", "sun", "mon", "wed"))


def relative(context: Context) -> Iterator[When]:
    """Expressions that count from the day of writing; they may overlap."""
    text, today = context.text, context.today
    for found in _TODAY.finditer(text):
        yield context.when(found.span(), today)
    for days, shape in _RELATIVE:
        for found in shape.finditer(text):
            if found[0].lower() not in ("morgen", "mañana") or not text.isascii():
                yield context.when(found.span(), plus(today, days))
    yield from _ago(context)
    for found in _OTHER.finditer(text):
        yield context.when(found.span(), plus(today, -14), plus(today, -1), vague=True, score=0.3)
    yield from _agreed(text, [when for found in _WORD.finditer(text) for when in _weekday(context, found)])
    for found in _SPAN.finditer(text):
        yield from _span(context, found)
    for found in _MONTH.finditer(text):
        yield from _month(context, found)
    for found in _YEAR.finditer(text):
        year = int(found["year"])
        yield context.when(found.span(), dt.date(year, 1, 1), dt.date(year, 12, 31), vague=True, score=0.4)


def _ago(context: Context) -> Iterator[When]:
    for shape, sign in ((_AGO, -1), (_AHEAD, 1)):
        if sign < 0 and not _BACK.search(context.text):
            continue
        for found in shape.finditer(context.text):
            count, vague = _count(found["count"])
            unit = found["unit"].lower()
            if count is None:
                continue
            if unit in ("month", "year", "yr"):
                months = round(count * (1 if unit == "month" else 12)) * sign
                if abs(months) < 3000:
                    day = plus_months(context.today, months)
                    yield context.when(found.span(), day, vague=unit != "month" or count > 1, score=0.5)
                continue
            size = {"day": 1, "night": 1, "week": 7, "wk": 7, "fortnight": 14}.get(unit, 0)
            if sign > 0 and context.direction(*found.span()) == (Direction.PAST, True):
                continue  # "done in one day"
            if count < 5000:
                day = plus(context.today, sign * int(count * size))
                yield context.when(found.span(), day, vague=vague and size > 0, score=0.9 if not vague else 0.4)


def _count(text: str) -> tuple[float | None, bool]:
    """A number of units, and whether it is only about so many."""
    plain = " ".join(text.lower().split())
    if plain in ("a", "an"):
        return 1, False
    if "couple" in plain:
        return 2, False
    if plain.startswith("half"):
        return 0.5, False
    if plain in ("a few", "several"):
        return 3, True
    found = number_of(plain)
    return (float(found), False) if found is not None else (None, False)


def _agreed(text: str, found: list[When]) -> Iterator[When]:
    """The same weekday twice in a text is the same day: as the surer one has it."""
    sure: dict[str, When] = {}
    for when in found:
        known = sure.setdefault(text[when.start : when.end][:3].lower(), when)
        if when.score > known.score:
            sure[text[when.start : when.end][:3].lower()] = when
    for when in found:
        best = sure[text[when.start : when.end][:3].lower()]
        yield replace(best, start=when.start, end=when.end) if when.score < 0.7 <= best.score else when


def _weekday(context: Context, word: re.Match[str]) -> Iterator[When]:
    text, name = context.text, word[0]
    weekday = spoken_weekdays().get(name.lower() if name.isascii() else folded(name))
    if weekday is None:
        return
    led = _HOW.search(text, max(0, word.start() - _HOW_LONG), word.start())
    found = _BEHIND.match(text, word.end())
    how = " ".join(led["how"].lower().split()) if led else ""
    if found is None or how in ("every", "each", "most", "some"):
        return
    short = name.lower() in _ABBREVIATED
    if (
        short
        and not name[0].isupper()
        and how in ("", "the", "of", "all", "some")
        and not found["part"]
        and not found["gone"]
    ):
        behind = context.text[found.end() :].lstrip()[:2]
        if not behind[:1].isdigit() and not re.match(r"[?,.@]|$", behind) and not re.match(r"[?]", behind):
            return
        if name.lower() in ("sat", "sun") and not re.match(r"\d|\?|@", behind):
            return
    if name == "Sat" and _SITTING.match(context.text, found.end()):
        return
    if short and name[0].isupper() and name.lower() == "sun" and how in ("the", "of"):
        return
    counts = led and how not in ("by", "until", "till", "til", "from", "since", "for", "the", "of", "all", "on")
    span = (led.start() if led and counts else word.start(), found.end())
    day, score = _resolved(context, weekday, how, bool(found["week"]), bool(found["gone"]), span)
    yield context.when(span, day, score=score)


def _resolved(
    context: Context, weekday: int, how: str, week: bool, gone: bool, span: tuple[int, int]
) -> tuple[dt.date, float]:
    today = context.today
    back = (today.weekday() - weekday) % 7
    ahead = (weekday - today.weekday()) % 7
    if how.startswith("a week last"):
        return plus(today, -(back or 7) - 7), 0.8
    if week or how.startswith("a week on"):
        return plus(today, (ahead or 7) + 7), 0.8
    if how in ("last", "past", "this past", "this last") or gone:
        return plus(today, -(back or 7)), 0.9
    if how == "next":
        return plus(today, weekday - today.weekday() + 7), 0.8
    if how in ("coming", "this coming"):
        return plus(today, ahead or 7), 0.95
    way, sure = context.direction(*span)
    if how == "this":
        return plus(today, -back if way is Direction.PAST and sure and back < 4 else ahead), 0.8
    if not back:
        heading = not context.text[: span[0]].rsplit("\n", 1)[-1].strip(" |-–•*") and how == ""
        if heading or how == "":
            return today, 0.9 if heading else 0.6
        return plus(today, -7 if way is Direction.PAST else 7), 0.5
    return plus(today, -back if way is Direction.PAST else ahead), 0.85 if sure else 0.6


def _span(context: Context, found: re.Match[str]) -> Iterator[When]:
    """Weekends, weeks, months and seasons."""
    how, unit = " ".join(found["how"].lower().split()), found["unit"].lower()
    if unit.startswith("w") and unit not in ("week", "winter"):
        yield _weekend(context, found, how)
        return
    if how in ("the", "all", "at the", "over the", "on the", "mid") and unit not in _SEASONS:
        return
    step = {"last": -1, "past": -1, "this past": -1, "next": 1, "coming": 1, "this coming": 1}.get(how, 0)
    first, last = _bounds(context, unit, step, found.span())
    yield context.when(found.span(), first, last, vague=True, score=0.4)


def _bounds(context: Context, unit: str, step: int, span: tuple[int, int]) -> tuple[dt.date, dt.date]:
    today = context.today
    if unit == "week":
        monday = plus(today, 7 * step - today.weekday())
        return monday, plus(monday, 6)
    if unit == "month":
        first = plus_months(today.replace(day=1), step)
        return first, last_of(first.year, first.month)
    if unit == "year":
        first = plus_months(today.replace(month=1, day=1), 12 * step)
        return first, first.replace(month=12, day=31)
    firsts = [plus_months(today.replace(month=_SEASONS[unit], day=1), 12 * year) for year in (-1, 0, 1)]
    if step < 0:
        firsts = [first for first in firsts if plus_months(first, 3) <= today] or firsts[:1]
    if step > 0:
        firsts = [first for first in firsts if first > today] or firsts[-1:]
    first = context.nearest(firsts, *span) or firsts[0]
    return first, plus(plus_months(first, 3), -1)


def _weekend(context: Context, found: re.Match[str], how: str) -> When:
    today = context.today
    saturday = plus(today, 5 - today.weekday())  # of this week
    past = context.direction(*found.span()) == (Direction.PAST, True)
    if how in ("last", "past", "this past"):
        saturday = plus(saturday, -7)
    elif how == "next":
        saturday = plus(saturday, 7)
    elif past and today.weekday() < 5 and how not in ("coming", "this coming"):
        saturday = plus(saturday, -7)
    return context.when(found.span(), saturday, plus(saturday, 1), score=0.7)


def _month(context: Context, found: re.Match[str]) -> Iterator[When]:
    name = found["month"] or found["month2"]
    month = month_said(name)
    if month is None or not name[0].isupper():
        return
    said = found["year"] or found["year2"]
    if said:
        first = dt.date(int(said), month, 1)
    else:
        years = (context.today.year + step for step in (-1, 0, 1))
        firsts = [dt.date(year, month, 1) for year in years if dt.MINYEAR < year < dt.MAXYEAR]
        keep: dict[str, Callable[[dt.date], bool]] = {
            "last": lambda day: last_of(day.year, day.month) < context.today,
            "next": lambda day: day > context.today,
        }
        chosen = [day for day in firsts if keep.get(found["how"] or "", lambda _: True)(day)]
        first = context.nearest(chosen or firsts, *found.span()) or context.today
    start = found.start("month") if found["month"] and found["how"] in ("in", "since", "of") else found.start()
    yield context.when((start, found.end()), first, last_of(first.year, first.month), vague=True, score=0.5)
