"""Fills in questionnaires: one invented person from a stream of random numbers."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from typing import Any, Final

from .catalogue import some, stock, stream, weighted
from .persona import Couple, Person, Persona, Pet, Stage

YEARS: Final = 7
"""How long the data of a life reach back."""
_SHORTEST_JOB: Final = timedelta(days=90)


def fill_in(name: str, seed: int, until: datetime) -> Persona:
    """The persona of that id: the same for the same seed. `until`: the latest moment of asking."""
    return _Pen(name, stream(seed, name, "questionnaire"), until).write()


class _Pen:
    """Fills in one questionnaire, field by field."""

    def __init__(self, name: str, rng: random.Random, until: datetime) -> None:
        self.id, self.rng = name, rng
        self.now = (until - timedelta(days=rng.randrange(240))).replace(hour=rng.randint(9, 20), minute=30, second=0)
        self.begin = date(self.now.year - YEARS, self.now.month, 1)
        people = stock("people")
        self.home: dict[str, Any] = rng.choice(people["home"])
        self.culture = self.home["culture"] if rng.random() < 0.6 else rng.choice(list(people["culture"]))
        self.gender = rng.choice(("female", "male"))
        self.taken: set[str] = set()
        self.surname = rng.choice(people["culture"][self.culture]["surnames"].split())
        self.name = f"{self._first(self.gender, self.culture)} {self.surname}"
        self.birth = self._day(date(self.now.year - rng.randint(27, 58), 1, 1), 365)
        self.origin = rng.choice(people["origins"][self.culture].split(", "))

    def write(self) -> Persona:
        rng, home = self.rng, self.home
        couple, partner = self._couple()
        family = (*self._parents(), *self._siblings(), *partner, *self._kids(couple))
        career = self._career()
        return Persona(
            id=self.id, now=self.now, begin=self.begin, name=self.name, gender=self.gender, birth=self.birth,
            birth_city=self.origin, city=home["city"], country=home["country"], currency=home["currency"],
            unit=home["unit"], quarter=rng.choice(home["quarters"].split(", ")), culture=self.culture,
            languages=tuple(stock("people")["culture"][self.culture]["languages"]),
            family=family, friends=self._friends(career), couple=couple, pets=self._pets(),
            education=self._education(), career=career, residences=self._residences(),
            likes=self._likes(), weekly=self._weekly(),
        )  # fmt: skip

    def _first(self, gender: str, culture: str) -> str:
        """A first name that nobody else in this life has."""
        names = [n for n in stock("people")["culture"][culture][gender].split() if n not in self.taken]
        self.taken.add(name := self.rng.choice(names))
        return name

    def _day(self, begin: date, days: int) -> date:
        return begin + timedelta(days=self.rng.randrange(max(1, days)))

    def _within(self, low: float = 0.05, high: float = 0.95) -> date:
        """A day in the years that the data cover."""
        span = (self.now.date() - self.begin).days
        return self.begin + timedelta(days=round(span * self.rng.uniform(low, high)))

    def _relative(self, relation: str, gender: str, birth: date, city: str, **more: Any) -> Person:
        first = self._first(gender, more.pop("culture", self.culture))
        surname = more.pop("surname", self.surname)
        return Person(f"{first} {surname}", more.pop("called", first), relation, birth, city, **more)

    def _parents(self) -> list[Person]:
        words = stock("people")["culture"][self.culture]
        other = self.rng.choice([n for n in words["surnames"].split() if n != self.surname])
        born = [self._day(date(self.birth.year - self.rng.randint(22, 36), 1, 1), 365) for _ in range(2)]
        return [
            self._relative("mother", "female", born[0], self.origin, called=words["mother"], surname=other),
            self._relative("father", "male", born[1], self.origin, called=words["father"]),
        ]

    def _siblings(self) -> list[Person]:
        cities = [home["city"] for home in stock("people")["home"]]
        made = []
        relations = self.rng.sample(("brother", "sister"), k=self.rng.choice((0, 1, 1, 2)))
        for relation in relations:
            born = self._day(date(self.birth.year + self.rng.choice((-6, -4, -2, 2, 3, 5)), 1, 1), 365)
            gender = "male" if relation == "brother" else "female"
            made.append(self._relative(relation, gender, born, self.rng.choice(cities)))
        return made

    def _couple(self) -> tuple[Couple | None, list[Person]]:
        if self.rng.random() < 0.15:
            return None, []
        together = self._day(self.begin - timedelta(days=1500), 1400)
        married = self._within(0.1, 0.7) if self.rng.random() < 0.65 else None
        engaged = married - timedelta(days=self.rng.randint(150, 420)) if married else None
        if married and self.rng.random() < 0.3:
            married = self._day(together + timedelta(days=400), max(1, (self.begin - together).days - 400))
            engaged = None
        relation = "partner"
        other = "female" if self.gender == "male" else "male"
        if married:
            relation = "wife" if other == "female" else "husband"
        culture = self.rng.choice((self.home["culture"], *stock("people")["culture"]))
        surname = self.rng.choice(stock("people")["culture"][culture]["surnames"].split())
        born = self._day(date(self.birth.year + self.rng.randint(-5, 5), 1, 1), 365)
        one = self._relative(relation, other, born, self.home["city"], culture=culture, surname=surname)
        laws = self._in_laws(culture, surname, born) if married else []
        return Couple(together, engaged, married), [one, *laws]

    def _in_laws(self, culture: str, surname: str, born: date) -> list[Person]:
        city = self.rng.choice(stock("people")["origins"][culture].split(", "))
        kinds = self.rng.sample((("mother-in-law", "female"), ("father-in-law", "male")), k=self.rng.randint(0, 2))
        return [
            self._relative(
                kind, gender, self._day(date(born.year - 30, 1, 1), 365), city, culture=culture, surname=surname
            )
            for kind, gender in kinds
        ]

    def _kids(self, couple: Couple | None) -> list[Person]:
        if couple is None or self.birth.year > self.now.year - 30:
            return []
        first = (couple.married or couple.together) + timedelta(days=self.rng.randint(300, 700))
        made: list[Person] = []
        for number in range(self.rng.choice((0, 1, 1, 2))):
            born = first + timedelta(days=number * self.rng.randint(700, 1200))
            if born < self.now.date() - timedelta(days=120):
                relation = self.rng.choice(("son", "daughter"))
                made.append(
                    self._relative(relation, "male" if relation == "son" else "female", born, self.home["city"])
                )
        return made

    def _friends(self, career: tuple[Stage, ...]) -> tuple[Person, ...]:
        made = []
        cultures = [self.home["culture"]] * 6 + list(stock("people")["culture"])
        for _ in range(self.rng.randint(6, 12)):
            culture, gender = self.rng.choice(cultures), self.rng.choice(("female", "male"))
            first = self._first(gender, culture)
            surname = self.rng.choice(stock("people")["culture"][culture]["surnames"].split())
            form = self.rng.choice(stock("life")["friends"]["notes"])
            note = form.format(company=career[-1].organisation, quarter=self.home["quarters"].split(", ")[0])
            since = self._within(0.05, 0.6) if self.rng.random() < 0.3 else None
            made.append(Person(f"{first} {surname}", first, None, None, self.home["city"], note, since))
        return tuple(made)

    def _pets(self) -> tuple[Pet, ...]:
        if self.rng.random() < 0.4:
            return ()
        kind = weighted(self.rng, {"cat": 5, "dog": 5, "rabbit": 1, "tortoise": 1})
        start = self._within(0.05, 0.6) if self.rng.random() < 0.7 else self.begin - timedelta(days=600)
        return (Pet(self.rng.choice(stock("life")["pet"][kind].split(", ")), kind, start, None),)

    def _education(self) -> tuple[Stage, ...]:
        study, rng = stock("life")["study"], self.rng
        start = date(self.birth.year + 19, 9, rng.randint(10, 20))
        school = rng.choice(study["schools"])
        made = [
            Stage(
                rng.choice(study["degrees"]), school.format(self.origin), self.origin, start, date(start.year + 3, 7, 3)
            )
        ]
        if rng.random() < 0.6:
            later = date(self.begin.year + rng.randint(1, YEARS - 3), 9, rng.randint(5, 25))
            place = self.home["city"]
            title = rng.choice(study["further"])
            made.append(
                Stage(title, rng.choice(study["schools"]).format(place), place, later, date(later.year + 1, 6, 18))
            )
        return tuple(made)

    def _career(self) -> tuple[Stage, ...]:
        work, rng = stock("life")["work"], self.rng
        title = rng.choice(work["titles"])
        count = rng.randint(2, 4)
        companies = rng.sample(work["companies"], k=count)
        starts = [self.begin - timedelta(days=rng.randint(400, 1400))]
        days = sorted(self._within(0.08, 0.9) for _ in range(count - 1))
        for day in days:
            monday = max(day, starts[-1] + _SHORTEST_JOB)
            starts.append(monday - timedelta(days=monday.weekday()))
        made = []
        for n, (start, company) in enumerate(zip(starts, companies, strict=True)):
            end = starts[n + 1] - timedelta(days=rng.randint(2, 20)) if n + 1 < count else None
            rank = work["ranks"][min(n, len(work["ranks"]) - 1)]
            made.append(Stage(rank.format(title), company, self.home["city"], start, end))
        return tuple(made)

    def _residences(self) -> tuple[Stage, ...]:
        homes, rng = stock("life")["home"], self.rng
        count = rng.randint(1, 3)
        starts = [
            self.begin - timedelta(days=rng.randint(300, 1500)),
            *sorted(self._within(0.1, 0.85) for _ in range(count - 1)),
        ]
        streets, quarters = (
            rng.sample(homes["streets"], k=count),
            rng.sample(self.home["quarters"].split(", "), k=count),
        )
        ends = [*starts[1:], None]
        return tuple(
            Stage(f"{rng.choice(homes['dwellings']).format(street)}, {quarter}", "", self.home["city"], start, end)
            for street, quarter, start, end in zip(streets, quarters, starts, ends, strict=True)
        )

    def _likes(self) -> dict[str, tuple[str, ...]]:
        rng, media, life = self.rng, stock("media"), stock("life")
        genres = sorted({one["genre"] for one in media["music"].values()})
        music = some(rng, genres, 3, 5)
        artists = [name for name, one in media["music"].items() if one["genre"] in music]
        films = some(rng, life["taste"]["movie_genres"], 3, 4)
        series = some(rng, life["taste"]["tv_genres"], 2, 4)
        goods = [c for c in media["category"] if c not in ("Baby", "Pet Supplies")]
        return {
            "music_genres": music,
            "favourite_artists": some(rng, artists, 2, 4),
            "movie_genres": films,
            "favourite_movies": some(rng, [t for t, (_, genre) in media["films"].items() if genre in films], 2, 3),
            "tv_genres": series,
            "favourite_series": some(rng, [t for t, row in media["series"].items() if row[3] in series], 2, 3),
            "shopping_categories": some(rng, goods, 4, 7),
            "travel_regions": some(rng, life["taste"]["regions"], 2, 3),
            "cuisines": some(rng, list(life["food"]["cuisine"]), 4, 7),
            "hobbies": some(rng, life["taste"]["hobbies"], 2, 4),
            "workouts": some(rng, list(life["sport"]), 4, 7),
        }

    def _weekly(self) -> dict[str, float]:
        draw = self.rng.uniform
        return {
            "movies_per_week": round(draw(0.3, 0.9), 1),
            "tv_episodes_per_week": round(draw(0.8, 2.2), 1),
            "workouts_per_week": round(draw(0.7, 1.8), 1),
        }
