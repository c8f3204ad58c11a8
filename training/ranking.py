"""Fits how much each piece of evidence for an answer counts: python -m reqap_kg.training.ranking READINGS.jsonl...

READINGS are what `bench.readings --out` wrote, of questions that the parser was not trained on. Prints the weights of
`engine.asking.grounds.Weights`: a logistic regression over all answers, each file counting as much as any other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

import numpy as np

from ..engine.asking.grounds import Weights

NAMES: Final = tuple(one.name for one in fields(Weights) if one.name != "bias")
OF_RULES: Final = {"mass": 0.0, "share": 0.0, "top": 0.0}
"""The evidence where the parser was not asked."""
STEPS: Final = 30_000
RATE: Final = 0.5
RIDGE: Final = 0.002
"""How much large weights cost; of the bias nothing."""


def answers_of(path: Path) -> tuple[list[list[float]], list[bool]]:
    """The evidence of all answers of a file, and whether each is right; what rules read once more without the parser,
    which is not asked where they are sure."""
    rows: list[list[float]] = []
    right: list[bool] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        for one in json.loads(line)["answers"]:
            evidence = one["evidence"]
            for told in (evidence, *([evidence | OF_RULES] if evidence["rules"] else [])):
                rows.append([1.0, *(told.get(name, 0.0) for name in NAMES)])
                right.append(one["right"])
    return rows, right


def fitted(rows: Sequence[Sequence[float]], right: Sequence[bool], counts: Sequence[float]) -> list[float]:
    """The bias and the weights, in the order of `NAMES`; each answer counts as `counts` says."""
    x, y, count = np.array(rows), np.array(right, float), np.array(counts) / np.sum(counts)
    weights = np.zeros(x.shape[1])
    cost = np.r_[0.0, np.full(x.shape[1] - 1, RIDGE)]
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-x @ weights))
        weights -= RATE * (x.T @ (count * (said - y)) + cost * weights)
    return [float(weight) for weight in weights]


def main() -> None:
    """Prints the weights."""
    arguments = argparse.ArgumentParser(prog="python -m reqap_kg.training.ranking", description=__doc__)
    arguments.add_argument("readings", type=Path, nargs="+")
    rows: list[list[float]] = []
    right: list[bool] = []
    counts: list[float] = []
    for path in arguments.parse_args().readings:
        found, true = answers_of(path)
        rows += found
        right += true
        counts += [1 / len(found)] * len(found)
    for name, weight in zip(("bias", *NAMES), fitted(rows, right, counts), strict=True):
        print(f"    {name}: float = {weight:.2f}")


if __name__ == "__main__":
    main()
