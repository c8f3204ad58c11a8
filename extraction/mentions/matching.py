"""Whether a record, or what another text tells, is the happening that a text tells of: by its day and what is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final

from ...ontology.namespaces import EV
from ...store.words import normalise
from .event_mentions import EventMention

_FAR: Final = Decimal("0.06")
"""Share by which distances of one workout may differ: "ten k" of 9.7 km."""
_LONG: Final = Decimal("0.12")
_MINUTES: Final = Decimal(420)
"""Share, and seconds, by which its lengths of time may."""
_DAYS: Final = 3
"""Days between an order and what a text tells of it."""
_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Shown:
    """A record, or a told happening: its values as texts by the local name of the property, and its start."""

    event: str
    day: date
    values: Mapping[str, tuple[str, ...]]
    start: str = ""

    def first(self, name: str) -> str | None:
        """The first value of a property."""
        return next(iter(self.values.get(name, ())), None)

    def number(self, name: str) -> Decimal | None:
        """The first value as a number; None where it is none."""
        try:
            return Decimal(self.first(name) or "")
        except InvalidOperation:
            return None


def same_event(klass: str, one: EventMention, near: Sequence[Shown]) -> Shown | None:
    """Which of what is near in time is the happening; the first of several that may be."""
    alike = {EV + "MovieStream": _film, EV + "Workout": _workout, EV + "Purchase": _purchase}[klass]
    return next((shown for shown in near if alike(one, shown)), None)


def _apart(one: EventMention, shown: Shown) -> int:
    """Days by which the record is earlier (negative: later)."""
    return (one.day - shown.day).days


def _film(one: EventMention, shown: Shown) -> bool:
    days = _apart(one, shown)
    near = days in (0, 1) if one.day_said else days in (0, 1, 2)
    return near and _titles(one.values.get("movieTitle", ())) & _titles(shown.values.get("movieTitle", ())) != set()


def _titles(values: Sequence[object]) -> set[str]:
    return {normalise(str(value)) for value in values}


def _workout(one: EventMention, shown: Shown) -> bool:
    days = _apart(one, shown)
    if not (days == 0 or (days == 1 and not one.day_said)):
        return False
    kind, other = _text(one, "workoutType"), shown.first("workoutType")
    named = kind is None or other is None or normalise(kind) == normalise(other)
    far = _differ(_number(one, "distance"), shown.number("distance"))
    long = _differ(_number(one, "duration"), shown.number("duration"))
    lengths = _number(one, "duration"), shown.number("duration")
    timed = long is None or long <= _LONG or abs((lengths[0] or 0) - (lengths[1] or 0)) <= _MINUTES
    if far is not None:
        return far <= (_FAR if named else _FAR / 3) and (timed or named)
    return named and timed


def _purchase(one: EventMention, shown: Shown) -> bool:
    if abs(_apart(one, shown)) > _DAYS:
        return False
    price, other = _number(one, "price"), shown.number("price")
    mine, yours = _text(one, "product"), shown.first("product")
    alike = _shared(mine, yours)
    if price is not None and other is not None:
        same = abs(price - other) <= _CENT
        unit = shown.number("unitPrice")
        if not same and unit is not None and alike >= 0.5:
            same = abs(price - unit) <= _CENT
        return same and (mine is None or yours is None or alike > 0 or _apart(one, shown) == 0)
    return alike >= 0.6


def _shared(one: str | None, other: str | None) -> float:
    """Which share of the fewer words two names have in common."""
    mine, yours = (set(normalise(text or "").split()) for text in (one, other))
    return len(mine & yours) / min(len(mine), len(yours)) if mine and yours else 0.0


def _text(one: EventMention, name: str) -> str | None:
    value = one.first(name)
    return str(value) if value is not None else None


def _number(one: EventMention, name: str) -> Decimal | None:
    value = one.first(name)
    return value if isinstance(value, Decimal) else None


def _differ(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """By which share two numbers differ; None where one is missing."""
    if one is None or other is None or max(one, other) == 0:
        return None
    return abs(one - other) / max(one, other)
