"""Dates, times, sums, distances and lengths of time that a text says, as values with the words that say them."""

from __future__ import annotations

from datetime import datetime, time
from decimal import Decimal
from typing import Final, TypeVar

from ...texts.quantities.lengths import Distance, Length, distances, durations
from ...texts.quantities.money import money, total_paid
from ...texts.time.times import Known
from ..documents import UNDATED
from ..keys import TextKey, ValueKind
from ..page import Found, Page

_KILOMETRES: Final = {"km": Decimal(1), "m": Decimal(1000), "mi": Decimal(1) / Decimal("1.609344")}
_MINUTES: Final = {"min": Decimal(1), "h": Decimal(1) / 60, "s": Decimal(60)}


_Measured = TypeVar("_Measured", Distance, Length)


def quantity(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """The value of a key of a measured kind; nothing where the text says none."""
    match key.kind:
        case ValueKind.DATE | ValueKind.TIME | ValueKind.DATETIME:
            return _moment(page, key.kind)
        case ValueKind.MONEY:
            return _sum(page, question)
        case ValueKind.CURRENCY:
            return _currency(page)
        case ValueKind.DISTANCE:
            return _distance(page, key.unit or "km", question)
        case _:
            return _duration(page, key.unit or "s", question)


def _moment(page: Page, kind: ValueKind) -> tuple[Found, ...]:
    found = page.event_time if page.document.written != UNDATED else None
    if found is None:
        return ()
    start, end = found.start or 0, found.end or 0
    clock = found.time
    if found.known is Known.ENTRY and clock is None and page.document.start:
        clock = page.document.start.time()
    value = found.day
    if kind is ValueKind.TIME:
        return (page.found(clock, start, end, found.score),) if clock is not None else ()
    if kind is ValueKind.DATETIME:
        value = datetime.combine(found.day, clock or time())
    return (page.found(value, start, end, found.score),)


def _sum(page: Page, question: str) -> tuple[Found, ...]:
    """What was paid in all; a sum that the reader marked where nothing says which it is."""
    total = total_paid(page.text)
    if total is None:
        tagged = [s for s in money(page.text) if _tagged(page, question, s.start, s.end)]
        total = tagged[0] if len(tagged) == 1 else None
    return (page.found(total.value, total.start, total.end, total.score),) if total else ()


def _currency(page: Page) -> tuple[Found, ...]:
    total = total_paid(page.text) or next((s for s in money(page.text) if s.currency), None)
    return (page.found(total.currency, total.start, total.end, total.score),) if total and total.currency else ()


def _distance(page: Page, unit: str, question: str) -> tuple[Found, ...]:
    best = _best(page, question, distances(page.text))
    factor = _KILOMETRES.get(unit, Decimal(1))
    return (page.found(best.kilometres * factor, best.start, best.end, best.score),) if best else ()


def _duration(page: Page, unit: str, question: str) -> tuple[Found, ...]:
    best = _best(page, question, durations(page.text))
    if best is not None:
        value = (best.minutes * _MINUTES.get(unit, Decimal(60))).quantize(Decimal("0.01")).normalize()
        return (page.found(Decimal(f"{value:f}"), best.start, best.end, best.score),)
    document = page.document
    if page.is_entry and document.start and document.end and document.end > document.start:
        minutes = Decimal(int((document.end - document.start).total_seconds())) / 60
        value = (minutes * _MINUTES.get(unit, Decimal(60))).quantize(Decimal("0.01")).normalize()
        return (page.found(Decimal(f"{value:f}"), 0, 0, 0.5),)
    return ()


def _best(page: Page, question: str, found: tuple[_Measured, ...]) -> _Measured | None:
    """The one that the reader marked, else the surest, the first of several."""
    marked = [one for one in found if _tagged(page, question, one.start, one.end)]
    return max(marked or found, key=lambda one: one.score, default=None)


def _tagged(page: Page, question: str, start: int, end: int) -> bool:
    return any(span.start < end and start < span.end for span in page.tags.get(question, ()))
