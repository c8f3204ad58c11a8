"""Distances and lengths of time in a text: 8k, ten kilometres, 6 miles; 1h20, an hour and a half, 52:18."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol, TypeVar

from ...operators.reading.read_amounts import read_duration, read_quantity
from ..overlaps import Placed, non_overlapping
from ..time.clocks import clocks
from .number_words import NUMBER, number_of


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance at [start, end), in kilometres; of a race that says it ("half marathon") at a lower score."""

    start: int
    end: int
    kilometres: Decimal
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time at [start, end), in minutes."""

    start: int
    end: int
    minutes: Decimal
    score: float = 1.0


class _Placed(Placed, Protocol):
    @property
    def score(self) -> float: ...


_P = TypeVar("_P", bound=_Placed)
_COUNT: Final = (
    rf"(?P<count>(?<![\w.,:/€£$])\d{{1,3}}(?:[.,]\d{{3}})+(?!\d)|(?<![\w.,:/€£$])\d+(?:[.,]\d{{1,3}})?|\bhalf\san?|\ban?(?=[\s-](?:km|mile|kilomet|hour|hr|minute))|\b{NUMBER})"
    r"(?P<half>½|\s?1/2|[\s-]and[\s-]a[\s-]half|[\s-]point[\s-]five)?"
)
_PER: Final = r"(?!\s?(?:/\s?h|ph\b|p/h|an?\shour|per\shour|/\s?hr))"
_DISTANCE: Final = re.compile(
    rf"{_COUNT}[\s-]?(?P<unit>kms?|kilomet(?:re|er)s?|klicks?|quilómetros?|kilómetros?|kilom[eè]tres?|miles?|mi|k|metres?|meters?|m|yards?|yds?)\b(?!['’²³]|\d){_PER}",
    re.IGNORECASE,
)
_KILOMETRES: Final = {
    "mi": Decimal("1.609344"),
    "y": Decimal("0.0009144"),
    "me": Decimal("0.001"),
    "m": Decimal("0.001"),
}
_NOT_K: Final = re.compile(
    r"\s?(?:steps?|followers|likes|people|words|views|salary|a\syear|per|euros?|pounds?|dollars?|quid|bucks|ppl|rows?|users?|€|£)\b",
    re.IGNORECASE,
)
_NOT_METRES: Final = re.compile(
    r"\s?(?:tall|high|wide|deep|of\s(?:ascent|climbing|elevation|snow)|ascent|elevation|climb|gain|up\b|down\b|above|d\+|hm\b|people|away|followers)",
    re.IGNORECASE,
)
_TO_GO: Final = re.compile(
    r"\s?(?:away|to\sgo|left|from\s(?:here|the|my|home)|radius|per|until|out\sof)\b", re.IGNORECASE
)
_RACES: Final = (
    (re.compile(r"\b(?:half[\s-]?marathon|half[\s-]?mara|21k)\b", re.IGNORECASE), Decimal("21.1")),
    (
        re.compile(
            r"(?<!half\s)(?<!half-)(?<!mini\s)(?<!movie\s)(?<!netflix\s)\bmarathon\b(?!\s(?:of|session|meeting|call|pace))",
            re.IGNORECASE,
        ),
        Decimal("42.2"),
    ),
    (re.compile(r"\bpark\s?run\b", re.IGNORECASE), Decimal(5)),
)
_UNITS: Final = {"h": 60, "m": 1, "s": Decimal(1) / 60}
_TIME: Final = re.compile(
    rf"{_COUNT}[\s-]?(?P<unit>h(?:(?:ou)?rs?)?|hours?|min(?:ute)?s?|(?<!\d\d\d\s)(?<!\d\d\d)m(?=\s?\d\ds?\b(?!:))|horas?|heures?|stunden?|std|minuten|minutos|secs?|seconds?)(?![^\W\d_])\.?"
    rf"(?:(?:\s?,?\s?(?:and\s)?|\s)(?P<rest>(?P<more>\d{{1,2}}|{NUMBER})[\s-]?(?P<small>m(?:in(?:ute)?s?)?|secs?|seconds?|s)?\b(?![.,:]\d|\s?(?:km|k\b|mi|people|of|x|€|£|am|pm))|(?P<half2>and\sa\shalf|and\sa\squarter|y\smedia)))?",
    re.IGNORECASE,
)
_HALF_HOUR: Final = re.compile(
    r"\b(?:(?P<q>three[\s-]quarters\sof\san\shour)|(?P<one>(?<!-)(?<!half\s)hour[\s-]long)|(?P<h>half[\s-](?:an?[\s-])?hour|½\s?h(?:our)?|1/2\s?h(?:our)?|meia\shora|media\shora)|(?P<o>a\squarter\s(?:of\san\s)?hour))\b",
    re.IGNORECASE,
)
_STOPWATCH: Final = re.compile(
    r"(?<![\d:.,/-])(?P<text>\d{1,3}:[0-5]\d(?::[0-5]\d)?)(?P<part>\.\d{1,2})?(?![\d:]|\s?(?:/\s?(?:km|mi)|per\s(?:km|mile)|[ap]\.?m\b|h\b|uhr))",
    re.IGNORECASE,
)
_RUN: Final = re.compile(
    r"\b(?:\d+(?:[.,]\d+)?\s?(?:k|km|m|mi|miles?)|pb|pr|run|ran|race|finish\w*|swim|swam|row|rowed|erg|parkrun|marathon|time|chip|split|sub)\b",
    re.IGNORECASE,
)
_AT: Final = re.compile(r"(?:\bat|@|\bfrom|\buntil|\btill|\bby|\bto|–|-)\s?$", re.IGNORECASE)
_NOT_LONG: Final = re.compile(
    r"\s?(?:ago|late|early|later|away|before|after|from\s(?:now|here)|delay|walk\sfrom|drive\sfrom|notice|old|earlier|left|to\sgo|per\s(?:km|mile)|/\s?km)\b",
    re.IGNORECASE,
)
_RATE: Final = re.compile(
    rf"(?:\d|\b(?:{NUMBER}|km|kms|k|mi|m|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|knots|euros?|pounds?|quid|dollars?|bucks|cents?"
    r"|times|once|twice|beats|steps|words|pages|litres?|liters?|each|per|every)|[€£$])\s?$",
    re.IGNORECASE,
)
_MUCH: Final = 24
"""Characters before "an hour" in which it stands how much is in each."""
_SOON: Final = re.compile(
    r"(?<!m\s)(?<!k\s)(?<!miles\s)(?<!laps\s)(?<!done\s)\b(?:in|every|within|next|last|another)\s(?:about\s)?$",
    re.IGNORECASE,
)


def distances(text: str) -> tuple[Distance, ...]:
    """All distances, by place."""
    found: list[Distance] = []
    for match in _DISTANCE.finditer(text):
        kilometres = _kilometres(match)
        if kilometres is None or not kilometres:
            continue
        score = 1.0 if match["unit"].casefold()[0] == "k" or kilometres >= 1 else 0.7
        found.append(Distance(*match.span(), kilometres, score * (0.5 if _TO_GO.match(text, match.end()) else 1)))
    for shape, length in _RACES:
        found += [Distance(*match.span(), length, 0.5) for match in shape.finditer(text)]
    return tuple(_apart(found))


def _kilometres(match: re.Match[str]) -> Decimal | None:
    """What a match says; None where it is no distance: 10k steps, 5 m tall."""
    count, unit = _number(match), match["unit"].casefold()
    if count is None:
        return None
    behind = match.string[match.end() : match.end() + 24]
    if unit == "k" and (_NOT_K.match(behind) or count > 300 or not match["count"][0].isdigit()):
        return None
    if unit[0] == "m" and not unit.startswith("mi"):
        bare = unit == "m" and not match["count"][0].isdigit()
        if bare or _NOT_METRES.match(behind) or (unit == "m" and (count < 25 or count > 10_000)):
            return None
        return count * _KILOMETRES["m"]
    return count * (Decimal(1) if unit[0] in "kq" else _KILOMETRES["mi" if unit.startswith("mi") else "y"])


def _number(match: re.Match[str]) -> Decimal | None:
    text = " ".join(match["count"].casefold().split())
    if text.startswith("half"):
        return Decimal("0.5")
    read = read_quantity(text, None) if text[0].isdigit() else None
    count = read.value if read else Decimal(1) if text in ("a", "an") else number_of(text)
    return count + Decimal("0.5") if count is not None and match["half"] else count


def durations(text: str) -> tuple[Length, ...]:
    """All lengths of time under a day's order, by place; between two clock times at a lower score."""
    return tuple(_apart([*_worded(text), *_halves(text), *_stopwatches(text), *_between_clocks(text)]))


def _worded(text: str) -> Iterator[Length]:
    for match in _TIME.finditer(text):
        count = _number(match)
        if (
            _is_rate(text, match)
            or count is None
            or (match["count"].casefold().startswith("half") and match["unit"].casefold() == "h")
        ):
            continue
        unit = _UNITS[match["unit"].casefold()[0]]
        minutes, end = count * unit, match.end()
        if match["rest"]:
            more = _rest(match)
            if more is None:
                end = match.end("unit")
            else:
                minutes += more
        if 0 < minutes < 10_000:
            yield Length(match.start(), end, _rounded(minutes), _score(text, match.start(), end))


def _is_rate(text: str, match: re.Match[str]) -> bool:
    """Whether it says how much in each hour: four miles an hour, 12 euro an hour."""
    alone = match["count"].casefold() in ("a", "an") and not match["rest"]
    return alone and _RATE.search(text, max(0, match.start() - _MUCH), match.start()) is not None


def _rest(match: re.Match[str]) -> Decimal | None:
    """What follows the unit: 20 of "1h20", "and a half"; None where it is of something else."""
    hours = match["unit"].casefold()[0] == "h"
    if match["half2"]:
        half = Decimal("0.25") if "quarter" in match["half2"].casefold() else Decimal("0.5")
        return half * (60 if hours else 1)
    more, small = number_of(match["more"]), (match["small"] or "").casefold()
    if more is None or more > 59 or (not hours and small[:1] == "m"):
        return None
    if (
        not small
        and not (match["more"].isdigit() and len(match["more"]) == 2)
        and not (hours and more >= 5 and match["more"].isalpha())
    ):
        return None
    return more if hours and small[:1] != "s" else more / 60


def _halves(text: str) -> Iterator[Length]:
    for match in _HALF_HOUR.finditer(text):
        minutes = 45 if match["q"] else 60 if match["one"] else 30 if match["h"] else 15
        yield Length(*match.span(), Decimal(minutes), _score(text, *match.span()))


def _stopwatches(text: str) -> Iterator[Length]:
    """52:18, 1:23:10; what could be a clock time counts only beside what is timed."""
    for match in _STOPWATCH.finditer(text):
        parts = match["text"].split(":")
        clock = len(parts) == 2 and int(parts[0]) < 24
        around = text[max(0, match.start() - 40) : match.end() + 24]
        if _AT.search(text, max(0, match.start() - 8), match.start()) or (clock and not _RUN.search(around)):
            continue
        seconds = read_duration(match["text"] + (match["part"] or ""))
        if seconds is not None:
            yield Length(*match.span(), _rounded(seconds / 60), 0.6 if clock else 0.95)


def _between_clocks(text: str) -> Iterator[Length]:
    for clock in clocks(text):
        if clock.until is not None:
            day = dt.date(2000, 1, 1)
            gap = dt.datetime.combine(day, clock.until) - dt.datetime.combine(day, clock.time)
            minutes = gap.total_seconds() / 60 % (24 * 60)
            yield Length(clock.start, clock.end, Decimal(int(minutes)), 0.5)


def _score(text: str, start: int, end: int) -> float:
    """Lower for what only says when: ten minutes ago, in an hour."""
    when = _NOT_LONG.match(text, end) or _SOON.search(text, max(0, start - 16), start)
    return 0.3 if when else 1.0


def _rounded(minutes: Decimal) -> Decimal:
    return minutes.quantize(Decimal("0.01")).normalize() + 0


def _apart(found: Sequence[_P]) -> list[_P]:
    """Of overlapping readings the longest, by place."""
    return non_overlapping(sorted(found, key=lambda each: (each.start - each.end, -each.score)))
