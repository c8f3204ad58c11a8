"""How two accounts agree and contradict each other, in a few numbers: time, words, people, places, values, sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import log
from typing import Final

from .accounts import Account, Told

_HOUR: Final = 60
_SURE: Final = 0.5
_MOST: Final = 0.6
"""Least share of a trip's days that tell of the trip."""
_TRIP: Final = 1
"""More days than so is a trip, of which a text may say where it starts and ends."""
FOR: Final = (
    "said day", "same clock", "part of day", "same day", "range", "overlap", "starts together", "inside",
    "shared words", "rarest word", "called so", "same thing", "same thing then", "named in it", "names it",
    "place in it", "people", "share of people", "sender took part", "values", "sum", "distance",
)  # fmt: skip
"""What speaks for the same happening."""
AGAINST: Final = (
    "other clock", "other part", "other day", "trip or not", "other people", "other values", "other sum",
    "other distance", "off", "rival",
)  # fmt: skip
"""What speaks against it."""
FEATURES: Final = (
    *FOR, *AGAINST, "day before", "two days before", "half range", "ahead", "impersonal", "other's",
)  # fmt: skip


@dataclass(frozen=True)
class Rarity:
    """How much a shared word says: 0 for one that all accounts have, near 1 for one of a single account.

    `background` is the share of texts in general that have a word, so that a small store knows common words, too.
    """

    counts: Mapping[str, float]
    accounts: int

    @classmethod
    def of(cls, accounts: Iterable[Account], background: Mapping[str, float]) -> Rarity:
        """Counted over accounts, and over what stands for texts in general."""
        counts: Counter[str] = Counter()
        number = 0
        for account in accounts:
            counts.update(account.words)
            number += 1
        general = {word: counts.get(word, 0) + share * _GENERAL for word, share in background.items()}
        return cls({**counts, **general}, number + _GENERAL)

    def __call__(self, word: str) -> float:
        """The rarity of a word."""
        return 1 - log(1 + self.counts.get(word, 0)) / log(1 + self.accounts)

    def total(self, words: Iterable[str]) -> float:
        """The sum over words."""
        return sum(map(self, words))


_GENERAL: Final = 1500
"""For how many accounts the texts in general count."""


def features(one: Account, other: Account, rarity: Rarity) -> dict[str, float]:
    """The features of a pair that are not 0 (`FEATURES`, but for `rival`); `one` states its time if any does."""
    found = _times(one, other)
    found |= _words(one, other, rarity)
    found |= _people(one, other)
    found |= _values(one, other)
    found |= _same_thing(found, naming=other.stated)
    found["off"] = float(one.off or other.off)
    found["impersonal"] = float(not other.personal)
    found["other's"] = float(other.text and not other.by_owner)
    return found


def vector(found: Mapping[str, float]) -> list[float]:
    """Features in their order."""
    return [found.get(name, 0.0) for name in FEATURES]


def _times(one: Account, other: Account) -> dict[str, float]:
    if one.stated and other.stated:
        return _overlap(one, other)
    return _matched(one, other) if one.stated else _texts(one, other)


def _overlap(one: Account, other: Account) -> dict[str, float]:
    """Two accounts that state their times."""
    until, late = one.end or one.start, other.end or other.start
    shared = (min(until, late) - max(one.start, other.start)) / timedelta(minutes=1)
    whole = (max(until, late) - min(one.start, other.start)) / timedelta(minutes=1)
    shorter = min(until - one.start, late - other.start) / timedelta(minutes=1)
    gap = abs(one.start - other.start) / timedelta(minutes=1)
    return {
        "overlap": max(0.0, shared) / whole if whole > 0 else 1.0,
        "starts together": max(0.0, 1 - gap / 30),
        "inside": max(0.0, shared) / shorter if shorter > 0 else 0.0,
        "trip or not": float(_is_long(one) != _is_long(other)),
    }


def _is_long(account: Account) -> bool:
    return (account.last_day - account.start.date()).days > _TRIP


def within(one: Account, text: Account) -> bool:
    """Whether a text tells of days of a trip, not of the trip: it says some of its days but not its ends, or none and
    is written on one of them."""
    if not _is_long(one):
        return False
    day, last = one.start.date(), one.last_day
    said = [told for told in text.told if told.said]
    if _ranges(day, last, said)["range"] or any(_on(told, day, last) for told in said):
        return False
    return bool(said) or one.start <= text.start <= (one.end or one.start)


def _matched(one: Account, text: Account) -> dict[str, float]:
    """A stated time, and a text."""
    day, last = one.start.date(), one.last_day
    said = [told for told in text.told if told.said]
    on = [told for told in said if _on(told, day, last)]
    found = _clocks(one, on or ([told for told in text.told if not told.said and told.day == day]))
    found |= _ranges(day, last, said)
    behind = (text.start.date() - day).days
    if on or found.get("range"):
        found["said day"] = 1.0
    else:
        found |= {"other day": 1.0} if said else {}
        name = {0: "same day", 1: "day before", 2: "two days before"}.get(behind)
        if name:
            found[name] = 1.0
    settled = found.get("same clock", 0.0) >= _SURE or found.get("range", 0.0)
    found["ahead"] = float(text.start < one.start and not settled)
    if "same day" in found and text.start < one.start:
        found["other clock"] = 1.0
    return found


def _on(told: Told, day: date, last: date) -> bool:
    """Whether a text's days are those of an account: its first, or one of a few; most of a trip."""
    if (last - day).days > _TRIP:
        shared = (min(last, told.last) - max(day, told.day)).days
        return shared > 0 and shared >= _MOST * (last - day).days
    return told.day <= day <= told.last and (told.last - told.day).days <= _TRIP + 1


def _clocks(one: Account, told: Sequence[Told]) -> dict[str, float]:
    """Whether the best time of day that is said fits."""
    length = int(((one.end or one.start) - one.start) / timedelta(minutes=1))
    first, until = one.minutes, one.minutes + min(length, 24 * _HOUR)
    clocks = [t.minutes for t in told if t.clock and t.minutes]
    parts = [t.minutes for t in told if not t.clock and t.said and t.minutes]
    found: dict[str, float] = {}
    if clocks:
        near = min(abs(begin - first) for begin, _ in clocks)
        found["same clock"] = max(0.0, 1 - near / 30)
        inside = any(first - 20 <= begin <= until for begin, _ in clocks)
        found["other clock"] = float(near > _HOUR and not inside)
    elif parts:
        fits = any(begin - 30 <= first < end or first <= begin < until for begin, end in parts)
        found["part of day" if fits else "other part"] = 1.0
    return found


def _ranges(day: date, last: date, said: Sequence[Told]) -> dict[str, float]:
    """For a trip: whether its ends are said."""
    if (last - day).days <= _TRIP:
        return {"trip or not": float(any((told.last - told.day).days > _TRIP + 1 for told in said))}
    days = {told.day for told in said} | {told.last for told in said}
    ends = (day in days) + (last in days)
    return {"range": float(ends == 2), "half range": float(ends == 1), "trip or not": float(ends < 2)}


def _texts(one: Account, other: Account) -> dict[str, float]:
    """Two texts: the days that both tell of, or that of writing of one."""
    mine, yours = ([t for t in account.told if t.said] for account in (one, other))
    pairs = [(a, b) for a in mine for b in yours if (a.day, a.last) == (b.day, b.last)]
    found: dict[str, float] = {}
    if pairs:
        found["said day"] = 1.0
        clocks = [abs(a.minutes[0] - b.minutes[0]) for a, b in pairs if a.minutes and b.minutes and a.clock and b.clock]
        if clocks:
            found["same clock"] = max(0.0, 1 - min(clocks) / 30)
            found["other clock"] = float(min(clocks) > _HOUR)
        if any(a.last != a.day and a.last == b.last for a, b in pairs):
            found["range"] = 1.0
    elif any(t.day == other.start.date() for t in mine) or any(t.day == one.start.date() for t in yours):
        found["same day"] = 1.0
    elif one.start.date() == other.start.date():
        found["day before"] = 1.0
    else:
        found["other day"] = 1.0
    if mine and yours and not pairs:
        found["other day"] = 1.0
    return found


def _words(one: Account, other: Account, rarity: Rarity) -> dict[str, float]:
    shared = one.words & other.words
    weights = sorted((rarity(word) for word in shared), reverse=True)
    return {
        "shared words": sum(weight for weight in weights[:_RAREST] if weight > _SAYS),
        "rarest word": weights[0] if weights else 0.0,
        "called so": float(bool(one.called & other.words)),
        "named in it": _covered(one.naming - one.place, other.words, rarity),
        "names it": _covered(other.naming, one.words, rarity),
        "place in it": max(_covered(one.place, other.words, rarity), _covered(other.place, one.words, rarity)),
    }


_SAYS: Final = 0.3
"""Rarity below which a shared word says nothing."""
_RAREST: Final = 4
"""So many of the rarest shared words count, so that long texts have no more in common than short ones."""


def _covered(wanted: frozenset[str], held: frozenset[str], rarity: Rarity) -> float:
    """Which share of words is held, by rarity."""
    whole = rarity.total(wanted)
    return rarity.total(wanted & held) / whole if whole > 0 else 0.0


def _people(one: Account, other: Account) -> dict[str, float]:
    shared = one.people & (other.people | {other.sender})
    mentioned = other.people & one.people
    found = {"people": float(min(len(shared | mentioned), 3))}
    if one.people:
        found["share of people"] = len(shared) / len(one.people)
        found["sender took part"] = float(other.sender in one.people or one.sender in other.people)
        found["other people"] = float(bool(other.people) and not shared)
    return found


def _same_thing(found: Mapping[str, float], *, naming: bool) -> dict[str, float]:
    """Whether what the accounts are about fits, and the time fits, too. `naming`: the kind of thing is enough."""
    get = found.get
    same = max(get("named in it", 0.0), get("distance", 0.0), get("sum", 0.0), float(get("values", 0.0) > 0))
    same = max(same, get("called so", 0.0)) if naming else same
    then = max(get("overlap", 0.0), get("starts together", 0.0), get("same clock", 0.0), get("range", 0.0))
    said = 0.7 * get("said day", 0.0) + 0.3 * get("part of day", 0.0) - 0.3 * get("other part", 0.0)
    then = max(then, said, 0.5 * get("same day", 0.0))
    return {"same thing": same, "same thing then": same * then}


def _values(one: Account, other: Account) -> dict[str, float]:
    mine, yours = one.values or {}, other.values or {}
    both = mine.keys() & yours.keys()
    agreeing = sum(bool(mine[key] & yours[key]) for key in both)
    found = {"values": float(min(agreeing, 4)), "other values": float(min(len(both) - agreeing, 4))}
    if one.sums and other.sums:
        same = bool(one.sums & other.sums)
        found["sum"], found["other sum"] = float(same), float(not same)
    if one.distances and other.distances:
        near = any(abs(a - b) <= _NEAR * max(a, b) for a in one.distances for b in other.distances)
        found["distance"], found["other distance"] = float(near), float(not near)
    return found


_NEAR: Final = 0.06
"""Distances that differ by less may be the same: "ten k" of 9.7 km."""
