"""RETRIEVE without a model: the table that a query names, and the words that its records must have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ...retrieval.phrases.naming import Naming, namings
from ...store.words import fold
from ...texts.phrase import Group, Phrase, groups, read_phrase
from .said import column_of
from .tables import TEXT, Table, Tables, quoted, text

_SHORTEST: Final = 2
_SHORT: Final = 3
"""Letters up to which a stem is taken as it is."""


@dataclass(frozen=True)
class Choice:
    """Tables whose records are meant, and the condition (SQL) that they must satisfy."""

    tables: tuple[Table, ...]
    condition: str


def choose(query: str, tables: Tables, wanted: Iterable[str] = ()) -> Choice:
    """What a query names, of whose records the attributes `wanted` are asked.

    Tables that its words name for certain are taken as they are. Else the table is taken that has most of the columns,
    and in which most records have all the other words, or, where none has, the rarest of them; first among those that
    are named loosely ("played").
    """
    phrase = read_phrase(query, tables.vocabulary)
    named = namings(phrase, tables.vocabulary)
    firm = [naming for naming in named if not (naming.weak or naming.attribute)]
    loose = [naming for naming in named if naming.weak and not naming.attribute]
    words = _conditions(phrase, (*firm, *loose), tables)
    found = _named(firm, tables)
    if found:
        return Choice(found, " AND ".join(words))
    near = tables.of_classes([iri for naming in loose for iri in naming.classes])
    if near and not words:
        return Choice(near, "")
    for condition in (" AND ".join(words), _rarest(words, tables)):
        for chosen in (near, tables.tables):
            best = _fullest(chosen, condition, tables, tuple(wanted)) if condition else None
            if best is not None:
                return Choice((best,), condition)
    return Choice((), "false")


def _named(firm: Sequence[Naming], tables: Tables) -> tuple[Table, ...]:
    """The tables that all firm words mean ("songs I streamed"), or, where they mean none together, the first's."""
    meant = [tables.of_classes(naming.classes) for naming in sorted(firm, key=lambda naming: naming.verb)]
    known = [found for found in meant if found]
    if not known:
        return ()
    both = tuple(table for table in known[0] if all(table in found for found in known[1:]))
    return both or known[0]


def matching(words: Sequence[str]) -> str:
    """The condition that one of these words (folded stems) begins a word of a record's texts."""
    known = [word for word in words if len(word) >= _SHORTEST]
    if not known:
        return ""
    return f"regexp_matches({TEXT}, {text(_beginning(known))})"


def _beginning(words: Sequence[str]) -> str:
    """A pattern of texts in which a word begins with one of these stems."""
    return r"\b(" + "|".join(sorted({r"\w*\s+".join(map(_open, word.split())) for word in words})) + ")"


def _open(stem: str) -> str:
    """A stem as words begin with it: "rugbi" is of "rugby", "hike" of "hiking"."""
    kept = stem[:-1] if len(stem) > _SHORT and stem[-1] in "ei" else stem
    return re.escape(kept) + ("[iy]" if stem[-1] == "i" and kept != stem else "")


def _conditions(phrase: Phrase, used: Sequence[Naming], tables: Tables) -> list[str]:
    """One condition for each thing that the words say which name no table."""
    taken = {position for naming in used for position in naming.span}
    free = [position for position in range(len(phrase.tokens)) if position not in taken]
    parts = [matching(sorted(_said(group))) for group in groups(phrase, free, tables.vocabulary)]
    return [part for part in parts if part]


def _rarest(words: Sequence[str], tables: Tables) -> str:
    """The condition that the fewest records satisfy, but some do; empty where none is."""
    counts = {word: sum(_count(table, word, tables) for table in tables.tables) for word in words}
    return min((word for word in words if counts[word]), key=lambda word: counts[word], default="")


def _said(group: Group) -> frozenset[str]:
    """The word, what says the same, and narrower words; never what merely hints at it."""
    return frozenset({fold(group.words)} if group.plain else ()) | group.same | group.kinds


def _fullest(chosen: Sequence[Table], condition: str, tables: Tables, wanted: Sequence[str]) -> Table | None:
    """The table with most of the columns, then with most records that satisfy the condition; None where none does."""
    counted = [(_count(table, condition, tables), table) for table in chosen]
    held = [(count, table) for count, table in counted if count]
    return max(held, default=(0, None), key=lambda entry: (_has(entry[1], wanted, tables), entry[0]))[1]


def _has(table: Table | None, wanted: Sequence[str], tables: Tables) -> int:
    """How many of the attributes a table has."""
    if table is None:
        return 0
    return sum(column_of(name, table.columns, tables.vocabulary) is not None for name in wanted)


def _count(table: Table, condition: str, tables: Tables) -> int:
    return tables.count(f"SELECT count(*) FROM {quoted(table.name)} WHERE {condition}")  # noqa: S608
