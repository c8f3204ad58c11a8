"""Trains the parser of questions: python -m reqap_kg.training.parser CORPUS (docs/models-planning.md).

CORPUS is a folder with train.jsonl. The upper layers of the encoder and the decoder learn together, from the pairs and
from variations of them. Deterministic by seed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from torch import Tensor, nn

from ..config import DEFAULT_ENCODER
from ..models.bert import BertFiles
from ..models.encoder import LightEncoder, installed_weights
from ..models.planning.parser import FOLDER, NAMES, WEIGHTS, label_of
from ..models.planning.parser_encoder import WordEncoder, is_tuned
from ..models.planning.parser_member import KEYS
from ..models.planning.parser_network import Memory, Names, ParserNetwork, marks_of, numbered
from ..models.weights import save_weights
from ..operators.forms.decoding import State, Want
from ..planner.forms.maker import CALENDAR_KEYS
from .corpus import (
    Pair,
    Taught,
    Variations,
    asides_of,
    keys_of,
    known_words,
    read_corpus,
    taught,
    with_known_keys,
)
from .marks import UNKNOWN, marks

WARM: Final = 0.08
"""Share of the steps over which the rates rise."""


@dataclass(frozen=True)
class Plan:
    """How to train: how many passes over the pairs, how fast the decoder and the encoder learn."""

    epochs: int = 8
    rate: float = 7e-4
    encoder_rate: float = 6e-5
    batch: int = 32
    seed: int = 7
    decay: float = 0.01


@dataclass(frozen=True)
class Example:
    """An example as numbers."""

    words: tuple[str, ...]
    marks: tuple[frozenset[str], ...]
    said: list[int]
    wants: list[Want]
    keys: tuple[str, ...]


class Trainer:
    """Trains one parser. Raises ConfigError where the encoder's weights are not installed."""

    def __init__(self, pairs: Sequence[Pair], plan: Plan) -> None:
        torch.manual_seed(plan.seed)
        folder = installed_weights()
        self.plan = plan
        pairs = with_known_keys(pairs)
        self.names = Names(known_words(pairs))
        self.keys = keys_of(pairs)
        self.key_places = {key: at for at, key in enumerate(self.keys)}
        self.asides = asides_of(pairs)
        self.personal = keys_of([pair for pair in pairs if not pair.keys])
        self.values = [key for key in self.personal if key not in UNKNOWN]
        labels = LightEncoder(DEFAULT_ENCODER, folder).encode([label_of(key) for key in self.keys])
        self.key_vectors = torch.tensor(labels)
        self.examples = taught(pairs, frozenset(self.names.words))
        self.network = ParserNetwork(self.names)
        weights = {name: tensor.float() for name, tensor in BertFiles(folder).weights().items()}
        self.tuned = {name: tensor.clone().requires_grad_() for name, tensor in weights.items() if is_tuned(name)}
        self.encoder = WordEncoder.of(folder, self.tuned)
        self._own_keys: dict[tuple[str, ...], Tensor] = {}
        self._marking = random.Random(plan.seed)

    def train(self, out: Path) -> None:
        """All epochs; prints the loss, and saves after each."""
        plan = self.plan
        rng = random.Random(plan.seed)
        varying = Variations(self.examples, plan.seed)
        groups = [
            {"params": list(self.network.parameters()), "lr": plan.rate},
            {"params": list(self.tuned.values()), "lr": plan.encoder_rate},
        ]
        optimiser = torch.optim.AdamW(groups, weight_decay=plan.decay)
        total = plan.epochs * math.ceil(len(self.examples) / plan.batch)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, total))
        begin, step, shown = perf_counter(), 0, 0.0
        self.network.train()
        for epoch in range(plan.epochs):
            for batch in self._batches([varying.varied(one) for one in self.examples] if epoch else self.examples, rng):
                with torch.autocast("cpu", torch.bfloat16):
                    loss = self._loss(batch)
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_([*self.network.parameters(), *self.tuned.values()], 1.0)
                optimiser.step()
                schedule.step()
                step += 1
                shown = loss.item() if step == 1 else 0.98 * shown + 0.02 * loss.item()
            print(
                f"epoch {epoch + 1}: loss {shown:.3f}, step {step} of {total}, {perf_counter() - begin:.0f} s",
                flush=True,
            )
            self.save(out)
        self.network.eval()

    def _batches(self, examples: Sequence[Taught], rng: random.Random) -> Iterator[list[Example]]:
        """Examples of like length together, in random order."""
        order = sorted(range(len(examples)), key=lambda at: len(examples[at].words) + rng.random() * 4)
        chunks = [order[at : at + self.plan.batch] for at in range(0, len(order), self.plan.batch)]
        rng.shuffle(chunks)
        for chunk in chunks:
            yield [self._example(examples[at]) for at in chunk]

    def _example(self, one: Taught) -> Example:
        state, wants = State(), []
        for step in one.steps:
            wants.append(state.next)
            state = state.after(step)
        said = numbered(one.steps, self.names, self.key_places, len(one.words))
        return Example(one.words, marks(one, self.values, self._marking), said, wants, one.keys)

    def _loss(self, batch: Sequence[Example]) -> Tensor:
        questions = [one.words for one in batch]
        words, gone = self.encoder.encode(questions)
        marked = marks_of(questions, [one.marks for one in batch], self.keys)
        memory = Memory(self.network.linked(words, marked, self.key_vectors), gone, self.key_vectors)
        said, wanted, allowed = self._numbers(batch, words.shape[1])
        found = self.network(memory, said, allowed, self._known_keys(batch))
        real = wanted >= 0
        right = found.gather(-1, wanted.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return -(right * real).sum() / real.sum()

    def _known_keys(self, batch: Sequence[Example]) -> Tensor:
        """Which attributes each example's data has, shape (batch, keys)."""
        for one in batch:
            if one.keys not in self._own_keys:
                self._own_keys[one.keys] = self._row(one.keys or self.personal)
        return torch.stack([self._own_keys[one.keys] for one in batch])

    def _row(self, keys: Sequence[str]) -> Tensor:
        known = {*keys, *CALENDAR_KEYS}
        return torch.tensor([key in known for key in self.keys])

    def _numbers(self, batch: Sequence[Example], width: int) -> tuple[Tensor, Tensor, Tensor]:
        """What was said before each step, the step, and what is allowed there; spans count from the batch's width."""
        longest = max(len(one.said) for one in batch)
        said = torch.full((len(batch), longest), self.names.begin)
        wanted = torch.full((len(batch), longest), -1)
        allowed = torch.zeros(len(batch), longest, dtype=torch.long)
        starts = self.names.size + len(self.keys)
        for row, one in enumerate(batch):
            steps = torch.tensor([n + width - len(one.words) if n >= starts + len(one.words) else n for n in one.said])
            wanted[row, : len(steps)] = steps
            said[row, 1 : len(steps)] = steps[:-1]
            allowed[row, : len(steps)] = torch.tensor([int(want) for want in one.wants])
        return said, wanted, allowed

    def save(self, folder: Path) -> None:
        """Weights in eight bits, attributes with the vectors of their labels, known words."""
        folder.mkdir(parents=True, exist_ok=True)
        decoder = {f"decoder.{name}": weight for name, weight in self.network.state_dict().items()}
        save_weights({**decoder, **self.tuned, KEYS: self.key_vectors}, folder / WEIGHTS.format(seed=self.plan.seed))
        names = {"words": self.names.words, "keys": self.keys, "personal": self.personal, "asides": self.asides}
        (folder / NAMES).write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")


def _rate(step: int, total: int) -> float:
    """Up, then down in a line."""
    warm = max(1, int(total * WARM))
    return min((step + 1) / warm, max(0.02, (total - step) / max(1, total - warm)))


def main() -> None:
    """Trains, and writes the weights."""
    usual = Plan()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--epochs", type=int, default=usual.epochs)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--limit", type=int, help="only so many pairs (for a learning curve)")
    parser.add_argument("--batch", type=int, default=usual.batch)
    given = parser.parse_args()
    pairs = read_corpus(given.corpus / "train.jsonl")
    random.Random(given.seed).shuffle(pairs)
    trainer = Trainer(pairs[: given.limit], Plan(given.epochs, batch=given.batch, seed=given.seed))
    counts = f"{len(trainer.keys)} attributes, {len(trainer.names.words)} known words"
    print(f"{len(trainer.examples)} of {len(pairs[: given.limit])} pairs, {counts}", flush=True)
    trainer.train(given.out)


if __name__ == "__main__":
    main()
