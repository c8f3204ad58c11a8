"""How good a plan is: confidence, complexity and selectivity, joined by weights (QUASL, section VII)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..store.words import fold
from .annotate import Annotator
from .pieces import Piece
from .reading import Reading

WEIGHTS = (0.6, 0.2, 0.2)
"""Of confidence, complexity and selectivity."""
FULL_COMPLEXITY = 8
"""Operators from which a tree counts as wholly complex: the more of the question a tree says, the more relevant."""


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
class Score:
    """The three parts, each between 0 and 1, of a tree made of several pieces."""

    confidences: tuple[float, ...]
    selectivities: tuple[float, ...]
    operators: int = 0

    @classmethod
    def of(cls, piece: Piece, covered: Coverage, rivals: int) -> Score:
        """The score of one piece: how sure its rule is, and for a closed piece how well its words are known."""
        sure = float(piece.said.get("confidence", "1"))
        return cls((sure if piece.leaves else sure * (0.4 + 0.6 * covered.share),), (1 / max(1, rivals),))

    def joined(self, below: Sequence[Score], operators: int) -> Score:
        """The score of the piece with its leaves filled; the tree has `operators` operators."""
        return Score(
            (*self.confidences, *(c for score in below for c in score.confidences)),
            (*self.selectivities, *(s for score in below for s in score.selectivities)),
            operators,
        )

    @property
    def total(self) -> float:
        """The weighted mean, between 0 and 1."""
        confidence = 1.0
        for part in self.confidences:
            confidence *= part
        complexity = min(1.0, self.operators / FULL_COMPLEXITY)
        selectivity = sum(self.selectivities) / len(self.selectivities)
        return WEIGHTS[0] * confidence + WEIGHTS[1] * complexity + WEIGHTS[2] * selectivity
