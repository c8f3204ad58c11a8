"""Vectors of the words of questions, from some layers of the encoder: what the router of talk reads, and is
trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from ..bert import Bert, BertFiles, fast_weights
from ..encoder import fastest_precision, has_low_precision
from .word_network import LAYERS

_BATCH = 64
LONGEST = 96
"""Pieces of words of a question; what is longer is cut at its end."""


@dataclass(frozen=True)
class WordReader:
    """The encoder, which reads questions given as words."""

    tokenizer: Tokenizer
    bert: Bert

    @classmethod
    def of(cls, folder: Path, longest: int) -> WordReader:
        """From the encoder's folder; of a question no more than `longest` pieces of words are read."""
        files = BertFiles(folder)
        return cls(files.tokenizer(longest), Bert(files, fast_weights(files.weights(), low=has_low_precision())))

    def vectors(self, questions: Sequence[Sequence[str]]) -> list[Tensor]:
        """One tensor a question, shape (words, layers × 384): each word as its first piece stands in it. Words beyond
        the longest are left out."""
        found: list[Tensor] = []
        for at in range(0, len(questions), _BATCH):
            chunk = [list(words) for words in questions[at : at + _BATCH]]
            encodings = self.tokenizer.encode_batch(chunk, is_pretokenized=True)
            with fastest_precision(), torch.inference_mode():
                layers, _ = self.bert.layers(encodings, LAYERS)
            joined = torch.cat([layer.float() for layer in layers], dim=-1)
            for row, encoding in enumerate(encodings):
                first: dict[int, int] = {}
                for place, word in enumerate(encoding.word_ids):
                    if word is not None:
                        first.setdefault(word, place)
                found.append(joined[row, [first[word] for word in sorted(first)]])
        return found


@lru_cache(maxsize=1)
def shared_reader(folder: Path, longest: int) -> WordReader:
    """The reader of a folder, read once for all models over it."""
    return WordReader.of(folder, longest)
