"""The network of the bundled reader: MiniLM fine-tuned to read a text once, with heads for all that is asked of it.

From one pass over a text: for each token and key whether it is part of a value, and whether it begins one; what sorts
of happening the text tells of (the general queries of models/trained/reader/kinds.jsonl); whether anything in it
really happened to the person. Training only (transformers); models/reading/light_network.py is the same at question
time. Source: in place of the paper's cross-encoder and sequence-to-sequence model, which read a text once for every
query and key (ReQAP section 3.2; docs/decisions/014-texts-are-read-once.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel


class ReadingNetwork(nn.Module):
    """`body` is a BERT-like encoder; the heads read its last layer."""

    def __init__(self, body: Any, keys: int, kinds: int) -> None:
        super().__init__()
        size = int(body.config.hidden_size)
        self.body = body
        self.drop = nn.Dropout(0.2)
        self.mix = nn.Linear(2 * size, size)
        self.kinds = nn.Linear(size, kinds + 1)
        self.tags = nn.Linear(size, 2 * keys)

    @classmethod
    def of_encoder(cls, folder: Path, keys: int, kinds: int) -> ReadingNetwork:
        """The network over an encoder's files, its heads not trained yet. Eager attention trains twice as fast on a
        CPU."""
        body = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager")
        return cls(body, keys, kinds)

    def forward(self, inputs: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits: of tags (texts, tokens, keys, 2: part of a value, begins one), of kinds (texts, kinds + 1: the last
        is whether anything happened)."""
        states = self.body(**inputs).last_hidden_state
        texts, tokens, _ = states.shape
        tags = self.tags(self.drop(states)).view(texts, tokens, -1, 2)
        weights = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        pooled = torch.tanh(self.mix(self.drop(torch.cat([states[:, 0], mean], dim=-1))))
        return tags, self.kinds(self.drop(pooled))
