"""Trains the bundled reader: `python -m reqap_kg.training.reader [--out FOLDER] [--epochs N] [--device cpu]`.

About half an hour on two cores; minutes on a GPU. What it reads is in training/data, written by hand. It writes
the weights, and `figures.json` with what was measured on texts that it was not trained on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Annotated as Option
from typing import Any

import torch
import typer
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import AutoTokenizer, get_linear_schedule_with_warmup

from ..models.encoder import installed_weights
from ..models.reading.reader import WEIGHTS
from ..models.reading.reader_terms import BUNDLED, reader_keys, reader_kinds
from ..models.reading.reading_network import ReadingNetwork
from ..models.weights import save_trained
from ..texts.lexicon.lexicon import load_lexicon
from .batches import Batch, batches
from .examples import examples
from .measures import measure
from .texts import read_texts

TRAINED_ON = ("a", "b", "c", "d", "e", "f")
HELD_OUT = ("test",)
_RARE = 6.0
"""Weight of a token that is part of a value: most tokens are of none."""


@dataclass(frozen=True)
class Plan:
    """How to train. `rate` is the highest learning rate of the body; the heads learn ten times as fast."""

    epochs: int = 12
    rate: float = 1.5e-4
    size: int = 16
    decay: float = 0.01
    seed: int = 7
    device: str = "cpu"


def train(plan: Plan, out: Path) -> dict[str, Any]:
    """Trains, measures on the held-out texts, writes weights and figures to `out`; returns the figures."""
    torch.manual_seed(plan.seed)
    folder = installed_weights()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    network = _network(folder).to(plan.device)
    texts, lexicon, random = read_texts(TRAINED_ON), load_lexicon(), Random(plan.seed)
    held_out = list(examples(read_texts(HELD_OUT), lexicon, random))
    steps = plan.epochs * -(-len(texts) // plan.size)
    optimizer, schedule = _optimizer(network, plan, steps)
    figures: dict[str, Any] = {"plan": asdict(plan), "texts": len(texts), "epochs": []}
    begin = time.perf_counter()
    for number in range(plan.epochs):
        drawn = list(examples(texts, lexicon, random, hints=False))
        epoch = batches(drawn, tokenizer, list(reader_keys()), list(reader_kinds()), plan.size, random)
        loss = _run(network, epoch, optimizer, schedule, plan.device, f"epoch {number + 1}")
        told = {"epoch": number + 1, "loss": loss, "seconds": round(time.perf_counter() - begin)}
        if number % 3 == 2 or number + 1 == plan.epochs:
            told |= measure(network, held_out, tokenizer, plan.device)
            save_trained(network, out / WEIGHTS)
        figures["epochs"].append(told)
        typer.echo(json.dumps(told))
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def _network(folder: Path) -> ReadingNetwork:
    """The word embeddings stay as they are: training texts hold too few words to move them well."""
    network = ReadingNetwork.of_encoder(folder, len(reader_keys()), len(reader_kinds()))
    for part in (network.body.embeddings, network.body.pooler):
        for parameter in part.parameters():
            parameter.requires_grad = False
    return network


def _optimizer(network: ReadingNetwork, plan: Plan, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    body = [p for p in network.body.parameters() if p.requires_grad]
    heads = [p for name, p in network.named_parameters() if not name.startswith("body.")]
    groups = [{"params": body, "lr": plan.rate}, {"params": heads, "lr": plan.rate * 10}]
    optimizer = torch.optim.AdamW(groups, weight_decay=plan.decay)
    return optimizer, get_linear_schedule_with_warmup(optimizer, steps // 12, steps)


def _run(
    network: ReadingNetwork,
    epoch: Sequence[Batch],
    optimizer: torch.optim.Optimizer,
    schedule: Any,
    device: str,
    name: str,
) -> float:
    """One epoch; returns the mean loss."""
    network.train()
    total = 0.0
    with typer.progressbar(epoch, label=name) as shown:
        for batch in shown:
            with torch.autocast(device, dtype=torch.bfloat16):
                tags, kinds = network({key: value.to(device) for key, value in batch.inputs.items()})
            loss = _loss(tags.float(), batch.tags.to(device), _RARE) * 3.0
            loss = loss + _loss(kinds.float(), batch.kinds.to(device), 1.0)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            total += float(loss.detach())
    return round(total / max(1, len(epoch)), 4)


def _loss(logits: Tensor, labels: Tensor, rare: float) -> Tensor:
    """Binary cross-entropy over what is labelled; ones count `rare` times."""
    known = labels >= 0
    weights = torch.where(labels > 0, rare, 1.0)[known]
    return binary_cross_entropy_with_logits(logits[known], labels[known], weights)


def main(
    out: Option[Path, typer.Option(help="Where weights and figures go.")] = BUNDLED,
    epochs: Option[int, typer.Option(help="Passes over the training texts.")] = Plan.epochs,
    rate: Option[float, typer.Option(help="Highest learning rate of the body.")] = Plan.rate,
    seed: Option[int, typer.Option(help="Seed of sampling and dropout.")] = Plan.seed,
    device: Option[str, typer.Option(help="cpu or cuda.")] = Plan.device,
) -> None:
    """Trains the reader that RETRIEVE and EXTRACT use."""
    train(Plan(epochs=epochs, rate=rate, seed=seed, device=device), out)


if __name__ == "__main__":
    typer.run(main)
