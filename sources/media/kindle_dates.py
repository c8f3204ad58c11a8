"""When a clipping of a Kindle was added, as the device writes it in its language, and what kind of clipping it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Final

from babel.dates import get_month_names

__all__ = ["added_on", "kind_of", "page_of", "place_of"]

_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "ru", "pl", "cs", "fi")
"""Languages of the device in which a month has a name."""
_NUMBERED: Final = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))? ?([ap])?(?:\.? ?m\b)?", re.IGNORECASE)
_AFTERNOON: Final = ("下午", "午後", "오후")
_MORNING: Final = ("上午", "午前", "오전")
_WORD: Final = re.compile(r"[^\W\d_]+")
_YEAR: Final = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")

_KINDS: Final = (
    (
        "bookmark",
        "bookmark lesezeichen signet marcador segnalibro bladwijzer закладка ブックマーク しおり 书签 書籤 북마크",
    ),
    (
        "highlight",
        "highlight markierung surlignement subrayado evidenziazione destaque markering выделен ハイライト 标注 標註 "
        "하이라이트",
    ),
    ("note", "note notiz nota notitie заметка メモ 笔记 筆記 메모 노트"),
)
_PLACE: Final = re.compile(
    r"(?:location|loc\.|position|posición|posizione|posição|emplacement|locatie|местоположение|位置|위치)"
    r"[^\d|]{0,12}(\d+(?:-\d+)?)",
    re.IGNORECASE,
)
_PAGE: Final = re.compile(
    r"(?:page|seite|página|pagina|страниц[еа]) +(\d+)|(?<!\d)(\d+) ?(?:ページ|页|頁|페이지)", re.IGNORECASE
)


def added_on(text: str) -> str | None:
    """An ISO date-time on the device's clock, a date where no time is told, None where no date can be read."""
    time = _TIME.search(text)
    rest = text[: time.start()] if time else text
    numbered = _NUMBERED.search(rest)
    if numbered:
        year, month, day = (int(part) for part in numbered.groups())
    else:
        months = [_months()[word] for word in _WORD.findall(rest.lower()) if word in _months()]
        years, days = _YEAR.search(rest), _DAY.search(rest)
        if not months or years is None or days is None:
            return None
        year, month, day = int(years[1]), months[0], int(days[1])
    hour, minute, second = _clock(time, text) if time else (0, 0, 0)
    try:
        found = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    if not 1990 <= found.year < 2200:
        return None
    return found.isoformat() if time else found.date().isoformat()


@cache
def _months() -> Mapping[str, int]:
    """The months by their names, folded: as they stand in a date, and alone."""
    named = (get_month_names("wide", form, locale) for locale in _LANGUAGES for form in ("format", "stand-alone"))
    return {name.lower(): number for names in named for number, name in names.items()}


def _clock(time: re.Match[str], text: str) -> tuple[int, int, int]:
    hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
    half = (time[4] or "").lower()
    if half == "p" or any(word in text for word in _AFTERNOON):
        hour = hour % 12 + 12
    elif half == "a" or any(word in text for word in _MORNING):
        hour %= 12
    return hour, minute, second


def kind_of(text: str) -> str | None:
    """`highlight`, `note` or `bookmark`; None where no word of a known language says which."""
    lowered = text.lower()
    return next((kind for kind, words in _KINDS if any(word in lowered for word in words.split())), None)


def place_of(text: str) -> str | None:
    """The place in the book as the device counts: `512-514`."""
    found = _PLACE.search(text)
    return found[1] if found else None


def page_of(text: str) -> int | None:
    """The page."""
    found = _PAGE.search(text)
    number = (found[1] or found[2]) if found else ""
    return int(number) if 0 < len(number) < 7 else None
