"""Queries represented with what a database says around them: graph-structured set encoding (DAQu, section 3.3).

A query's vector and those of its neighbourhood in, one vector out. Values of a category are pooled whatever their
order, then the categories. `Aggregation.MEAN` is the paper's: the mean of means q', and λ·q + (1 − λ)·q'. `ATTENTION`
pools categories by attention that sees the query and the category's name. `GATE` adds each category by a gate of its
own between −1 and 1: 0 where the neighbourhood says nothing, below where what is sought is unlike it. The name is a
vector of the same encoder, so that a category which training never saw is a category all the same. With the gate goes
the reach of a category: what documents that are themselves in it gain, which is how two documents of the same words are
told apart by what they are linked to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from .encoder import hash_file
from .weights import load_trained

LAMBDA: Final = 0.7
"""The paper's weight of the query."""
SIZE: Final = 384
_SPACE: Final = 48
_HIDDEN: Final = 64


class Aggregation(StrEnum):
    """How the neighbourhood joins the query."""

    NONE = "none"
    MEAN = "mean"
    ATTENTION = "attention"
    GATE = "gate"


@dataclass(frozen=True)
class Neighbourhoods:
    """Values around several queries.

    `values` (values, size) unit vectors; `category` (values,) the category that each belongs to; `owner` (categories,)
    the query that each category is of; `names` (categories, size) unit vectors of what the categories are called.
    """

    values: Tensor
    category: Tensor
    owner: Tensor
    names: Tensor

    @classmethod
    def of(cls, around: Sequence[Sequence[tuple[Tensor, Tensor]]]) -> Neighbourhoods:
        """Of a list for each query: pairs of a category's name (size,) and its values (n, size), n at least 1."""
        told = [(query, *pair) for query, pairs in enumerate(around) for pair in pairs]
        sizes = torch.tensor([len(values) for _, _, values in told], dtype=torch.long)
        return cls(
            torch.cat([values for *_, values in told]) if told else torch.zeros(0, SIZE),
            torch.repeat_interleave(torch.arange(len(told)), sizes),
            torch.tensor([query for query, *_ in told], dtype=torch.long),
            torch.stack([name for _, name, _ in told]) if told else torch.zeros(0, SIZE),
        )


@dataclass(frozen=True)
class Augmented:
    """Unit vectors (queries, size) of queries with their neighbourhoods, and of each category (categories,) its gate
    and its reach; both 0 but for `GATE`."""

    queries: Tensor
    gates: Tensor
    reach: Tensor


class SetEncoder(nn.Module):
    """Heads over the encoder's vectors. Before training `GATE` gives the query's own vector, nearly."""

    def __init__(self, aggregation: Aggregation = Aggregation.GATE, share: float = LAMBDA) -> None:
        super().__init__()
        self.aggregation = aggregation
        self.share = share
        self.value = nn.Linear(SIZE, SIZE, bias=False)
        self.sharpness = nn.Parameter(torch.zeros(()))
        self.asks = nn.Linear(SIZE, _SPACE, bias=False)
        self.told = nn.Linear(SIZE, _SPACE, bias=False)
        self.named = nn.Linear(SIZE, _SPACE, bias=False)
        self.inner = nn.Linear(3 * _SPACE + 3, _HIDDEN)
        self.gate = nn.Linear(_HIDDEN, 2)
        with torch.no_grad():
            self.value.weight.zero_()
            self.gate.weight.mul_(0.1)
            self.gate.bias.copy_(torch.zeros(2))

    def forward(self, queries: Tensor, around: Neighbourhoods) -> Augmented:
        """Queries with their neighbourhoods; one without any stays as it is."""
        none = torch.zeros(len(around.owner))
        if self.aggregation is Aggregation.NONE or not len(around.owner):
            return Augmented(queries, none, none)
        pooled = self.pooled(queries, around)
        if self.aggregation is Aggregation.GATE:
            gates = self.gates(queries, around, pooled)
            added = queries.index_add(0, around.owner, gates[:, :1] * pooled)
            return Augmented(normalize(added, dim=-1), gates[:, 0], gates[:, 1])
        shares = self._shares(queries, around, pooled)
        joined = torch.zeros_like(queries).index_add(0, around.owner, shares[:, None] * pooled)
        has = torch.zeros(len(queries), 1).index_fill(0, around.owner, 1.0)
        mixed = torch.where(has > 0, self.share * queries + (1 - self.share) * joined, queries)
        return Augmented(normalize(mixed, dim=-1), none, none)

    def pooled(self, queries: Tensor, around: Neighbourhoods) -> Tensor:
        """A vector (categories, size) for each category: the mean of its values, those near the query weighing more as
        far as was learned."""
        values = around.values + self.value(around.values)
        if self.aggregation is Aggregation.MEAN:
            weights = torch.ones(len(values))
        else:
            near = (around.values * queries[around.owner[around.category]]).sum(-1)
            weights = torch.exp(self.sharpness * near)
        total = torch.zeros(len(around.owner)).index_add(0, around.category, weights)
        summed = torch.zeros(len(around.owner), SIZE).index_add(0, around.category, weights[:, None] * values)
        return summed / total[:, None]

    def gates(self, queries: Tensor, around: Neighbourhoods, pooled: Tensor) -> Tensor:
        """How much of each category is added to its query, and its reach: (categories, 2), both from −1 to 1."""
        own = queries[around.owner]
        count = torch.zeros(len(around.owner)).index_add(0, around.category, torch.ones(len(around.category)))
        alike = (own * pooled).sum(-1, keepdim=True)
        facts = torch.cat([alike, pooled.norm(dim=-1, keepdim=True), torch.log1p(count)[:, None]], dim=-1)
        joined = [self.asks(own), self.told(pooled), self.named(around.names), facts]
        return torch.tanh(self.gate(torch.tanh(self.inner(torch.cat(joined, dim=-1)))))

    def _shares(self, queries: Tensor, around: Neighbourhoods, pooled: Tensor) -> Tensor:
        """Of each category of its query's whole, adding to one."""
        logits = torch.zeros(len(around.owner))
        if self.aggregation is Aggregation.ATTENTION:
            told = self.told(pooled) + self.named(around.names)
            logits = (self.asks(queries)[around.owner] * told).sum(-1)
        weights = torch.exp(logits - logits.max())
        return weights / torch.zeros(len(queries)).index_add(0, around.owner, weights)[around.owner]


BUNDLED: Final = Path(__file__).parent / "trained" / "related"
WEIGHTS: Final = "weights.safetensors"

Vectors = NDArray[np.float32]


class RelatedModel:
    """The gates of a folder's weights. Only vectors of the default encoder fit."""

    def __init__(self, folder: Path = BUNDLED) -> None:
        self._path = folder / WEIGHTS

    @property
    def identity(self) -> str:
        """Hash of the weights."""
        return f"sha256:{hash_file(self._path)}"

    def join(self, query: Vectors, around: Sequence[tuple[Vectors, Vectors]]) -> tuple[Vectors, Vectors]:
        """Of a query (size,), and for each category the vectors of its name (size,) and its values (values, size): the
        joined vector (size,) and the reach (categories,)."""
        pairs = [(torch.from_numpy(name.copy()), torch.from_numpy(values.copy())) for name, values in around]
        with torch.inference_mode():
            found = self.network(torch.from_numpy(query.copy())[None], Neighbourhoods.of([pairs]))
        return found.queries[0].numpy(), found.reach.numpy()

    def fits(self, size: int) -> bool:
        """Whether vectors of this size are those that it was trained on."""
        return size == SIZE

    @cached_property
    def network(self) -> SetEncoder:
        """The set encoder itself."""
        network = SetEncoder(Aggregation.GATE)
        network.load_state_dict(load_trained(self._path))
        return network.eval()
