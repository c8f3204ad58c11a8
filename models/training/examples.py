"""Training examples of the reader's three tasks, drawn anew for each epoch from the hand-written texts and patterns.

Relevance: (query, text) pairs, from the queries written beside a text, from general queries that it was judged for, and from
its values ("I ate Thai food" where the cuisine is Thai; the same with another cuisine as a negative). Tags: (key, text) with
the words that say the value. Patterns: (query, pattern) with one of three classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from ...texts.lexicon import Lexicon
from ..verbalise import Verbalised, verbalise
from .texts import DATA, Annotated, Told, lines

_GENERAL_NO: Final = 5
"""General queries of which a text is a negative example in one epoch."""
_VALUES: Final = 3
_ABSENT: Final = 3
"""Keys of which a text says nothing, as negative examples, in one epoch."""
_ALIKE: Final = (
    frozenset({"dish", "food", "drink", "cuisine", "product"}),
    frozenset({"place", "venue", "shop", "accommodation", "city", "country", "trip_destination", "organisation"}),
    frozenset({"activity", "workout_type", "hobby", "occasion", "milestone_type", "reason", "trip_purpose", "artist"}),
    frozenset({"title", "movie_title", "series_title", "product", "role", "author"}),
    frozenset({"participants", "honoree", "patient", "gift_for", "doctor_name", "pet", "author"}),
)
"""Keys that may share their words: one of them is no negative example where another is told."""
_HELD_TWICE: Final = frozenset({"participants", "patient", "honoree", "gift_for"})
"""Keys of people: every place where the name stands says it."""


@dataclass(frozen=True, slots=True)
class Example:
    """`first` is the query or key, `second` what is read; `label` is 0 or 1, a class, or spans of `second`."""

    first: str
    second: str
    label: int | tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Material:
    """All that examples are drawn from."""

    texts: Sequence[Annotated]
    lines: Mapping[str, Verbalised]
    general: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[str]]
    keys: Mapping[str, Sequence[str]]
    pool: Mapping[str, Sequence[str]]
    """Values by key over all texts."""

    @classmethod
    def of(cls, texts: Sequence[Annotated], lexicon: Lexicon, folder: Path = DATA) -> Material:
        """Verbalises the texts and reads the phrases."""
        pool: dict[str, dict[str, None]] = {}
        for text in texts:
            for told in text.tells:
                for key, (values, _) in told.values.items():
                    pool.setdefault(key, {}).update(dict.fromkeys(values))
        return cls(
            texts,
            {text.document.event: verbalise(replace(text.document, hints=text.hints(lexicon))) for text in texts},
            {row["id"]: row["phrases"] for row in lines(folder / "generic.jsonl")},
            {row["key"]: row["phrases"] for row in lines(folder / "values.jsonl")},
            {row["key"]: row["labels"] for row in lines(folder / "keys.jsonl")},
            {key: tuple(values) for key, values in pool.items()},
        )


def relevance_examples(material: Material, random: Random) -> Iterator[Example]:
    """(query, line) pairs of one epoch."""
    everyone = [query for text in material.texts for query in text.yes]
    for text in material.texts:
        line = material.lines[text.document.event].line
        asked = {query: 1 for query in text.yes} | {query: 0 for query in text.no}
        asked.update(_general(text, material, random))
        asked.update(_of_values(text, material, random))
        asked.setdefault(random.choice(everyone), 0)
        yield from (Example(query, line, label) for query, label in asked.items())


def _general(text: Annotated, material: Material, random: Random) -> Iterator[tuple[str, int]]:
    if text.general is None:
        return
    no = [number for number in material.general if number not in text.general | text.doubtful]
    for number in text.general:
        yield random.choice(material.general[number]), 1
    for number in random.sample(no, min(_GENERAL_NO, len(no))):
        yield random.choice(material.general[number]), 0


def _of_values(text: Annotated, material: Material, random: Random) -> Iterator[tuple[str, int]]:
    told = [
        (key, v, t.real) for t in text.tells for key, (vs, _) in t.values.items() if key in material.values for v in vs
    ]
    real = {(key, value) for key, value, happened in told if happened}
    for key, value, happened in random.sample(told, min(_VALUES, len(told))):
        if happened or (key, value) not in real:
            yield random.choice(material.values[key]).format(_called(key, value, text, random)), int(happened)
        other = _other(key, text, material, random)
        if other is not None:
            yield random.choice(material.values[key]).format(_called(key, other, text, random)), 0


def _other(key: str, text: Annotated, material: Material, random: Random) -> str | None:
    """A value of the same key that the text says nothing of; of people, one of the same profile where there is one."""
    own = [name for name in text.people if random.random() < 0.5] if key in _HELD_TWICE else []
    value = random.choice(own or list(material.pool[key]))
    said = {held.casefold() for told in text.tells for k, (vs, _) in told.values.items() for held in vs}
    inside = value.casefold() in text.document.text.casefold() or value.split()[0] in text.document.text
    return None if inside or value.casefold() in said else value


def _called(key: str, value: str, text: Annotated, random: Random) -> str:
    """How a query calls a value: people by full or first name or relation."""
    if key not in _HELD_TWICE:
        return value
    person = next((p for p in text.profile.people if p.name == value), None)
    calls = [value, value.split()[0]]
    if person is not None:
        calls += [f"my {person.relation}"] if person.relation else []
        calls += person.nicknames
    return random.choice(calls)


def tag_examples(material: Material, random: Random) -> Iterator[Example]:
    """(key, line) with the spans of its values, of one epoch; spans are offsets of the line."""
    for text in material.texts:
        line = material.lines[text.document.event]
        present = {key for told in text.tells for key in told.values}
        absent = [key for key in material.keys if not any(key in alike and alike & present for alike in _ALIKE)]
        absent = [key for key in absent if key not in present]
        chosen = random.sample(absent, min(_ABSENT, len(absent)))
        for key in sorted(present & material.keys.keys()) + chosen:
            spans = _spans(key, [told for told in text.tells if told.real], text, line.shift)
            if spans is not None:
                yield Example(random.choice(material.keys[key]), line.line, spans)


def _spans(key: str, tells: Sequence[Told], text: Annotated, shift: int) -> tuple[tuple[int, int], ...] | None:
    """Where a key's values are said; None where the words do not stand in the document's text."""
    found: set[tuple[int, int]] = set()
    for told in tells:
        if key not in told.values:
            continue
        said = told.values[key][1]
        at = text.document.text.find(said) if said else -1
        if at < 0:
            return None
        while at >= 0:
            found.add((at + shift, at + len(said) + shift))
            at = text.document.text.find(said, at + len(said)) if key in _HELD_TWICE else -1
    return tuple(sorted(found))


def pattern_examples(folder: Path = DATA) -> Iterator[Example]:
    """(query, pattern) with its class: 0 none, 1 some, 2 all."""
    for row in lines(folder / "patterns.jsonl"):
        for label, name in enumerate(("none", "some", "all")):
            yield from (Example(query, row["pattern"], label) for query in row[name])


def record_examples(folder: Path = DATA) -> Iterator[Example]:
    """Patterns as if they were records, for the relevance task: those that are wholly in or out."""
    for row in lines(folder / "patterns.jsonl"):
        if not row["pattern"].startswith("source"):
            yield from (Example(query, row["pattern"], 1) for query in row["all"])
            yield from (Example(query, row["pattern"], 0) for query in row["none"])
