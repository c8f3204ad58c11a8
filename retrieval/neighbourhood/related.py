"""What of a graph is related to one of its instances: ranked by a query made of it and of its neighbourhood.

The instance's text and the texts around it are vectors of one encoder; a set encoder joins them
(`models/neighbourhood`), and what its keys lead to gains what such a path is worth. Without the set encoder (another
encoder, no weights) the encoder's own cosines rank, and a warning says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from .texts import Said
from .walking import Category, Rule, Walker

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
TOP: Final = 10


class Joins(Protocol):
    """Joins a query with its neighbourhood (models/set_encoder.py)."""

    def join(self, query: Vectors, around: Sequence[tuple[Vectors, Vectors]]) -> tuple[Vectors, Vectors]:
        """Of a vector (size,), and for each category the vectors of its name (size,) and its values (values, size): the
        joined vector (size,) and the reach (categories,)."""
        ...


@dataclass(frozen=True)
class Related:
    """An instance that is related, by the best score, and the paths that lead to it, if any do."""

    iri: str
    score: float
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Around:
    """A category of the neighbourhood: its instances, and what they say."""

    path: str
    iris: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Surroundings:
    """A store's instances: the walker over them, and what is said of each."""

    walker: Walker
    said: Mapping[str, Said]

    def around(self, iri: str, rule: Rule) -> tuple[Around, ...]:
        """The neighbourhood of an instance in words. Raises KeyError for one that the store does not have."""
        own = self.walker.columns.numbers[iri]
        found = (self._in_words(category, rule) for category in self.walker.around(own, rule))
        return tuple(one for one in found if one.texts)

    def _in_words(self, category: Category, rule: Rule) -> Around:
        """By the strict rule what has no time says its name alone: nobody knows since when it says the rest."""
        iris = [(one, self.walker.columns.iris[one]) for one in category.instances]
        known = [(one, iri) for one, iri in iris if iri in self.said]
        texts = [
            self.said[iri].name if rule is Rule.STRICT and not self.walker.is_dated(one) else self.said[iri].text
            for one, iri in known
        ]
        return Around(category.path, tuple(iri for _, iri in known), tuple(dict.fromkeys(filter(None, texts))))

    def words_of(self, iri: str) -> str:
        """What is said of an instance; of one that says nothing in words, what it is."""
        said = self.said.get(iri)
        return said.text if said is not None else self.walker.class_name(self.walker.columns.numbers[iri])

    def nearness(self, iri: str, others: Sequence[str]) -> NDArray[np.float64]:
        """How far others are from an instance in time, in seconds; endless for what has no time."""
        columns = self.walker.columns
        own = self.walker.moment(columns.numbers[iri])
        away = np.abs(np.array([self.walker.moment(columns.numbers[one]) for one in others], dtype=np.float64) - own)
        return np.nan_to_num(away, nan=np.inf)


def rank_related(
    iri: str,
    among: Sequence[str],
    surroundings: Surroundings,
    encode: Encode,
    joins: Joins | None,
    rule: Rule,
    top: int = TOP,
) -> tuple[tuple[Related, ...], tuple[Around, ...]]:
    """The instances of `among` that are related to one, best first, and its neighbourhood. Of several that say the same
    and to which no path leads, the nearest in time stands for all."""
    around = surroundings.around(iri, rule)
    said = surroundings.said
    among = [one for one in among if one != iri and one in said]
    if not among:
        return (), around
    texts = list(dict.fromkeys(said[one].text for one in among))
    place = {text: number for number, text in enumerate(texts)}
    documents = encode(texts)
    query = encode([surroundings.words_of(iri)])[0]
    reach = np.zeros(len(around), dtype=np.float32)
    if joins is not None and around:
        names = encode([one.path for one in around])
        query, reach = joins.join(query, [(name, encode(one.texts)) for name, one in zip(names, around, strict=True)])
    scores = (documents @ query)[[place[said[one].text] for one in among]].astype(np.float64)
    paths = defaultdict[str, list[str]](list)
    gained = defaultdict[str, float](float)
    for one, gain in zip(around, reach, strict=True):
        for neighbour in one.iris:
            paths[neighbour].append(one.path)
            gained[neighbour] += float(gain)
    scores += np.array([gained.get(one, 0.0) for one in among])
    order = np.lexsort((surroundings.nearness(iri, among), -scores))
    ranked = [Related(among[at], float(scores[at]), tuple(paths.get(among[at], ()))) for at in order]
    return tuple(_told_apart(ranked, said)[:top]), around


def _told_apart(ranked: Sequence[Related], said: Mapping[str, Said]) -> list[Related]:
    """Of events that nothing but their words leads to, and that say the same, only the first."""
    seen = set[str]()
    kept = []
    for one in ranked:
        text = said[one.iri].text
        if one.paths or text not in seen:
            kept.append(one)
            seen.add(text)
    return kept
