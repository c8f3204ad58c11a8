"""Trains the bundled reader: `python -m reqap_kg.models.training.reader [--out FOLDER] [--epochs N] [--device cpu]`.

All of it runs on two cores in under two hours; on a GPU in minutes. What it reads is in models/training/data, written by
hand. It writes the weights and a `figures.json` of what was measured on the held-out texts.
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
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import AutoTokenizer, get_linear_schedule_with_warmup

from ...config import DEFAULT_ENCODER
from ...texts.lexicon import load_lexicon
from ..encoder import weights_folder
from ..reader import BUNDLED
from ..reading_network import ReadingNetwork
from ..weights import save_trained
from .batches import batches, tensors
from .examples import Example, Material, pattern_examples, record_examples, relevance_examples, tag_examples
from .measures import measure
from .texts import read_texts

TRAINED_ON = ("a", "b", "c", "d", "e", "f")
HELD_OUT = ("test",)


@dataclass(frozen=True)
class Plan:
    """How to train. `rate` is the highest learning rate of the body; the heads learn ten times as fast."""

    epochs: int = 4
    share: float = 0.6
    """Part of an epoch's relevance and tag examples that is kept; each epoch draws others."""
    rate: float = 1.5e-4
    size: int = 32
    decay: float = 0.01
    seed: int = 7
    device: str = "cpu"


def train(plan: Plan, out: Path) -> dict[str, Any]:
    """Trains, measures on the held-out texts, writes weights and figures to `out`; returns the figures."""
    torch.manual_seed(plan.seed)
    folder = weights_folder(DEFAULT_ENCODER)
    assert folder is not None, "the encoder's package is not installed"
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    network = _network(folder).to(plan.device)
    material = Material.of(read_texts(TRAINED_ON), load_lexicon())
    held_out = Material.of(read_texts(HELD_OUT), load_lexicon())
    epochs = [_epoch(material, Random(plan.seed + n), plan) for n in range(plan.epochs)]
    optimizer, schedule = _optimizer(network, plan, sum(map(len, epochs)))
    figures: dict[str, Any] = {"plan": asdict(plan), "texts": len(material.texts), "epochs": []}
    begin = time.perf_counter()
    for number, epoch in enumerate(epochs):
        loss = _run(network, epoch, tokenizer, optimizer, schedule, plan.device, f"epoch {number + 1}")
        told = {"epoch": number + 1, "loss": loss, "seconds": round(time.perf_counter() - begin)}
        figures["epochs"].append(told | measure(network, held_out, tokenizer, plan.device))
        typer.echo(json.dumps(figures["epochs"][-1]))
        save_trained(network, out / "weights.safetensors")
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def _network(folder: Path) -> ReadingNetwork:
    """The word embeddings stay as they are: training texts hold too few words to move them well."""
    network = ReadingNetwork.of_encoder(folder, attention="eager")
    for parameter in network.body.embeddings.parameters():
        parameter.requires_grad = False
    for parameter in network.body.pooler.parameters():
        parameter.requires_grad = False
    return network


def _epoch(material: Material, random: Random, plan: Plan) -> list[tuple[str, Sequence[Example]]]:
    """All batches of an epoch, the tasks mixed."""
    relevance = [*relevance_examples(material, random), *record_examples()]
    tags = list(tag_examples(material, random))
    drawn = {"relevance": _drawn(relevance, plan, random), "tags": _drawn(tags, plan, random)}
    drawn["pattern"] = list(pattern_examples())
    found = [batch for task, examples in drawn.items() for batch in batches(task, examples, plan.size, random)]
    random.shuffle(found)
    return found


def _drawn(examples: list[Example], plan: Plan, random: Random) -> list[Example]:
    return random.sample(examples, round(plan.share * len(examples)))


def _optimizer(network: ReadingNetwork, plan: Plan, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    body = [p for p in network.body.parameters() if p.requires_grad]
    heads = [p for name, p in network.named_parameters() if not name.startswith("body.")]
    groups = [{"params": body, "lr": plan.rate}, {"params": heads, "lr": plan.rate * 10}]
    optimizer = torch.optim.AdamW(groups, weight_decay=plan.decay)
    return optimizer, get_linear_schedule_with_warmup(optimizer, steps // 12, steps)


def _run(
    network: ReadingNetwork,
    epoch: Sequence[tuple[str, Sequence[Example]]],
    tokenizer: Any,
    optimizer: torch.optim.Optimizer,
    schedule: Any,
    device: str,
    name: str,
) -> float:
    """One epoch; returns the mean loss."""
    network.train()
    total = 0.0
    with typer.progressbar(epoch, label=name) as shown:
        for task, examples in shown:
            inputs, labels = tensors(task, examples, tokenizer)
            with torch.autocast(device, dtype=torch.bfloat16):
                logits = network({key: value.to(device) for key, value in inputs.items()}, task)
            loss = _loss(task, logits.float(), labels.to(device))
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            total += float(loss.detach())
    return round(total / max(1, len(epoch)), 4)


def _loss(task: str, logits: Tensor, labels: Tensor) -> Tensor:
    if task == "relevance":
        return binary_cross_entropy_with_logits(logits, labels)
    if task == "pattern":
        return cross_entropy(logits, labels)
    return cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


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
