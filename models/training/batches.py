"""Examples to tensors: tokens of two segments, labels for each token where spans are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import torch
from torch import Tensor

from .examples import Example

LONGEST: Final = 224
"""Tokens of query and text together; what is longer is cut at the end of the text."""
_IGNORED: Final = -100


def batches(task: str, examples: Sequence[Example], size: int, random: Random) -> list[tuple[str, Sequence[Example]]]:
    """Batches of examples of about the same length, in random order."""
    ordered = sorted(examples, key=lambda e: len(e.first) + len(e.second) + random.random() * 20)
    chunks = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    random.shuffle(chunks)
    return [(task, chunk) for chunk in chunks]


def tensors(task: str, examples: Sequence[Example], tokenizer: Any) -> tuple[dict[str, Tensor], Tensor]:
    """Inputs and labels of a batch."""
    found = tokenizer(
        [e.first for e in examples],
        [e.second for e in examples],
        truncation="only_second",
        max_length=LONGEST,
        padding=True,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    inputs = {name: found[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    if task != "tags":
        return inputs, torch.tensor(
            [e.label for e in examples], dtype=torch.float if task == "relevance" else torch.long
        )
    rows = [list(_tags(e, found["offset_mapping"][i].tolist(), found.sequence_ids(i))) for i, e in enumerate(examples)]
    return inputs, torch.tensor(rows, dtype=torch.long)


def _tags(example: Example, offsets: Sequence[Sequence[int]], segments: Sequence[int | None]) -> Iterator[int]:
    """For each token 0 outside, 1 begin, 2 inside; ignored outside the text."""
    assert isinstance(example.label, tuple)
    before: tuple[int, int] | None = None
    for (start, end), segment in zip(offsets, segments, strict=True):
        if segment != 1:
            yield _IGNORED
            continue
        span = next((s for s in example.label if s[0] < end and start < s[1]), None)
        yield 0 if span is None else 2 if span == before else 1
        before = span
