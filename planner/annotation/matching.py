"""Labels that a question nearly names: some of their words, or words of like meaning (QUASL, section IV-A).

A label's words weigh by how rare they are among all labels (TF-IDF). What of a label the question does not say counts
against it, by weight and by length. Where no word is shared, vectors of an encoder compare.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...ontology.namespaces import PG, QUD
from ...store.index.near_values import NearValue
from ...store.rdf import Quad
from ...store.vocabulary import Vocabulary
from ...store.words import stem
from ..patterns.tokens import tokenise

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors | None]
"""Texts to unit vectors, one row per text; None where there is no model."""
_PREFIX = 6
"""Stems of at least so many letters that begin alike are of one word: 'percentag' and 'percent'."""
_DERIVED = 0.85
_SMALL = 0.5
_NEAREST = 24
"""Labels near a phrase that are kept."""
_REMEMBERED = 5_000
_MEANING_ALWAYS = 0.45
"""Least likeness in meaning where near matches count always, as in a catalogue of statistics: whoever asks there asks
for something that it has."""
_SETTINGS = {"leastPart": "part", "leastMeaning": "meaning", "leastRival": "rival"}


class NearValueSource(Protocol):
    """Values of the data that a phrase nearly names, by index (store.index.near_values)."""

    def knows(self, word: str) -> bool: ...
    def misspelt(self, phrase: str) -> tuple[NearValue, ...]: ...
    def in_part(self, phrase: str) -> tuple[NearValue, ...]: ...


@dataclass(frozen=True)
class Near:
    """Where words are looked up that nothing names; each may be missing.

    `encode` gives unit vectors, and is called only where a word is left that no label and no value comes near;
    `properties_of` the properties (IRIs) that have a value, `is_used` whether the data has a property (IRI).
    """

    values: NearValueSource | None = None
    encode: Encode | None = None
    properties_of: Callable[[str], Iterable[str]] | None = None
    is_used: Callable[[str], bool] | None = None


NOTHING_NEAR = Near()
"""Only labels' words are compared."""


@dataclass(frozen=True)
class MatchSettings:
    """From which score on a match counts: `part` of a label's words, `meaning` alone. `always`: near matches are used
    beside exact ones, else only for a question that no rule reads without. `leave_out`: namespaces whose terms are
    never nearly named. `rival`: how near to the best a partial match must be to count too; `most` such of a word."""

    part: float = 0.6
    meaning: float = 0.63
    always: bool = False
    leave_out: tuple[str, ...] = (PG, QUD)
    rival: float = 0.75
    most: int = 6


def match_settings(quads: Iterable[Quad]) -> MatchSettings:
    """What the rule book says of `pg:matching`; of several the more generous."""
    said: dict[str, list[str]] = defaultdict(list)
    for quad in quads:
        if getattr(quad.subject, "value", None) == PG + "matching":
            said[quad.predicate.value.removeprefix(PG)].append(getattr(quad.object, "value", ""))
    always = "always" in said["near"]
    numbers = {"meaning": _MEANING_ALWAYS} if always else {}
    numbers |= {name: min(map(float, said[key])) for key, name in _SETTINGS.items() if said[key]}
    most = max(map(int, said["mostRivals"]), default=MatchSettings.most)
    left_out = tuple(dict.fromkeys((*MatchSettings.leave_out, *said["leaveOut"])))
    return MatchSettings(always=always, leave_out=left_out, most=most, **numbers)


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a term, in words and stems."""

    iri: str
    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Partial:
    """A label with those of a question's tokens (their numbers) that say its words, and how well: 0 to 1."""

    label: Label
    tokens: tuple[int, ...]
    score: float


_Embedded = tuple[Vectors, Vectors, dict[str, int]]
"""Vectors of labels and of their words, and the words' numbers."""


@dataclass
class LabelIndex:
    """All labels of a vocabulary, by stem and by meaning; vectors are computed when first needed."""

    labels: Sequence[Label]
    small: frozenset[str] = frozenset()
    """Stems of words that say little ("of", "per"): they weigh little, and no question has to say them."""
    _by_stem: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _vectors: tuple[Encode, _Embedded | None] | None = None
    _near: dict[str, list[tuple[Label, float]]] = field(default_factory=dict)
    """What came near to phrases."""

    def __post_init__(self) -> None:
        for at, label in enumerate(self.labels):
            for part in set(label.stems):
                self._by_stem[part].append(at)
        self._stems = sorted(part for part in self._by_stem if len(part) >= _PREFIX)

    def weight(self, stem: str) -> float:
        """The rarer a stem among the labels, the more it says."""
        rare = log(1 + len(self.labels) / max(1, len(self._by_stem.get(stem, ()))))
        return _SMALL * rare if stem in self.small else rare

    def partial(self, tokens: Mapping[int, Sequence[str]]) -> list[Partial]:
        """Labels some of whose words the tokens say, best first; `tokens` gives the stems that each may stand for."""
        said: dict[int, dict[str, tuple[float, int]]] = defaultdict(dict)
        for number, stems in tokens.items():
            for one, how_near in self._near_stems(stems).items():
                for at in self._by_stem.get(one, ()):
                    if how_near > said[at].get(one, (0.0, 0))[0]:
                        said[at][one] = (how_near, number)
        found = [self._scored(self.labels[at], stems) for at, stems in said.items()]
        return sorted(found, key=lambda p: (-p.score, p.label.text, p.label.iri))

    def _near_stems(self, stems: Sequence[str]) -> dict[str, float]:
        found = {one: 1.0 if place == 0 else 0.95 for place, one in reversed(list(enumerate(stems)))}
        for one in stems:
            if len(one) >= _PREFIX and one not in self._by_stem:
                alike = (s for s in self._stems if abs(len(s) - len(one)) <= 2)
                found |= {s: _DERIVED for s in alike if s.startswith(one) or one.startswith(s)}
        return found

    def _scored(self, label: Label, said: Mapping[str, tuple[float, int]]) -> Partial:
        weights = {stem: self.weight(stem) for stem in label.stems}
        share = sum(weights[stem] * near for stem, (near, _) in said.items()) / sum(weights.values())
        length = sum(len(w) for w, s in zip(label.words, label.stems, strict=True) if s in said)
        penalty = 0.5 + 0.5 * length / sum(map(len, label.words))
        return Partial(label, tuple(sorted({number for _, number in said.values()})), share * penalty)

    def by_meaning(self, phrases: Sequence[str], encode: Encode) -> list[list[tuple[Label, float]]]:
        """For each phrase the nearest labels with how near they are in meaning, best first.

        A label is as near as the whole of it, or as the mean of the whole and its nearest word: 'rich' is nearer to the
        income in 'median household income' than to all of it.
        """
        if len(self._near) > _REMEMBERED:
            self._near.clear()
        if self._vectors is None or self._vectors[0] is not encode:
            self._vectors = encode, self._embedded(encode)
            self._near.clear()
        embedded = self._vectors[1]
        new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._near]
        asked = encode(new) if embedded and new else None
        if embedded is None or (new and asked is None):
            return [[] for _ in phrases]
        if asked is not None:  # a question is read in many ways, each of which asks for the same phrases
            whole, words, numbers = embedded
            by_label, by_word = asked @ whole.T, asked @ words.T
            ranks = (self._ranked(by_label[at], by_word[at], numbers) for at in range(len(new)))
            self._near.update((phrase, found[:_NEAREST]) for phrase, found in zip(new, ranks, strict=True))
        return [self._near[phrase] for phrase in phrases]

    def _ranked(self, by_label: Vectors, by_word: Vectors, numbers: Mapping[str, int]) -> list[tuple[Label, float]]:
        found: dict[str, tuple[Label, float]] = {}
        for label, near in zip(self.labels, by_label.tolist(), strict=True):
            inner = max((float(by_word[numbers[word]]) for word in label.words if word in numbers), default=near)
            score = max(near, (near + inner) / 2)
            if label.iri not in found or score > found[label.iri][1]:
                found[label.iri] = (label, score)
        return sorted(found.values(), key=lambda entry: (-entry[1], entry[0].text))

    def _embedded(self, encode: Encode) -> _Embedded | None:
        words = sorted({word for label in self.labels for word in label.words if len(word) > 2 and word.isalpha()})
        vectors = None if not self.labels else encode([*(label.text for label in self.labels), *words])
        if vectors is None:
            return None
        count = len(self.labels)
        return vectors[:count], vectors[count:], {word: number for number, word in enumerate(words)}


_INDEXES: dict[tuple[int, tuple[str, ...]], tuple[Vocabulary, LabelIndex]] = {}


def label_index(vocabulary: Vocabulary, leave_out: tuple[str, ...], stop_words: frozenset[str]) -> LabelIndex:
    """The labels of a vocabulary's classes, properties and lexicon; the latest vocabulary's index is kept."""
    key = (id(vocabulary), leave_out)
    found = _INDEXES.get(key)
    if found is None or found[0] is not vocabulary:
        named: dict[tuple[str, str], Label] = {}
        for iri, text in _labels(vocabulary):
            if not iri.startswith(leave_out or ("\0",)):
                label = _label(iri, text)
                if label.stems:
                    named.setdefault((iri, " ".join(label.stems)), label)
        _INDEXES.clear()
        found = _INDEXES[key] = (vocabulary, LabelIndex(tuple(named.values()), frozenset(map(stem, stop_words))))
    return found[1]


def _labels(vocabulary: Vocabulary) -> Iterable[tuple[str, str]]:
    for info in vocabulary.classes.values():
        yield from ((info.iri, text) for text in info.labels)
    for prop in vocabulary.properties.values():
        if not prop.internal:
            yield from ((prop.iri, text) for text in prop.labels)
    for concept in vocabulary.concepts.values():
        yield from ((concept.iri, text) for text in concept.labels)


def _label(iri: str, text: str) -> Label:
    said = [token for token in tokenise(text).tokens if re.search(r"\w", token.lower)]
    return Label(iri, text, tuple(t.lower for t in said), tuple(t.stem for t in said))
