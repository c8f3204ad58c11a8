"""FewShotExample decompositions, and which of them come nearest to a question (ReQAP, section 3.1 and its Table 15).

A language model is shown the eight nearest at each step, by BM25 over the questions of their steps.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from ...errors import ConfigError
from ...operators.nodes import Node, open_questions
from ...operators.syntax.text import parse_tree
from ...store.words import stems
from ..rules.fragments import with_leaves

_SATURATION, _LENGTH = 1.2, 0.75
"""k1 and b of BM25."""


@dataclass(frozen=True)
class FewShotExample:
    """A question decomposed by hand: (question, tree) for each step, the question itself first."""

    steps: tuple[tuple[str, str], ...]

    @property
    def question(self) -> str:
        """What was asked."""
        return self.steps[0][0]

    @cached_property
    def whole(self) -> Node:
        """The tree with all its leaves filled, as it is given in one shot."""
        known = dict(self.steps)

        def filled(question: str) -> Node:
            tree = parse_tree(known[question])
            return with_leaves(tree, {leaf: filled(leaf) for leaf in open_questions(tree)})

        return filled(self.question)


class Nearest:
    """The worked decompositions by how near their questions come to another: BM25 over stems."""

    def __init__(self, worked: Sequence[FewShotExample]) -> None:
        self._worked = tuple(worked)
        self._counts = [Counter(stem for question, _ in one.steps for stem in stems(question)) for one in worked]
        lengths = [sum(counts.values()) for counts in self._counts]
        mean = sum(lengths) / max(1, len(lengths))
        self._norms = [_SATURATION * (1 - _LENGTH + _LENGTH * length / mean) for length in lengths]
        self._having = Counter(stem for counts in self._counts for stem in counts)

    @property
    def all(self) -> tuple[FewShotExample, ...]:
        """All of them, in the order of the file."""
        return self._worked

    def to(self, question: str, most: int) -> tuple[FewShotExample, ...]:
        """Up to `most`, the nearest first; ties stay in the order of the file."""
        asked = stems(question)
        scores = [self._score(asked, place) for place in range(len(self._worked))]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return tuple(self._worked[place] for place in order[:most])

    def _score(self, asked: Sequence[str], place: int) -> float:
        counts, norm = self._counts[place], self._norms[place]
        return sum(
            self._rarity(stem) * counts[stem] * (_SATURATION + 1) / (counts[stem] + norm)
            for stem in set(asked)
            if counts[stem]
        )

    def _rarity(self, stem: str) -> float:
        having = self._having[stem]
        return math.log(1 + (len(self._worked) - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=1)
def shipped_decompositions() -> Nearest:
    """Those of templates/decompositions.toml. Raises ConfigError where that file is damaged."""
    text = (files("reqap_kg.templates") / "decompositions.toml").read_text(encoding="utf-8")
    try:
        rows = tomllib.loads(text)["worked"]
        return Nearest([FewShotExample(tuple((question, tree) for question, tree in row["steps"])) for row in rows])
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as bad:
        raise ConfigError(f"templates/decompositions.toml: {bad}") from bad
