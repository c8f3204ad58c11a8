"""How good a tree is: confidence, complexity and selectivity, joined by weights (QUASL, section VII).

    confidence   s1 = (1/k) Σ θ_t c_i over the k matches that a tree rests on, c_i being each match's confidence and θ_t
                 the weight of its kind, times what the rules themselves say of their certainty (pg:confidence)
    complexity   s2 grows with Σ θ_t n_t, n_t the number of objects of kind t in the tree, proposed ones included;
                 here it is 1 - exp(-Σ θ_t n_t / scale), which stays below 1 and never stops growing
    selectivity  s3 = 1/|R(g, q)|, R being the trees that one rule built of a question; the mean over a tree's rules
    score        their mean by the weights of config.Ranking

What goes beyond the paper: a word that nothing knows counts as a match too, of a low confidence in an open leaf, where
RETRIEVE looks for it in texts, and of none where a rule tells by pg:uses what its tree rests on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...config import Ranking
from ...operators.nodes import Extract, GroupBy, Node, walk
from ...store.words import fold
from ..annotation.annotate import Annotation, Annotator
from ..annotation.reading import Reading
from ..rules.fragments import Fragment
from ..rules.rulebook import Rule

SEARCHED = 0.4
"""Confidence of a word of a query that nothing knows: a text may still have it."""


@dataclass(frozen=True)
class Coverage:
    """How much of a reading's core was understood: the share of content words annotated, and the words that were
    not."""

    share: float
    unknown: tuple[str, ...]


def coverage(reading: Reading, annotator: Annotator) -> Coverage:
    """Content words of the core that no vocabulary, value, person or closed pattern covers."""
    stop = annotator.stop_words
    known: dict[int, float] = {}
    for annotation in reading.annotations:
        if annotation.pattern is None:
            for index in range(annotation.first, annotation.last):
                known[index] = max(known.get(index, 0.0), annotation.confidence)
    content = [i for i, token in enumerate(reading.core.tokens) if token.is_word and fold(token.text) not in stop]
    if not content:
        return Coverage(1.0, ())
    unknown = tuple(reading.core.tokens[i].text for i in content if i not in known)
    return Coverage(sum(known.get(i, 0.0) for i in content) / len(content), unknown)


def unread_words(reading: Reading, annotator: Annotator, *, whole: bool) -> tuple[str, ...]:
    """Words that stand in the way of a reading, in order: those that nothing knows, and those that ask for an operator.

    In a whole question the latter are what its frame is made of: they only count where every other word is known, but
    for those that no frame uses (pg:Never: why, should).
    """
    told_by = (group for a in reading.annotations if "Marker" in a.kinds for group in a.groups)
    marked = {i for group in told_by for i in range(group.first, group.last)}
    known = {i for a in reading.annotations if a.pattern is None for i in range(a.first, a.last)}
    stop = annotator.stop_words
    tokens = reading.core.tokens
    unknown = {i for i, t in enumerate(tokens) if t.is_word and i not in known and fold(t.text) not in stop}
    never = {i for a in reading.annotations if "Never" in a.kinds for i in range(a.first, a.last)}
    told = unknown | marked
    if whole and (unknown - marked) | never:
        told = (unknown - marked) | never
    return tuple(tokens[i].text for i in sorted(told))


@dataclass(frozen=True)
class Parts:
    """A score and what it is made of, each between 0 and 1."""

    confidence: float
    complexity: float
    selectivity: float
    total: float

    def as_json(self) -> dict[str, float]:
        """The parts by name."""
        parts = {"confidence": self.confidence, "complexity": self.complexity, "selectivity": self.selectivity}
        return {name: round(value, 4) for name, value in parts.items()}


@dataclass(frozen=True)
class Evidence:
    """What the pieces of a tree rest on: `matched` is Σ θ_t c_i over `matches` matches (words that nothing explains
    count by their weight), `sure` the product of what the rules say, `selectivities` one per piece."""

    matched: float
    matches: float
    sure: float
    selectivities: tuple[float, ...]

    def joined(self, below: Iterable[Evidence]) -> Evidence:
        """The evidence of a piece with its leaves filled."""
        parts = (self, *below)
        return Evidence(
            sum(part.matched for part in parts),
            sum(part.matches for part in parts),
            math.prod(part.sure for part in parts),
            tuple(s for part in parts for s in part.selectivities),
        )

    def parts(self, tree: Node, ranking: Ranking) -> Parts:
        """The score of the tree that rests on this."""
        confidence = self.sure * (self.matched / self.matches if self.matches else 1.0)
        complexity = 1 - math.exp(-_objects(tree, ranking) / ranking.complexity_scale)
        selectivity = sum(self.selectivities) / len(self.selectivities)
        weights = (ranking.confidence, ranking.complexity, ranking.selectivity)
        weighted = (w * part for w, part in zip(weights, (confidence, complexity, selectivity), strict=True))
        return Parts(confidence, complexity, selectivity, sum(weighted) / sum(weights))


def evidence(piece: Fragment, rule: Rule, reading: Reading, node: str, rivals: int, scoring: Scoring) -> Evidence:
    """What one piece rests on: the annotations it says it uses; else, of a piece with open leaves, what its rule
    waited for; else the words of the reading."""
    sure = _number(piece.said.get("confidence"))
    selectivity = (1 / max(1, rivals),)
    if piece.uses:
        used = [a for iri, a in _by_node(reading, node).items() if iri in set(piece.uses)]
        spare = scoring.ranking.unused * _unexplained(reading, used, scoring.stop_words)
        return Evidence(scoring.weighed(used), len(used) + spare, sure, selectivity)
    if piece.leaves:
        waited = _waited_for(rule, reading)
        return Evidence(scoring.weighed(waited), len(waited), sure * reading.sure, selectivity)
    words = _words(reading, scoring.stop_words)
    matched = sum((SEARCHED + (1 - SEARCHED) * a.confidence) * scoring.theta(a) if a else SEARCHED for a in words)
    return Evidence(matched, len(words), sure, selectivity)


@dataclass(frozen=True)
class Scoring:
    """What scores depend on besides the question: the settings, and the words that say nothing."""

    ranking: Ranking
    stop_words: frozenset[str]

    def theta(self, annotation: Annotation) -> float:
        """θ of the first of its kinds that has one."""
        weights = self.ranking.theta
        return next((weights[kind] for kind in annotation.kinds if kind in weights), 1.0)

    def weighed(self, annotations: Sequence[Annotation]) -> float:
        """Σ θ_t c_i."""
        return sum(self.theta(a) * a.confidence for a in annotations)


def _number(said: str | None) -> float:
    try:
        return min(1.0, max(0.0, float(said))) if said is not None else 1.0
    except ValueError:
        return 1.0


def _by_node(reading: Reading, node: str) -> dict[str, Annotation]:
    """The annotations of a reading by their nodes in its parse graph."""
    found = {f"{node}/a{index}": a for index, a in enumerate(reading.annotations)}
    found |= {f"{node}/f{index}": f.annotation for index, f in enumerate(reading.filters)}
    return found | {f"{node}/x{index}": f.annotation for index, f in enumerate(reading.asides)}


def _waited_for(rule: Rule, reading: Reading) -> list[Annotation]:
    """The surest annotation that let a rule run, if it waits for one."""
    moved = [f.annotation for f in (*reading.filters, *reading.asides)]
    kinds = {trigger.rsplit("#", 1)[-1] for trigger in rule.triggers}
    found = [a for a in (*reading.annotations, *moved) if a.pattern in rule.triggers or kinds.intersection(a.kinds)]
    return sorted(found, key=lambda a: -a.confidence)[:1]


def _words(reading: Reading, stop_words: frozenset[str]) -> list[Annotation | None]:
    """For each content word of the core the surest annotation that is no frame, or None."""
    best: dict[int, Annotation] = {}
    for annotation in reading.annotations:
        if annotation.pattern is None:
            for index in range(annotation.first, annotation.last):
                if index not in best or best[index].confidence < annotation.confidence:
                    best[index] = annotation
    return [best.get(i) for i, t in enumerate(reading.core.tokens) if t.is_word and fold(t.text) not in stop_words]


def _unexplained(reading: Reading, used: Sequence[Annotation], stop_words: frozenset[str]) -> int:
    """How many content words, and filters, of a reading none of the annotations explains."""
    moved = [f.annotation for f in reading.filters]
    inside = [a for a in used if a not in moved]
    explained = {index for a in inside for index in range(a.first, a.last)}
    tokens = enumerate(reading.core.tokens)
    words = sum(1 for i, t in tokens if t.is_word and i not in explained and fold(t.text) not in stop_words)
    return words + sum(1 for a in moved if a not in used)


def _objects(tree: Node, ranking: Ranking) -> float:
    """Σ θ_t n_t: operators, and attributes beyond the first of EXTRACT and GROUP_BY."""
    total = 0.0
    for node in walk(tree):
        total += ranking.theta.get(f"qud:{type(node).__name__}", 1.0)
        if isinstance(node, Extract | GroupBy):
            total += (len(node.names) - 1) * ranking.theta.get("qud:name", 1.0)
    return total
