"""Training examples of the reader: each text once, with where its values stand and what it tells of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from ..models.reading.verbalise import Verbalised, verbalise
from ..texts.lexicon.lexicon import Lexicon
from .texts import Annotated

HINTS_LEFT_OUT: Final = 0.25
"""Share of texts that an epoch reads without hints, so that words count for themselves."""
_HELD_TWICE: Final = frozenset({"participants", "patient", "honoree", "gift_for"})
"""Keys of people: every place where the name stands says it."""

Spans = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Example:
    """A line to read; spans of it by key; keys of which nothing can be said since their words stand nowhere; general
    queries that it is relevant for (None: not judged) and those that are doubtful; whether anything really happened."""

    line: str
    spans: Spans
    unknown: frozenset[str]
    general: frozenset[str] | None
    doubtful: frozenset[str]
    real: bool


def examples(texts: Sequence[Annotated], lexicon: Lexicon, random: Random, *, hints: bool = True) -> Iterator[Example]:
    """One example a text; `hints` False to read some without them."""
    for text in texts:
        held = text.hints(lexicon) if hints or random.random() >= HINTS_LEFT_OUT else ()
        line = verbalise(replace(text.document, hints=held))
        yield example(text, line)


def example(text: Annotated, line: Verbalised) -> Example:
    """A text with its values' places in a line."""
    spans: dict[str, set[tuple[int, int]]] = {}
    unknown: set[str] = set()
    for told in text.tells:
        for key, (_, said) in told.values.items():
            places = list(_places(said, text.document.text, everywhere=key in _HELD_TWICE))
            if told.real and not places:
                unknown.add(key)
            elif told.real:
                spans.setdefault(key, set()).update((a + line.shift, b + line.shift) for a, b in places)
    return Example(
        line=line.line,
        spans={key: tuple(sorted(found)) for key, found in spans.items()},
        unknown=frozenset(unknown),
        general=text.general,
        doubtful=text.doubtful,
        real=any(told.real for told in text.tells),
    )


def _places(said: str, text: str, *, everywhere: bool) -> Iterator[tuple[int, int]]:
    at = text.find(said) if said else -1
    while at >= 0:
        yield at, at + len(said)
        at = text.find(said, at + len(said)) if everywhere else -1
