"""Which accounts tell of the same happening: candidate pairs by day, a logistic regression over each, links.

Candidates come from an index by day, never from all pairs. Weights: `trained/coreference/weights.json`, one set for
each sort of pair (`Sort`), learned by `training/coreference.py`; the model card stands beside them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Final

from .accounts import Account, days_of
from .features import FEATURES, Rarity, features, within

_APART: Final = timedelta(minutes=45)
"""A record and a calendar entry that start further apart, and do not overlap, are no candidates."""
_SAYS: Final = 0.4
"""Least rarity of a shared word that makes a text a candidate."""


class Sort(StrEnum):
    """What is compared with what."""

    RECORD_CALENDAR = "record and calendar"
    RECORD_TEXT = "record and text"
    CALENDAR_TEXT = "calendar and text"
    TEXTS = "two texts"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that may tell of the same happening; `one` states its time, if any of them does."""

    one: Account
    other: Account
    sort: Sort
    found: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Link:
    """Two events that tell of the same happening, with the probability of that."""

    one: str
    other: str
    score: float


@dataclass(frozen=True)
class Weights:
    """A bias, a weight for each feature and the least probability of a link, by sort of pair; `background` is the share
    of texts in general that have a word."""

    bias: Mapping[Sort, float]
    weights: Mapping[Sort, Mapping[str, float]]
    threshold: Mapping[Sort, float]
    background: Mapping[str, float]
    identity: str

    def probability(self, candidate: Candidate) -> float:
        """Of a pair being about the same happening."""
        own = self.weights[candidate.sort]
        total = self.bias[candidate.sort] + sum(own.get(name, 0.0) * value for name, value in candidate.found.items())
        return 1 / (1 + exp(-max(-60.0, min(60.0, total))))


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The shipped weights."""
    return read_weights(files("reqap_kg.models").joinpath("trained/coreference/weights.json").read_text("utf-8"))


def read_weights(text: str) -> Weights:
    """Weights from their JSON form: `sorts`, by name {bias, threshold, weights}, and `background`."""
    read = json.loads(text)
    held = {Sort(name): own for name, own in read["sorts"].items()}
    return Weights(
        bias={sort: own["bias"] for sort, own in held.items()},
        weights={sort: {name: own["weights"].get(name, 0.0) for name in FEATURES} for sort, own in held.items()},
        threshold={sort: own["threshold"] for sort, own in held.items()},
        background=read["background"],
        identity=hashlib.sha256(text.encode()).hexdigest()[:16],
    )


def links(accounts: Sequence[Account], weights: Weights) -> tuple[Link, ...]:
    """The pairs of accounts that tell of the same happening, surest first."""
    found = [
        (weights.probability(pair), pair) for pair in candidates(accounts, Rarity.of(accounts, weights.background))
    ]
    sure = [(score, pair) for score, pair in found if score >= weights.threshold[pair.sort]]
    chosen = [*twins(accounts), *(Link(p.one.event, p.other.event, round(score, 4)) for score, p in _single(sure))]
    return tuple(sorted(chosen, key=lambda link: (-link.score, link.one, link.other)))


def _single(found: Iterable[tuple[float, Candidate]]) -> Iterator[tuple[float, Candidate]]:
    """Of a record's calendar entries, and of a calendar entry's records of one class, only the surest."""
    taken: set[tuple[str, str]] = set()
    for score, pair in sorted(found, key=lambda entry: (-entry[0], entry[1].one.event, entry[1].other.event)):
        if pair.sort is Sort.RECORD_CALENDAR:
            places = {(pair.one.event, pair.other.kind), (pair.other.event, pair.one.kind)}
            if places & taken:
                continue
            taken |= places
        yield score, pair


def twins(accounts: Iterable[Account]) -> Iterator[Link]:
    """What two exports both have: the same class, the same start and end, the same name."""
    seen: dict[tuple[object, ...], Account] = {}
    for account in accounts:
        if account.stated and account.source:
            first = seen.setdefault((account.kind, account.start, account.end, account.naming), account)
            if first.source != account.source:
                yield Link(first.event, account.event, 1.0)


def candidates(accounts: Sequence[Account], rarity: Rarity) -> list[Candidate]:
    """The pairs that share a day and something else."""
    pairs = [
        Candidate(one, other, sort, features(one, other, rarity))
        for one, other, sort in _sharing_days(accounts)
        if _may_match(one, other, sort, rarity)
    ]
    return _with_rivals(pairs)


def _sharing_days(accounts: Sequence[Account]) -> Iterator[tuple[Account, Account, Sort]]:
    """Pairs by day, each once."""
    stated: dict[date, list[Account]] = defaultdict(list)
    for account in accounts:
        if account.stated:
            for day, _ in days_of(account):
                stated[day].append(account)
    told: dict[date, list[Account]] = defaultdict(list)
    for account in accounts:
        met: set[str] = {account.event}
        for day, back in days_of(account):
            for other in (*stated.get(day, ()), *(told.get(day, ()) if not account.stated and not back else ())):
                if other.event not in met and (sort := _sort(other, account)) is not None:
                    met.add(other.event)
                    yield other, account, sort
            if not account.stated and not back:
                told[day].append(account)


def _sort(one: Account, other: Account) -> Sort | None:
    """What a pair is; None where it is none, or the other way round."""
    if one.record:
        return Sort.RECORD_CALENDAR if other.calendar else Sort.RECORD_TEXT if other.text else None
    if one.calendar:
        return Sort.CALENDAR_TEXT if other.text else None
    return Sort.TEXTS if other.text else None


def _may_match(one: Account, other: Account, sort: Sort, rarity: Rarity) -> bool:
    """Whether a pair is worth looking at."""
    if sort is Sort.RECORD_CALENDAR:
        late, soon = max(one.start, other.start), min(one.end or one.start, other.end or other.start)
        return late <= soon or abs(one.start - other.start) <= _APART
    if one.stated and within(one, other):
        return False
    if one.people & other.people or other.sender in one.people or one.sums & other.sums:
        return True
    if any(rarity(word) >= _SAYS for word in one.words & other.words):
        return True
    mine, yours = one.values or {}, other.values or {}
    if any(mine[key] & yours[key] for key in mine.keys() & yours.keys()):
        return True
    return sort is not Sort.TEXTS and any(told.clock and told.day == one.start.date() for told in other.told)


def _with_rivals(pairs: Sequence[Candidate]) -> list[Candidate]:
    """The pairs, each with how much more its other account has in common with another one of that sort and day."""
    best: dict[tuple[str, Sort, date], list[float]] = defaultdict(list)
    for pair in pairs:
        best[_contest(pair)].append(_common(pair.found))
    found = []
    for pair in pairs:
        own, all_ = _common(pair.found), sorted(best[_contest(pair)])
        others = all_[:-1] if own == all_[-1] else all_
        rival = max(-2.0, min(4.0, max(others, default=0.0) - own))
        found.append(Candidate(pair.one, pair.other, pair.sort, {**pair.found, "rival": rival}))
    return found


def _contest(pair: Candidate) -> tuple[str, Sort, date]:
    """Of the pairs in which an account is beside others of one day one is the best."""
    return pair.other.event, pair.sort, pair.one.start.date()


def _common(found: Mapping[str, float]) -> float:
    """How much a pair has in common."""
    get = found.get
    told = (
        get("said day", 0.0) * 1.5 + get("same clock", 0.0) * 2 + get("part of day", 0.0) * 0.5 + get("same day", 0.0)
    )
    said = get("shared words", 0.0) + get("named in it", 0.0) * 2 + get("people", 0.0) * 0.5 + get("values", 0.0) * 0.7
    return told + said + 3 * get("sum", 0.0) + 2 * get("range", 0.0) - get("other day", 0.0)
