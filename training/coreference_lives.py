"""The hand-written lives that linking is trained on: accounts, and which of them tell of the same happening.

`data/lives.jsonl`: a few weeks of an invented person a line; `events` of texts and of self-describing records, `same`
the pairs that tell of the same happening. `data/texts_*.jsonl`: texts of which some share a label `same_as`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from ..models.coreference.accounts import Account, account_of_record, account_of_text
from ..ontology.namespaces import EV
from ..store.vocabulary import packaged_vocabulary
from ..texts.document import Document, TextKind
from ..texts.lexicon.lexicon import Lexicon
from ..texts.people.mentions import Person, Profile
from .pairs import DATA
from .texts import lines

Pair = frozenset[str]
_CLASSES: Final = {
    "workout": EV + "Workout",
    "film": EV + "MovieStream",
    "episode": EV + "EpisodeStream",
    "purchase": EV + "Purchase",
}
_A_DAY: Final = 6
"""Accounts of others on each day of a life."""
_STRIDE: Final = 37
_TABLE: Final = timedelta(hours=1, minutes=30)
"""How long a calendar entry lasts of which the text says only when it starts."""


@dataclass(frozen=True)
class Lived:
    """A life: accounts, the pairs that tell of the same happening, and pairs of which nobody can say; `strangers` are
    accounts of other lives, of which pairs among them say nothing."""

    accounts: tuple[Account, ...]
    same: frozenset[Pair]
    doubtful: frozenset[Pair] = frozenset()
    strangers: frozenset[str] = frozenset()


def read_lives(lexicon: Lexicon, names: Iterable[str] = ("a", "b", "c", "d")) -> Iterator[Lived]:
    """All lives, and the texts of the files `texts_<name>.jsonl` by person."""
    for number, row in enumerate(lines(DATA / "lives.jsonl")):
        yield _life(row, f"life-{number}-", lexicon)
    for name in names:
        persons: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in lines(DATA / f"texts_{name}.jsonl"):
            persons[row["profile"]["me"]].append(row)
        for rows in persons.values():
            yield _texts(rows, lexicon)


def among_others(lives: Sequence[Lived]) -> list[Lived]:
    """Each life with accounts of others on its days, so that there is as much beside a happening as in a whole life; of
    these none tells of what its own tell."""
    strangers = [account for life in lives for account in life.accounts]
    return [_among(life, strangers) for life in lives]


def _among(life: Lived, strangers: Sequence[Account]) -> Lived:
    own = {account.event for account in life.accounts}
    days = sorted({account.start.date() for account in life.accounts} | {t.day for a in life.accounts for t in a.told})
    others = [account for account in strangers if account.event not in own]
    moved = [
        _moved(others[(place * _STRIDE + number) % len(others)], day, f"{day}-{number}-")
        for place, day in enumerate(days)
        for number in range(_A_DAY)
    ]
    return replace(life, accounts=(*life.accounts, *moved), strangers=frozenset(one.event for one in moved))


def _moved(account: Account, day: date, prefix: str) -> Account:
    by = day - account.start.date()
    end = account.end + by if account.end else None
    told = tuple(replace(told, day=told.day + by, last=told.last + by) for told in account.told)
    return replace(account, event=prefix + account.event, start=account.start + by, end=end, told=told)


def _life(row: Mapping[str, Any], prefix: str, lexicon: Lexicon) -> Lived:
    profile = _profile(row["me"], [*row["people"].items(), *row.get("nicknames", {}).items()])
    accounts = tuple(
        _account({**event, "id": prefix + event["id"]}, row["me"], profile, lexicon) for event in row["events"]
    )
    return Lived(accounts, frozenset(frozenset((prefix + a, prefix + b)) for a, b in row["same"]))


def _account(event: Mapping[str, Any], me: str, profile: Profile, lexicon: Lexicon) -> Account:
    if event["kind"] not in _CLASSES:
        return account_of_text(_document(event, me), lexicon, profile)
    start, end = datetime.fromisoformat(event["start"]), event.get("end")
    name = " ".join(event[key] for key in ("type", "series", "product", "title") if event.get(key))
    return account_of_record(
        event["id"], _CLASSES[event["kind"]], start, datetime.fromisoformat(end) if end else None, name,
        [event.get("shop", "")], lexicon, called=_called(_CLASSES[event["kind"]]),
        sums=[event["price"]] if "price" in event else [], kilometres=[event["km"]] if "km" in event else [],
    )  # fmt: skip


@lru_cache
def _called(iri: str) -> tuple[str, ...]:
    """What events of a class are called, and what one does with them."""
    info = packaged_vocabulary().classes[iri]
    return (*info.labels, *info.verbs)


def _document(event: Mapping[str, Any], me: str) -> Document:
    sender = event.get("from", "me")
    return Document(
        event=event["id"],
        kind=TextKind(event["kind"]),
        title=event.get("subject") or event.get("title") or "",
        body=event.get("text") or "",
        written=datetime.fromisoformat(event.get("written") or event["start"]),
        location=event.get("location") or "",
        sender=me if sender == "me" else sender,
        recipients=tuple(event.get("to", ())),
        by_owner=sender == "me",
        start=datetime.fromisoformat(event["start"]) if "start" in event else None,
        end=datetime.fromisoformat(event["end"]) if "end" in event else None,
    )


def _texts(rows: Iterable[Mapping[str, Any]], lexicon: Lexicon) -> Lived:
    accounts: dict[str, Account] = {}
    happenings: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in rows:
        profile = _profile(row["profile"]["me"], row["profile"]["people"].items())
        accounts[row["id"]] = account_of_text(_dated(row), lexicon, profile)
        for told in row["tells"]:
            if told.get("same_as"):
                happenings[told["same_as"]][row["id"]] = bool(told["happened"])
    same, doubtful = set[Pair](), set[Pair]()
    for tellers in happenings.values():
        for pair in combinations(tellers, 2):
            (same if all(tellers[i] for i in pair) else doubtful).add(frozenset(pair))
    return Lived(tuple(accounts.values()), frozenset(same), frozenset(doubtful))


def _dated(row: Mapping[str, Any]) -> Document:
    """A text; a calendar entry stands at the time of what it tells."""
    event: dict[str, Any] = dict(row)
    told = next((told for told in row["tells"] if told.get("event_date")), None)
    if row["kind"] == "calendar" and told:
        start = datetime.fromisoformat(f"{told['event_date']}T{told.get('start_time') or '00:00'}")
        event |= {"start": start.isoformat(), "end": (start + _TABLE).isoformat()}
    return _document(event, row["profile"]["me"])


def _profile(me: str, called: Iterable[tuple[str, str]]) -> Profile:
    """In the files a person stands under a relation, a nickname, or both."""
    calls: dict[str, list[str]] = defaultdict(list)
    for call, name in called:
        calls[name].append(call)
    relations = {name: next((c for c in own if c[:1].islower()), None) for name, own in calls.items()}
    people = (Person(n, tuple(c for c in own if c[:1].isupper()), relations[n]) for n, own in calls.items())
    return Profile(Person(me), tuple(people))
