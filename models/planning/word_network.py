"""What small recurrent networks over the encoder's words share; the encoder is left as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn

LAYERS: Final = (0, 3, 6)
"""Layers of the encoder that are looked at, 0 being its embeddings."""
ENCODER: Final = 384
"""Size of what one layer says of a word."""


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
