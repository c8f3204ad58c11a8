"""The encoder of the parser: MiniLM, whose upper layers the training tuned, over the words of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer
from torch import Tensor

from ..bert import Bert, BertFiles
from .parser_network import ENCODED

LONGEST: Final = 160
"""Pieces of words of a question and of those before it; what is longer is cut at its end."""
TUNED: Final = (2, 3, 4, 5)
"""Layers of the encoder that the training tunes."""


def is_tuned(name: str) -> bool:
    """Whether the training tunes a parameter of the encoder."""
    return any(name.startswith(f"encoder.layer.{layer}.") for layer in TUNED)


@dataclass(frozen=True)
class WordEncoder:
    """Reads questions given as words."""

    tokenizer: Tokenizer
    bert: Bert

    @classmethod
    def of(cls, folder: Path, tuned: Mapping[str, Tensor]) -> WordEncoder:
        """From the encoder's folder, with the parameters that were tuned in place of its own."""
        files = BertFiles(folder)
        return cls(files.tokenizer(LONGEST), Bert(files, {**files.weights(), **tuned}))

    def encode(self, questions: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """(batch, words, 384), each word as its first piece stands in it, and where there is none (batch, words)."""
        encodings = self.tokenizer.encode_batch([list(words) for words in questions], is_pretokenized=True)
        states, _ = self.bert.states(encodings)
        places = torch.zeros(len(questions), max(map(len, questions)), dtype=torch.long)
        gone = torch.ones_like(places, dtype=torch.bool)
        for row, encoding in enumerate(encodings):
            for place, word in enumerate(encoding.word_ids):
                if word is not None and gone[row, word]:
                    places[row, word], gone[row, word] = place, False
        return states.float().gather(1, places.unsqueeze(-1).expand(-1, -1, ENCODED)), gone
