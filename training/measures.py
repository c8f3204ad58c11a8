"""What a reader is worth on texts that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ..models.reading.reader_terms import reader_keys, reader_kinds
from ..models.reading.reading_network import ReadingNetwork
from .batches import batch
from .examples import Example

_SIZE = 32


def measure(network: ReadingNetwork, texts: Sequence[Example], tokenizer: Any, device: str) -> dict[str, float]:
    """F1 of tokens that are part of a value, of kinds, and accuracy of whether anything happened."""
    network.eval()
    tags, kinds, real = np.zeros(3), np.zeros(3), np.zeros(2)
    for at in range(0, len(texts), _SIZE):
        chunk = batch(texts[at : at + _SIZE], tokenizer, list(reader_keys()), list(reader_kinds()))
        with torch.inference_mode():
            found = network({key: value.to(device) for key, value in chunk.inputs.items()})
        tags += _counts(found[0][..., 0].cpu(), chunk.tags[..., 0])
        kinds += _counts(found[1][:, :-1].cpu(), chunk.kinds[:, :-1])
        right = (found[1][:, -1].cpu() > 0) == (chunk.kinds[:, -1] > 0)
        real += np.array([int(right.sum()), len(right)])
    return {"tags_f1": _f1(tags), "kinds_f1": _f1(kinds), "real_accuracy": round(float(real[0] / real[1]), 4)}


def _counts(logits: torch.Tensor, labels: torch.Tensor) -> np.ndarray[Any, Any]:
    """(true positives, said, true) of what is labelled."""
    known = labels >= 0
    said, true = (logits > 0) & known, (labels > 0) & known
    return np.array([int((said & true).sum()), int(said.sum()), int(true.sum())])


def _f1(counts: np.ndarray[Any, Any]) -> float:
    both, said, true = counts
    return round(float(2 * both / max(1, said + true)), 4)
