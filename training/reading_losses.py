"""What the reader's network is trained towards: values, triggers, standings, what belongs together, and meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from ..models.encoder import LightEncoder
from .batches import Batch
from .reading_network import STANDINGS, ReadingNetwork
from .texts import Asked

_RARE: Final = 5.0
"""Weight of a token that is part of a value: most tokens are of none."""
_UNREAL: Final = 1.5
"""Weight of a standing other than the commonest."""
_SHARP: Final = 15.0
"""What cosines are multiplied by where phrases are told from one another."""
_ALIKE: Final = 0.75
"""Cosine of two kinds' names from which on neither is wrong for the other."""
_OTHERS: Final = 64
"""Kinds of other texts that are told from those of a batch."""


@dataclass(frozen=True)
class Phrases:
    """The encoder's vectors of all that is said in words: keys by each of their names, kinds, queries."""

    vectors: Mapping[str, Tensor]
    kinds: tuple[str, ...]
    queries: Mapping[str, Sequence[Asked]]

    @classmethod
    def of(
        cls, encoder: LightEncoder, names: Sequence[str], kinds: Sequence[str], queries: Mapping[str, Sequence[Asked]]
    ) -> Phrases:
        """Encodes them once."""
        every = dict.fromkeys([*names, *kinds, *(one.query for own in queries.values() for one in own)])
        vectors = torch.tensor(encoder.encode(list(every)))
        return cls(dict(zip(every, vectors, strict=True)), tuple(dict.fromkeys(kinds)), queries)

    def stacked(self, phrases: Sequence[str]) -> Tensor:
        """Vectors (phrases, size)."""
        return torch.stack([self.vectors[phrase] for phrase in phrases])


def losses(network: ReadingNetwork, batch: Batch, names: Sequence[str], phrases: Phrases) -> dict[str, Tensor]:
    """The parts of the loss by what they are of; `names` say how each key of the batch is called this time."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states, means = network.states(batch.inputs)
        tags = network.tags(states, phrases.stacked(names))
        triggers = network.triggers(states)
    found = {
        "values": _weighed(tags, batch.tags, batch.known.unsqueeze(-1).expand_as(batch.tags)) * len(names) / 3,
        "triggers": _weighed(triggers, batch.triggers, batch.real.unsqueeze(-1).expand_as(batch.triggers)) * 3,
    }
    if not batch.mentions:
        return found
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mentions = network.mentions(states, means, batch.texts, batch.weights.to(states.dtype))
        standing = network.standing(network.drop(mentions))
        belongs = network.belongs(states, mentions, batch.texts)
        places = network.places(mentions)
    weights = torch.tensor([1.0] + [_UNREAL] * (len(STANDINGS) - 1))
    truth = torch.tensor([STANDINGS.index(mention.standing) for mention in batch.mentions])
    counted = batch.valued[batch.texts] + 0.02
    found["standing"] = cross_entropy(standing.float(), truth, weight=weights)
    found["belongs"] = binary_cross_entropy_with_logits(belongs.float(), batch.parts, weight=counted) * 4
    found["kinds"] = _kinds(network, batch, places.float(), phrases) * 0.5
    if phrases.queries.get(batch.life):
        found["queries"] = _queries(network, batch, places.float(), phrases) * 2
    return found


def _weighed(logits: Tensor, truth: Tensor, weights: Tensor) -> Tensor:
    counted = weights * torch.where(truth > 0, _RARE, 1.0)
    each = binary_cross_entropy_with_logits(logits.float(), truth, reduction="none")
    return (each * counted).sum() / counted.sum().clamp(min=1)


def _kinds(network: ReadingNetwork, batch: Batch, places: Tensor, phrases: Phrases) -> Tensor:
    """A mention lies nearer to the words for its own kind than to those for others."""
    own = list(dict.fromkeys(mention.kind for mention in batch.mentions))
    drawn = torch.randint(len(phrases.kinds), (_OTHERS,)).tolist()
    every = list(dict.fromkeys([*own, *(phrases.kinds[number] for number in drawn)]))
    vectors = phrases.stacked(every)
    truth = torch.tensor([own.index(mention.kind) for mention in batch.mentions])
    alike = (vectors[truth] @ vectors.T) > _ALIKE
    alike[torch.arange(len(truth)), truth] = False
    logits = (places @ network.phrases(vectors).T * _SHARP).masked_fill(alike, -1e4)
    return cross_entropy(logits, truth)


def _queries(network: ReadingNetwork, batch: Batch, places: Tensor, phrases: Phrases) -> Tensor:
    """A query of the life is near the mentions that fit it. What did not happen is no answer, whatever it means, so
    nothing is learned from it here."""
    asked = phrases.queries[batch.life]
    logits = network.phrases(phrases.stacked([one.query for one in asked])) @ places.T
    truth = torch.tensor([[float(mention.name in one.yes) for mention in batch.mentions] for one in asked])
    real = torch.tensor([float(mention.real) for mention in batch.mentions])
    weights = torch.maximum(truth, real.expand_as(truth))
    return _weighed(logits * network.near[0] + network.near[1], truth, weights)
