"""Days in words, and words put in the place of others."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ...texts.words import infinitives, is_past
from .text import Period

_MONTHS = {"M": 1, "Q": 3, "Y": 12}
_ENDS = ".?! "
_SMALL = re.compile(
    r"(?i)(in|on|at|for|from|by|of|with|between|since|until|before|after|over|only|during|last|this|the)\b"
)
_BEFORE = re.compile(r"(?i)\b(in|on|during|for|of|from|over|since|at)\s+(the\s+)?$")
_YOU = (
    ("you are", "I am"),
    ("you were", "I was"),
    ("you've", "I've"),
    ("yourself", "myself"),
    ("your", "my"),
    ("you", "I"),
)
_INDIRECT = re.compile(r"(?i)^(how (?:many|much)\b.*?|how \w+|when|where|which\b.*?|what\b.*?|who) (i|we) (.+)$")


@dataclass(frozen=True)
class Edit:
    """Words to put from `begin` to `end`; none takes away what stands there."""

    begin: int
    end: int
    words: str


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits made; spaces and commas that part nothing go."""
    out, at = "", 0
    for edit in sorted(edits, key=lambda e: (e.begin, e.end)):
        before = text[at : edit.begin]
        at = max(at, edit.end)
        if not edit.words:  # commas around what goes part nothing any more
            had = before.rstrip().endswith(",")
            before = before.rstrip(" ,") + " "
            at += len(text[at:]) - len(text[at:].lstrip(" ,")) if had else 0
        out += before + edit.words
    whole = out + text[at:]
    whole = re.sub(r"\s+", " ", whole).strip()
    whole = re.sub(r"(?<!\s)\s+([,.?!])", r"\1", whole)
    return re.sub(r",\s*(?=[,.?!]|$)", "", whole)


def appended(text: str, words: str) -> str:
    """The question with words at its end, before its question mark."""
    bare = text.rstrip(_ENDS)
    return f"{bare} {words}{text[len(bare) :].strip() or ''}" if words else text


def direct(offer: str) -> str:
    """What is offered, as the one to whom it was offered asks it: 'how far you ran' → 'how far did I run'."""
    text = offer
    for theirs, mine in _YOU:
        text = re.sub(rf"(?i)\b{theirs}\b", mine, text)
    found = _INDIRECT.match(text)
    return f"{found[1]} did {found[2]} {_without_past(found[3])}" if found else text


def _without_past(clause: str) -> str:
    """A clause as it stands after "did": 'first listened to it' → 'first listen to it'."""
    said = clause.split(" ")
    for place, word in enumerate(said[:3]):
        if is_past(word.lower()) and (verbs := infinitives(word.lower())):
            return " ".join((*said[:place], verbs[0], *said[place + 1 :]))
    return clause


def lowered(words: str) -> str:
    """The words as they stand inside a sentence: 'In miles' → 'in miles'."""
    return words[:1].lower() + words[1:] if _SMALL.match(words) else words


def shifted(period: Period, by: int, unit: str) -> Period:
    """The same days so many units later: whole months and years stay whole."""
    if unit in ("D", "W"):
        days = timedelta(days=by * (7 if unit == "W" else 1))
        return Period(period.begin + days, period.end + days)
    months = by * _MONTHS[unit]
    begin = _months_later(period.begin, months)
    if period.end == _month_end(period.end):
        end = _month_end(_months_later(period.end.replace(day=1), months))
    else:
        end = _months_later(period.end, months)
    return Period(begin, end)


def of_unit(day: date, unit: str) -> Period:
    """The day, week, month, quarter or year around a day."""
    if unit == "W":
        monday = day - timedelta(days=day.weekday())
        return Period(monday, monday + timedelta(days=6))
    if unit == "Y":
        return Period(date(day.year, 1, 1), date(day.year, 12, 31))
    if unit == "Q":
        first = date(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
        return Period(first, _month_end(_months_later(first, 2)))
    if unit == "M":
        return Period(day.replace(day=1), _month_end(day))
    return Period(day, day)


def in_words(period: Period) -> str:
    """'in 2023', 'in April 2024', 'on 10 March 2024', 'from 1 June 2023 to 31 August 2023'."""
    begin, end = period.begin, period.end
    if begin == end:
        return f"on {day_in_words(begin)}"
    if period == of_unit(begin, "Y"):
        return f"in {begin.year}"
    if period == of_unit(begin, "M"):
        return f"in {begin:%B} {begin.year}"
    return f"from {day_in_words(begin)} to {day_in_words(end)}"


def day_in_words(day: date) -> str:
    """'10 March 2024'."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def after_preposition(text: str, begin: int, words: str) -> str:
    """The words without their own preposition where the text has one before the place: 'of that year' → 'of 2024'."""
    return words.split(" ", 1)[1] if _BEFORE.search(text[:begin]) and not words.startswith("from ") else words


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _month_end(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
