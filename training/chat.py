"""Trains the router of talk: python -m reqap_kg.training.chat (docs/models-planning.md; the card is in
models/trained/chat).

What the encoder says of the words of the questions is computed once; the small network over it learns from that.
Deterministic by seed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from ..models.planning.chat_network import ChatNetwork
from ..models.planning.chat_router import FOLDER, KINDS, PARTS, WEIGHTS
from ..models.planning.word_network import batched
from .chat_questions import DATA, ChatQuestion, questions, read, written
from .saving import save_trained
from .word_networks import Plan, add_plan, fit, word_vectors

_NO_WORD: Final = -100


_PLAN: Final = Plan(count=5_000, epochs=8, decay=0.05)


@dataclass(frozen=True)
class Example:
    """A question as numbers."""

    vectors: Tensor
    kind: int
    parts: Tensor


def main() -> None:
    """Trains, and writes weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_plan(parser, _PLAN)
    parser.add_argument("--questions", type=Path, default=DATA)
    parser.add_argument("--tested", type=Path, help="marked questions to test on")
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()
    plan = replace(_PLAN, count=given.count, epochs=given.epochs, rate=given.rate, seed=given.seed, device=given.device)
    begin = perf_counter()
    network = trained(list(questions(plan.count, plan.seed, given.questions)), plan)
    save_trained(network, given.out / WEIGHTS)
    if given.tested is not None:
        tested = examples([read(line) for line in written(given.tested)])
        figures = {**measured(network, tested), "seconds": round(perf_counter() - begin)}
        (given.out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        print(json.dumps(figures))


def trained(asked: Sequence[ChatQuestion], plan: Plan) -> ChatNetwork:
    """The network. Raises ConfigError where the encoder's weights are not installed."""
    torch.manual_seed(plan.seed)
    training = examples(asked)
    network = ChatNetwork(len(KINDS), len(PARTS)).to(plan.device)
    fit(network, training, lambda chunk: _loss(network, chunk, plan.device), plan)
    return network.cpu().eval()


def examples(asked: Sequence[ChatQuestion]) -> list[Example]:
    """Questions as numbers. Raises ConfigError where the encoder's weights are not installed."""
    vectors = word_vectors([one.words for one in asked])
    return [
        Example(
            vector,
            KINDS.index(one.kind),
            torch.tensor([PARTS.index(part) for part in one.parts[: len(vector)]]),
        )
        for one, vector in zip(asked, vectors, strict=True)
    ]


def _loss(network: ChatNetwork, chunk: Sequence[Example], device: str) -> Tensor:
    """Of kinds, and of words; what is not about talk has no parts to learn from."""
    vectors, lengths = batched([one.vectors for one in chunk])
    found = network(vectors.to(device), lengths)
    wanted = torch.tensor([one.kind for one in chunk], device=device)
    kinds = cross_entropy(found.kinds, wanted, label_smoothing=0.05)
    parts = nn.utils.rnn.pad_sequence([one.parts for one in chunk], batch_first=True, padding_value=_NO_WORD)
    parts[[one.kind == 0 for one in chunk]] = _NO_WORD
    if bool((parts == _NO_WORD).all()):
        return kinds
    return kinds + cross_entropy(found.parts.flatten(0, 1), parts.flatten().to(device), ignore_index=_NO_WORD)


def measured(network: ChatNetwork, testing: Sequence[Example]) -> dict[str, float]:
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
