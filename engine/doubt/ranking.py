"""One probability for every answer, whoever proposed its reading: a logistic function of what speaks for it.

The weights are fitted on questions about lives that nothing was trained on (`training/ranking.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from typing import Final

from .grounds import Grounds

LIKELY: Final = 0.35
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

    @property
    def alone(self) -> Evidence:
        """What there would be without the parser."""
        return replace(self, mass=0.0, share=0.0, top=0.0)


@dataclass(frozen=True)
class Weights:
    """How much each piece of evidence counts (fitted by training/ranking.py; docs/models-planning.md). `settled` is for
    what rules read, where its grounds are `recorded`."""

    bias: float = -2.04
    mass: float = 0.30
    share: float = 0.73
    top: float = 0.61
    rules: float = 1.43
    against: float = -0.67
    later: float = -0.20
    recorded: float = 0.59
    settled: float = 2.02
    clear: float = 1.42
    told: float = -0.49
    unmet: float = -0.80
    nothing: float = -0.07
    joined: float = -0.78
    several: float = -0.62
    own: float = 0.20

    def probability(self, evidence: Evidence) -> float:
        """How likely an answer is the right one."""
        odds = self.bias + sum(getattr(self, name) * value for name, value in evidence.values().items())
        return 1 / (1 + exp(-odds))
