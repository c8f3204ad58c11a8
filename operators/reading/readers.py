"""Values of each attribute type from the texts that exports write.

A text may be read in several ways (3/4/22, 1,200, 45:10, 1709240400). Which one holds is a matter of who wrote it, so
it is decided once for all values that one export has of one property (`infer`), never for one value alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from ..nodes import AttributeType
from .names import month_of, weekday_of
from .read_amounts import Quantity, comma_evidence, parts_of_clock, read_duration, read_quantity, read_truth, seconds_in
from .read_times import epoch_of, from_epoch, orders, read_clock, read_compact_clock, read_moment

__all__ = ["METHOD", "Conventions", "Value", "infer", "month_of", "read", "read_amount", "weekday_of"]

METHOD: Final = "1"
"""Changes when the same texts may give other values."""
Value = int | Decimal | bool | date | time | datetime | timedelta
"""What a text is read as: a length of time is a timedelta, a number with a fraction a Decimal."""
_LONGEST_DURATION: Final = timedelta.max.total_seconds()


@dataclass(frozen=True, slots=True)
class Conventions:
    """How the writer of a property's values writes them; None where the values do not show it.

    `day_first`: 3/4 is the third of April; `decimal_comma`: 1,200 is a little more than one; `epoch`: bare numbers
    count s, ms or us since 1970; `hours_first`: 1:30 is an hour and a half; `compact_clock`: 0905 is five past nine.
    """

    day_first: bool | None = None
    decimal_comma: bool | None = None
    epoch: str | None = None
    hours_first: bool | None = None
    compact_clock: bool | None = None

    def or_else(self, other: Conventions) -> Conventions:
        """These, and what they leave open as in `other`."""
        open_ = {at.name: getattr(other, at.name) for at in fields(self) if getattr(self, at.name) is None}
        return replace(self, **open_)


UNKNOWN: Final = Conventions()


def infer(texts: Iterable[str], kind: AttributeType) -> Conventions:
    """The conventions that the values of one property show; the majority where they contradict each other."""
    values = tuple(dict.fromkeys(text.strip() for text in texts))
    if kind in (AttributeType.DATE, AttributeType.DATETIME):
        return Conventions(day_first=_day_first(values), epoch=_epoch(values))
    if kind is AttributeType.TIME:
        return Conventions(day_first=_day_first(values), epoch=_epoch(values), compact_clock=_compact_clock(values))
    if kind in (AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION):
        return Conventions(decimal_comma=_majority(map(comma_evidence, values)), hours_first=_hours_first(values))
    return UNKNOWN


def read(
    text: str, kind: AttributeType, conventions: Conventions = UNKNOWN, *, unit: str | None = None
) -> Value | None:
    """A text as a value of a type: DATE a date, TIME a time, DATETIME a datetime without zone, DURATION a timedelta,
    INT an int (cut off), FLOAT a Decimal, BOOL a bool. None where it is no such value, and for STR and LIST.

    `unit` is the unit of plain numbers in a DURATION (seconds where none is stated).
    """
    plain = text.strip()
    if kind is AttributeType.DURATION:
        return _duration(plain, conventions, unit)
    reader = _READERS.get(kind)
    return reader(plain, conventions) if reader else None


def read_amount(text: str, conventions: Conventions = UNKNOWN) -> Quantity | None:
    """A number with its unit; a length of time that is written as such (1:30:00, PT5M, 1 h 30 min) in seconds."""
    found = read_quantity(text.strip(), conventions.decimal_comma)
    if found is not None:
        return found
    seconds = read_duration(text.strip(), hours_first=bool(conventions.hours_first))
    return None if seconds is None else Quantity(seconds, "s")


def _date(text: str, conventions: Conventions) -> date | None:
    found = _moment(text, conventions)
    return found.date() if isinstance(found, datetime) else found


def _datetime(text: str, conventions: Conventions) -> datetime | None:
    found = _moment(text, conventions)
    return found if found is None or isinstance(found, datetime) else datetime.combine(found, time())


def _moment(text: str, conventions: Conventions) -> datetime | date | None:
    if conventions.epoch is not None and epoch_of(text):
        return from_epoch(text, conventions.epoch)
    return read_moment(text, conventions.day_first)


def _time(text: str, conventions: Conventions) -> time | None:
    if conventions.compact_clock:
        return read_compact_clock(text) or read_clock(text)
    found = read_clock(text)
    if found is not None:
        return found
    moment = _moment(text, conventions)
    return moment.time() if isinstance(moment, datetime) else None


def _duration(text: str, conventions: Conventions, unit: str | None) -> timedelta | None:
    seconds = _seconds(text, conventions, unit)
    if seconds is None or abs(seconds) >= _LONGEST_DURATION:
        return None
    return timedelta(microseconds=int(seconds * 1_000_000))


def _seconds(text: str, conventions: Conventions, unit: str | None) -> Decimal | None:
    """Seconds; a number with marks (1.234,5 min) by the conventions for numbers."""
    hours_first = conventions.hours_first
    if hours_first is None and unit is not None:
        hours_first = seconds_in(unit) == 3600
    quantity = read_quantity(text, conventions.decimal_comma)
    size = _size(quantity.unit or unit) if quantity else None
    if quantity is None or size is None:
        return read_duration(text, unit, hours_first=bool(hours_first))
    return quantity.value * size


def _size(unit: str | None) -> Decimal | None:
    return Decimal(1) if unit is None else seconds_in(unit)


def _float(text: str, conventions: Conventions) -> Decimal | None:
    found = read_amount(text, conventions)
    return found.value if found else None


def _int(text: str, conventions: Conventions) -> int | None:
    found = read_amount(text, conventions)
    return int(found.value) if found else None


_READERS: Final[dict[AttributeType, Callable[[str, Conventions], Value | None]]] = {
    AttributeType.DATE: _date,
    AttributeType.DATETIME: _datetime,
    AttributeType.TIME: _time,
    AttributeType.FLOAT: _float,
    AttributeType.INT: _int,
    AttributeType.BOOL: lambda text, _: read_truth(text),
}


def _majority(evidence: Iterable[bool | None]) -> bool | None:
    """What most of those say that say anything; None for a draw."""
    said = [each for each in evidence if each is not None]
    balance = 2 * sum(said) - len(said)
    return balance > 0 if balance else None


def _day_first(values: Sequence[str]) -> bool | None:
    """By the dates that can be read in one order only: of 13 to 31 the day is known."""
    possible = (orders(text) for text in values)
    return _majority(order[0] for order in possible if order is not None and order[0] != order[1])


def _epoch(values: Sequence[str]) -> str | None:
    """What bare numbers count, where all of them count the same."""
    units = {epoch_of(text) for text in values if text.replace(".", "", 1).isdecimal()}
    return units.pop() if len(units) == 1 else None


def _hours_first(values: Sequence[str]) -> bool | None:
    """Whether lengths of two parts begin with hours: not where others have three, nor where the first is large."""
    clocks = [found for text in values if (found := parts_of_clock(text))]
    if any(parts == 3 or first > 23 for parts, first in clocks):
        return False
    return None


def _compact_clock(values: Sequence[str]) -> bool | None:
    """Whether bare numbers are clocks without a colon: all can be, and one begins with 0, which no year does."""
    bare = [text for text in values if text.isdecimal()]
    if not bare or any(read_compact_clock(text) is None for text in bare):
        return None
    return True if any(text.startswith("0") for text in bare) else None
