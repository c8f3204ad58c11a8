"""One probability for every answer, whoever proposed its reading: a logistic function of what speaks for it.

The weights are fitted on questions about lives that nothing was trained on (`training/ranking.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp
from typing import Final

from .grounds import Grounds

LIKELY: Final = 0.25
"""Probability from which on the likeliest reading is answered."""
SURE: Final = 0.8
"""Probability from which on an answer is given without a word of doubt; where what rules read is as likely by itself,
the parser is not asked."""


@dataclass(frozen=True)
class Evidence:
    """What speaks for an answer and against it, each between 0 and 1."""

    mass: float
    """How sure the parser is of the forms that give it."""
    share: float
    """Their share of all forms that the data bears out."""
    top: float
    """Whether the likeliest form gives it."""
    rules: float
    """How sure rules are of the reading that gives it."""
    against: float
    """How sure rules are of a reading that gives another answer."""
    later: float
    """Whether the question leans on earlier ones."""
    grounds: Grounds = field(default_factory=Grounds)

    def values(self) -> dict[str, float]:
        """All of it by name, that of the grounds included."""
        parts = {**vars(self), **vars(self.grounds)}
        told = {name: value for name, value in parts.items() if isinstance(value, int | float)}
        return {**told, "settled": self.grounds.recorded if self.rules else 0.0}


@dataclass(frozen=True)
class Weights:
    """How much each piece of evidence counts (fitted by training/ranking.py; docs/models-planning.md). `settled` is for
    what rules read, where its grounds are `recorded`."""

    bias: float = -2.05
    mass: float = 0.59
    share: float = 1.10
    top: float = 0.37
    rules: float = 1.31
    against: float = -0.66
    later: float = -0.23
    recorded: float = 0.45
    settled: float = 1.86
    clear: float = 1.22
    told: float = -0.32
    unmet: float = -0.65
    nothing: float = 0.13
    joined: float = -0.61
    several: float = -0.55
    own: float = 0.27

    def probability(self, evidence: Evidence) -> float:
        """How likely an answer is the right one."""
        odds = self.bias + sum(getattr(self, name) * value for name, value in evidence.values().items())
        return 1 / (1 + exp(-odds))
