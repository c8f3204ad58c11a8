"""Fragments of values: 'songs with love in the title', 'mails whose subject contains invoice'."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...ontology.namespaces import EV, XSD
from ...store.words import fold
from ...texts.phrase import Phrase, Span, topic_cue
from .reading import Reading, Source

_DETERMINERS: Final = frozenset({"the", "its", "their", "a", "an", "his", "her", "it", "them"})
_HOLDING: Final = frozenset({"with", "having", "has", "have", "had", "whose", "that", "which", "where"})
_WORD_FOR_WORD: Final = frozenset({"word", "words"})


@dataclass(frozen=True, slots=True)
class Fragment:
    """Words that must stand in a value of one of `properties`; `used` are all positions that say so."""

    span: Span
    words: str
    properties: tuple[str, ...]
    used: frozenset[int]


def fragments_of_values(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Iterator[Fragment]:
    """The fragments that a phrase asks for, at most one."""
    for place in reading.free:
        properties = _texts(phrase, place, scope, source)
        if properties:
            fragment = _before(phrase, place, properties, reading) or _after(phrase, place, properties, reading, source)
            if fragment is not None:
                yield fragment
                return


def _before(phrase: Phrase, place: int, properties: tuple[str, ...], reading: Reading) -> Fragment | None:
    """'love in the title': from the words that hold it on, 'in', and a label."""
    joint = place - 1
    while joint >= 0 and fold(phrase.tokens[joint].text) in _DETERMINERS:
        joint -= 1
    if (
        joint < 1
        or fold(phrase.tokens[joint].text) != "in"
        or phrase.content(i for i in reading.free if i == place + 1)
    ):
        return None
    start = joint
    while start > 0 and start - 1 in reading.free and fold(phrase.tokens[start - 1].text) not in _HOLDING:
        start -= 1
    return _fragment(phrase, start, joint, place, properties, reading)


def _after(
    phrase: Phrase, place: int, properties: tuple[str, ...], reading: Reading, source: Source
) -> Fragment | None:
    """'whose title contains love': a label, a cue, and the words to the end or the next word that is covered."""
    cue = topic_cue(phrase, source.vocabulary)
    if cue is None or cue.start != place + 1:
        return None
    end = cue.end
    while end < len(phrase.tokens) and end in reading.free:
        end += 1
    return _fragment(phrase, cue.end, end, place, properties, reading)


def _fragment(
    phrase: Phrase, start: int, end: int, place: int, properties: tuple[str, ...], reading: Reading
) -> Fragment | None:
    while start < end and fold(phrase.tokens[start].text) in _DETERMINERS | _WORD_FOR_WORD and end - start > 1:
        start += 1
    if start >= end or not all(i in reading.free for i in range(start, end)):
        return None
    used = frozenset(i for i in (*range(start, end), place) if i in reading.free)
    lead = frozenset(i for i in reading.free if i < start and fold(phrase.tokens[i].text) in _WORD_FOR_WORD)
    return Fragment(Span(start, end), phrase.words(Span(start, end)), properties, used | lead)


def _texts(phrase: Phrase, place: int, scope: frozenset[str], source: Source) -> tuple[str, ...]:
    """Text attributes of the class that a word calls: 'title' is the song's of a song, the series' of a series."""
    vocabulary, word = source.vocabulary, phrase.tokens[place].text
    general = {p.iri for p in vocabulary.properties_named(word)}
    if not general:
        return ()
    nouns = [token.text for token in phrase.tokens if vocabulary.classes_named(token.text)]
    called = [p for noun in nouns for p in vocabulary.properties_named(f"{noun} {word}")]
    named = [*called, *vocabulary.properties_named(word)]
    held = {prop for prop, klass, _, _ in source.index.properties() if klass in scope}
    found = [p.iri for p in named if p.iri in held and p.range in (None, XSD + "string")]
    if not found and EV + "title" in general:
        infos = [vocabulary.classes[c] for c in sorted(scope) if c in vocabulary.classes]
        found = [info.label_property for info in infos if info.label_property in held]
    return tuple(dict.fromkeys(iri for iri in found if iri))
