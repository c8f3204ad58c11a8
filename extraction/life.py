"""What the profile tells that texts presuppose: whose life it is, people, pets, homes, jobs and studies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from ..ontology.namespaces import EV, FOAF, RDF_TYPE, RDFS
from ..store.graph import Graph
from ..store.words import fold
from ..texts.people.mentions import Person, Profile

_QUERY: Final = """SELECT DISTINCT ?thing ?class ?property ?value WHERE {
  VALUES ?class { ev:Person ev:Pet ev:Residence ev:Job ev:Education ev:Preference } ?thing a ?class ; ?property ?value
  FILTER(isLiteral(?value) || ?property = ev:ownerOf) } ORDER BY ?thing ?property ?value"""
PARTNERS: Final = frozenset({"partner", "husband", "wife", "spouse", "fiancé", "fiancée", "boyfriend", "girlfriend"})
"""Relations of the person whom 'we' and 'both of us' mean first."""


_ANNIVERSARIES: Final = (("marriedOn", "wedding anniversary"), ("engagedOn", "engagement anniversary"))
_DATED: Final = (
    ("Pet", "since", "new pet"),
    ("Job", "since", "new job"),
    ("Residence", "since", "moved house"),
    ("Education", "since", "started university"),
    ("Education", "until", "graduated"),
)
_VOWS: Final = (("marriedOn", "married"), ("engagedOn", "engaged"))
_CHILDREN: Final = ("son", "daughter", "child")
_OF_AGE: Final = 16 * 365


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the profile that held for some time: where somebody lived, worked or studied; open ends are None."""

    name: str
    place: str = ""
    city: str = ""
    since: date | None = None
    until: date | None = None

    def holds(self, day: date) -> bool:
        """Whether it was so on a day."""
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)


@dataclass(frozen=True)
class Life:
    """The profile as plain data. `remarks` are what the profile notes of a person, `born` when they were, both by full
    name, pets too; `days` are dates that are celebrated every year, with the occasion; `liked` are
    values of preferences, `lives_in` is town and country as the profile says them;
    `milestones` are what the profile dates, as the lexicon calls it."""

    profile: Profile
    pets: tuple[str, ...] = ()
    homes: tuple[Span, ...] = ()
    jobs: tuple[Span, ...] = ()
    studies: tuple[Span, ...] = ()
    remarks: dict[str, str] | None = None
    born: dict[str, date] | None = None
    days: tuple[tuple[date, str], ...] = ()
    towns: frozenset[str] = frozenset()
    liked: frozenset[str] = frozenset()
    lives_in: str = ""
    milestones: tuple[tuple[date, str], ...] = ()

    @property
    def owner(self) -> str:
        """Full name of the person whose life it is; empty where no profile says it."""
        return self.profile.owner.name if self.profile.owner else ""

    @property
    def partner(self) -> str | None:
        """Full name of the husband, wife or partner."""
        return next((p.name for p in self.profile.people if (p.relation or "").casefold() in PARTNERS), None)

    def remark(self, name: str) -> str:
        """What the profile notes of a person, folded."""
        return fold((self.remarks or {}).get(name, ""))

    def birthday(self, day: date) -> str | None:
        """Whose birthday a day is; of several the first."""
        found = (name for name, born in (self.born or {}).items() if (born.month, born.day) == (day.month, day.day))
        return next(found, None)

    def is_child(self, name: str, day: date) -> bool:
        """Whether somebody was under age on a day."""
        born = (self.born or {}).get(name)
        return born is not None and (day - born).days < _OF_AGE

    def occasion(self, day: date) -> str | None:
        """What of the person's own is celebrated on a day, in later years than the first."""
        for first, occasion in self.days:
            if (first.month, first.day) == (day.month, day.day) and day.year > first.year:
                return occasion
        return "birthday" if self.birthday(day) else None

    def milestone(self, day: date) -> str | None:
        """What milestone of the profile falls on a day, or a day beside it."""
        near = [(abs((day - at).days), name) for at, name in self.milestones if abs((day - at).days) <= 1]
        return min(near)[1] if near else None

    def home_city(self, day: date) -> str:
        """The town in which the person lived on a day."""
        return next((home.city for home in self.homes if home.holds(day) and home.city), "")


def load_life(graph: Graph) -> Life:
    """The life of the graph's profile; an empty one where there is none."""
    things: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for thing, kind, prop, value in graph.select(_QUERY):
        if thing is not None and kind is not None and prop is not None and value is not None:
            name = prop.value.removeprefix(EV).removeprefix(FOAF).removeprefix(RDFS)
            things[thing.value][name].append(value.value)
            things[thing.value][RDF_TYPE] = [kind.value]
    of_kind: dict[str, list[dict[str, list[str]]]] = defaultdict(list)
    for held in things.values():
        of_kind[held[RDF_TYPE][0].removeprefix(EV)].append(held)
    people = [held for held in of_kind["Person"] if _name(held)]
    owner = next((held for held in people if held["ownerOf"]), None)
    others = [held for held in people if held is not owner]
    homes = tuple(_span(held, "address", "address") for held in of_kind["Residence"])
    cities = {city.split(",")[0].strip() for held in things.values() for city in held["city"]}
    return Life(
        profile=Profile(_person(owner) if owner else None, tuple(_person(held) for held in others)),
        pets=tuple(dict.fromkeys(_name(held) for held in of_kind["Pet"] if _name(held))),
        homes=homes,
        jobs=tuple(_span(held, "company", "jobTitle") for held in of_kind["Job"]),
        studies=tuple(_span(held, "institution", "degree") for held in of_kind["Education"]),
        remarks={_name(held): " ".join(held["remark"]) for held in others if held["remark"]},
        born={name: day for held in people if (name := _name(held)) and (day := _day(_one(held, "birthDate")))},
        days=tuple(_days(people, of_kind["Pet"])),
        towns=frozenset(city for city in cities if city),
        milestones=tuple(_milestones(people, of_kind)),
        lives_in=_one(owner, "city") if owner else "",
        liked=frozenset(value for held in of_kind["Preference"] for value in held["preferenceValue"]),
    )


def _name(held: dict[str, list[str]]) -> str:
    return next(iter([*held["name"], *held["label"]]), "")


def _person(held: dict[str, list[str]]) -> Person:
    relation = next(iter(held["relation"]), None)
    return Person(_name(held), tuple(n for n in held["nickname"] if n != _name(held)), relation)


def _days(people: Iterable[dict[str, list[str]]], pets: Iterable[dict[str, list[str]]]) -> Iterator[tuple[date, str]]:
    for held in people:
        for key, occasion in _ANNIVERSARIES:
            day = _day(_one(held, key))
            if day is not None:
                yield day, occasion
    for held in pets:
        day = _day(_one(held, "since"))
        if day is not None:
            yield day, "pet anniversary"


def _milestones(
    people: Iterable[dict[str, list[str]]], of_kind: Mapping[str, Iterable[dict[str, list[str]]]]
) -> Iterator[tuple[date, str]]:
    dated = [(of_kind[kind], key, name) for kind, key, name in _DATED if kind in of_kind]
    children = [held for held in people if _one(held, "relation") in _CHILDREN]
    for things, key, name in [*dated, (children, "birthDate", "child born"), *((people, *pair) for pair in _VOWS)]:
        for held in things:
            day = _day(_one(held, key))
            if day is not None:
                yield day, name


def _one(held: dict[str, list[str]], key: str) -> str:
    return next(iter(held[key]), "")


def _span(held: dict[str, list[str]], name: str, place: str) -> Span:
    city = _one(held, "city").split(",")[0]
    return Span(_one(held, name), _one(held, place), city, _day(_one(held, "since")), _day(_one(held, "until")))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None
