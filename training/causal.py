"""Trains an adapter of a causal language model as a parser of questions: python -m reqap_kg.training.causal CORPUS

CORPUS is a folder with train.jsonl. The base model (models/planning/base_model.py) stays as it is; a low-rank product
beside each matrix of its upper layers learns, and the vectors of the tokens of our own. The rate rises, stays, and
falls over the last part of all steps, so that a run can be given more passes while its rate has not fallen. What is
saved is the running mean of the weights. A run that is cut off goes on with the same command. Deterministic by seed on
one machine.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.optim import AdamW

from ..config import SMALLEST
from ..models.planning.adapter import Adapter, Learnt, load_adapter, load_learnt, save_adapter
from ..models.planning.base_model import BaseModel, base_model
from ..models.planning.causal import FILE, place_of
from ..models.planning.form_tokens import Asked, Cursor, FormTokens
from ..models.planning.llama import Llama
from ..models.planning.shapes import AdapterShape
from ..models.planning.small import ranges
from ..operators.forms.grammar import keys_in
from ..planner.forms.lowering import CALENDAR_KEYS
from .corpus import Pair, Taught, Variations, asides_of, keys_of, known_words, read_corpus, taught, with_known_keys
from .marks import UNKNOWN, marks

CHECKPOINT: Final = "checkpoint.pt"
"""What training goes on from where it was cut off."""
FREQUENT: Final = 10
"""How many personal forms name an attribute that is one token."""
ALIKE: Final = 512
"""Pairs that are parted by their length into batches."""
SEEN: Final = 64
"""Pairs over which the channels' ranges are seen."""
SHOWN: Final = 20
"""Steps between two lines of progress."""


@dataclass(frozen=True)
class Plan:
    """How to train: passes over the pairs, the rate, pairs in a batch, tokens of a pair at most, the part of all steps
    over which the rate falls, seconds between two checkpoints."""

    passes: float = 3.0
    rate: float = 1e-3
    batch: int = 16
    longest: int = 256
    warm: int = 40
    falling: float = 0.2
    mean: float = 0.995
    seed: int = 7
    device: str = "cpu"
    kept_every: float = 120.0


@dataclass(frozen=True)
class Example:
    """A pair as tokens, and what may be said at each step of its form."""

    prompt: list[int]
    form: list[int]
    allowed: list[frozenset[int]]

    @property
    def length(self) -> int:
        """Tokens that the model reads."""
        return len(self.prompt) + len(self.form) - 1


class CausalTrainer:
    """Trains one adapter."""

    def __init__(self, pairs: Sequence[Pair], name: str, base: BaseModel, shape: AdapterShape, plan: Plan) -> None:
        torch.manual_seed(plan.seed)
        pairs = with_known_keys(pairs)
        words = known_words(pairs)
        personal = [pair for pair in pairs if not pair.keys]
        used = Counter(key for pair in personal for key in keys_in(pair.form))
        keys = sorted(key for key, count in used.items() if count >= FREQUENT)
        self.plan, self.shape, self.name = plan, shape, name
        self.personal = tuple(sorted({*keys_of(personal), *CALENDAR_KEYS}))
        self._values = [key for key in self.personal if key not in UNKNOWN]
        self.asides = asides_of(pairs)
        self.tokens = FormTokens(base.tokenizer, base.shape.vocabulary, base.begin, keys, words)
        self.model = Llama(base.shape, base.weights, self.tokens.meanings, shape, plan.longest).to(plan.device)
        self.taught = taught(pairs, frozenset(words))
        self.mean = {name: one.detach().clone() for name, one in self.model.learnt.items()}
        self.optimiser = AdamW(self.model.learnt.values(), lr=plan.rate, weight_decay=0.0, betas=(0.9, 0.98))
        self.step = 0

    @property
    def steps(self) -> int:
        """All steps of the plan."""
        return int(self.plan.passes * self._steps_of_pass)

    @property
    def _steps_of_pass(self) -> int:
        return -(-len(self.taught) // self.plan.batch)

    def begin_with(self, path: Path) -> None:
        """Begins with an adapter of the same shape that was trained before; tokens are found by their names."""
        adapter, learnt = load_adapter(path), load_learnt(path)
        places = [(at, adapter.own.index(name)) for at, name in enumerate(self.tokens.own) if name in adapter.own]
        new, was = (list(one) for one in zip(*places, strict=True))
        with torch.no_grad():
            for name, one in self.model.learnt.items():
                held = learnt.weights[name].to(one.device)
                if name in ("own", "bias"):
                    one[new] = held[was]
                else:
                    one.copy_(held)
                self.mean[name].copy_(one)

    def train(self, out: Path, until: int | None = None) -> None:
        """All steps that are left, or those up to one; says how it goes, keeps checkpoints, saves the adapter."""
        out.mkdir(parents=True, exist_ok=True)
        kept = out / CHECKPOINT
        if kept.exists():
            self.resume(kept)
        begin = last = perf_counter()
        shown, read = 0.0, 0
        for batch in self._batches():
            loss = self._learn(batch)
            shown = loss if not shown else 0.97 * shown + 0.03 * loss
            read += sum(one.length for one in batch)
            now = perf_counter()
            if self.step % SHOWN == 0:
                speed = read / (now - begin)
                print(f"step {self.step} of {self.steps}: loss {shown:.3f}, {speed:.0f} tokens a second", flush=True)
            if now - last > self.plan.kept_every:
                last = now
                self.keep(kept)
            if self.step == until:
                break
        self.keep(kept)
        self.save(out / FILE)

    def _learn(self, batch: Sequence[Example]) -> float:
        plan = self.plan
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate * self._share(self.step)
        loss = self.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.learnt.values(), 1.0)
        self.optimiser.step()
        self.step += 1
        kept = min(plan.mean, self.step / (self.step + 10))
        with torch.no_grad():
            for name, one in self.model.learnt.items():
                self.mean[name].lerp_(one, 1 - kept)
        return loss.item()

    def _share(self, step: int) -> float:
        """The part of the rate at a step."""
        left = (self.steps - step) / max(1.0, self.plan.falling * self.steps)
        return min((step + 1) / self.plan.warm, max(0.02, min(1.0, left)))

    def loss(self, batch: Sequence[Example]) -> Tensor:
        """The mean negative logarithm of the probability of a token, among those that the grammar allows."""
        device = self.plan.device
        width = max(one.length for one in batch)
        ids = torch.zeros(len(batch), width, dtype=torch.long)
        told = torch.zeros(len(batch), width, dtype=torch.bool)
        for row, one in enumerate(batch):
            ids[row, : one.length] = torch.tensor([*one.prompt, *one.form[:-1]])
            told[row, len(one.prompt) - 1 : one.length] = True
        states, _ = self.model(ids.to(device))
        columns, masks, wanted = self._choices(batch)
        scores = self.model.scores(states[told.to(device)], columns.to(device))
        return F.cross_entropy(scores.masked_fill(~masks.to(device), float("-inf")), wanted.to(device))

    def _choices(self, batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens of the base model that may be said somewhere, what is allowed at each step, and what is right."""
        base = self.tokens.base
        texts = sorted({token for one in batch for each in set(one.allowed) for token in each if token < base})
        places = {token: at for at, token in enumerate(texts)}
        places |= {base + at: len(texts) + at for at in range(len(self.tokens.own))}
        steps = [(allowed, token) for one in batch for allowed, token in zip(one.allowed, one.form, strict=True)]
        masks = torch.zeros(len(steps), len(places), dtype=torch.bool)
        for row, (allowed, _) in enumerate(steps):
            masks[row, [places[token] for token in allowed]] = True
        return torch.tensor(texts, dtype=torch.long), masks, torch.tensor([places[token] for _, token in steps])

    def _batches(self) -> Iterator[list[Example]]:
        """Examples of like length together, in random order; each pass is drawn by its own seed."""
        for number in range(self.step // self._steps_of_pass, -(-self.steps // self._steps_of_pass)):
            rng = random.Random(self.plan.seed * 100 + number)
            pairs = rng.sample(self.taught, len(self.taught))
            varying = Variations(self.taught, self.plan.seed * 100 + number) if number else None
            done = number * self._steps_of_pass
            for block in range(0, len(pairs), ALIKE):
                some = pairs[block : block + ALIKE]
                size = -(-len(some) // self.plan.batch)
                varied = [varying.varied(one) for one in some] if varying is not None else some
                examples = sorted((self.example(one, rng) for one in varied), key=lambda one: one.length)
                chunks = [examples[at : at + self.plan.batch] for at in range(0, len(examples), self.plan.batch)]
                rng.shuffle(chunks)
                for chunk in chunks[max(0, self.step - done) :] if self.step < done + size else ():
                    if self.step < self.steps:
                        yield [one for one in chunk if one.length <= self.plan.longest]
                done += size

    def example(self, one: Taught, rng: random.Random) -> Example:
        """A pair as tokens, with marks drawn by chance."""
        prompt = self.tokens.prompt(one.words, marks(one, self._values, rng))
        form = self.tokens.say(one.steps, one.words)
        keys = frozenset((*one.keys, *CALENDAR_KEYS) if one.keys else self.personal)
        cursor = Cursor(Asked(self.tokens, one.words, one.begin, keys))
        allowed: list[frozenset[int]] = []
        for token in form:
            allowed.append(cursor.allowed())
            cursor = cursor.after(token)
        return Example(prompt, form, allowed)

    def keep(self, path: Path) -> None:
        """Writes all that the next step begins with."""
        part = path.with_suffix(".part")
        held = {"step": self.step, "mean": self.mean, "last": dict(self.model.learnt)}
        torch.save({**held, "optimiser": self.optimiser.state_dict()}, part)
        part.replace(path)

    def resume(self, path: Path) -> None:
        """Goes on from what was kept."""
        held = torch.load(path, weights_only=True, map_location=self.plan.device)
        self._take(held["last"])
        self.mean, self.step = held["mean"], int(held["step"])
        self.optimiser.load_state_dict(held["optimiser"])

    def save(self, path: Path) -> None:
        """Writes the running mean of what was learnt."""
        own, keys = self.tokens.own, self.tokens.keys
        words = tuple(sorted(self.tokens.known.texts.values()))
        told = (self.name, self.shape, own, keys, words, self.personal, self.asides)
        save_adapter(Adapter(*told), Learnt(self.mean, self._ranges()), path)

    def _ranges(self) -> dict[str, Tensor]:
        """How large the channels are in the running mean, over some of the pairs."""
        last = {name: one.detach().clone() for name, one in self.model.learnt.items()}
        self._take(self.mean)
        rng = random.Random(self.plan.seed)
        examples = (self.example(one, rng) for one in rng.sample(self.taught, min(SEEN, len(self.taught))))
        read = (one for one in examples if one.length <= self.plan.longest)
        texts = [torch.tensor([[*one.prompt, *one.form[:-1]]], device=self.plan.device) for one in read]
        found = ranges(self.model, texts)
        self._take(last)
        return found

    @torch.no_grad()
    def _take(self, weights: Mapping[str, Tensor]) -> None:
        for name, one in self.model.learnt.items():
            one.copy_(weights[name])


def main() -> None:
    """Trains, and writes the adapter."""
    usual, shape = Plan(), AdapterShape(10)
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.training.causal", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--base", default=SMALLEST, help="XS, S, M, L, or a folder with safetensors of Llama's shape")
    parser.add_argument("--weights", type=Path, help="the folder into which `models install` put those of XS")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passes", type=float, default=usual.passes)
    parser.add_argument("--rate", type=float, default=usual.rate)
    parser.add_argument("--batch", type=int, default=usual.batch)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--first", type=int, default=shape.first, help="the first layer that learns")
    parser.add_argument("--rank", type=int, default=shape.rank)
    parser.add_argument("--limit", type=int, help="only so many pairs (for a learning curve)")
    parser.add_argument("--start", type=Path, help="an adapter of the same shape to begin with")
    parser.add_argument("--device", default=usual.device)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nice", type=int, default=19, help="how far other work goes first")
    given = parser.parse_args()
    os.nice(given.nice)
    torch.set_num_threads(given.threads)
    pairs = read_corpus(given.corpus / "train.jsonl")
    random.Random(given.seed).shuffle(pairs)
    plan = Plan(given.passes, given.rate, given.batch, seed=given.seed, device=given.device)
    adapted = AdapterShape(given.first, given.rank, 2.0 * given.rank)
    base = base_model(place_of(given.base, given.weights))
    trainer = CausalTrainer(pairs[: given.limit], given.base, base, adapted, plan)
    if given.start is not None:
        trainer.begin_with(given.start)
    print(f"{len(trainer.taught)} pairs, {trainer.steps} steps", flush=True)
    trainer.train(given.out)


if __name__ == "__main__":
    main()
