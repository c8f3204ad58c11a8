"""The network of the decomposer: a small recurrent one over what the encoder, left as it is, says of each word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

SIZE: Final = 128
LAYERS: Final = (0, 3, 6)
"""Layers of the encoder that are looked at, 0 being its embeddings."""
ENCODER: Final = 384
"""Size of what one layer says of a word."""


@dataclass(frozen=True)
class Names:
    """What can be predicted, in the order of the outputs."""

    operators: tuple[str, ...]
    keys: tuple[str, ...]
    measures: tuple[str, ...]


@dataclass(frozen=True)
class Logits:
    """Of questions: operators (questions, operators), keys and measures likewise, and for each word whether it names
    the events (questions, words)."""

    operators: Tensor
    keys: Tensor
    measures: Tensor
    kept: Tensor


class SketchNetwork(nn.Module):
    """Operator, attributes and the words that name events, of a question's words.

    Input: vectors of its words, shape (questions, words, LAYERS × 384), and the number of words of each.
    """

    def __init__(self, names: Names, size: int = SIZE, drop: float = 0.3) -> None:
        super().__init__()
        self.narrow = nn.Linear(ENCODER * len(LAYERS), size)
        self.drop = nn.Dropout(drop)
        self.read = nn.GRU(size, size, num_layers=2, batch_first=True, bidirectional=True, dropout=drop)
        self.kept = nn.Linear(2 * size, 1)
        self.operators = nn.Linear(4 * size, len(names.operators))
        self.keys = nn.Linear(4 * size, len(names.keys))
        self.measures = nn.Linear(4 * size, len(names.measures))

    def forward(self, vectors: Tensor, lengths: Tensor) -> Logits:
        """Logits of a batch."""
        states, pooled = read_words(self.read, self.drop, torch.relu(self.narrow(vectors)), lengths)
        return Logits(self.operators(pooled), self.keys(pooled), self.measures(pooled), self.kept(states)[:, :, 0])


def read_words(read: nn.GRU, drop: nn.Dropout, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The states of a batch's words, and of each question the mean of its states beside the greatest of each number."""
    packed = nn.utils.rnn.pack_padded_sequence(drop(inputs), lengths, batch_first=True, enforce_sorted=False)
    states, _ = nn.utils.rnn.pad_packed_sequence(read(packed)[0], batch_first=True, total_length=inputs.shape[1])
    states = drop(states)
    mask = (torch.arange(inputs.shape[1])[None, :] < lengths[:, None]).to(inputs.device)[:, :, None]
    mean = (states * mask).sum(1) / lengths.to(inputs.device)[:, None]
    most = states.masked_fill(~mask, -1e4).amax(1)
    return states, torch.cat([mean, most], dim=-1)


def batched(vectors: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Word vectors of several questions as one batch, and their numbers of words."""
    lengths = torch.tensor([len(one) for one in vectors])
    return nn.utils.rnn.pad_sequence(list(vectors), batch_first=True).float(), lengths


def loaded(names: Names, weights: Mapping[str, Tensor]) -> SketchNetwork:
    """The network with trained weights, for predicting."""
    network = SketchNetwork(names)
    network.load_state_dict(dict(weights))
    return network.eval()
