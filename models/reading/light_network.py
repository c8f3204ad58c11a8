"""The trained reader at question time: the encoder's layers with the trained weights laid over them, and its heads.

The same network as models/reading/reading_network.py, which training uses; a test holds both to the same logits.
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

SCALE: Final = 20.0
"""As of the network that is trained."""
_BODY: Final = "body."

Logits = NDArray[np.float32]


class Read:
    """Lines that were read once: what is asked of them costs little more."""

    def __init__(self, network: LightNetwork, tokens: Sequence[Encoding], states: Tensor, mask: Tensor) -> None:
        self.tokens = tokens
        self._network = network
        self._states = states
        self._mask = mask

    def tags(self, keys: Logits) -> Logits:
        """Logits (lines, tokens, keys, 2) that a token is part of a value, and begins one; `keys` are vectors."""
        head, width = self._network.head, self._network.width
        here, valued = head("tokens", self._states), head("valued", self._states)
        asked = head("keys", torch.from_numpy(np.ascontiguousarray(keys)) * SCALE)
        logits = [
            here[..., at : at + width] @ asked[:, at : at + width].T * width**-0.5
            + asked[:, 2 * width + number]
            + valued[..., number : number + 1]
            for number, at in enumerate((0, width))
        ]
        return torch.stack(logits, dim=-1).float().numpy()

    def triggers(self) -> Logits:
        """Logits (lines, tokens, 2) that a token is part of a trigger, and begins one."""
        return self._network.head("triggers", self._states).float().numpy()

    def mentions(self, lines: Sequence[int], weights: Logits) -> tuple[Logits, Logits, Logits]:
        """Of mentions, of the line of each and the weights (mentions, tokens) of its trigger: logits of standings,
        unit vectors, and logits (mentions, tokens) that a token belongs to it."""
        head, at = self._network.head, torch.tensor(list(lines), dtype=torch.long)
        held = self._mask.unsqueeze(-1).to(self._states.dtype)
        means = (self._states * held).sum(1) / held.sum(1).clamp(min=1)
        said = torch.einsum("mt,mts->ms", torch.from_numpy(weights).to(self._states.dtype), self._states[at])
        found = torch.tanh(head("mix", torch.cat([said, means[at]], dim=-1)))
        belongs = torch.einsum("mtw,mw->mt", head("member", self._states)[at], head("owner", found))
        vectors = normalize(head("meant", found).float(), dim=-1)
        width = self._network.width
        return (
            head("standing", found).float().numpy(),
            vectors.numpy(),
            (belongs * width**-0.5).float().numpy(),
        )


class LightNetwork:
    """Reads lines."""

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

    @property
    def width(self) -> int:
        """Of the space in which tokens and keys meet."""
        return self._heads["member.bias"].shape[0]

    @property
    def near(self) -> tuple[float, float]:
        """What a cosine of phrase and mention is multiplied by, and what is added, for the logit that it is meant."""
        scale, added = self._heads["near"].tolist()
        return scale, added

    def read(self, lines: Sequence[str]) -> Read:
        """The lines, read."""
        tokens = self._tokenizer.encode_batch(list(lines))
        with torch.inference_mode(), fastest_precision():
            states, mask = self._bert.states(tokens)
        return Read(self, tokens, states.float(), mask)

    def phrases(self, vectors: Logits) -> Logits:
        """Unit vectors of phrases, of the encoder's."""
        found = self.head("asked", torch.from_numpy(np.ascontiguousarray(vectors)) * SCALE)
        return normalize(found, dim=-1).numpy()

    def head(self, name: str, inputs: Tensor) -> Tensor:
        """What a head makes of its inputs."""
        return linear(inputs, self._heads[f"{name}.weight"], self._heads[f"{name}.bias"])
