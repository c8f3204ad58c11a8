"""Trains the router of talk: python -m reqap_kg.models.training.talk (docs/models-planning.md; the card is in
models/trained/talk).

What the encoder says of the words of the questions is computed once; the small network over it learns from that.
Deterministic by seed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from ...config import DEFAULT_ENCODER
from ...errors import ConfigError
from ..decomposer import LONGEST
from ..encoder import INSTALL_HINT, weights_folder
from ..sketch_network import batched
from ..sketch_vectors import shared_reader
from ..talk_network import TalkNetwork
from ..talk_router import FOLDER, KINDS, PARTS, WEIGHTS
from ..weights import save_trained
from .talk_questions import DATA, TalkQuestion, questions, read, written

_NO_WORD: Final = -100


@dataclass(frozen=True)
class Plan:
    """How to train."""

    count: int = 5_000
    epochs: int = 8
    rate: float = 2e-3
    batch: int = 64
    seed: int = 7


@dataclass(frozen=True)
class Example:
    """A question as numbers."""

    vectors: Tensor
    kind: int
    parts: Tensor


def main() -> None:
    """Trains, and writes weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=Plan.count)
    parser.add_argument("--epochs", type=int, default=Plan.epochs)
    parser.add_argument("--rate", type=float, default=Plan.rate)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--questions", type=Path, default=DATA)
    parser.add_argument("--tested", type=Path, help="marked questions to test on")
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()
    plan = Plan(given.count, given.epochs, given.rate, seed=given.seed)
    begin = perf_counter()
    network = trained(list(questions(plan.count, plan.seed, given.questions)), plan)
    save_trained(network, given.out / WEIGHTS)
    if given.tested is not None:
        tested = examples([read(line) for line in written(given.tested)])
        figures = {**measured(network, tested), "seconds": round(perf_counter() - begin)}
        (given.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        print(json.dumps(figures))


def trained(asked: Sequence[TalkQuestion], plan: Plan) -> TalkNetwork:
    """The network. Raises ConfigError where the encoder's weights are not installed."""
    torch.manual_seed(plan.seed)
    training = examples(asked)
    network = TalkNetwork(len(KINDS), len(PARTS))
    rng = random.Random(plan.seed)
    steps = plan.epochs * (1 + (len(training) - 1) // plan.batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=plan.rate, total_steps=steps, pct_start=0.1)
    network.train()
    for epoch in range(plan.epochs):
        order = rng.sample(range(len(training)), len(training))
        total = 0.0
        for at in range(0, len(order), plan.batch):
            chunk = [training[place] for place in order[at : at + plan.batch]]
            loss = _loss(network, chunk)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(chunk)
        print(f"epoch {epoch + 1}: loss {total / len(training):.4f}", flush=True)
    return network.eval()


def examples(asked: Sequence[TalkQuestion]) -> list[Example]:
    """Questions as numbers. Raises ConfigError where the encoder's weights are not installed."""
    folder = weights_folder(DEFAULT_ENCODER)
    if folder is None:
        raise ConfigError(f"training needs the weights of {DEFAULT_ENCODER}; {INSTALL_HINT}")
    vectors = shared_reader(folder, LONGEST).vectors([one.words for one in asked])
    return [
        Example(
            vector.half(),
            KINDS.index(one.kind),
            torch.tensor([PARTS.index(part) for part in one.parts[: len(vector)]]),
        )
        for one, vector in zip(asked, vectors, strict=True)
    ]


def _loss(network: TalkNetwork, chunk: Sequence[Example]) -> Tensor:
    """Of kinds, and of words; what is not about talk has no parts to learn from."""
    found = network(*batched([one.vectors for one in chunk]))
    kinds = cross_entropy(found.kinds, torch.tensor([one.kind for one in chunk]), label_smoothing=0.05)
    parts = nn.utils.rnn.pad_sequence([one.parts for one in chunk], batch_first=True, padding_value=_NO_WORD)
    parts[[one.kind == 0 for one in chunk]] = _NO_WORD
    if bool((parts == _NO_WORD).all()):
        return kinds
    return kinds + cross_entropy(found.parts.flatten(0, 1), parts.flatten(), ignore_index=_NO_WORD)


def measured(network: TalkNetwork, testing: Sequence[Example]) -> dict[str, float]:
    """Shares that are right: whether it is about talk, which kind, and all words of time of those that have some."""
    talk = kinds = timed = times_right = 0
    time = PARTS.index("time")
    with torch.inference_mode():
        for one in testing:
            found = network(*batched([one.vectors]))
            kind = int(found.kinds[0].argmax())
            talk += (kind > 0) == (one.kind > 0)
            kinds += kind == one.kind
            if KINDS[one.kind] in ("metadata", "content", "both"):
                timed += 1
                times_right += bool(((found.parts[0].argmax(-1) == time) == (one.parts == time)).all())
    return {
        "tested": len(testing),
        "about talk": round(talk / len(testing), 4),
        "kinds": round(kinds / len(testing), 4),
        "words of time": round(times_right / timed, 4),
    }


if __name__ == "__main__":
    main()
