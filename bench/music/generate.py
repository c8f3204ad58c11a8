"""An invented catalogue of music: artists, albums, genres and countries as CSV, as examples/music reads them.

    python -m reqap_kg.bench.music DIR [--artists 4000] [--seed 7]

The same options give the same bytes. Rows are written as they are drawn, so that a million artists need little memory.
Names are put together from parts; none is taken from a real artist.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from .names import (
    ADJECTIVES,
    CALLED,
    COUNTRIES,
    CULTURES,
    GENRES,
    LABELS,
    MAJORS,
    NOUNS,
    PLACES,
    TITLE,
    TITLES,
    Culture,
)

TODAY: Final = date(2025, 9, 14)
"""Nothing in the catalogue is later."""
MONTH_DAY: Final = (5, 30)
SHARING_IT: Final = 30
"""About so many artists, if not more by chance, share one birthday, so that a question about it has much to list."""
PERSON, PLAYER, STAFF, BAND, ENSEMBLE = (
    "solo singer",
    "non-vocal instrumentalist",
    "non-performing personnel",
    "group or band",
    "classical ensemble",
)


@dataclass(frozen=True)
class Country:
    """A row of countries.csv, and what it is drawn by."""

    id: int
    name: str
    nationality: str
    continent: str
    culture: Culture
    weight: float


@dataclass(frozen=True)
class Genre:
    """A row of genres.csv, and what it is drawn by: where it is at home, and when its artists were born."""

    id: int
    name: str
    family: str
    weight: float
    years: tuple[int, int]
    homes: frozenset[str]


def countries() -> list[Country]:
    """All countries of the catalogue."""
    rows = (line.split("|") for line in COUNTRIES.splitlines())
    return [Country(at, a, b, c, CULTURES[d], float(weight)) for at, (a, b, c, d, weight) in enumerate(rows, 1)]


def genres() -> list[Genre]:
    """All genres: few popular ones, and many rare."""
    found: list[Genre] = []
    for family, members, years, at_home in GENRES:
        homes = dict(one.split("=") for one in at_home.split(";") if one)
        for member in members.split(","):
            name, weight = member.rsplit(" ", 1)
            where = frozenset(homes[name].split(",")) if name in homes else frozenset[str]()
            found.append(Genre(len(found) + 1, name, family, float(weight), years, where))
    return found


class Catalogue:
    """Draws artists and their albums, one after another."""

    def __init__(self, artists: int, seed: int) -> None:
        self.artists = artists
        self.rng = random.Random(seed)
        self.countries = countries()
        self.genres = genres()
        self.chances = {country.id: self._chances_in(country) for country in self.countries}
        # About two in three rows are people of whom a day of birth is known.
        self.extra = max(0.0, SHARING_IT / (0.62 * artists) - 1 / 365)

    def _chances_in(self, country: Country) -> list[float]:
        """How likely each genre is: one at home somewhere is ten times as likely there, and rare elsewhere."""
        return [
            genre.weight * (10 if country.name in genre.homes else 0.15 if genre.homes else 1) for genre in self.genres
        ]

    def rows(self) -> Iterator[tuple[list[object], list[list[object]]]]:
        """Each artist's row with the rows of the albums."""
        weights = [country.weight for country in self.countries]
        albums = 0
        for number in range(1, self.artists + 1):
            country = self.rng.choices(self.countries, weights)[0]
            main, second = self.rng.choices(self.genres, self.chances[country.id], k=2)
            row, active = self._artist(number, country, main, second)
            own = self._albums(number, albums, country.culture, active)
            albums += len(own)
            yield [*row, len(own)], own

    def _artist(
        self, number: int, country: Country, main: Genre, second: Genre
    ) -> tuple[list[object], tuple[int, int]]:
        """All columns but the number of albums, and the years in which there may be albums."""
        background = self._background(main.family)
        gender, born, died = "", None, None
        if background in (BAND, ENSEMBLE):
            name = self._band(country.culture)
            begin = min(self._year(main) + self.rng.randint(18, 30), TODAY.year - 1)
            end = begin + int(self.rng.expovariate(1 / 14))
        else:
            gender = self._gender(background, main.family)
            name = self._person(country.culture, gender)
            born = self._birth(main)
            died = self._death(born)
            begin = born.year + self.rng.randint(17, 32)
            end = begin + int(self.rng.triangular(2, 60, 35))
        last = min(end, died.year if died else TODAY.year, TODAY.year)
        begin = min(begin, last)
        active = "true" if died is None and end >= TODAY.year else "false"
        also = second.id if second.id != main.id and self.rng.random() < 0.35 else ""
        known = born if self.rng.random() < 0.93 else None
        said = "" if self.rng.random() < 0.05 else gender
        when = [day.isoformat() if day else "" for day in (known, died if known else None)]
        return [number, name, said, *when, country.id, background, main.id, also, active, begin], (begin, last)

    def _background(self, family: str) -> str:
        kinds = (PERSON, PLAYER, STAFF, BAND, ENSEMBLE)
        weights = {
            "rock": (24, 10, 4, 62, 0),
            "metal": (12, 8, 2, 78, 0),
            "jazz": (28, 50, 4, 18, 0),
            "classical": (22, 34, 26, 0, 18),
            "electronic": (22, 34, 22, 22, 0),
            "blues": (58, 22, 2, 18, 0),
        }.get(family, (60, 10, 6, 24, 0))
        return self.rng.choices(kinds, weights)[0]

    def _gender(self, background: str, family: str) -> str:
        women = {PERSON: 0.46, PLAYER: 0.22, STAFF: 0.16}[background] * (0.7 if family in ("metal", "hip hop") else 1)
        drawn = self.rng.random()
        return "female" if drawn < women else "non-binary" if drawn > 0.988 else "male"

    def _year(self, genre: Genre) -> int:
        """A year in which somebody of the genre was born: most later than earlier."""
        first, last = genre.years
        return int(self.rng.triangular(first, last + 1, first + 0.7 * (last - first)))

    def _birth(self, genre: Genre) -> date:
        year = self._year(genre)
        if self.rng.random() < self.extra:
            return date(year, *MONTH_DAY)
        return date(year, 1, 1) + timedelta(days=self.rng.randrange(365))

    def _death(self, born: date) -> date | None:
        """Most live to an age between 55 and 100, a few die young."""
        years = self.rng.uniform(24, 55) if self.rng.random() < 0.06 else self.rng.triangular(55, 102, 85)
        died = born + timedelta(days=int(years * 365.25))
        return died if died < TODAY else None

    def _family(self, culture: Culture) -> str:
        return self.rng.choice(culture.heads) + self.rng.choice(culture.tails)

    def _person(self, culture: Culture, gender: str) -> str:
        """A name; few have one of their own making, or two given names."""
        women = gender == "female" or (gender == "non-binary" and self.rng.random() < 0.5)
        given = culture.women if women else culture.men
        drawn = self.rng.random()
        if drawn < 0.05:
            title = self.rng.choice(("DJ", "Lil", "MC", "Miss" if women else "King"))
            return f"{title} {self.rng.choice(given)} {self.rng.choice(NOUNS)}"
        names = self.rng.sample(given, 2 if drawn < 0.2 else 1)
        return " ".join([*names, self._family(culture)])

    def _band(self, culture: Culture) -> str:
        patterns = culture.bands if self.rng.random() < 0.7 else CULTURES["english"].bands
        words = {"a": self.rng.choice(ADJECTIVES), "n": self.rng.choice(NOUNS), "c": self.rng.choice(CALLED)}
        return self.rng.choice(patterns).format(f=self._family(culture), **words)

    def _albums(self, artist: int, before: int, culture: Culture, active: tuple[int, int]) -> list[list[object]]:
        """What an artist released: mostly little, here and there very much; good ones are by the same artists."""
        first, last = active
        most = 1 + (last - first) // 2
        count = min(most, int(self.rng.paretovariate(1.15)), 24)
        if self.rng.random() < 0.12:
            return []
        label = self.rng.choice(MAJORS if self.rng.random() < 0.3 else LABELS)
        level = self.rng.gauss(3.3, 0.6)
        years = sorted(self.rng.choices(range(first, last + 1), k=count))
        return [
            [
                before + at,
                self._title(culture),
                artist,
                year,
                label if self.rng.random() < 0.93 else "",
                *self._heard(level),
            ]
            for at, year in enumerate(years, 1)
        ]

    def _heard(self, level: float) -> tuple[object, object]:
        """Minutes and rating, each missing at times."""
        minutes = max(14, round(self.rng.gauss(44, 11)))
        rating = min(5.0, max(1.0, self.rng.gauss(level, 0.4)))
        return (minutes if self.rng.random() < 0.95 else "", f"{rating:.1f}" if self.rng.random() < 0.8 else "")

    def _title(self, culture: Culture) -> str:
        words = self.rng.sample(TITLE, 3)
        place = self.rng.choice(PLACES)
        return self.rng.choice(TITLES).format(*words, f=self._family(culture), p=place)


ARTISTS: Final = (
    "id",
    "name",
    "gender",
    "born",
    "died",
    "country",
    "background",
    "genre",
    "also",
    "active",
    "since",
    "albums",
)
ALBUMS: Final = ("id", "title", "artist", "year", "label", "minutes", "rating")


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([header, *rows])


def write_catalogue(folder: Path, artists: int, seed: int) -> int:
    """Writes the four tables, and says how many albums there are."""
    folder.mkdir(parents=True, exist_ok=True)
    catalogue = Catalogue(artists, seed)
    lands = [(one.id, one.name, one.nationality, one.continent) for one in catalogue.countries]
    _write(folder / "countries.csv", ("id", "name", "nationality", "continent"), lands)
    _write(
        folder / "genres.csv", ("id", "name", "family"), [(one.id, one.name, one.family) for one in catalogue.genres]
    )
    albums = 0
    with (
        (folder / "artists.csv").open("w", encoding="utf-8", newline="") as people,
        (folder / "albums.csv").open("w", encoding="utf-8", newline="") as records,
    ):
        by, of = csv.writer(people, lineterminator="\n"), csv.writer(records, lineterminator="\n")
        by.writerow(ARTISTS)
        of.writerow(ALBUMS)
        for row, own in catalogue.rows():
            by.writerow(row)
            of.writerows(own)
            albums += len(own)
    return albums


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="An invented catalogue of music, as CSV.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--artists", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    albums = write_catalogue(given.folder, given.artists, given.seed)
    print(f"{given.artists:,} artists, {albums:,} albums in {given.folder}")
