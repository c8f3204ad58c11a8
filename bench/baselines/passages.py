"""What the baseline that reads is given: the records that the retriever ranks best for a whole question, in words."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from ...models.reading.verbalise import verbalise_pairs
from ...retrieval.candidate_set import Search, find_models
from ...retrieval.candidates import find_candidates
from ...retrieval.context import RetrieveContext
from ...retrieval.phrases.naming import namings
from ...retrieval.phrases.reading import Source
from ...retrieval.scope import Scope, needs_of
from ...store.words import stems
from ...texts.phrase import Phrase, read_phrase
from .tables import EVENT, Table, Tables, quoted

_NAMED: Final = 0.25
"""What a record gains in rank whose kind, or key, the question names: a verbalised record has these words, too."""
_TIMES: Final = ("start_date", "start_time", "end_time")


@dataclass(frozen=True)
class Passage:
    """A retrieved record: its table, its values by column, and its score (at least 0.5: it would be taken)."""

    event: str
    table: Table
    values: Mapping[str, Any]
    score: float

    @property
    def day(self) -> date | None:
        """The day on which it starts."""
        return self.values.get("start_date")

    @property
    def start(self) -> datetime:
        """When it starts; the least moment where that is not known."""
        return self.values.get("start_datetime") or datetime.min

    @property
    def line(self) -> str:
        """The record in one line, as a reader sees it."""
        when = " ".join(str(self.values[name]) for name in _TIMES if self.values.get(name) is not None)
        kept = [(key, value) for key, value in self.values.items() if value is not None and not key.startswith("_")]
        pairs = [(key, _shown(value)) for key, value in kept if not key.startswith(("start_", "end_"))]
        return f"[{when}] {verbalise_pairs(self.table.name, pairs)}"


def retrieved(question: str, tables: Tables, context: RetrieveContext, most: int) -> tuple[Passage, ...]:
    """The records that come nearest to the whole question by words and meaning, best first, at most so many."""
    source = Source(context.vocabulary, context.index, context.people)
    phrase = read_phrase(question, context.vocabulary)
    needs = tuple(replace(need, required=False) for need in needs_of(phrase, range(len(phrase.tokens)), source))
    classes = tuple(sorted(table.iri for table in tables.tables))
    scope = Scope(classes, frozenset(), (), needs, question)
    found = find_candidates(Search(question, scope, find_models(context)), context)
    scores = {event: scored.fused for event, scored in found.scores.items()}
    names = (quoted(table.name) for table in _named(phrase, tables))
    favoured = {event for name in names for (event,) in tables.rows(f"SELECT {EVENT} FROM {name}")[1]}  # noqa: S608
    best = sorted(scores, key=lambda event: (-scores[event] - _NAMED * (event in favoured), event))[:most]
    return _passages({event: scores[event] for event in best}, favoured, tables)


def _named(phrase: Phrase, tables: Tables) -> tuple[Table, ...]:
    """The tables whose records say a word of the question in their own name or in that of a key ("artist")."""
    named = tables.of_classes([iri for n in namings(phrase, tables.vocabulary) if not n.weak for iri in n.classes])
    said = {token.stem for token in phrase.tokens if not token.function}
    keyed = (table for table in tables.tables if said & {stem for key in _keys(table) for stem in stems(key)})
    return tuple(dict.fromkeys((*named, *keyed)))


def _keys(table: Table) -> list[str]:
    return [key.replace("_", " ") for key, held in table.columns.items() if held.iri is not None]


def _passages(scores: Mapping[str, float], favoured: Set[str], tables: Tables) -> tuple[Passage, ...]:
    found: list[Passage] = []
    for table in tables.tables:
        sql = f"SELECT * FROM {quoted(table.name)} WHERE {EVENT} IN (SELECT unnest(CAST(? AS VARCHAR[])))"  # noqa: S608
        names, rows = tables.rows(sql, [list(scores)])
        held = (dict(zip(names, row, strict=True)) for row in rows)
        found += [Passage(values[EVENT], table, values, scores[values[EVENT]]) for values in held]
    return tuple(sorted(found, key=lambda p: (-p.score - _NAMED * (p.event in favoured), p.start, p.event)))


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
