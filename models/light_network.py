"""The trained reader at question time: the encoder's layers with the trained weights laid over them, and its heads.

The same network as models/reading_network.py, which training uses; a test holds both to the same logits.
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

from .bert import Bert, BertFiles, fast_weights
from .encoder import fastest_precision, has_low_precision
from .weights import load_trained

_BODY = "body."


class LightNetwork:
    """Logits of (query, text) pairs."""

    def __init__(self, tokenizer: Tokenizer, bert: Bert, heads: Mapping[str, Tensor]) -> None:
        self._tokenizer = tokenizer
        self._bert = bert
        self._heads = heads

    @classmethod
    def of_files(cls, encoder: Path, trained: Path, longest: int) -> LightNetwork:
        """The network of an encoder's folder and the weights that training changed."""
        files, stored = BertFiles(encoder), load_trained(trained)
        body = files.weights() | {n.removeprefix(_BODY): w for n, w in stored.items() if n.startswith(_BODY)}
        tokenizer = files.tokenizer(longest)
        tokenizer.enable_truncation(longest, strategy="only_second")
        heads = {name: weight for name, weight in stored.items() if not name.startswith(_BODY)}
        return cls(tokenizer, Bert(files, fast_weights(body, low=has_low_precision())), heads)

    def logits(self, pairs: Sequence[tuple[str, str]], task: str) -> tuple[list[Encoding], NDArray[np.float32]]:
        """Tokens and logits: relevance (pairs,), pattern (pairs, 3), tags (pairs, tokens, 3)."""
        tokens = self._tokenizer.encode_batch(list(pairs))
        with fastest_precision():
            states, mask = self._bert.states(tokens)
            found = self._head("tags", states) if task == "tags" else self._of_text(states, mask, task)
        return tokens, found.float().numpy()

    def _of_text(self, states: Tensor, mask: Tensor, task: str) -> Tensor:
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        pooled = torch.tanh(self._head("mix", torch.cat([states[:, 0], mean], dim=-1)))
        logits = self._head(task, pooled)
        return logits.squeeze(-1) if task == "relevance" else logits

    def _head(self, name: str, inputs: Tensor) -> Tensor:
        return linear(inputs, self._heads[f"{name}.weight"], self._heads[f"{name}.bias"])
