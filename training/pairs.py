"""(query, line) pairs that the classifiers of RETRIEVE are trained on, from the hand-written texts and patterns.

From the queries written beside a text; from the general queries that it was judged for; and from its values ("I ate
Thai food" where the cuisine is Thai, and the same with another cuisine, which it is not relevant for).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ..models.reading.reader_terms import reader_kinds
from ..models.reading.verbalise import verbalise
from ..texts.lexicon.lexicon import Lexicon
from .texts import DATA, Annotated, lines

PEOPLE = frozenset({"participants", "patient", "honoree", "gift_for"})
CLASSES = ("none", "some", "all")


@dataclass(frozen=True, slots=True)
class Pair:
    """`label` is 0 or 1 for events, a place in CLASSES for patterns; pairs of one `text` stay together in folds."""

    query: str
    line: str
    label: int
    text: str


def event_pairs(texts: Sequence[Annotated], lexicon: Lexicon, random: Random, folder: Path = DATA) -> list[Pair]:
    """All pairs of the texts, and the patterns that are wholly in or out as if they were records."""
    phrases = {row["key"]: row["phrases"] for row in lines(folder / "values.jsonl")}
    pool = _pool(texts)
    found: list[Pair] = []
    for text in texts:
        line = verbalise(replace(text.document, hints=text.hints(lexicon))).line
        asked = dict(_judged(text)) | dict(_of_values(text, phrases, pool, random))
        asked |= {query: 1 for query in text.yes} | {query: 0 for query in text.no}
        found += [Pair(query, line, label, text.document.event) for query, label in asked.items()]
    return found + [
        replace(pair, label=int(pair.label == CLASSES.index("all")))
        for pair in pattern_pairs(folder)
        if pair.label != CLASSES.index("some") and not pair.line.startswith("source")
    ]


def pattern_pairs(folder: Path = DATA) -> list[Pair]:
    """(query, pattern) with its class."""
    return [
        Pair(query, row["pattern"], label, row["pattern"])
        for row in lines(folder / "patterns.jsonl")
        for label, name in enumerate(CLASSES)
        for query in row[name]
    ]


def _judged(text: Annotated) -> Iterator[tuple[str, int]]:
    for kind, phrases in reader_kinds().items():
        if text.general is not None and kind not in text.doubtful:
            yield from ((phrase, int(kind in text.general)) for phrase in phrases)


def _pool(texts: Sequence[Annotated]) -> Mapping[str, Sequence[str]]:
    pool: dict[str, dict[str, None]] = {}
    for text in texts:
        for told in text.tells:
            for key, (values, _) in told.values.items():
                pool.setdefault(key, {}).update(dict.fromkeys(values))
    return {key: tuple(values) for key, values in pool.items()}


def _of_values(
    text: Annotated, phrases: Mapping[str, Sequence[str]], pool: Mapping[str, Sequence[str]], random: Random
) -> Iterator[tuple[str, int]]:
    told = [(key, v, t.real) for t in text.tells for key, (vs, _) in t.values.items() if key in phrases for v in vs]
    real = {(key, value) for key, value, happened in told if happened}
    for key, value, happened in told:
        if happened or (key, value) not in real:
            yield random.choice(phrases[key]).format(_called(key, value, text, random)), int(happened)
        other = _other(key, text, pool, random)
        if other is not None:
            yield random.choice(phrases[key]).format(_called(key, other, text, random)), 0


def _other(key: str, text: Annotated, pool: Mapping[str, Sequence[str]], random: Random) -> str | None:
    """A value of the same key that the text says nothing of; of people, one of the same profile where there is one."""
    own = [name for name in text.people if random.random() < 0.5] if key in PEOPLE else []
    value = random.choice(own or list(pool[key]))
    said = {held.casefold() for told in text.tells for vs, _ in told.values.values() for held in vs}
    inside = value.casefold() in text.document.text.casefold() or value.split()[0] in text.document.text
    return None if inside or value.casefold() in said else value


def _called(key: str, value: str, text: Annotated, random: Random) -> str:
    """How a query calls a value: people by full or first name, nickname or relation."""
    if key not in PEOPLE:
        return value
    person = next((p for p in text.profile.people if p.name == value), None)
    calls = [value, value.split()[0], *(person.nicknames if person else ())]
    if person is not None and person.relation:
        calls.append(f"my {person.relation}")
    return random.choice(calls)
