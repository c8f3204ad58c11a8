"""Trains the bundled reader: `python -m reqap_kg.training.reader [--out FOLDER] [--epochs N]`.

Half an hour on two cores. It reads the texts of `corpus/texts`, and writes the weights, and `figures.json` with what
was measured on the lives of the validation split. The same data and seed give the same weights on one machine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Annotated as Option
from typing import Any, Final

import torch
import typer
from torch import nn
from transformers import AutoTokenizer, get_linear_schedule_with_warmup

from ..config import DEFAULT_ENCODER
from ..models.encoder import LightEncoder, installed_weights
from ..models.reading.reader import BUNDLED, WEIGHTS
from ..texts.lexicon.lexicon import load_lexicon
from .batches import Batch, batches, in_order, keys_of, read_lines
from .reading_losses import Phrases, losses
from .reading_measures import measure
from .reading_network import ReadingNetwork
from .saving import save_trained
from .texts import TEXTS, Annotated, lines, read_queries, read_texts

_OTHERWISE: Final = 0.4
"""How often a key is asked for by another of its names."""
_NAMES: Final = Path(__file__).parent / "data" / "keys.jsonl"


@dataclass(frozen=True)
class Plan:
    """How to train. `rate` is the highest learning rate of the body; the heads learn five times as fast."""

    epochs: int = 10
    rate: float = 2e-4
    size: int = 16
    decay: float = 0.01
    seed: int = 7


def train(plan: Plan, out: Path, folder: Path = TEXTS) -> dict[str, Any]:
    """Trains, measures on the validation lives, writes weights and figures to `out`; returns the figures."""
    torch.manual_seed(plan.seed)
    encoder = installed_weights()
    tokenizer = AutoTokenizer.from_pretrained(encoder, local_files_only=True)
    network = _network(encoder)
    texts, held_out = read_texts("train", folder), read_texts("validation", folder)
    lexicon, random, keys, names = load_lexicon(), Random(plan.seed), keys_of(texts), _names()
    read = read_lines(texts, lexicon)
    phrases = _phrases(LightEncoder(DEFAULT_ENCODER, encoder), [*texts, *held_out], names, folder)
    epoch = batches(read, tokenizer, keys, plan.size, random)
    optimizer, schedule = _optimizer(network, plan, plan.epochs * len(epoch))
    measured = in_order(read_lines(held_out, lexicon), tokenizer, keys, plan.size)
    figures: dict[str, Any] = {"plan": asdict(plan), "texts": len(texts), "keys": list(keys.common), "epochs": []}
    begin = time.perf_counter()
    for number in range(plan.epochs):
        epoch = epoch if number == 0 else batches(read, tokenizer, keys, plan.size, random)
        called = [[_called(key, names, random) for key in one.keys] for one in epoch]
        loss = _run(network, epoch, called, phrases, optimizer, schedule, f"epoch {number + 1}")
        told: dict[str, Any] = {"epoch": number + 1, "seconds": round(time.perf_counter() - begin), "loss": loss}
        if number % 3 == 2 or number + 1 == plan.epochs:
            told |= measure(network, measured, phrases)
            save_trained(network, out / WEIGHTS)
        figures["epochs"].append(told)
        typer.echo(json.dumps(told))
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def _names() -> Mapping[str, Sequence[str]]:
    """Other names of keys that are often asked for."""
    return {row["key"]: tuple(row["labels"]) for row in lines(_NAMES)}


def _called(key: str, names: Mapping[str, Sequence[str]], random: Random) -> str:
    return random.choice(names[key]) if key in names and random.random() < _OTHERWISE else key


def _phrases(
    encoder: LightEncoder, texts: Sequence[Annotated], names: Mapping[str, Sequence[str]], folder: Path
) -> Phrases:
    mentions = [mention for text in texts for mention in text.mentions]
    keys = sorted({said.key for mention in mentions for said in mention.said})
    others = [label for labels in names.values() for label in labels]
    return Phrases.of(encoder, [*keys, *others], sorted({m.kind for m in mentions}), read_queries(folder))


def _network(folder: Path) -> ReadingNetwork:
    """The word embeddings stay as they are: training texts hold too few words to move them well."""
    network = ReadingNetwork.of_encoder(folder)
    for part in (network.body.embeddings, network.body.pooler):
        for parameter in part.parameters():
            parameter.requires_grad = False
    return network


def _optimizer(network: ReadingNetwork, plan: Plan, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    body = [p for p in network.body.parameters() if p.requires_grad]
    heads = [p for name, p in network.named_parameters() if not name.startswith("body.")]
    groups = [{"params": body, "lr": plan.rate}, {"params": heads, "lr": plan.rate * 5}]
    optimizer = torch.optim.AdamW(groups, weight_decay=plan.decay)
    return optimizer, get_linear_schedule_with_warmup(optimizer, steps // 12, steps)


def _run(
    network: ReadingNetwork,
    epoch: Sequence[Batch],
    called: Sequence[Sequence[str]],
    phrases: Phrases,
    optimizer: torch.optim.Optimizer,
    schedule: Any,
    name: str,
) -> dict[str, float]:
    """One epoch; returns the mean of each part of the loss."""
    network.train()
    total: dict[str, float] = {}
    with typer.progressbar(list(zip(epoch, called, strict=True)), label=name) as shown:
        for batch, names in shown:
            parts = losses(network, batch, names, phrases)
            torch.stack(list(parts.values())).sum().backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            for part, loss in parts.items():
                total[part] = total.get(part, 0.0) + float(loss.detach())
    return {part: round(loss / max(1, len(epoch)), 4) for part, loss in total.items()}


def main(
    out: Option[Path, typer.Option(help="Where weights and figures go.")] = BUNDLED,
    epochs: Option[int, typer.Option(help="Passes over the training texts.")] = Plan.epochs,
    rate: Option[float, typer.Option(help="Highest learning rate of the body.")] = Plan.rate,
    seed: Option[int, typer.Option(help="Seed of sampling and dropout.")] = Plan.seed,
    texts: Option[Path, typer.Option(help="Folder of the texts.")] = TEXTS,
) -> None:
    """Trains the reader that RETRIEVE and EXTRACT use."""
    train(Plan(epochs=epochs, rate=rate, seed=seed), out, texts)


if __name__ == "__main__":
    typer.run(main)
