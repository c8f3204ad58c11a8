"""Trains RETRIEVE's classifiers over a trained reader: `python -m reqap_kg.training.classifiers [--out FOLDER]`.

Some minutes on two cores. They are trained on the lives of the validation split, which the reader was not trained on,
since what it says of texts that it has seen is surer than it ought to be. Measured by cross-validation over these lives
and over the patterns.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated as Option

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import nn

from ..models.reading.reader import BUNDLED, load_reader, softmax
from ..models.reading.relevance import CLASSIFIERS, BundledClassifiers, Layers, forgetful
from ..texts.lexicon.lexicon import load_lexicon
from .pairs import Pair, event_pairs, pattern_pairs
from .texts import TEXTS, read_queries, read_texts

_FOLDS = 5


@dataclass(frozen=True)
class Plan:
    """How to train one of them."""

    outputs: int
    hidden: int
    drop: float
    rate: float
    decay: float
    size: int
    steps: int


EVENTS = Plan(outputs=1, hidden=32, drop=0.1, rate=5e-3, decay=0.02, size=1024, steps=1500)
PATTERNS = Plan(outputs=3, hidden=64, drop=0.4, rate=2e-3, decay=0.05, size=256, steps=800)

Rows = NDArray[np.float32]


def train(out: Path, seed: int, folder: Path = TEXTS) -> dict[str, dict[str, float]]:
    """Trains and measures both; writes them to `out`."""
    random = Random(seed)
    texts, lexicon = read_texts("validation", folder), load_lexicon()
    classifiers = BundledClassifiers(load_reader(out), lexicon, forgetful, out)
    stored, figures = {}, {}
    for name, pairs, plan in (
        ("events", event_pairs(texts, read_queries(folder), lexicon, random), EVENTS),
        ("patterns", pattern_pairs(), PATTERNS),
    ):
        both = [(p.query, p.line) for p in pairs]
        events, outputs = plan is EVENTS, plan.outputs
        features = classifiers.features(both) if events else classifiers.pattern_features(both)
        labels = np.array([p.label for p in pairs])
        said = np.zeros((len(pairs), outputs), dtype=np.float32)
        for held_out in _folds(pairs, random):
            layers = fit(features[~held_out], labels[~held_out], plan, seed)
            said[held_out] = layers.logits(features[held_out])
        figures[name] = _events(said[:, 0] > 0, labels) if outputs == 1 else _patterns(said, labels)
        figures[name] |= {"pairs": float(len(pairs))}
        typer.echo(f"{name}: {json.dumps(figures[name])}")
        layers = fit(features, labels, plan, seed)
        stored |= {
            f"{name}.{key}": np.ascontiguousarray(value.astype(np.float16)) for key, value in vars(layers).items()
        }
    save_file(stored, out / CLASSIFIERS)
    (out / "classifiers_figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def fit(features: Rows, labels: NDArray[np.int_], plan: Plan, seed: int) -> Layers:
    """One hidden layer over standardised features."""
    torch.manual_seed(seed)
    mean, scale = (features.mean(axis=0), features.std(axis=0) + 1e-3) if plan is EVENTS else _as_they_are(features)
    rows = torch.tensor((features - mean) / scale)
    first, last = nn.Linear(rows.shape[1], plan.hidden), nn.Linear(plan.hidden, plan.outputs)
    network = nn.Sequential(nn.Dropout(plan.drop / 2), first, nn.ReLU(), nn.Dropout(plan.drop), last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=plan.decay)
    truth = torch.tensor(labels)
    for _ in range(plan.steps):
        at = torch.randint(len(rows), (min(plan.size, len(rows)),))
        logits = network(rows[at])
        if plan.outputs == 1:
            loss = nn.functional.binary_cross_entropy_with_logits(logits[:, 0], truth[at].float())
        else:
            loss = nn.functional.cross_entropy(logits, truth[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    held = (first.weight.T, first.bias, last.weight.T, last.bias)
    return Layers(mean, scale, *(parameter.detach().numpy().copy() for parameter in held))


def _as_they_are(features: Rows) -> tuple[Rows, Rows]:
    return np.zeros(features.shape[1], dtype=np.float32), np.ones(features.shape[1], dtype=np.float32)


def _folds(pairs: Sequence[Pair], random: Random) -> list[NDArray[np.bool_]]:
    groups = sorted({pair.group for pair in pairs})
    random.shuffle(groups)
    fold = {group: number % _FOLDS for number, group in enumerate(groups)}
    return [np.array([fold[pair.group] == number for pair in pairs]) for number in range(_FOLDS)]


def _events(said: NDArray[np.bool_], labels: NDArray[np.int_]) -> dict[str, float]:
    true = labels == 1
    both = float((said & true).sum())
    return {
        "accuracy": round(float((said == true).mean()), 4),
        "precision": round(both / max(1.0, float(said.sum())), 4),
        "recall": round(both / max(1.0, float(true.sum())), 4),
    }


def _patterns(said: Rows, labels: NDArray[np.int_]) -> dict[str, float]:
    chances = softmax(said)
    dropped, kept = chances[:, 0] >= 0.9, chances[:, 2] >= 0.9
    return {
        "accuracy": round(float((said.argmax(axis=1) == labels).mean()), 4),
        "dropped": round(float(dropped.mean()), 4),
        "wrongly_dropped": round(float((labels[dropped] != 0).mean()), 4),
        "kept": round(float(kept.mean()), 4),
        "wrongly_kept": round(float((labels[kept] != 2).mean()), 4),
    }


def main(
    out: Option[Path, typer.Option(help="Folder of the trained reader; the classifiers go there too.")] = BUNDLED,
    seed: Option[int, typer.Option(help="Seed of sampling and starting weights.")] = 7,
    texts: Option[Path, typer.Option(help="Folder of the texts.")] = TEXTS,
) -> None:
    """Trains RETRIEVE's pattern and event classifiers."""
    train(out, seed, texts)


if __name__ == "__main__":
    typer.run(main)
