"""What may stand in the slots of question templates: drawn from a life, so that the questions fit it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final

from .accounts import day_words
from .build import Life
from .catalogue import stock

_OUTINGS: Final = {
    "to the theatre": "theatre", "to a concert with others": "concert", "to the cinema": "cinema", "bowling": "bowling",
    "for a walk with others": "walk", "to a museum with others": "museum visit",
}  # fmt: skip
_FEASTS: Final = {
    "Christmas": "christmas", "New Year's Eve": "new_years_eve", "Halloween": "halloween",
    "Valentine's Day": "valentines_day",
}  # fmt: skip
_MEALS: Final = ("dinner", "lunch", "coffee", "brunch", "drinks")


@dataclass(frozen=True)
class Blank:
    """What a question says and what its SQL says for it; `joins`: the SQL stands for a look at another event."""

    said: str
    sql: str
    joins: bool = False


def quoted(value: object) -> str:
    """A value as it stands between quotes in SQL."""
    return str(value).replace("'", "''")


@dataclass
class Blanks:
    """Draws blanks of a life by the name of their slot; a number at the end asks for another one of the kind."""

    life: Life
    rng: random.Random
    _drawn: dict[str, Blank] = field(default_factory=dict)

    def draw(self, slots: Sequence[str]) -> dict[str, Blank] | None:
        """Blanks for all slots; None where the life has nothing for one of them."""
        self._drawn = {}
        for slot in slots:
            kind = slot.rstrip("0123456789")
            blank = self._one(kind)
            for _ in range(4):
                if blank is not None and blank in self._drawn.values():
                    blank = self._one(kind)
            if blank is None or blank in self._drawn.values():
                return None
            self._drawn[slot] = blank
        return self._drawn

    def _one(self, kind: str) -> Blank | None:
        if kind in _PERIODS:
            return _PERIODS[kind](self)
        if kind in _WORDS:
            said, sql = _WORDS[kind](self)
            return None if said is None else Blank(str(said), quoted(sql))
        counts = self._counts.get(kind)
        if not counts:
            return None
        value = self.rng.choices(list(counts), weights=[n**0.5 for n in counts.values()])[0]
        return Blank(_said(kind, value), quoted(value))

    @cached_property
    def _counts(self) -> dict[str, Counter[Any]]:
        """How often which value occurs, by slot."""
        found: dict[str, Counter[Any]] = {}
        for kind, (type_, key) in _COLUMNS.items():
            found[kind] = Counter(row[key] for row in self.life.events if row["type"] == type_ and row[key] is not None)
        found["artist"] = Counter(
            a for row in self.life.events if row["type"] == "music_stream" for a in row["artists"]
        )
        found["place"].pop("home", None)
        found["race"] = Counter({race: 1 for race, n in found["race"].items() if n == 1})
        found["tripcity"] = Counter({city: 1 for city, n in found["tripcity"].items() if n == 1})
        far = {s for s, row in stock("life")["sport"].items() if row["km"]}
        found["sporting"] = Counter(
            {s: n for s, n in found["sport"].items() if s.endswith("ing") and s != "strength training"}
        )
        found["sporting_far"] = Counter({s: n for s, n in found["sporting"].items() if s in far})
        found["company"] = Counter(
            row["organisation"]
            for row in self.life.events
            if row["type"] == "milestone" and row["kind"] == "new_job" and row["organisation"]
        )
        senders = Counter(a.shown["sender"] for a in self.life.accounts if a.shown["source"] == "mail")
        people = {p.name for p in (*self.life.persona.family, *self.life.persona.friends)} | {self.life.persona.name}
        found["firm"] = Counter({name: n for name, n in senders.items() if name not in people})
        return found

    @cached_property
    def _years(self) -> list[int]:
        """Years that the data cover whole."""
        return list(range(self.life.persona.begin.year + 1, self.life.persona.now.year))

    @cached_property
    def _turns(self) -> list[tuple[str, date]]:
        """Turning points of the life: a clause for each, and its day."""
        who, made = self.life.persona, []
        for row in self.life.events:
            if row["type"] != "milestone":
                continue
            said = {
                "new_job": f"I started at {row['organisation']}", "marriage": "I got married",
                "engagement": "we got engaged",
                "new_residence": f"I moved into the {str(row['title']).split(', ')[0]}",
                "new_kid": f"{who.called(row['person'] or '')} was born" if row["person"] else "",
                "new_pet": f"we got {row['person']}",
            }.get(row["kind"])  # fmt: skip
            if said and "None" not in said:
                made.append((said, row["start"].date()))
        return made

    def person(self) -> tuple[str | None, str | None]:
        """Somebody by full name, nickname or relation, and their full name."""
        return self._person(far=False)

    def far_person(self) -> tuple[str | None, str | None]:
        """Somebody who lives elsewhere."""
        return self._person(far=True)

    def _person(self, *, far: bool) -> tuple[str | None, str | None]:
        who = self.life.persona
        known = [p for p in (*who.family, *who.friends) if p not in who.kids and (not far or p.city != who.city)]
        if not known:
            return None, None
        one = self.rng.choice(known)
        relations = [p.relation for p in known]
        ways = [one.called, one.name]
        if one.relation and relations.count(one.relation) == 1:
            ways = [f"my {one.relation}", one.called]
        elif one.relation is None:
            ways = [one.called, one.called, one.name]
        return self.rng.choice(ways), one.name

    def year(self) -> Blank | None:
        """`2023`."""
        year = self.rng.choice(self._years)
        return Blank(str(year), str(year))

    def inyear(self) -> Blank | None:
        """`in 2023`."""
        year = self.rng.choice(self._years)
        last = year == self.life.persona.now.year - 1 and self.rng.random() < 0.5
        return Blank("last year" if last else f"in {year}", f"year(date) = {year}")

    def month(self) -> Blank | None:
        """`in May 2021`."""
        day = self.life.persona.begin + timedelta(days=self.rng.randrange(40, max(41, 365 * len(self._years))))
        first = day.replace(day=1)
        return _between(f"in {first:%B %Y}", first, _month_end(first))

    def turn(self, words: str, sign: str) -> Blank | None:
        """A clause such as `after I got married`."""
        if not self._turns:
            return None
        said, day = self.rng.choice(self._turns)
        return Blank(f"{words} {said}", f"date {sign} DATE '{day}'", joins=True)

    def period(self) -> Blank | None:
        """Any time that a question may be about, or all of it."""
        rng, now = self.rng, self.life.persona.now.date()
        kind = rng.choices(
            ("year", "month", "all", "this", "last month", "months", "turn", "job", "since", "trip", "day"),
            weights=(26, 12, 12, 6, 5, 8, 12, 6, 5, 3, 1),
        )[0]
        if kind == "year":
            return self.inyear()
        if kind == "month":
            return self.month()
        if kind == "all":
            return Blank(rng.choice(("in total", "overall", "so far", "all years together")), "TRUE")
        if kind == "this":
            return _between("this year", date(now.year, 1, 1), now)
        if kind == "last month":
            last = now.replace(day=1) - timedelta(days=1)
            return _between("last month", last.replace(day=1), last)
        if kind == "turn":
            words, sign = rng.choice((("since", ">="), ("before", "<"), ("after", ">")))
            return self.turn(words, sign)
        return self._rarer(kind)

    def _rarer(self, kind: str) -> Blank | None:
        rng, who = self.rng, self.life.persona
        year = rng.choice(self._years)
        if kind == "months":
            first = date(year, rng.randint(1, 9), 1)
            last = _month_end(date(year, first.month + 2, 1))
            form = rng.choice(("from {} to {} {}", "between {} and {} {}"))
            return _between(form.format(f"{first:%B}", f"{last:%B}", year), first, last)
        if kind == "since":
            return Blank(f"since {year}", f"date >= DATE '{year}-01-01'")
        if kind == "job":
            job = rng.choice(who.career)
            return _between(f"while I worked at {job.organisation}", job.start, job.end or who.now.date())
        if kind == "day":
            day = date(year, 12, 24)
            return _between(f"on {day_words(day)}", day, day)
        trips = [
            row
            for row in self.life.events
            if row["type"] == "trip" and row["destination_city"] in self._counts["tripcity"]
        ]
        if not trips:
            return None
        trip = rng.choice(trips)
        found = _between(f"during my trip to {trip['destination_city']}", trip["start"].date(), trip["end"].date())
        return Blank(found.said, found.sql, joins=True)

    def absent(self, kind: str, stocked: Sequence[str]) -> tuple[str | None, str | None]:
        """One that the life does not have."""
        missing = [name for name in stocked if name not in self._counts[kind]]
        name = self.rng.choice(missing) if missing else None
        return name, name

    def among(self, values: Sequence[Any]) -> tuple[Any, Any]:
        """One of these."""
        value = self.rng.choice(values)
        return value, value

    def named(self, words: dict[str, str]) -> tuple[str, str]:
        """One of these words, and what the data have for it."""
        said = self.rng.choice(list(words))
        return said, words[said]


def _month_end(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def _between(said: str, first: date, last: date) -> Blank:
    return Blank(said, f"date BETWEEN DATE '{first}' AND DATE '{last}'")


def _said(kind: str, value: Any) -> str:
    said = {"gp": "GP", "veterinarian": "vet"}.get(value) if kind == "doctor" else None
    return said or str(value).replace("_", " ")


_COLUMNS: Final = {
    "song": ("music_stream", "song_name"), "film": ("movie_stream", "movie_title"),
    "device": ("movie_stream", "device"),
    "series": ("tvseries_stream", "tvseries_title"), "sport": ("workout", "workout_type"),
    "race": ("workout", "event_name"),
    "shop": ("online_purchase", "shop"), "product": ("online_purchase", "product"),
    "category": ("online_purchase", "category"),
    "place": ("meeting", "place"), "cuisine": ("meeting", "cuisine"), "dish": ("meeting", "dish"),
    "doctor": ("doctor_appointment", "kind"), "tripcity": ("trip", "destination_city"),
    "tripcountry": ("trip", "country"),
    "sight": ("trip_event", "name"), "sightkind": ("trip_event", "kind"),
}  # fmt: skip
_PERIODS: Final[dict[str, Callable[[Blanks], Blank | None]]] = {
    "period": Blanks.period, "month": Blanks.month, "inyear": Blanks.inyear, "year": Blanks.year,
    "before": lambda b: b.turn("before", "<"), "after": lambda b: b.turn("after", ">"),
}  # fmt: skip
_WORDS: Final[dict[str, Callable[[Blanks], tuple[Any, Any]]]] = {
    "person": Blanks.person, "far_person": Blanks.far_person,
    "me": lambda b: (b.life.persona.name, b.life.persona.name),
    "meal": lambda b: b.among(_MEALS), "eating": lambda b: b.among(("dinner", "lunch", "brunch")),
    "outing": lambda b: b.named(_OUTINGS), "feast": lambda b: b.named(_FEASTS),
    "placetype": lambda b: b.among(("restaurant", "cafe", "park", "bar")),
    "hour": lambda b: b.among(("18:00", "20:00", "21:00", "22:00")),
    "morning": lambda b: b.among(("8:00", "9:00", "10:00")),
    "count": lambda b: b.among((5, 10, 20, 50)), "hr": lambda b: b.among((150, 160, 170, 180)),
    "km": lambda b: b.among((5, 8, 10, 20, 30)), "amount": lambda b: b.among((50, 100, 200, 500)),
    "season": lambda b: b.among((1, 2, 3)),
    "absent_artist": lambda b: b.absent("artist", ("Coldplay", "Taylor Swift", "Iron Maiden", "ABBA", "Ed Sheeran")),
    "absent_film": lambda b: b.absent("film", ("Titanic", "The Matrix", "Frozen", "Alien", "Casablanca", "Top Gun")),
    "absent_shop": lambda b: b.absent("shop", ("eBay", "AliExpress", "Etsy", "Temu", "Wayfair")),
    "absent_doctor": lambda b: b.absent("doctor", ("cardiologist", "neurologist", "urologist", "rheumatologist")),
    "absent_country": lambda b: b.absent("tripcountry", ("Brazil", "Kenya", "New Zealand", "India", "Peru")),
    "kid": lambda b: _born(b), "pet": lambda b: _pet(b),
}  # fmt: skip


def _born(blanks: Blanks) -> tuple[str | None, str | None]:
    kids = blanks.life.persona.kids
    one = blanks.rng.choice(kids) if kids else None
    return (one.called, one.name) if one else (None, None)


def _pet(blanks: Blanks) -> tuple[str | None, str | None]:
    pets = blanks.life.persona.pets
    return (pets[0].name, pets[0].name) if pets else (None, None)
