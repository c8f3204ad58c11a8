"""What records of films, books, music and searches have in common: the keys that `mappings/media.ttl` reads.

`_class` is the class of the event, `_start` when it happened: an ISO date, or a date-time with its offset where the
export tells one. Every other key that begins with _ is named as the property that its value becomes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from ..base import Record, as_told

__all__ = ["clean", "day_of", "epoch", "label_of", "moment_of", "number_of", "others", "prose", "put", "stars", "whole"]

_FIRST: Final = datetime(1900, 1, 1)
_LAST: Final = datetime(2200, 1, 1)
"""Between them is whatever an export tells of; other years are no dates."""
_MOST: Final = 10**9
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:[.,]\d{1,15})?")
_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")


def clean(value: Any) -> str | None:
    """A text on one line, without blanks around, or None for an empty one and for what is no text."""
    return " ".join(value.split()) or None if isinstance(value, str) else None


def prose(value: Any) -> str | None:
    """A text with its lines, or None for an empty one and for what is no text."""
    return value.strip() or None if isinstance(value, str) else None


def moment_of(value: Any, *, utc: bool = False) -> str | None:
    """An ISO date-time out of a text; `utc` says that one without an offset is in UTC. None for anything else."""
    if not isinstance(value, str) or not 10 < len(value) < 40:
        return None
    try:
        found = datetime.fromisoformat(value.strip().removesuffix(" UTC"))
    except ValueError:
        return None
    if not _FIRST <= found.replace(tzinfo=None) < _LAST:
        return None
    if found.tzinfo is None:
        return found.isoformat() + ("Z" if utc else "")
    return found.replace(tzinfo=None).isoformat() + "Z" if not found.utcoffset() else found.isoformat()


def epoch(value: Any) -> str | None:
    """An ISO date-time in UTC out of seconds since 1970 that are a whole number, also as a text."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and math.isfinite(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 7_000_000_000:
        return None
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value)).replace(tzinfo=None).isoformat() + "Z"


def day_of(value: Any) -> str | None:
    """An ISO date out of `2024/3/1` or `2024-03-01`."""
    found = _DAY.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if found is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    return day.isoformat() if _FIRST.year <= day.year < _LAST.year else None


def number_of(value: Any) -> float | None:
    """A number that a value is or says, where it is no more than any count or rating can be."""
    if isinstance(value, str):
        text = value.strip()
        value = float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) > _MOST:
        return None
    return float(value) if math.isfinite(value) and abs(value) <= _MOST else None


def whole(value: Any, least: int = 1) -> int | None:
    """A whole number that a value is or says, from `least`."""
    number = number_of(value)
    return int(number) if number is not None and number.is_integer() and number >= least else None


def stars(value: Any, of: float = 5) -> float | None:
    """A rating above zero, out of 5 whatever scale it was given on; services write 0 for none."""
    number = number_of(value)
    return round(number * 5 / of, 2) if number is not None and 0 < number <= of else None


def others(told: Mapping[str, Any], used: Collection[str]) -> Record:
    """A record of the keys of an export that no property stands for; the rest is put into it."""
    return as_told((key, value) for key, value in told.items() if key not in used and value not in (None, "", [], {}))


def put(record: Record, values: Mapping[str, Any]) -> None:
    """Sets the values that are there, under names of properties."""
    record |= {f"_{name}": value for name, value in values.items() if value not in (None, "", [])}


def label_of(parts: Iterable[str | None]) -> str | None:
    """What names an event: the parts that are there."""
    return " – ".join(part for part in parts if part) or None
