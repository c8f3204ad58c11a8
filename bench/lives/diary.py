"""What is known while a life is made: the person, when they are busy or away, and the places where they go."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from .catalogue import filled, stock
from .persona import Persona

Row = dict[str, Any]
"""A canonical event: `type`, `start`, `end` (datetimes) and the keys of its type."""


class Diary:
    """Who does something cannot do something else: intervals by day."""

    def __init__(self) -> None:
        self._busy: dict[date, list[tuple[datetime, datetime]]] = defaultdict(list)

    def free(self, start: datetime, end: datetime) -> bool:
        """Whether nothing else goes on between these."""
        return all(end <= s or e <= start for day in (start.date(), end.date()) for s, e in self._busy[day])

    def book(self, start: datetime, end: datetime) -> bool:
        """Takes the time if it is free."""
        if not self.free(start, end):
            return False
        for day in {start.date(), end.date()}:
            self._busy[day].append((start, end))
        return True


@dataclass
class World:
    """A life in the making. `factor` says how eventful it is: 1 for some 4,500 events in seven years."""

    persona: Persona
    rng: random.Random
    factor: float
    diary: Diary = field(default_factory=Diary)
    away: dict[date, Row] = field(default_factory=dict)
    places: dict[str, list[tuple[str, str | None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Invents the places of the home town; restaurants have a cuisine."""
        life, who = stock("life"), self.persona
        taken: set[str] = set()
        for kind, forms in life["place"].items():
            if kind in ("adjectives", "nouns"):
                continue
            wanted = {"restaurant": 10, "cafe": 5, "clinic": 8}.get(kind, 3)
            self.places[kind] = []
            while len(self.places[kind]) < wanted:
                form = self.rng.choice(forms)
                quarter = self.rng.choice((who.quarter, *self._quarters()))
                name = filled(self.rng, form, quarter=quarter, culture=who.culture)
                if name not in taken:
                    taken.add(name)
                    cuisine = self.rng.choice(who.likes["cuisines"]) if kind == "restaurant" else None
                    self.places[kind].append((name, cuisine))

    def _quarters(self) -> list[str]:
        return next(h["quarters"].split(", ") for h in stock("people")["home"] if h["city"] == self.persona.city)

    @property
    def days(self) -> int:
        """Days that the data cover."""
        return (self.persona.now.date() - self.persona.begin).days

    @property
    def years(self) -> float:
        """Years that the data cover."""
        return self.days / 365.25

    def day(self, *, weekend: float = 1.0) -> date:
        """A day of the data; with `weekend` above 1, rather a Saturday or Sunday."""
        while True:
            day = self.persona.begin + timedelta(days=self.rng.randrange(self.days))
            if self.rng.random() * max(1.0, weekend) < (weekend if day.weekday() > 4 else 1.0):
                return day

    def at(self, day: date, low: float, high: float) -> datetime:
        """A time of that day between two hours, on five minutes."""
        minutes = round(self.rng.uniform(low, high) * 12) * 5
        return datetime.combine(day, time()) + timedelta(minutes=minutes)

    def past(self, end: datetime) -> bool:
        """Whether that lies before the moment of asking."""
        return end < self.persona.now

    def yearly(self) -> Iterator[int]:
        """The years that the data touch."""
        yield from range(self.persona.begin.year, self.persona.now.year + 1)

    def covers(self, day: date) -> bool:
        """Whether the data cover that day, and it is over."""
        return self.persona.begin <= day < self.persona.now.date()

    def place(self, kind: str) -> tuple[str, str | None]:
        """One of the persona's places of a kind with its cuisine: rather those that come first."""
        known = self.places[kind]
        return self.rng.choices(known, weights=[1 / (n + 1.5) for n in range(len(known))])[0]

    def repeats(self, a_year: float) -> int:
        """How many of something that happens so often a year."""
        expected = a_year * self.years
        return int(expected) + (self.rng.random() < expected % 1)
