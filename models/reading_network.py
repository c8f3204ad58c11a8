"""The network of the bundled reader: MiniLM's layers with three small heads (torch; imported only where a model is used).

Relevance: is this event what the query says (one logit). Pattern: none, some or all of the events with this key-value pair
(three logits). Tags: which words of the text say the value of a key (begin, inside, outside for each token).
Source: the paper's cross-encoders and extraction model (ReQAP section 3.2), joined in one body so that they ship small.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from transformers import AutoModel

PATTERN_CLASSES: Final = ("none", "some", "all")
TAGS: Final = ("outside", "begin", "inside")


class ReadingNetwork(nn.Module):
    """`body` is a BERT-like encoder; the heads read its last layer."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        size = int(body.config.hidden_size)
        self.body = body
        self.drop = nn.Dropout(0.1)
        self.mix = nn.Linear(2 * size, size)
        self.relevance = nn.Linear(size, 1)
        self.pattern = nn.Linear(size, len(PATTERN_CLASSES))
        self.tags = nn.Linear(size, len(TAGS))

    @classmethod
    def of_encoder(cls, folder: Path, attention: str = "sdpa") -> ReadingNetwork:
        """The network over an encoder's files, its heads not trained yet; "eager" attention is twice as fast to train on a CPU."""
        return cls(AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation=attention))

    def states(self, inputs: dict[str, Tensor]) -> Tensor:
        """Last layer, shape (texts, tokens, size)."""
        return self.body(**inputs).last_hidden_state

    def pooled(self, states: Tensor, mask: Tensor) -> Tensor:
        """One vector per text from its first token and the mean of all."""
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return torch.tanh(self.mix(self.drop(torch.cat([states[:, 0], mean], dim=-1))))

    def forward(self, inputs: dict[str, Tensor], task: str) -> Tensor:
        """Logits of a task: relevance (texts,), pattern (texts, 3), tags (texts, tokens, 3)."""
        states = self.states(inputs)
        if task == "tags":
            return self.tags(self.drop(states))
        pooled = self.pooled(states, inputs["attention_mask"])
        return self.relevance(pooled).squeeze(-1) if task == "relevance" else self.pattern(pooled)
