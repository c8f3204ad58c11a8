"""The network of the router of talk: a small recurrent one over what the encoder, left as it is, says of each word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from .word_network import ENCODER, LAYERS, read_words

SIZE: Final = 96


@dataclass(frozen=True)
class ChatLogits:
    """Of questions: kinds (questions, kinds), and what each word is (questions, words, parts)."""

    kinds: Tensor
    parts: Tensor


class ChatNetwork(nn.Module):
    """Which kind of question it is, and what each of its words stands for.

    Input: vectors of its words, shape (questions, words, LAYERS × 384), and the number of words of each.
    """

    def __init__(self, kinds: int, parts: int, size: int = SIZE, drop: float = 0.4) -> None:
        super().__init__()
        self.narrow = nn.Linear(ENCODER * len(LAYERS), size)
        self.drop = nn.Dropout(drop)
        self.read = nn.GRU(size, size, batch_first=True, bidirectional=True)
        self.kinds = nn.Linear(4 * size, kinds)
        self.parts = nn.Linear(2 * size, parts)

    def forward(self, vectors: Tensor, lengths: Tensor) -> ChatLogits:
        """Logits of a batch."""
        inputs = torch.relu(self.narrow(self.drop(vectors)))
        states, pooled = read_words(self.read, self.drop, inputs, lengths)
        return ChatLogits(self.kinds(pooled), self.parts(states))


def loaded(kinds: int, parts: int, weights: Mapping[str, Tensor]) -> ChatNetwork:
    """The network with trained weights, for predicting."""
    network = ChatNetwork(kinds, parts)
    network.load_state_dict(dict(weights))
    return network.eval()
