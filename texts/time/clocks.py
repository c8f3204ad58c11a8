"""Clock times in running text: 7.30pm, 19h30, half seven, quarter past seven, at 8, noon, 6-8pm."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..quantities.number_words import NUMBER, number_of

_HALF: Final = r"\s?(?P<{0}>[ap])\.?\s?m\b\.?"
_UNITS: Final = (
    r"(?!\s?(?:km|k\b|kms|kg|g\b|mi\b|miles?|m\b(?!\s)|metres|meters|%|€|£|\$|eur\b|euros?|pounds?|quid|bucks|p\b|x\b|°|degrees|"
    r"hours?|hrs?|mins?\b|minutes?|years?|days?|weeks?|months?|people|of\sus|nights?|lb|oz|ml|litres?|l\b|stars?|out\sof|reps?|"
    r"sets?|times|pages|goals|points|each|per\b|/|-\d|\.\d|,\d{3}|\d))"
)
_RANGE: Final = re.compile(
    r"(?<![\d.,:/£€$-])(?P<h1>\d{1,2})(?:[:.](?P<m1>[0-5][05]))?(?:\s?(?P<a1>[ap])\.?m\.?)?\s?(?:-|–|to|until|till|til)\s?"
    r"(?P<h2>\d{1,2})(?:[:.](?P<m2>[0-5][05]))?(?:\s?(?P<a2>[ap])\.?\s?m\b\.?|(?![\d/:-]|[.,]\d))" + _UNITS,
    re.IGNORECASE,
)
_MERIDIEM: Final = re.compile(
    r"(?<![\d.,:/£€$])(?P<h>\d{1,2})(?:[:.h]?(?P<m>[0-5]\d))?\s?(?P<a>[ap])\.?\s?m\b\.?", re.IGNORECASE
)
_COLON: Final = re.compile(
    r"(?<![\d.,:/£€$-])(?P<h>[01]?\d|2[0-3])(?::|h|H)(?P<m>[0-5]\d)(?![\d:]|\.\d|\s?(?:/\s?(?:km|mi)|min|per))"
)
_DOT: Final = re.compile(
    r"(?:(?<=\bat\s)|(?<=@\s)|(?<=@)|(?<=\bfrom\s)|(?<=\bby\s)|(?<=\btill\s)|(?<=\buntil\s)|(?<=\baround\s)|(?<=\babout\s)|(?<=,\s)|"
    r"(?<=day\s)|(?<=night\s)|(?<=ight\s)|(?<=\d\d\.\s)|(?<=[a-z]{3}\s\d\s)|(?<=[a-z]{3}\s\d\d\s)|(?<=\d\s[A-Z][a-z]{2}\s)|(?<=start\s)|(?<=in\s)|(?<=doors\s))"
    r"(?P<h>[01]?\d|2[0-3])\.(?P<m>[0-5][05])(?!\d|\.\d)" + _UNITS,
    re.IGNORECASE,
)
_DOTTED: Final = re.compile(r"\d\.\d")
_AT: Final = re.compile(
    r"(?:\bat\s|@\s?|\bfor\s(?=\d{1,2}\b(?:\W|$)(?!\s?(?:people|of|nights)))|\b(?:from|around|about|by|till|until|before|after)\s(?=\d{1,2}(?:\sor\sso|ish|\stil|\sto\s\d)))"
    r"(?P<h>\d{1,2})(?P<ish>ish)?\b" + _UNITS,
    re.IGNORECASE,
)
_OCLOCK: Final = re.compile(rf"\b(?P<n>{NUMBER}|\d{{1,2}})\s?o['’]?\s?clock\b", re.IGNORECASE)
_AT_WORD: Final = re.compile(
    r"\b(?:at|around|about|by)\s(?P<n>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?P<ish>-?ish)?\b"
    r"(?!\s(?:of|the|places?|people|different|kilomet|km|miles?|percent|euros?|pounds?|hundred|thousand|years?|-))",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    rf"\b(?P<part>half|quarter|(?:a\s)quarter|ten|twenty|five|twenty[-\s]five|\d{{1,2}})(?:\s(?P<side>past|to|after|til|till|of))?\s(?P<n>{NUMBER}|\d{{1,2}})\b"
    r"(?!\s?(?:km|k\b|mile|min|hour|euro|pound|people|years?|%|days?|of\b|per|marathon|an?\b))(?:\s?(?P<a>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"\b(?P<w>noon|midday|midnight|mezzogiorno|meio-dia|mediodía|mittags)\b", re.IGNORECASE)
_EVENING: Final = re.compile(
    r"\b(?:evening|tonight|night|dinner|supper|pm|drinks|gig|concert|film|cinema|movie|theatre|pub|bar|party|show|match|band|opera|"
    r"ballet|comedy|quiz|cocktails?|noite|soir|abend|cena|jantar|kick-?off|sunset)\b",
    re.IGNORECASE,
)
_MORNING: Final = re.compile(
    r"\b(?:morning|am|breakfast|brunch|dawn|sunrise|parkrun|school\srun|sea\sswim|early|manhã|matin|morgens|coffee)\b",
    re.IGNORECASE,
)
_HOURS: Final = {
    "noon": 12,
    "midday": 12,
    "mezzogiorno": 12,
    "meio-dia": 12,
    "mediodía": 12,
    "mittags": 12,
    "midnight": 0,
}


class Clock(NamedTuple):
    """A clock time at [start, end), and until when if it is said."""

    start: int
    end: int
    time: dt.time
    until: dt.time | None = None
    score: float = 1.0


def clocks(text: str) -> list[Clock]:
    """The clock times of a text, by place; of overlapping readings the first and longest."""
    found = sorted(_read(text), key=lambda clock: (clock.start, -clock.end))
    kept: list[Clock] = []
    for clock in found:
        if not kept or clock.start >= kept[-1].end:
            kept.append(clock)
    return kept


def _read(text: str) -> Iterator[Clock]:
    yield from _ranges(text)
    for found in _MERIDIEM.finditer(text):
        yield from _clock(found, int(found["h"]), int(found["m"] or 0), found["a"])
    dotted = ((_DOT, 0.9),) if _DOTTED.search(text) else ()
    for shape, score in ((_COLON, 1.0), *dotted, (_AT, 0.8)):
        for found in shape.finditer(text):
            minute = int(found["m"]) if "m" in shape.groupindex else 0
            written = found.group("h")
            half = (
                None
                if len(written) == 2 and (written[0] == "0" or shape is _COLON)
                else _guess(text, found, int(written))
            )
            yield from _clock(found, int(written), minute, half, score)
    for shape in (_OCLOCK, _AT_WORD) if "clock" in text.lower() else (_AT_WORD,):
        for found in shape.finditer(text):
            hour = number_of(found["n"])
            if hour is not None:
                yield from _clock(found, int(hour), 0, _guess(text, found, int(hour)), 0.8)
    for found in _PAST.finditer(text):
        yield from _past(text, found)
    for found in _NAMED.finditer(text):
        yield Clock(*found.span(), dt.time(_HOURS[found["w"].lower()]))


def _ranges(text: str) -> Iterator[Clock]:
    for found in _RANGE.finditer(text):
        if not (found["a1"] or found["a2"] or found["m1"] or found["m2"]):
            continue
        last = found["a2"] or _guess(text, found, int(found["h2"]))
        first = found["a1"] or last
        if found["a1"] is None and last and last.lower() == "p" and int(found["h1"]) % 12 > int(found["h2"]) % 12:
            first = "a"
        begin, until = (
            _time(int(found["h1"]), int(found["m1"] or 0), first),
            _time(int(found["h2"]), int(found["m2"] or 0), last),
        )
        if begin and until:
            yield Clock(*found.span(), begin, until)


def _past(text: str, found: re.Match[str]) -> Iterator[Clock]:
    """Half seven (7:30), quarter to seven, twenty past six."""
    hour, part, side = number_of(found["n"]), found["part"].lower(), (found["side"] or "").lower()
    if hour is None or not 1 <= hour <= 12 or (not side and part != "half"):
        return
    if side == "of" or (
        side and not part.isalpha() and not part.isdigit() and "quarter" not in part and "five" not in part
    ):
        return
    minutes = 30 if part == "half" else 15 if "quarter" in part else int(number_of(part.replace("a ", "")) or 0)
    if not 0 < minutes < 60 or (found["n"].isdigit() and found["part"].isdigit() and side == "to"):
        return
    half = found["a"] or _guess(text, found, int(hour))
    time = _time(int(hour), 0, half)
    if time is None:
        return
    back = side in ("to", "til", "till")
    moment = dt.datetime(2000, 1, 2, time.hour) + dt.timedelta(minutes=-minutes if back else minutes)
    yield Clock(*found.span(), moment.time(), None, 0.9)


def _clock(found: re.Match[str], hour: int, minute: int, half: str | None, score: float = 1.0) -> Iterator[Clock]:
    time = _time(hour, minute, half)
    if time is not None:
        yield Clock(
            found.start("h") if "h" in found.re.groupindex else found.start("n"), found.end(), time, None, score
        )


def _time(hour: int, minute: int, half: str | None) -> dt.time | None:
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    return dt.time(hour, minute) if hour < 24 and minute < 60 else None


def _guess(text: str, found: re.Match[str], hour: int) -> str | None:
    """Morning or afternoon of an hour up to twelve: by words around, else as people do things by day."""
    if not 1 <= hour <= 12:
        return None
    around = text[max(0, found.start() - 60) : found.end() + 40]
    evening, morning = _EVENING.search(around), _MORNING.search(around)
    if hour == 12:
        return "p"
    if evening and not morning:
        return "p"
    if morning and not evening:
        return "a"
    return "p" if hour < 8 else "a"
