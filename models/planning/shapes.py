"""The sizes of a causal language model of Llama's shape, and of what is learnt beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LONGEST: Final = 512
"""The most tokens that are read."""


@dataclass(frozen=True)
class Shape:
    """The sizes of a model, as its configuration tells them."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    head: int
    """The size of one head."""
    inner: int
    """The width inside the feed-forward part."""
    vocabulary: int
    epsilon: float
    frequencies: tuple[float, ...]
    """Of the rotary positions, half as many as a head is wide."""


@dataclass(frozen=True)
class AdapterShape:
    """Which layers are adapted, the first of them by its place, and the rank of what is learnt."""

    first: int
    rank: int = 16
    alpha: float = 32.0
