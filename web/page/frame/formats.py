"""How values are written on pages: numbers with commas, days as a person says them, colours of kinds."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from babel.dates import format_date

from ....engine.answers.sentence import LOCALE

_GROUPS: Final = {
    "sport": ("Workout",),
    "music": ("MusicStream", "PodcastStream", "AudiobookStream"),
    "words": ("Mail", "Message", "ChatMessage", "ChatSession", "SocialPost", "Note", "CalendarEntry"),
    "places": ("LocationStay",),
    "goods": ("Purchase", "Stream", "VideoStream", "MovieStream", "EpisodeStream"),
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


def _date(value: str | date) -> date:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(value[:10])


FILTERS: Final[dict[str, Any]] = {
    "colour": colour, "number": number, "day": day, "short_day": short_day, "weekday": weekday, "month": month,
    "clock": clock,
}  # fmt: skip
"""The filters of the templates."""
