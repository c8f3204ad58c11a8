"""How well relevant documents are ranked, and how sure a difference is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SAMPLES: Final = 10_000


@dataclass(frozen=True)
class Ranked:
    """Of each query: Recall@10, Acc@100 and the reciprocal rank of the first relevant document, from 0 to 1."""

    recall: Floats
    accuracy: Floats
    reciprocal: Floats

    @classmethod
    def of(cls, ranks: Sequence[Sequence[float]]) -> Ranked:
        """Of the ranks, from 1, of each query's relevant documents."""
        return cls(
            np.array([float(np.mean([rank <= 10 for rank in own])) for own in ranks], dtype=np.float64),
            np.array([float(min(own) <= 100) for own in ranks], dtype=np.float64),
            np.array([1 / min(own) for own in ranks], dtype=np.float64),
        )

    @property
    def told(self) -> dict[str, float]:
        """Means in percent."""
        named = {"Recall@10": self.recall, "Acc@100": self.accuracy, "MRR": self.reciprocal}
        return {name: round(100 * float(values.mean()), 2) for name, values in named.items()}


def difference(one: Floats, other: Floats, seed: int = 1) -> tuple[float, float, float]:
    """Mean of other − one in percent, and the interval that holds it in 95 of 100 paired bootstrap samples."""
    gained = other - one
    drawn = np.random.default_rng(seed).integers(0, len(gained), (SAMPLES, len(gained)))
    means = gained[drawn].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return 100 * float(gained.mean()), 100 * float(low), 100 * float(high)
