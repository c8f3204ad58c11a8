"""Names of towns and countries, from the lexicons, the profile, and the locations of the person's records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ...store.graph import Graph
from ...store.words import fold
from ...texts.lexicon.lexicon import Lexicon
from ...texts.lexicon.lexicon_file import Entry

_STATES: Final = """
Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana
Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska
Nevada New_Hampshire New_Jersey New_Mexico North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia West_Virginia Wisconsin Wyoming Ontario Quebec Alberta
British_Columbia Manitoba Saskatchewan Nova_Scotia New_South_Wales Queensland Victoria Tasmania South_Australia
Western_Australia
"""
REGIONS: Final = frozenset(fold(name.replace("_", " ")) for name in _STATES.split())
"""Folded names of states and provinces that addresses state after a town."""
_SHORTEST: Final = 4
"""Letters of the shortest town that is looked for in texts."""


@dataclass(frozen=True)
class Gazetteer:
    """`areas` are folded names of towns and countries, `countries` those of the latter; `spelled` gives the usual
    spelling of a folded name; `finder` finds towns by name."""

    areas: frozenset[str] = frozenset()
    countries: frozenset[str] = frozenset()
    spelled: Mapping[str, str] = field(default_factory=dict)
    finder: Lexicon = field(default_factory=lambda: Lexicon(()))


def load_gazetteer(graph: Graph, lexicon: Lexicon, cities: Iterable[str]) -> Gazetteer:
    """The names that a store knows; `cities` are those of the profile."""
    countries = frozenset(fold(value) for value in lexicon.values("country"))
    told = (*_tails(graph), *cities, *lexicon.values("city"))
    names = {fold(name): name for name in told if fold(name) not in REGIONS and not is_code(name)}
    towns = {plain: name for plain, name in names.items() if plain not in countries}
    entries = (Entry("town", name, (name.casefold(),)) for plain, name in towns.items() if len(plain) >= _SHORTEST)
    return Gazetteer(frozenset(names) | countries | REGIONS, countries | REGIONS, towns, Lexicon(tuple(entries)))


def is_code(text: str) -> bool:
    """Whether a part of an address is the code of a state: MN."""
    return len(text) in (2, 3) and text.isupper()


def _tails(graph: Graph) -> list[str]:
    """What stands after a comma in locations: "Casa do Rosário, Porto" shows that Porto is a town."""
    rows = graph.select("SELECT DISTINCT ?v WHERE { ?e ev:location ?v } ORDER BY ?v")
    parts = (part.strip() for (v,) in rows if v is not None for part in v.value.split(",")[1:])
    return [part for part in parts if part and not any(sign.isdigit() for sign in part) and len(part.split()) < 4]
