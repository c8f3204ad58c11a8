"""The trained reader at question time: the encoder's layers with the trained weights laid over them, and its heads.

The same network as training/reading_network.py; a test holds both to the same logits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from torch import Tensor
from torch.nn.functional import linear, normalize

from ..bert import Bert, BertFiles, fast_weights
from ..encoder import fastest_precision, has_low_precision
from ..weights import load_trained

SIGNS: Final = 32
"""Characters of a line that are taken apart, for each token that is read: more than words have."""
SCALE: Final = 20.0
"""Brings the entries of unit vectors of size 384 near one."""
_BODY: Final = "body."

Logits = NDArray[np.float32]


def tag_logits(here: Tensor, asked: Tensor, valued: Tensor) -> Tensor:
    """Logits (lines, tokens, keys, 2) of tags, of what the heads make of tokens (lines, tokens, 2 * width), of keys
    (keys, 2 * width + 2) and of tokens whatever the key (lines, tokens, 2)."""
    width = here.shape[-1] // 2
    logits = [
        here[..., at : at + width] @ asked[:, at : at + width].T * width**-0.5
        + asked[:, 2 * width + number]
        + valued[..., number : number + 1]
        for number, at in enumerate((0, width))
    ]
    return torch.stack(logits, dim=-1)


class Read:
    """Lines that were read once: what is asked of them costs little more."""

    def __init__(self, network: LightNetwork, tokens: Sequence[Encoding], states: Tensor, mask: Tensor) -> None:
        self.tokens = tokens
        self._network = network
        self._states = states
        self._mask = mask

    def tags(self, keys: Logits) -> Logits:
        """Logits (lines, tokens, keys, 2) that a token is part of a value, and begins one; `keys` are vectors."""
        head = self._network.head
        asked = head("keys", torch.from_numpy(np.ascontiguousarray(keys)) * SCALE)
        return tag_logits(head("tokens", self._states), asked, head("valued", self._states)).numpy()

    def triggers(self) -> Logits:
        """Logits (lines, tokens, 2) that a token is part of a trigger, and begins one."""
        return self._network.head("triggers", self._states).numpy()

    def mentions(self, lines: Sequence[int], weights: Logits) -> Tensor:
        """Vectors (mentions, size), of the line of each and the weights (mentions, tokens) of its trigger."""
        held = self._mask.unsqueeze(-1).to(self._states.dtype)
        means = (self._states * held).sum(1) / held.sum(1).clamp(min=1)
        at = torch.tensor(list(lines), dtype=torch.long)
        said = torch.einsum("mt,mts->ms", torch.from_numpy(weights), self._states[at])
        return torch.tanh(self._network.head("mix", torch.cat([said, means[at]], dim=-1)))

    def standing(self, mentions: Tensor) -> Logits:
        """Logits (mentions, standings)."""
        return self._network.head("standing", mentions).numpy()

    def places(self, mentions: Tensor) -> Logits:
        """Unit vectors (mentions, space)."""
        return normalize(self._network.head("meant", mentions), dim=-1).numpy()


class LightNetwork:
    """Reads lines."""

    def __init__(self, tokenizer: Tokenizer, bert: Bert, heads: Mapping[str, Tensor], longest: int) -> None:
        self._tokenizer = tokenizer
        self._longest = SIGNS * longest
        self._bert = bert
        self._heads = heads

    @classmethod
    def of_files(cls, encoder: Path, trained: Path, longest: int) -> LightNetwork:
        """The network of an encoder's folder and the weights that training changed."""
        files, stored = BertFiles(encoder), load_trained(trained)
        body = files.weights() | {n.removeprefix(_BODY): w for n, w in stored.items() if n.startswith(_BODY)}
        heads = {name: weight for name, weight in stored.items() if not name.startswith(_BODY)}
        return cls(files.tokenizer(longest), Bert(files, fast_weights(body, low=has_low_precision())), heads, longest)

    @property
    def near(self) -> tuple[float, float]:
        """What a cosine of phrase and mention is multiplied by, and what is added, for the logit that it is meant."""
        scale, added = self._heads["near"].tolist()
        return scale, added

    def read(self, lines: Sequence[str]) -> Read:
        """The lines, read."""
        tokens = self._tokenizer.encode_batch([line[: self._longest] for line in lines])
        with fastest_precision():
            states, mask = self._bert.states(tokens)
        return Read(self, tokens, states.float(), mask)

    def phrases(self, vectors: Logits) -> Logits:
        """Unit vectors of phrases, of the encoder's."""
        found = self.head("asked", torch.from_numpy(np.ascontiguousarray(vectors)) * SCALE)
        return normalize(found, dim=-1).numpy()

    def head(self, name: str, inputs: Tensor) -> Tensor:
        """What a head makes of its inputs."""
        return linear(inputs, self._heads[f"{name}.weight"], self._heads[f"{name}.bias"])
