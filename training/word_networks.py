"""What the trainings of small networks over the encoder's words share: the plan, the words' vectors, the fitting."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from ..models.encoder import installed_weights
from ..models.planning.word_vectors import LONGEST, shared_reader

T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """How to train: how many questions, how often, how fast. `decay` is AdamW's."""

    count: int = 20_000
    epochs: int = 7
    rate: float = 2e-3
    batch: int = 64
    seed: int = 7
    decay: float = 0.01
    device: str = "cpu"


def add_plan(parser: argparse.ArgumentParser, usual: Plan) -> None:
    """The arguments of a plan."""
    parser.add_argument("--count", type=int, default=usual.count)
    parser.add_argument("--epochs", type=int, default=usual.epochs)
    parser.add_argument("--rate", type=float, default=usual.rate)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--device", default=usual.device)


def word_vectors(words: Sequence[Sequence[str]]) -> list[Tensor]:
    """What the encoder says of the words of questions. Raises ConfigError where its weights are not installed."""
    return [vector.half() for vector in shared_reader(installed_weights(), LONGEST).vectors(words)]


def fit(network: nn.Module, training: Sequence[T], loss: Callable[[Sequence[T]], Tensor], plan: Plan) -> None:
    """Trains a network in place: AdamW over shuffled batches, the rate in one cycle; prints the loss of each epoch."""
    rng = random.Random(plan.seed)
    steps = plan.epochs * (1 + (len(training) - 1) // plan.batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=plan.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=plan.rate, total_steps=steps, pct_start=0.1)
    network.train()
    for epoch in range(plan.epochs):
        order = rng.sample(range(len(training)), len(training))
        total = 0.0
        for at in range(0, len(order), plan.batch):
            chunk = [training[place] for place in order[at : at + plan.batch]]
            lost = loss(chunk)
            optimiser.zero_grad()
            lost.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(lost.detach()) * len(chunk)
        print(f"epoch {epoch + 1}: loss {total / len(training):.4f}", flush=True)
