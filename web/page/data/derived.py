"""What was found out about the data and is kept: searches, values read from texts, what was compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from ....engine.derivations import Derivation, derivations
from ....store.graph import OxigraphGraph
from ....store.queries.results import short_text
from ....store.vocabulary import Vocabulary, load_vocabulary

SHOWN: Final = 25
_LONGEST: Final = 300
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "RETRIEVE": "searched for",
        "EXTRACT": "read from texts",
        "TELLS": "texts that tell of",
        "OCCURRENCES": "told together",
        "JOIN": "compared",
        "APPLY": "computed",
        "MAP": "computed",
    }
)


@dataclass(frozen=True)
class Found:
    """One thing that is kept: what was done, for what, with how many results; when that was."""

    does: str
    about: str
    results: int
    triples: int
    made: str


@dataclass(frozen=True)
class Derived:
    """Some of what is kept, from `begin` on; `number` are all whose words were looked for, with their triples."""

    found: tuple[Found, ...]
    begin: int
    number: int
    triples: int


def read_derived(graph: OxigraphGraph, words: str, begin: int) -> Derived:
    """What is kept, of what has these words in its query or key, whatever their case: what `forget` would take."""
    all_ = derivations(graph)
    known = load_vocabulary(graph)
    told = _readable(all_, known)
    wanted = [one for one in all_ if words.casefold() in one.info.query.casefold()]
    found = tuple(
        Found(
            _WORDS.get(one.info.operator, one.info.operator.casefold()), told[one.info.graph][:_LONGEST],
            one.info.results, one.triples, one.info.ended[:10],
        )
        for one in wanted[begin : begin + SHOWN]
    )  # fmt: skip
    return Derived(found, begin, len(wanted), sum(one.triples for one in wanted))


def _readable(all_: Sequence[Derivation], known: Vocabulary) -> dict[str, str]:
    """Queries and keys by graph; what one rests on is called by its own query."""
    standing = {one.info.graph: one.info for one in all_}

    @cache
    def text(graph: str) -> str:
        said = standing[graph].query
        kind = known.classes.get(said)
        if kind is not None:
            return kind.label
        for read in standing[graph].reads:
            if read in standing:
                below = text(read) if text(read).startswith("“") else f"“{text(read)}”"
                said = re.sub(f"<?{re.escape(read)}(?:#\\w+)?>?", lambda _, below=below: below, said)
        return short_text(said)

    return {graph: text(graph) for graph in standing}
