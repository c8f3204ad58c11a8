"""How values are written on pages: numbers with commas, days as a person says them, colours of kinds."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from babel.dates import format_date

from ....engine.answers.sentence import LOCALE, source_in_words
from ....texts.words import counted

_GROUPS: Final = {
    "sport": ("Workout",),
    "music": ("MusicStream", "PodcastStream", "AudiobookStream"),
    "words": (
        "Mail",
        "Message",
        "ChatMessage",
        "ChatSession",
        "SocialPost",
        "Note",
        "CalendarEntry",
        "Highlight",
        "WebSearch",
    ),
    "places": ("LocationStay", "Visit", "CheckIn", "Trip"),
    "goods": (
        "Purchase",
        "Payment",
        "Income",
        "BankTransaction",
        "Stream",
        "VideoStream",
        "MovieStream",
        "EpisodeStream",
        "OnlineVideoStream",
        "BookReading",
    ),
}
"""Kinds of events that have a colour in common; the classes of `page.css` are named after them."""
_GROUP_OF: Final = {kind: group for group, kinds in _GROUPS.items() for kind in kinds}
_NAMES: Final = tuple(_GROUPS)


def colour(kind: str) -> str:
    """The group of a kind of event, by the last part of its IRI: `sport`, `music`, `words`, `places` or `goods`. Kinds
    of other domains get one by their name, always the same."""
    return _GROUP_OF.get(kind) or _NAMES[sum(kind.encode()) % len(_NAMES)]


def number(value: float) -> str:
    """A number with commas: 2,332."""
    return f"{value:,}"


def day(value: str | date, today: int | None = None) -> str:
    """A day as a person says it: 13 September 2024; without its year where that is `today`'s."""
    found = _date(value)
    return format_date(found, "d MMMM" if found.year == today else "d MMMM y", locale=LOCALE)


def short_day(value: str | date, before: str | date | None = None) -> str:
    """7 Jan 2024; without the year where the day `before` it is of the same."""
    found = _date(value)
    same = before is not None and _date(before).year == found.year
    return format_date(found, "d MMM" if same else "d MMM y", locale=LOCALE)


def weekday(value: str | date) -> str:
    """Friday, 13 September 2024."""
    return format_date(_date(value), "EEEE, d MMMM y", locale=LOCALE)


def month(value: str | date) -> str:
    """Mar 2023."""
    return format_date(_date(value), "MMM y", locale=LOCALE)


def clock(value: str | None) -> str:
    """The time of a moment, 06:48; nothing for a whole day."""
    return value[11:16] if value is not None and len(value) > 10 else ""


def took(seconds: float) -> str:
    """How long something took: 12 ms, 3.1 s, 2 min 5 s."""
    if seconds < 0.9995:
        return f"{max(1, round(seconds * 1000))} ms"
    whole = round(seconds)
    return f"{seconds:.1f} s" if seconds < 59.95 else f"{whole // 60} min {whole % 60} s"


def size(count: int) -> str:
    """How much a number of bytes is: 19 MB."""
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= bytes_:
            found = count / bytes_
            return f"{found:.1f} {unit}" if found < 9.95 else f"{found:,.0f} {unit}"
    return f"{count} B"


def _date(value: str | date) -> date:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(value[:10])


FILTERS: Final[dict[str, Any]] = {
    "colour": colour, "number": number, "day": day, "short_day": short_day, "weekday": weekday, "month": month,
    "clock": clock, "took": took, "size": size, "counted": counted, "source": source_in_words,
}  # fmt: skip
"""The filters of the templates."""
