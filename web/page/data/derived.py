"""What was found out about the data and is kept: searches, values read from texts, what was compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from ....engine.derivations import Derivation, derivations
from ....errors import TreeSyntaxError
from ....operators.nodes import AttributeType
from ....operators.syntax.text import read_tree
from ....operators.wording import wording
from ....store.graph import StoreGraph
from ....store.vocabulary import Vocabulary, load_vocabulary
from ....store.words import key_words

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


_MOST_KINDS: Final = 3
"""Kinds of events that are named one by one."""
_COMPUTED: Final = frozenset({"JOIN", "APPLY", "MAP"})
"""What is kept with the text of its tree."""


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


def read_derived(graph: StoreGraph, words: str, begin: int) -> Derived:
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


def _plainly(said: str, known: Vocabulary) -> str:
    """What was done, without the kind of its values; all kinds of events are not named one by one."""
    for kind in AttributeType:
        said = said.replace(f" as {kind.value} in texts of ", " in texts of ")
    begin, of, kinds = said.partition(" in texts of ")
    kinds, beside, others = kinds.partition(" beside ")
    named = [one.strip("<>") in known.classes for one in kinds.split(" or ")]
    many = len(named) > _MOST_KINDS and all(named)
    return f"{begin}{of}events of any kind{beside}{others}" if many else said


def _named(word: str, known: Vocabulary) -> str:
    """A word; of an IRI, what people call it."""
    iri = word.strip("<>,")
    if not iri.startswith(("http://", "https://")):
        return word
    kind = known.classes.get(iri)
    last = iri.rstrip("/").replace("#", "/").rpartition("/")[2]
    said = kind.label if kind is not None else known.property_label(iri) or key_words(last)
    return word.replace(f"<{iri}>", iri).replace(iri, said)


def _computed(tree: str) -> str:
    """What a tree that was computed gives, in words."""
    try:
        return wording(read_tree(tree).node)
    except TreeSyntaxError:  # of an older version
        return tree


def _readable(all_: Sequence[Derivation], known: Vocabulary) -> dict[str, str]:
    """Queries and keys by graph; what one rests on is called by its own query."""
    standing = {one.info.graph: one.info for one in all_}

    @cache
    def text(graph: str) -> str:
        said = standing[graph].query
        kind = known.classes.get(said)
        if kind is not None:
            return kind.label
        if standing[graph].operator in _COMPUTED:
            return _computed(said)
        for read in standing[graph].reads:
            if read in standing:
                below = text(read) if text(read).startswith("“") else f"“{text(read)}”"
                said = re.sub(f"<?{re.escape(read)}(?:#\\w+)?>?", lambda _, below=below: below, said)
        return " ".join(_named(word, known) for word in _plainly(said, known).split(" "))

    return {graph: text(graph) for graph in standing}
