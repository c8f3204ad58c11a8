"""What is trained: the encoder's last layers, and the set encoder over their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn

from ...models.bert import Bert, BertFiles, mean_vectors
from ...models.encoder import installed_weights
from ...models.set_encoder import SIZE, Aggregation, SetEncoder
from .states import FROZEN, LONGEST, TextStates

_TOKENS: Final = 16_384
"""Tokens of texts that are encoded together without gradient."""


class Upper(nn.Module):
    """The encoder's layers from FROZEN on, over states of those below."""

    def __init__(self) -> None:
        super().__init__()
        files = BertFiles(installed_weights())
        wanted = tuple(
            f"encoder.layer.{layer}." for layer in range(FROZEN, int(str(files.config["num_hidden_layers"])))
        )
        self._names = [name for name in files.weights() if name.startswith(wanted)]
        held = files.weights()
        self.layers = nn.ParameterList([nn.Parameter(held[name].clone().float()) for name in self._names])
        self._files = files

    def weights(self) -> dict[str, Tensor]:
        """Weights by their names in the encoder."""
        return dict(zip(self._names, self.layers, strict=True))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Unit vectors (texts, size) of states (texts, tokens, size)."""
        return mean_vectors(Bert(self._files, self.weights()).above(states, mask, FROZEN), mask)

    def vectors(self, states: TextStates, rows: Sequence[int]) -> Tensor:
        """The same without gradient, of many texts."""
        found = torch.zeros(len(rows), SIZE)
        order = sorted(range(len(rows)), key=lambda place: states.lengths[rows[place]])
        with torch.inference_mode():
            while order:
                longest = min(int(states.lengths[rows[order[-1]]]), LONGEST)
                some = [order.pop() for _ in range(min(len(order), max(1, _TOKENS // longest)))]
                found[some] = self(*states.batch([rows[place] for place in some]))
        return found


class RelatedNetwork(nn.Module):
    """Both."""

    def __init__(self, aggregation: Aggregation, share: float) -> None:
        super().__init__()
        self.upper = Upper()
        self.around = SetEncoder(aggregation, share)
