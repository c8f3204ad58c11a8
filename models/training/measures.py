"""What a reader is worth on texts that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import torch

from ..reading_network import ReadingNetwork
from .batches import tensors
from .examples import Example, Material, tag_examples

_SIZE = 32


def measure(network: ReadingNetwork, material: Material, tokenizer: Any, device: str) -> dict[str, float]:
    """Accuracy, precision and recall of relevance over the written and the general queries; exact spans of tags."""
    network.eval()
    written, general = list(_written(material)), list(_judged(material))
    found = {f"written_{k}": v for k, v in _relevance(network, written, tokenizer, device).items()}
    found |= {f"general_{k}": v for k, v in _relevance(network, general, tokenizer, device).items()}
    return found | _tags(network, list(tag_examples(material, Random(0))), tokenizer, device)


def _written(material: Material) -> Iterator[Example]:
    for text in material.texts:
        line = material.lines[text.document.event].line
        yield from (Example(query, line, 1) for query in text.yes)
        yield from (Example(query, line, 0) for query in text.no)


def _judged(material: Material) -> Iterator[Example]:
    for text in material.texts:
        if text.general is not None:
            line = material.lines[text.document.event].line
            for number, phrases in material.general.items():
                if number not in text.doubtful:
                    yield Example(phrases[0], line, int(number in text.general))


def _logits(
    network: ReadingNetwork, task: str, examples: Sequence[Example], tokenizer: Any, device: str
) -> Iterator[tuple[Sequence[Example], torch.Tensor, torch.Tensor]]:
    ordered = sorted(examples, key=lambda e: len(e.second))
    for at in range(0, len(ordered), _SIZE):
        chunk = ordered[at : at + _SIZE]
        inputs, labels = tensors(task, chunk, tokenizer)
        with torch.inference_mode(), torch.autocast(device, dtype=torch.bfloat16):
            logits = network({key: value.to(device) for key, value in inputs.items()}, task)
        yield chunk, logits.float().cpu(), labels


def _relevance(network: ReadingNetwork, examples: Sequence[Example], tokenizer: Any, device: str) -> dict[str, float]:
    right = taken = positive = both = 0
    for _, logits, labels in _logits(network, "relevance", examples, tokenizer, device):
        said, true = logits > 0, labels > 0.5
        right += int((said == true).sum())
        taken, positive, both = taken + int(said.sum()), positive + int(true.sum()), both + int((said & true).sum())
    return {
        "accuracy": round(right / max(1, len(examples)), 4),
        "precision": round(both / max(1, taken), 4),
        "recall": round(both / max(1, positive), 4),
    }


def _tags(network: ReadingNetwork, examples: Sequence[Example], tokenizer: Any, device: str) -> dict[str, float]:
    """Share of (key, text) whose tokens are all tagged as they should be, for those with and without values."""
    counts = {True: [0, 0], False: [0, 0]}
    for chunk, logits, labels in _logits(network, "tags", examples, tokenizer, device):
        said = (logits.argmax(-1) > 0) & (labels >= 0)
        exact = (said == (labels > 0)).all(dim=1)
        for example, right in zip(chunk, exact.tolist(), strict=True):
            counts[bool(example.label)][0] += int(right)
            counts[bool(example.label)][1] += 1
    return {f"tags_{'told' if k else 'absent'}": round(n / max(1, m), 4) for k, (n, m) in counts.items()}
