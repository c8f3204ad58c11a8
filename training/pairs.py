"""(query, line) pairs that the classifiers of RETRIEVE are trained on, from the hand-written texts and patterns.

From the queries that were written for a life, each with all texts of it that fit, near misses, and others; and from
the values of its texts ("I ate Thai food" where the cuisine is Thai, and the same with another cuisine, which it is not
relevant for).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from ..texts.lexicon.lexicon import Lexicon
from .texts import Annotated, Asked, lines

DATA: Final = Path(__file__).parent / "data"
PEOPLE: Final = frozenset({"participants", "patient", "honoree", "gift for"})
CLASSES: Final = ("none", "some", "all")
OTHERS: Final = 60
"""Texts of a life beside a query's own that are taken for examples of what it does not mean."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`label` is 0 or 1 for events, a place in CLASSES for patterns; pairs of one `group` (a life, a pattern) stay
    together in folds."""

    query: str
    line: str
    label: int
    group: str


def event_pairs(
    texts: Sequence[Annotated],
    queries: Mapping[str, Sequence[Asked]],
    lexicon: Lexicon,
    random: Random,
    folder: Path = DATA,
) -> list[Pair]:
    """All pairs of the texts, and the patterns that are wholly in or out as if they were records."""
    said = {text.document.event: text.line(lexicon).line for text in texts}
    found: list[Pair] = []
    for place, of_values in value_pairs(texts, random, folder):
        text = texts[place]
        found += [Pair(query, said[text.document.event], label, text.life) for query, label in of_values]
    for life in dict.fromkeys(text.life for text in texts):
        own = [text for text in texts if text.life == life]
        for asked in queries.get(life, ()):
            found += [
                Pair(asked.query, said[text.document.event], label, life) for text, label in _asked(asked, own, random)
            ]
    return found + [
        replace(pair, label=int(pair.label == CLASSES.index("all")))
        for pair in pattern_pairs(folder)
        if pair.label != CLASSES.index("some") and not pair.line.startswith("source")
    ]


def value_pairs(
    texts: Sequence[Annotated], random: Random, folder: Path = DATA
) -> Iterator[tuple[int, list[tuple[str, int]]]]:
    """By the place of each text, queries of its values and of others with their labels."""
    phrases = {row["key"]: row["phrases"] for row in lines(folder / "values.jsonl")}
    pool = _pool(texts)
    for place, text in enumerate(texts):
        yield place, list(dict(_of_values(text, phrases, pool, random)).items())


def pattern_pairs(folder: Path = DATA) -> list[Pair]:
    """(query, pattern) with its class."""
    return [
        Pair(query, row["pattern"], label, row["pattern"])
        for row in lines(folder / "patterns.jsonl")
        for label, name in enumerate(CLASSES)
        for query in row[name]
    ]


def _asked(asked: Asked, texts: Sequence[Annotated], random: Random) -> Iterator[tuple[Annotated, int]]:
    """The texts that a query means, its near misses, and some others, with their labels."""
    others: list[Annotated] = []
    for text in texts:
        names = {mention.name for mention in text.mentions}
        if names & asked.yes or names & asked.no:
            yield text, int(bool(names & asked.yes))
        else:
            others.append(text)
    yield from ((text, 0) for text in random.sample(others, min(OTHERS, len(others))))


def _pool(texts: Sequence[Annotated]) -> Mapping[str, Sequence[str]]:
    pool: dict[str, dict[str, None]] = {}
    for text in texts:
        for mention in text.mentions:
            for said in mention.said:
                pool.setdefault(said.key, {})[said.value] = None
    return {key: tuple(values) for key, values in pool.items()}


def _of_values(
    text: Annotated, phrases: Mapping[str, Sequence[str]], pool: Mapping[str, Sequence[str]], random: Random
) -> Iterator[tuple[str, int]]:
    told = [(s.key, s.value, m.real) for m in text.mentions for s in m.said if s.key in phrases]
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
    held = {said.value.casefold() for mention in text.mentions for said in mention.said}
    inside = value.casefold() in text.document.text.casefold() or value.split()[0] in text.document.text
    return None if inside or value.casefold() in held else value


def _called(key: str, value: str, text: Annotated, random: Random) -> str:
    """How a query calls a value: people by full or first name, nickname or relation."""
    if key not in PEOPLE:
        return value
    person = next((p for p in text.profile.people if p.name == value), None)
    calls = [value, value.split()[0], *(person.nicknames if person else ())]
    if person is not None and person.relation:
        calls.append(f"my {person.relation}")
    return random.choice(calls)
