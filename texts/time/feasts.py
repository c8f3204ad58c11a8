"""Days that come each year: on a date, on a weekday of a month, by Easter, or in a table where another calendar rules.

A holiday says when it falls (`pg:falls`) in one of these ways, each with an offset in days behind it where needed:

    12-25                      that day of each year (02-29 only in leap years)
    4th thursday of 11         a weekday of a month; "last monday of 5"
    monday before 05-25        the weekday nearest before a day (not on it), "after" it, or "from" it (on it or after)
    easter - 2                 days from Easter Sunday; "orthodox easter"
    GB: Spring Bank Holiday    as the law of that country had it each year ("GB-ENG" of a part of it), from `holidays`
    2024-04-10 2025-03-30/2025-04-02   its first day in each year, and its last where that varies
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

from ...ontology.namespaces import PG
from ...operators.reading.names import english_weekday, weekday_of
from ...store.rdf import parse_turtle
from ..tokens import Token, tokens
from ..when import When
from .context import Context

MOST_YEARS = 12
"""Years that are searched for the latest or next time a holiday falls."""
_LANGUAGES = {"GB": "en_GB"}
_OFFSET = re.compile(r"^(.*?)(?:\s{0,20}([+-])\s{1,20}(\d{1,9}))?$")
_FIXED = re.compile(r"(\d\d)-(\d\d)")
_NTH = re.compile(r"(\d|last)(?:st|nd|rd|th)? (\w+day) of (\d+)")
_NEAR = re.compile(r"(\w+day) (before|after|from) (\d\d)-(\d\d)")
_LAW = re.compile(r"([A-Z]{2})(?:-([A-Z]{2,3}))?: (.+)")
_LISTED = re.compile(r"(\d{4}-\d\d-\d\d)(?:/(\d{4}-\d\d-\d\d))?")
_BEFORE: Final = re.compile(
    r"\b(?:on|at|over|last|this|for|after|since|until|by|next|every)\s+(?:the\s+)?$", re.IGNORECASE
)
_LED: Final = 24
"""Characters before a name in which a preposition that leads it stands."""
_DAY_NAMES: Final = frozenset(("day", "eve", "night"))
"""Last words by which a name says a day, as a weekday does, whether a preposition leads it or not."""
_ALONE: Final = frozenset(
    ("nye", "halloween", "hogmanay", "christmas", "xmas", "silvester", "easter", "thanksgiving", "new years")
)
_NO_DAY: Final = re.compile(r"\s(?:egg|bunny|bonnet|break|hols|holiday|term|lunch\smenu)", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?:,?\s(?:of\s|in\s)?)((?:19|20)\d\d)(?!\d)")
"""The year behind a holiday's name."""
_SENTENCE_WORDS: Final = frozenset(
    ("advent", "lent", "carnival", "lucia", "spring festival", "new year", "the new year", "midsummer", "ascension")
)
"""Names that say more often something else, or which day is left open."""


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The nth such weekday (1 for Monday) of a month; negative ones count from its end. None where it has none."""
    if nth == 0 or not 1 <= month <= 12 or not 1 <= weekday <= 7:
        return None
    first = date(year, month, 1)
    earliest = first + timedelta(days=(weekday - first.isoweekday()) % 7)
    inside = [day for week in range(5) if (day := earliest + timedelta(weeks=week)).month == month]
    index = nth - 1 if nth > 0 else nth
    return inside[index] if -len(inside) <= index < len(inside) else None


@lru_cache(maxsize=4096)
def feasts(falls: str, lasts: int, year: int) -> tuple[tuple[date, date], ...]:
    """First and last days of a holiday that begins in a year: none where it does not or nobody knows, two where a
    shorter year of another calendar lets it come twice."""
    listed = _LISTED.findall(falls)
    if listed:
        return tuple(
            (date.fromisoformat(first), date.fromisoformat(last) if last else _last(date.fromisoformat(first), lasts))
            for first, last in listed
            if first.startswith(f"{year:04}-")
        )
    written = _OFFSET.match(falls.strip())
    day = _base_day(written[1], year) if written else None
    if written is None or day is None:
        return ()
    first = day + timedelta(days=int(written[3] or 0) * (-1 if written[2] == "-" else 1))
    return ((first, _last(first, lasts)),)


def _last(first: date, lasts: int) -> date:
    return first + timedelta(days=lasts - 1)


def _base_day(base: str, year: int) -> date | None:
    if law := _LAW.fullmatch(base):
        return _by_law(law[1], law[2], law[3], year)
    if fixed := _FIXED.fullmatch(base):
        return _date(year, fixed[1], fixed[2])
    if nth := _NTH.fullmatch(base):
        return nth_weekday(year, int(nth[3]), _number(nth[2]), -1 if nth[1] == "last" else int(nth[1]))
    if near := _NEAR.fullmatch(base):
        day, wanted = _date(year, near[3], near[4]), _number(near[1])
        if day is None:
            return None
        if near[2] == "before":
            return day - timedelta(days=(day.isoweekday() - wanted - 1) % 7 + 1)
        start = day + timedelta(days=1) if near[2] == "after" else day
        return start + timedelta(days=(wanted - start.isoweekday()) % 7)
    if base in ("easter", "orthodox easter"):
        return easter(year, EASTER_WESTERN if base == "easter" else EASTER_ORTHODOX)
    return None


def _by_law(country: str, part: str | None, name: str, year: int) -> date | None:
    return next((day for day, said in _of_country(country, part, year).items() if name in said.split("; ")), None)


@lru_cache(maxsize=512)
def _of_country(country: str, part: str | None, year: int) -> Mapping[date, str]:
    from holidays import country_holidays  # a fifth of a second, where such a day is asked for the first time

    return dict(country_holidays(country, part, years=year, language=_LANGUAGES.get(country, "en_US")))


def _date(year: int, month: str, day: str) -> date | None:
    """That day, or None in years that lack it."""
    try:
        return date(year, int(month), int(day))
    except ValueError:
        return None


def _number(weekday: str) -> int:
    return (weekday_of(weekday) or 0) + 1


def latest(falls: str, lasts: int, before: date) -> tuple[date, date] | None:
    """The latest time that the holiday began before a day."""
    years = range(before.year, before.year - MOST_YEARS, -1)
    times = (found for year in years for found in reversed(feasts(falls, lasts, year)))
    return next((found for found in times if found[0] < before), None)


def upcoming(falls: str, lasts: int, after: date) -> tuple[date, date] | None:
    """The next time that the holiday begins after a day."""
    times = (found for year in range(after.year, after.year + MOST_YEARS) for found in feasts(falls, lasts, year))
    return next((found for found in times if found[0] > after), None)


def in_years(falls: str, lasts: int, first: int, last: int) -> Iterator[tuple[date, date]]:
    """Every time that the holiday begins in the years from `first` to `last`."""
    for year in range(first, last + 1):
        yield from feasts(falls, lasts, year)


@dataclass(frozen=True)
class Holiday:
    """A day, or `lasts` days, that come each year as `falls` says (texts/time/feasts.py)."""

    falls: str
    lasts: int

    def in_year(self, year: int) -> tuple[tuple[date, date], ...]:
        """First and last days of each time that it begins in a year."""
        return feasts(self.falls, self.lasts, year) if 1583 <= year <= 4000 else ()


def holiday_documents() -> Iterator[tuple[str, str]]:
    """The Turtle files of the table, as (path, text)."""
    folder = files("reqap_kg.ontology").joinpath("holidays")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".ttl"):
            yield f"ontology/holidays/{entry.name}", entry.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def holidays_by_name() -> Mapping[tuple[str, ...], Holiday]:
    """Holidays by the tokens of their names."""
    found: dict[str, dict[str, list[str]]] = {}
    for path, text in holiday_documents():
        for quad in parse_turtle(text, path=path):
            said = found.setdefault(str(quad.subject), {})
            said.setdefault(str(quad.predicate.value), []).append(getattr(quad.object, "value", ""))
    named: dict[tuple[str, ...], Holiday] = {}
    for said in found.values():
        for falls in said.get(PG + "falls", []):
            day = Holiday(falls, int(said.get(PG + "lasts", ["1"])[0]))
            for name in said.get(PG + "name", []):
                named[words_of(name)] = day
    return MappingProxyType(named)


def words_of(name: str) -> tuple[str, ...]:
    """The tokens of a name, without accents."""
    return tuple(token.plain for token in tokens(name))


def falls_on(name: str, day: date) -> bool:
    """Whether a day is one of the holiday of this name."""
    known = holidays_by_name().get(words_of(name))
    return known is not None and any(first <= day <= last for first, last in known.in_year(day.year))


def holidays(context: Context) -> Iterator[When]:
    """Holidays that say a day."""
    text = context.text
    found = tokens(text)
    place = 0
    while place < len(found):
        count, holiday = longest_name(found, place)
        if holiday is not None:
            yield from _said(
                context,
                " ".join(token.plain for token in found[place : place + count]),
                holiday,
                (found[place].start, found[place + count - 1].end),
            )
        place += count


def longest_name(found: list[Token], place: int) -> tuple[int, Holiday | None]:
    """How many tokens from a place on are the longest name of a holiday, and which."""
    for words in first_words().get(found[place].plain, ()) if place < len(found) else ():
        if tuple(token.plain for token in found[place : place + len(words)]) == words:
            return len(words), holidays_by_name()[words]
    return 1, None


@lru_cache(maxsize=1)
def first_words() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Names by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in holidays_by_name():
        found.setdefault(words[0], []).append(words)
    return MappingProxyType({first: tuple(sorted(names, key=len, reverse=True)) for first, names in found.items()})


def _said(context: Context, name: str, holiday: Holiday, span: tuple[int, int]) -> Iterator[When]:
    led = _BEFORE.search(context.text, max(0, span[0] - _LED), span[0])
    last = name.rsplit(" ", 1)[-1]
    says_day = last in _DAY_NAMES or english_weekday(last) is not None or name in _ALONE
    if holiday.lasts > 1 or name in _SENTENCE_WORDS or not (led or says_day) or _NO_DAY.match(context.text, span[1]):
        return
    year = _YEAR.match(context.text, span[1])
    years = (int(year[1]),) if year else (context.today.year + step for step in (-1, 0, 1))
    days = [first for one in years for first, _ in holiday.in_year(one)]
    day = context.nearest(days, *span)
    if day is not None:
        yield context.when((span[0], year.end() if year else span[1]), day, score=0.7 if led or year else 0.5)
