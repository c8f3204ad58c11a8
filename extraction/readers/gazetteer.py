"""Names of towns that a life's own records and profile tell, beside those that the world's gazetteer knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ...store.graph import Graph
from ...store.words import fold
from ...texts.lexicon.lexicon import Lexicon
from ...texts.lexicon.lexicon_file import Entry
from ...texts.lexicon.world import COUNTRY, World

_SHORTEST: Final = 4
"""Letters of the shortest town that is looked for in texts."""


@dataclass(frozen=True)
class Gazetteer:
    """`spelled` gives the usual spelling of a town's folded name, `finder` finds these towns by name; `world` knows the
    rest."""

    spelled: Mapping[str, str] = field(default_factory=dict)
    finder: Lexicon = field(default_factory=lambda: Lexicon(()))
    world: World | None = None

    def knows(self, name: str) -> bool:
        """Whether a name as a whole may be that of a town, region or country."""
        known = self.world is not None and self.world.named(name) is not None
        return known or fold(name) in self.spelled or self.is_above_towns(name)

    def is_above_towns(self, name: str) -> bool:
        """Whether a name is that of a country, or of a state that addresses name after a town."""
        if self.world is None:
            return False
        known = self.world.named(name)
        return fold(name) in self.world.regions or (known is not None and known.key == COUNTRY)

    def country_of(self, town: str) -> str:
        """The country of a town; empty where it is not known."""
        known = self.world.named(town) if self.world is not None else None
        return known.country if known is not None else ""


def load_gazetteer(graph: Graph, lexicon: Lexicon, cities: Iterable[str]) -> Gazetteer:
    """The names that a store knows; `cities` are those of the profile."""
    rest = Gazetteer(world=lexicon.world() if lexicon.world else None)
    told = (*_tails(graph), *cities, *lexicon.values("city"))
    towns = {fold(name): name for name in told if not rest.is_above_towns(name) and not is_code(name)}
    entries = (Entry("town", name, (name.casefold(),)) for plain, name in towns.items() if len(plain) >= _SHORTEST)
    return Gazetteer(towns, Lexicon(tuple(entries)), rest.world)


def is_code(text: str) -> bool:
    """Whether a part of an address is the code of a state: MN."""
    return len(text) in (2, 3) and text.isupper()


def _tails(graph: Graph) -> list[str]:
    """What stands after a comma in locations: "Casa do Rosário, Porto" shows that Porto is a town."""
    rows = graph.select("SELECT DISTINCT ?v WHERE { ?e ev:location ?v } ORDER BY ?v")
    parts = (part.strip() for (v,) in rows if v is not None for part in v.value.split(",")[1:])
    return [part for part in parts if part and not any(sign.isdigit() for sign in part) and len(part.split()) < 4]
