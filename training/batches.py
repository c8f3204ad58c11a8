"""Examples to tensors: tokens, and labels with the places where there is nothing to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import torch
from torch import Tensor

from ..models.reading.reader import LONGEST
from .examples import Example

IGNORED: Final = -1.0


@dataclass(frozen=True)
class Batch:
    """`tags` (texts, tokens, keys, 2) and `kinds` (texts, kinds + 1) are 0, 1, or IGNORED."""

    inputs: dict[str, Tensor]
    tags: Tensor
    kinds: Tensor


def batches(
    examples: Sequence[Example], tokenizer: Any, keys: Sequence[str], kinds: Sequence[str], size: int, random: Random
) -> list[Batch]:
    """Batches of examples of about the same length, in random order."""
    ordered = sorted(examples, key=lambda e: len(e.line) + random.random() * 40)
    chunks = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    random.shuffle(chunks)
    return [batch(chunk, tokenizer, keys, kinds) for chunk in chunks]


def batch(examples: Sequence[Example], tokenizer: Any, keys: Sequence[str], kinds: Sequence[str]) -> Batch:
    """One batch."""
    found = tokenizer(
        [e.line for e in examples],
        truncation=True,
        max_length=LONGEST,
        padding=True,
        pad_to_multiple_of=16,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    inputs = {name: found[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    tags = torch.zeros(*found["input_ids"].shape, len(keys), 2)
    for row, example in enumerate(examples):
        offsets = found["offset_mapping"][row]
        tags[row, offsets[:, 1] == offsets[:, 0]] = IGNORED
        for place, key in enumerate(keys):
            if key in example.unknown:
                tags[row, :, place] = IGNORED
            for start, end in example.spans.get(key, ()):
                inside = (offsets[:, 0] < end) & (offsets[:, 1] > start) & (offsets[:, 1] > offsets[:, 0])
                tags[row, inside, place, 0] = 1.0
                tags[row, inside.nonzero()[:1].flatten(), place, 1] = 1.0
    return Batch(inputs, tags, torch.stack([_kinds(e, kinds) for e in examples]))


def _kinds(example: Example, kinds: Sequence[str]) -> Tensor:
    if example.general is None:
        judged = [IGNORED] * len(kinds)
    else:
        judged = [IGNORED if kind in example.doubtful else float(kind in example.general) for kind in kinds]
    return torch.tensor([*judged, float(example.real)])
