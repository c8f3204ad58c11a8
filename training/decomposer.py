"""Trains the decomposer: python -m reqap_kg.training.decomposer (docs/models-planning.md; the card is in
models/trained/decomposer).

Questions come from the grammar beside, and from files of labelled questions if there are any. What the encoder says of
their words is computed once; the small network over it learns from that. Deterministic by seed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from ..models.planning.decomposer import FOLDER, NAMES, WEIGHTS
from ..models.planning.sketch_network import Logits, Names, SketchNetwork, batched
from .decomposer_questions import Labelled, keys, measures, operators, questions
from .sketches import Plan, add_plan, fit, word_vectors

NONE: Final = "none"
_HELD_OUT: Final = 10
"""One in so many questions is only tested on."""


@dataclass(frozen=True)
class Example:
    """A question as numbers."""

    vectors: Tensor
    operator: int
    key: int
    measure: int
    kept: Tensor


def main() -> None:
    """Trains, and writes weights, names and figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_plan(parser, Plan())
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()
    plan = Plan(given.count, given.epochs, given.rate, seed=given.seed, device=given.device)
    begin = perf_counter()
    network, names, figures = trained(list(questions(plan.count, plan.seed)), plan)
    given.out.mkdir(parents=True, exist_ok=True)
    save_file({name: weight.half().contiguous() for name, weight in network.state_dict().items()}, given.out / WEIGHTS)
    held = {"operators": names.operators, "keys": names.keys, "measures": names.measures}
    (given.out / NAMES).write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    figures["seconds"] = round(perf_counter() - begin)
    (given.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures))


def trained(asked: Sequence[Labelled], plan: Plan) -> tuple[SketchNetwork, Names, dict[str, float]]:
    """The network, what it predicts, and its figures on the questions that it was not trained on."""
    torch.manual_seed(plan.seed)
    names = Names(operators(), keys(), measures())
    examples = list(_examples(asked, names))
    training = [one for place, one in enumerate(examples) if place % _HELD_OUT]
    testing = examples[::_HELD_OUT]
    network = SketchNetwork(names).to(plan.device)
    fit(network, training, lambda chunk: _loss(network, chunk, names, plan.device), plan)
    network = network.cpu().eval()
    return network, names, measured(network, testing, names)


def _examples(asked: Sequence[Labelled], names: Names) -> Iterator[Example]:
    vectors = word_vectors([one.words for one in asked])
    for one, vector in zip(asked, vectors, strict=True):
        yield Example(
            vector,
            names.operators.index(one.operator),
            names.keys.index(one.key),
            names.measures.index(one.measure),
            torch.tensor(one.kept[: len(vector)], dtype=torch.float32),
        )


def _loss(network: SketchNetwork, chunk: Sequence[Example], names: Names, device: str) -> Tensor:
    """Operator, and, of what is a sketch, attributes and words."""
    vectors, lengths = batched([one.vectors for one in chunk])
    found = network(vectors.to(device), lengths)
    wanted = torch.tensor([one.operator for one in chunk], device=device)
    real = wanted != names.operators.index(NONE)
    loss = cross_entropy(found.operators, wanted, label_smoothing=0.05)
    if bool(real.any()):
        loss = loss + cross_entropy(found.keys[real], torch.tensor([one.key for one in chunk], device=device)[real])
        loss = loss + cross_entropy(
            found.measures[real], torch.tensor([one.measure for one in chunk], device=device)[real]
        )
        loss = loss + _loss_of_words(found, chunk, lengths, real)
    return loss


def _loss_of_words(found: Logits, chunk: Sequence[Example], lengths: Tensor, real: Tensor) -> Tensor:
    kept = nn.utils.rnn.pad_sequence([one.kept for one in chunk], batch_first=True).to(found.kept.device)
    inside = (torch.arange(kept.shape[1])[None, :] < lengths[:, None]).to(found.kept.device) & real[:, None]
    return binary_cross_entropy_with_logits(found.kept[inside], kept[inside])


def measured(network: SketchNetwork, testing: Sequence[Example], names: Names) -> dict[str, float]:
    """Accuracies: of operators, of attributes where there is a sketch, of single words, and of whole sketches."""
    operators_right = keys_right = measures_right = words_right = words = whole = real = 0
    none = names.operators.index(NONE)
    with torch.inference_mode():
        for one in testing:
            found = network(*batched([one.vectors]))
            operator_right = int(found.operators[0].argmax()) == one.operator
            operators_right += operator_right
            if one.operator == none:
                continue
            real += 1
            key_right = int(found.keys[0].argmax()) == one.key
            measure_right = int(found.measures[0].argmax()) == one.measure
            same = ((found.kept[0] > 0).float() == one.kept).tolist()
            keys_right += key_right
            measures_right += measure_right
            words_right += sum(same)
            words += len(same)
            whole += operator_right and key_right and measure_right and all(same)
    return {
        "tested": len(testing),
        "operators": round(operators_right / len(testing), 4),
        "keys": round(keys_right / real, 4),
        "measures": round(measures_right / real, 4),
        "words": round(words_right / words, 4),
        "whole sketches": round(whole / real, 4),
    }


if __name__ == "__main__":
    main()
