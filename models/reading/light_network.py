"""The trained reader at question time: the encoder's layers with the trained weights laid over them, and its heads.

The same network as models/reading/reading_network.py, which training uses; a test holds both to the same logits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from torch import Tensor
from torch.nn.functional import linear

from ..bert import Bert, BertFiles, fast_weights
from ..encoder import fastest_precision, has_low_precision
from ..weights import load_trained

_BODY = "body."

Logits = NDArray[np.float32]


class LightNetwork:
    """Logits of lines."""

    def __init__(self, tokenizer: Tokenizer, bert: Bert, heads: Mapping[str, Tensor]) -> None:
        self._tokenizer = tokenizer
        self._bert = bert
        self._heads = heads

    @classmethod
    def of_files(cls, encoder: Path, trained: Path, longest: int) -> LightNetwork:
        """The network of an encoder's folder and the weights that training changed."""
        files, stored = BertFiles(encoder), load_trained(trained)
        body = files.weights() | {n.removeprefix(_BODY): w for n, w in stored.items() if n.startswith(_BODY)}
        heads = {name: weight for name, weight in stored.items() if not name.startswith(_BODY)}
        return cls(files.tokenizer(longest), Bert(files, fast_weights(body, low=has_low_precision())), heads)

    def read(self, lines: Sequence[str]) -> tuple[list[Encoding], Logits, Logits]:
        """Tokens of lines, logits of tags (lines, tokens, keys, 2) and of kinds (lines, kinds + 1)."""
        tokens = self._tokenizer.encode_batch(list(lines))
        with fastest_precision():
            states, mask = self._bert.states(tokens)
            tags = self._head("tags", states)
            kinds = self._head("kinds", self._pooled(states, mask))
        return tokens, tags.float().numpy().reshape(*tags.shape[:2], -1, 2), kinds.float().numpy()

    def _pooled(self, states: Tensor, mask: Tensor) -> Tensor:
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return torch.tanh(self._head("mix", torch.cat([states[:, 0], mean], dim=-1)))

    def _head(self, name: str, inputs: Tensor) -> Tensor:
        return linear(inputs, self._heads[f"{name}.weight"], self._heads[f"{name}.bias"])
