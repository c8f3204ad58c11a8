"""Holidays as time expressions: "on Christmas Eve", "Boxing Day", "on Easter Sunday", "at Thanksgiving".

Those that are on the same day every year come from the occasions' `ev:monthDay` (ontology/lexicons/occasions.ttl).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Final

from dateutil.easter import easter

from ..lexicon.lexicon_file import read_entries
from ..lexicon.lexicon_match import Index, build_index, matches
from ..when import When
from .context import Context, plus

_BEFORE: Final = re.compile(
    r"\b(?:on|at|over|last|this|for|after|since|until|by|next|every)\s+(?:the\s+)?$", re.IGNORECASE
)
_DAY_NAME: Final = re.compile(
    r"(?:day|eve|night)$|^(?:nye|halloween|hogmanay|new year['’]?s|christmas|xmas|silvester)$", re.IGNORECASE
)
_MAY_NAME: Final = re.compile(
    r"\b(?i:day|eve|night|nye|halloween|hogmanay|new\syear\S*|christmas|xmas|silvester)\b|"
    r"\b(?i:on|at|over|last|this|for|after|since|until|by|next)\s(?:the\s)?[A-Z]"
)
_MOVABLE: Final = re.compile(
    r"\b(?:(?P<friday>good\sfriday)|(?P<saturday>holy\ssaturday|easter\ssaturday)|(?P<monday>easter\smonday)|"
    r"(?P<sunday>easter(?:\ssunday)?)|(?P<palm>palm\ssunday)|(?P<pancake>pancake\s(?:day|tuesday)|shrove\stuesday|mardi\sgras)|(?P<ash>ash\swednesday)|"
    r"(?P<black>black\sfriday)|(?P<thanks>thanksgiving))\b(?!\s(?:egg|bunny|bonnet|break|hols|holiday|term|lunch\smenu))",
    re.IGNORECASE,
)
_FROM_EASTER: Final = {"friday": -2, "saturday": -1, "sunday": 0, "monday": 1, "palm": -7, "pancake": -47, "ash": -46}


@lru_cache(maxsize=1)
def _fixed() -> Index:
    """Names of days that are the same every year."""
    content = files("reqap_kg.ontology").joinpath("lexicons", "occasions.ttl").read_bytes()
    return build_index(entry for entry in read_entries([("occasions.ttl", content)])[0] if entry.month_day)


def holidays(context: Context) -> Iterator[When]:
    """Holidays that say a day."""
    text = context.text
    for start, end, cue, use in matches(_fixed(), text) if _MAY_NAME.search(text) else ():
        named = cue.replace("'", "") == use.entry.value.casefold().replace("'", "").replace("’", "")
        led = _BEFORE.search(text, 0, start)
        if (
            use.weak
            or use.entry.month_day is None
            or not (named or _DAY_NAME.search(cue))
            or not (led or _DAY_NAME.search(cue))
        ):
            continue
        month, day = use.entry.month_day
        years = (context.today.year + step for step in (-1, 0, 1))
        days = [found for year in years if (found := _on(year, month, day))]
        yield from _nearest(context, days, (start, end), 0.7 if led else 0.5)
    for found in _MOVABLE.finditer(text):
        years = [context.today.year + step for step in (-1, 0, 1) if dt.MINYEAR < context.today.year + step < 4000]
        days = [_movable(str(found.lastgroup), year) for year in years if year > 1600]
        yield from _nearest(context, days, found.span(), 0.6)


def _nearest(context: Context, days: list[dt.date], span: tuple[int, int], score: float) -> Iterator[When]:
    day = context.nearest(days, *span)
    if day is not None:
        yield context.when(span, day, score=score)


def _on(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _movable(name: str, year: int) -> dt.date:
    if name in _FROM_EASTER:
        return plus(easter(year), _FROM_EASTER[name])
    first = dt.date(year, 11, 1)
    thursday = plus(first, (3 - first.weekday()) % 7 + 21)  # the fourth
    return thursday if name == "thanks" else plus(thursday, 1)
