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
from torch.optim import AdamW, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from ..config import DEFAULT_ENCODER
from ..errors import ConfigError
from ..models.bert import BertFiles
from ..models.encoder import LightEncoder, installed_weights
from ..models.planning.parser import FOLDER, NAMES, WEIGHTS, label_of
from ..models.planning.parser_member import KEYS
from ..models.planning.parser_network import Memory, Names, ParserNetwork, WordEncoder, is_tuned, marks_of, numbered
from ..models.weights import load_trained
from ..operators.forms.decoding import SYMBOLS, State, Want
from ..planner.forms.lowering import CALENDAR_KEYS
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
from .saving import save_weights

CHECKPOINT: Final = "checkpoint-{seed}.pt"
"""What training goes on from where it was cut off; it goes once training is done."""
_HALVED: Final = ("avx512_bf16", "amx_bf16", "bf16")
"""What processors that compute in sixteen bits have; others take twenty times as long with these."""
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
        self.warm = False
        self.halved = any(torch.cpu.get_capabilities().get(name) for name in _HALVED)

    def train(self, out: Path) -> None:
        """All epochs; prints the loss, and saves after each."""
        plan = self.plan
        groups = [
            {"params": list(self.network.parameters()), "lr": plan.rate},
            {"params": list(self.tuned.values()), "lr": plan.encoder_rate},
        ]
        optimiser = AdamW(groups, weight_decay=plan.decay)
        total = plan.epochs * math.ceil(len(self.examples) / plan.batch)
        schedule = LambdaLR(optimiser, lambda step: _rate(step, total))
        kept = out / CHECKPOINT.format(seed=plan.seed)
        begin, shown = perf_counter(), 0.0
        first = self._resumed(kept, optimiser, schedule) if kept.exists() else 0
        step = first * (total // plan.epochs)
        self.network.train()
        for epoch in range(first, plan.epochs):
            self._seed(epoch)
            for batch in self._batches(epoch):
                with torch.autocast("cpu", torch.bfloat16, enabled=self.halved):
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
            self._keep(kept, epoch + 1, optimiser, schedule)
        kept.unlink(missing_ok=True)
        self.network.eval()

    def _seed(self, epoch: int) -> None:
        """Each epoch is drawn by its own seed, so that one that goes on after a break is the same."""
        torch.manual_seed(self.plan.seed * 100 + epoch)
        self._marking = random.Random(self.plan.seed * 100 + epoch)

    def _keep(self, path: Path, epochs: int, optimiser: Optimizer, schedule: LambdaLR) -> None:
        """Keeps all that the next epoch begins with."""
        held = {"epochs": epochs, "decoder": self.network.state_dict(), "encoder": dict(self.tuned)}
        part = path.with_suffix(".part")
        torch.save({**held, "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()}, part)
        part.replace(path)

    def _resumed(self, path: Path, optimiser: Optimizer, schedule: LambdaLR) -> int:
        """Goes on from what was kept; gives the number of epochs that are done."""
        held = torch.load(path, weights_only=True)
        self.network.load_state_dict(held["decoder"])
        with torch.no_grad():
            for name, tensor in self.tuned.items():
                tensor.copy_(held["encoder"][name])
        optimiser.load_state_dict(held["optimiser"])
        schedule.load_state_dict(held["schedule"])
        return int(held["epochs"])

    def begin_with(self, folder: Path) -> None:
        """Begins with the weights of a parser that was trained before, with its words as far as this one has them.
        Raises ConfigError where it has no weights of this seed."""
        path = folder / WEIGHTS.format(seed=self.plan.seed)
        if not path.exists():
            raise ConfigError(f"there are no weights {path}")
        held = load_trained(path)
        old = Names(tuple(json.loads((folder / NAMES).read_text(encoding="utf-8"))["words"]))
        rows = {word: len(SYMBOLS) + at for at, word in enumerate(old.words)}
        places = [(len(SYMBOLS) + at, rows[word]) for at, word in enumerate(self.names.words) if word in rows]
        places += [(self.names.begin, old.begin), *((at, at) for at in range(len(SYMBOLS)))]
        new, was = (list(one) for one in zip(*places, strict=True))
        with torch.no_grad():
            for name, tensor in self.network.state_dict().items():
                weight = held[f"decoder.{name}"]
                if name.split(".")[0] in ("said", "table"):
                    tensor[new] = weight[was]
                else:
                    tensor.copy_(weight)
            for name, tensor in self.tuned.items():
                tensor.copy_(held[name])
        self.warm = True

    def _batches(self, epoch: int) -> Iterator[list[Example]]:
        """Examples of like length together, in random order; varied, but when they are seen for the first time."""
        seed, examples = self.plan.seed + epoch, self.examples
        rng = random.Random(seed)
        if epoch or self.warm:
            varying = Variations(examples, seed)
            examples = [varying.varied(one) for one in examples]
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
    parser.add_argument("--rate", type=float, default=usual.rate, help="of the decoder")
    parser.add_argument("--encoder-rate", type=float, default=usual.encoder_rate)
    parser.add_argument("--start", type=Path, help="a folder of a parser of the same seed to begin with")
    given = parser.parse_args()
    pairs = read_corpus(given.corpus / "train.jsonl")
    random.Random(given.seed).shuffle(pairs)
    plan = Plan(given.epochs, given.rate, given.encoder_rate, given.batch, given.seed)
    trainer = Trainer(pairs[: given.limit], plan)
    if given.start is not None:
        trainer.begin_with(given.start)
    counts = f"{len(trainer.keys)} attributes, {len(trainer.names.words)} known words"
    print(f"{len(trainer.examples)} of {len(pairs[: given.limit])} pairs, {counts}", flush=True)
    trainer.train(given.out)


if __name__ == "__main__":
    main()
