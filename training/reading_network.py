"""The network of the bundled reader: MiniLM fine-tuned to read a text once, with heads for all that is asked of it.

From one pass over a text: for each token and key whether it is part of a value, and whether it begins one, where a key
is the encoder's vector of its name, so that a key which training never saw can be asked for; the words that tell of a
happening (its trigger); and for each trigger an event mention: its standing (STANDINGS), the mentions' space in which
phrases such as "I had a meal" lie near what they mean, and which tokens belong to it. Training only (transformers);
models/reading/light_network.py is the same at question time. Source: in place of the paper's cross-encoder and
sequence-to-sequence model, which read a text once for every query and key (ReQAP section 3.2;
docs/decisions/014-texts-are-read-once.md); keys by name as in zero-shot taggers (GLiNER, Zaratiana et al. 2024).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from transformers import AutoModel

from ..models.reading.light_network import SCALE, tag_logits
from ..models.reading.reader import SPACE

STANDINGS: Final = (
    *("happened", "planned", "cancelled", "declined", "hypothetical", "wished", "negated", "other", "advertised"),
    "habit",
)
"""What a mention may be to the owner; only the first is a fact of the past."""
WIDTH: Final = 256
"""Of the space in which tokens and keys meet."""


class ReadingNetwork(nn.Module):
    """`body` is a BERT-like encoder; the heads read its last layer."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        size = int(body.config.hidden_size)
        self.body = body
        self.drop = nn.Dropout(0.15)
        self.tokens = nn.Linear(size, 2 * WIDTH)
        self.keys = nn.Linear(size, 2 * WIDTH + 2)
        self.valued = nn.Linear(size, 2)
        self.triggers = nn.Linear(size, 2)
        self.mix = nn.Linear(2 * size, size)
        self.standing = nn.Linear(size, len(STANDINGS))
        self.meant = nn.Linear(size, SPACE)
        self.asked = nn.Linear(size, SPACE)
        self.member = nn.Linear(size, WIDTH)
        self.owner = nn.Linear(size, WIDTH)
        self.near = nn.Parameter(torch.tensor([10.0, -4.0]))
        with torch.no_grad():
            self.valued.bias.fill_(-3.0)
            self.triggers.bias.fill_(-2.0)

    @classmethod
    def of_encoder(cls, folder: Path) -> ReadingNetwork:
        """The network over an encoder's files, its heads not trained yet. Eager attention trains twice as fast on a
        CPU."""
        return cls(AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager"))

    def states(self, inputs: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The last layer (texts, tokens, size), and its mean (texts, size)."""
        states = self.body(**inputs).last_hidden_state
        weights = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
        return self.drop(states), (states * weights).sum(1) / weights.sum(1).clamp(min=1)

    def tags(self, states: Tensor, keys: Tensor) -> Tensor:
        """Logits (texts, tokens, keys, 2) that a token is part of a key's value, and begins one; `keys` are vectors
        (keys, size)."""
        return tag_logits(self.tokens(states), self.keys(keys * SCALE), self.valued(states))

    def mentions(self, states: Tensor, means: Tensor, texts: Tensor, weights: Tensor) -> Tensor:
        """Vectors (mentions, size); `texts` (mentions,) says whose they are, `weights` (mentions, tokens) where their
        triggers stand, each row adding to one."""
        said = torch.einsum("mt,mts->ms", weights, states[texts])
        return torch.tanh(self.mix(torch.cat([said, means[texts]], dim=-1)))

    def belongs(self, states: Tensor, mentions: Tensor, texts: Tensor) -> Tensor:
        """Logits (mentions, tokens) that a token is a part of what is told of the mention."""
        return torch.einsum("mtw,mw->mt", self.member(states)[texts], self.owner(mentions)) * WIDTH**-0.5

    def places(self, mentions: Tensor) -> Tensor:
        """Unit vectors (mentions, SPACE)."""
        return normalize(self.meant(mentions), dim=-1)

    def phrases(self, vectors: Tensor) -> Tensor:
        """Unit vectors (phrases, SPACE) of the encoder's vectors of phrases."""
        return normalize(self.asked(vectors * SCALE), dim=-1)
