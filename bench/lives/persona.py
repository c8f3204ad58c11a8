"""A person as the questionnaire of the paper's Appendix B.1 describes them; written as `profile.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True)
class Person:
    """Somebody in a life. `called` is what the persona writes; friends have no relation."""

    name: str
    called: str
    relation: str | None
    birth: date | None
    city: str
    note: str = ""
    since: date | None = None


@dataclass(frozen=True)
class Pet:
    """An animal and when it lived with the persona; `end` is None while it does."""

    name: str
    type: str
    start: date
    end: date | None


@dataclass(frozen=True)
class Stage:
    """A job (title, company), a course (degree, institution) or a dwelling (its description, no organisation)."""

    title: str
    organisation: str
    city: str
    start: date
    end: date | None


@dataclass(frozen=True)
class Couple:
    """The dates of a partnership; the partner is the person of relation husband, wife or partner."""

    together: date
    engaged: date | None
    married: date | None


@dataclass(frozen=True)
class Persona:
    """The answers to the questionnaire. The data run from `begin` to `now`."""

    id: str
    now: datetime
    begin: date
    name: str
    gender: str
    birth: date
    birth_city: str
    city: str
    country: str
    currency: str
    unit: str
    quarter: str
    culture: str
    languages: tuple[str, ...]
    family: tuple[Person, ...]
    friends: tuple[Person, ...]
    couple: Couple | None
    pets: tuple[Pet, ...]
    education: tuple[Stage, ...]
    career: tuple[Stage, ...]
    residences: tuple[Stage, ...]
    likes: Mapping[str, tuple[str, ...]]
    weekly: Mapping[str, float]

    @property
    def first(self) -> str:
        """The persona's first name."""
        return self.name.split()[0]

    @property
    def partner(self) -> Person | None:
        """Husband, wife or partner."""
        return next((one for one in self.family if one.relation in ("husband", "wife", "partner")), None)

    @property
    def kids(self) -> tuple[Person, ...]:
        """Sons and daughters, eldest first."""
        return tuple(one for one in self.family if one.relation in ("son", "daughter"))

    def called(self, name: str) -> str:
        """What the persona writes for a full name."""
        return next((one.called for one in (*self.family, *self.friends) if one.name == name), name.split()[0])

    def known(self, day: date) -> tuple[Person, ...]:
        """Family and friends whom the persona could meet on a day: grown up, and known by then."""
        people = (*self.family, *self.friends)
        kids = {one.name for one in self.kids}
        return tuple(p for p in people if p.name not in kids and (p.since is None or p.since <= day))

    def profile(self) -> dict[str, Any]:
        """The questionnaire as `profile.json` has it."""
        of = {one.relation: _relative(one) for one in self.family}
        return {
            "id": self.id, "now": self.now.isoformat(), "data_start": self.begin.isoformat(),
            "name": self.name, "first_name": self.first, "gender": self.gender,
            "birth_date": self.birth.isoformat(), "birth_city": self.birth_city,
            "lives_in": f"{self.city}, {self.country}", "languages": list(self.languages),
            "currency": self.currency, "distance_unit": self.unit,
            "mother": of.get("mother"), "father": of.get("father"),
            "siblings": [_relative(p) for p in self.family if p.relation in ("brother", "sister")],
            "partner": self._partner(), "partner_entry": _relative(self.partner) if self.partner else None,
            "kids": [_relative(p) for p in self.kids],
            "other_family": [_relative(p) for p in self.family if p.relation and "-in-law" in p.relation],
            "pets": [_plain(asdict(pet)) for pet in self.pets],
            "friends": [
                {"name": p.name, "nickname": p.called, "note": p.note, "known_since": p.since and p.since.isoformat()}
                for p in self.friends
            ],
            "nicknames": {p.name: p.called for p in (*self.family, *self.friends)},
            "education": [_stage(one, "degree", "institution") for one in self.education],
            "career": [_stage(one, "title", "company") for one in self.career],
            "residences": [_stage(one, "place", None) for one in self.residences],
            "preferences": {k: list(v) for k, v in self.likes.items()} | dict(self.weekly),
        }  # fmt: skip

    def _partner(self) -> dict[str, Any] | None:
        if self.partner is None or self.couple is None:
            return None
        dates = {"together_since": self.couple.together, "engaged": self.couple.engaged, "married": self.couple.married}
        return {"name": self.partner.name, **_plain(dates)}


def _relative(one: Person) -> dict[str, Any]:
    return _plain({"name": one.name, "relation": one.relation, "birth_date": one.birth, "city": one.city})


def _stage(one: Stage, title: str, organisation: str | None) -> dict[str, Any]:
    named = {title: one.title} | ({organisation: one.organisation} if organisation else {})
    return _plain({**named, "city": one.city, "start": one.start, "end": one.end})


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}
