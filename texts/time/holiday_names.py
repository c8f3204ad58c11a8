"""Days that people name: the one table of them (ontology/holidays), for questions, texts and occasions alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from ...ontology.namespaces import PG
from ...store.rdf import parse_turtle
from ..tokens import tokens
from .feasts import feasts


@dataclass(frozen=True)
class Holiday:
    """A day, or `lasts` days, that come each year as `falls` says (texts/time/feasts.py)."""

    falls: str
    lasts: int

    def in_year(self, year: int) -> tuple[tuple[date, date], ...]:
        """First and last days of each time that it begins in a year."""
        return feasts(self.falls, self.lasts, year) if 1583 <= year <= 4000 else ()


def holiday_documents() -> Iterator[tuple[str, str]]:
    """The Turtle files of the table, as (path, text)."""
    folder = files("reqap_kg.ontology").joinpath("holidays")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".ttl"):
            yield f"ontology/holidays/{entry.name}", entry.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def holidays_by_name() -> Mapping[tuple[str, ...], Holiday]:
    """Holidays by the tokens of their names."""
    found: dict[str, dict[str, list[str]]] = {}
    for path, text in holiday_documents():
        for quad in parse_turtle(text, path=path):
            said = found.setdefault(str(quad.subject), {})
            said.setdefault(str(quad.predicate.value), []).append(getattr(quad.object, "value", ""))
    named: dict[tuple[str, ...], Holiday] = {}
    for said in found.values():
        for falls in said.get(PG + "falls", []):
            day = Holiday(falls, int(said.get(PG + "lasts", ["1"])[0]))
            for name in said.get(PG + "name", []):
                named[words_of(name)] = day
    return MappingProxyType(named)


def words_of(name: str) -> tuple[str, ...]:
    """The tokens of a name, without accents."""
    return tuple(token.plain for token in tokens(name))


def falls_on(name: str, day: date) -> bool:
    """Whether a day is one of the holiday of this name."""
    known = holidays_by_name().get(words_of(name))
    return known is not None and any(first <= day <= last for first, last in known.in_year(day.year))
