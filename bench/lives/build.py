"""Builds a life: its canonical events and what its sources show of them, with the links between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from . import habits
from .accounts import Account, record
from .canonical import happened, numbered, world_of, written
from .catalogue import stream
from .diary import Row
from .noise import distractors
from .persona import Persona
from .questionnaire import fill_in
from .slots import ESSENTIAL, as_said
from .telling import Teller
from .voice import voice

_STANDING: Final = frozenset(("id", "type", "start", "end", "trip", "trip_id")) | ESSENTIAL


@dataclass(frozen=True)
class Life:
    """A persona, the canonical events and the observables, both in order of time; observable n has id n + 1."""

    persona: Persona
    events: Sequence[Row]
    accounts: Sequence[Account]

    def canonical(self) -> Iterator[dict[str, Any]]:
        """The lines of canonical.jsonl."""
        return map(written, self.events)

    def observables(self) -> Iterator[dict[str, Any]]:
        """The lines of observables.jsonl."""
        return ({"id": number, **account.shown} for number, account in enumerate(self.accounts, start=1))

    def links(self) -> Iterator[tuple[str, int, str, int]]:
        """The rows of links.csv: canonical event, observable, attributes, whether the time is exact."""
        for number, account in enumerate(self.accounts, start=1):
            for told in account.tells:
                yield told.row["id"], number, "|".join(sorted(told.attributes)), int(told.exact)

    def occurrences(self) -> Iterator[dict[str, Any]]:
        """The lines of occurrences.jsonl: what several observables tell of."""
        tellers: dict[str, list[int]] = defaultdict(list)
        for event, number, *_ in self.links():
            tellers[event].append(number)
        for event, numbers in sorted(tellers.items()):
            if len(numbers) > 1:
                yield {"canonical_id": event, "observables": numbers}


def build(name: str, seed: int, events: int, until: datetime) -> Life:
    """The life of that persona with that many observables (more only where it has more without music), from the seed.

    What no observable tells is unknown in the canonical events too, so that no question needs it: an attribute is
    None, an event that nothing tells of is left out.
    """
    persona = fill_in(name, seed, until)
    world = world_of(persona, seed, events)
    rows, own = happened(world), voice(stream(seed, name, "voice"))
    accounts = list(Teller(world, stream(seed, name, "telling"), own).accounts(rows))
    accounts += distractors(world, stream(seed, name, "noise"), own)
    efforts = [row for row in rows if row["type"] == "workout"]
    music = habits.music(world, max(0, events - len(accounts)), efforts)
    accounts += [record(row, persona) for row in music]
    accounts.sort(key=lambda account: (account.at, account.shown["source"]))
    known = list(_known([*rows, *music], accounts))
    _rounded(known, accounts, persona.unit)
    return Life(persona, numbered(name, known), accounts)


def _rounded(events: Iterable[Row], accounts: Iterable[Account], unit: str) -> None:
    """Of a workout without a record only what a text says of its distance is known."""
    recorded = {id(told.row) for account in accounts if account.shown["source"] == "workout" for told in account.tells}
    for row in events:
        if row["type"] == "workout" and row["distance_km"] is not None and id(row) not in recorded:
            row["distance_km"] = as_said(row["distance_km"], unit)


def _known(rows: Sequence[Row], accounts: Sequence[Account]) -> Iterator[Row]:
    said: dict[int, set[str]] = defaultdict(set)
    exact: set[int] = set()
    for account in accounts:
        for told in account.tells:
            said[id(told.row)] |= told.attributes
            if told.exact:
                exact.add(id(told.row))
    for row in rows:
        if id(row) not in said:
            continue
        for key in row.keys() - _STANDING - said[id(row)]:
            row[key] = None
        row["time_observable"] = id(row) in exact
        yield row
