"""Fine-tunes a causal language model on steps of decompositions: python -m reqap_kg.training.decomposer_steps

    --model XS|S|M|L|NAME|FOLDER --steps FILE.jsonl --out FOLDER [--epochs 4] [--rate 5e-6] [--device cuda]

Each line of FILE is one question with a tree that gives the right answer: {"steps": [[question, tree], …]}, as
`training.distil` writes them. Settings as in the paper's appendix C: 4 epochs, learning rate 5e-6, linear
schedule with a warm-up of 0.05, weight decay 0.01, batches of 4. What comes out is used by `decomposer = "FOLDER"` in
the settings.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from transformers import AutoModelForCausalLM, AutoTokenizer, get_linear_schedule_with_warmup

from ..config import DECOMPOSER_SIZES
from ..models.folders import checked_folder
from ..models.planning.causal import TUNED, conversation

_FILES_OF_MODELS = ("*.json", "*.safetensors", "*.txt", "*.model", "*.jinja")
_LONGEST = 1_024
_IGNORED = -100

Steps = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Plan:
    """How to train: the paper's appendix C."""

    epochs: int = 4
    rate: float = 5e-6
    batch: int = 4
    decay: float = 0.01
    warm_up: float = 0.05
    seed: int = 7
    device: str = "cpu"


def main() -> None:
    """Reads the steps, trains, writes model and tokenizer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="XS")
    parser.add_argument("--steps", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=Plan.epochs)
    parser.add_argument("--rate", type=float, default=Plan.rate)
    parser.add_argument("--device", default=Plan.device)
    given = parser.parse_args()
    steps = read_steps(given.steps)
    losses = tuned(given.model, steps, given.out, Plan(given.epochs, given.rate, device=given.device))
    print(json.dumps({"decompositions": len(steps), "loss": [round(loss, 4) for loss in losses]}))


def read_steps(path: Path) -> list[list[tuple[str, str]]]:
    """The (question, tree) steps of each decomposition of a file, as `training.distil` writes them."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [[(str(question), str(tree)) for question, tree in row["steps"]] for row in rows]


def tuned(name: str, decompositions: Sequence[Steps], out: Path, plan: Plan) -> list[float]:
    """Trains and writes the model; the mean loss of each epoch."""
    torch.manual_seed(plan.seed)
    place = DECOMPOSER_SIZES.get(name, name)
    folder = Path(place) if Path(place).is_dir() else Path(snapshot_download(place, allow_patterns=[*_FILES_OF_MODELS]))
    folder = checked_folder(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
    model.to(plan.device)
    examples = [_example(tokenizer, messages) for steps in decompositions for messages in conversations(steps)]
    losses = _fit(model, examples, plan)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / TUNED).write_text(
        json.dumps({"base": place, "decompositions": len(decompositions)}) + "\n", encoding="utf-8"
    )
    return losses


def conversations(steps: Steps) -> Iterator[list[dict[str, str]]]:
    """One conversation for each step: the steps before it, the question, and the tree that is to be learned."""
    turns: list[dict[str, str]] = []
    for number, (question, tree) in enumerate(steps):
        begin = "" if number else "Starting with a new question. "
        turns.append({"role": "user", "content": f'{begin}Input: QUD("{question}")'})
        turns.append({"role": "assistant", "content": tree})
        yield list(turns)


def _example(tokenizer: Any, messages: Sequence[dict[str, str]]) -> tuple[list[int], list[int]]:
    """Tokens, and the same as labels where only the last answer is learned."""
    before = tokenizer(conversation(tokenizer, messages[:-1]), add_special_tokens=False)["input_ids"]
    whole = tokenizer(conversation(tokenizer, messages, answered=True), add_special_tokens=False)["input_ids"]
    labels = [*([_IGNORED] * min(len(before), len(whole))), *whole[len(before) :]]
    return whole[-_LONGEST:], labels[-_LONGEST:]


def _fit(model: Any, examples: Sequence[tuple[list[int], list[int]]], plan: Plan) -> list[float]:
    rng = random.Random(plan.seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=plan.decay)
    steps = plan.epochs * (1 + (len(examples) - 1) // plan.batch)
    schedule = get_linear_schedule_with_warmup(optimiser, int(plan.warm_up * steps), steps)
    model.train()
    losses: list[float] = []
    for _ in range(plan.epochs):
        order = rng.sample(range(len(examples)), len(examples))
        total = 0.0
        for at in range(0, len(order), plan.batch):
            chunk = [examples[place] for place in order[at : at + plan.batch]]
            loss = model(**_batch(chunk, plan.device)).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            total += float(loss.detach()) * len(chunk)
        losses.append(total / len(examples))
    return losses


def _batch(chunk: Sequence[tuple[list[int], list[int]]], device: str) -> dict[str, torch.Tensor]:
    width = max(len(ids) for ids, _ in chunk)
    ids = torch.tensor([row + [0] * (width - len(row)) for row, _ in chunk], device=device)
    labels = torch.tensor([row + [_IGNORED] * (width - len(row)) for _, row in chunk], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row, _ in chunk], device=device)
    return {"input_ids": ids, "labels": labels, "attention_mask": mask}


if __name__ == "__main__":
    main()
