"""Money, distances and lengths of time in a text, and which sum is the one that was paid."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ..operators.read_amounts import read_quantity


class Role(StrEnum):
    """What a sum of money is in its text: the total that was paid, a part of it, or something else (a rent, a saving,
    a price that somebody asks)."""

    TOTAL = "total"
    PAID = "paid"
    PART = "part"
    OTHER = "other"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Money:
    """A sum at [start, end). `currency` is the ISO 4217 code, None where the words leave it open."""

    start: int
    end: int
    value: Decimal
    currency: str | None
    role: Role = Role.PLAIN
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance at [start, end), in kilometres."""

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


_SUM = re.compile(r"[€$£]\s?\d+(?:[.,]\d+)?")


def money(text: str) -> tuple[Money, ...]:
    """All sums of money, by place."""
    found = ((match.span(), read_quantity(match[0])) for match in _SUM.finditer(text))
    return tuple(Money(*span, read.value, read.unit) for span, read in found if read)


def total_paid(text: str) -> Money | None:
    """The sum that was paid in all; None where no sum of the text can be that."""
    found = money(text)
    return found[0] if found else None


def distances(text: str) -> tuple[Distance, ...]:
    """All distances, by place."""
    found = re.finditer(r"(\d+(?:\.\d+)?)\s?km\b", text)
    return tuple(Distance(*match.span(), Decimal(match[1])) for match in found)


def durations(text: str) -> tuple[Length, ...]:
    """All lengths of time, by place."""
    found = re.finditer(r"(\d+)\s?min\b", text)
    return tuple(Length(*match.span(), Decimal(match[1])) for match in found)
