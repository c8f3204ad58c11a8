"""Learns the weights by which accounts of the same happening are linked.

    python -m reqap_kg.training.coreference [--out FILE] [--check]

A logistic regression for each sort of pair, by Newton's method with a ridge, over the candidate pairs of hand-written
lives (`occurrence_lives.py`). Nothing is drawn at random, so the same data give the same weights. A few seconds on one
core. `--check` prints precision and recall of folds of lives that were left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..models.coreference.features import AGAINST, FEATURES, FOR, Rarity, vector
from ..models.coreference.model import Candidate, Sort, Weights, candidates, links, read_weights
from ..texts.lexicon.lexicon import load_lexicon
from .coreference_lives import Lived, among_others, read_lives

RIDGE: Final = 1.0
SURE: Final = {Sort.RECORD_CALENDAR: 0.35, Sort.RECORD_TEXT: 0.4, Sort.CALENDAR_TEXT: 0.55, Sort.TEXTS: 0.65}
"""Least probability of a link."""
_WEIGHTS: Final = Path(__file__).parents[1] / "models/trained/coreference/weights.json"
_COMMON: Final = 0.003
"""A word in a smaller share of texts is not written down as common."""
_FOLDS: Final = 5
_STEPS: Final = 30


@dataclass(frozen=True)
class Example:
    """A candidate pair of a life and whether both tell of the same happening."""

    pair: Candidate
    same: bool


def background(lives: Iterable[Lived]) -> dict[str, float]:
    """The share of texts that have a word, for words that many have."""
    counts: Counter[str] = Counter()
    number = 0
    for account in (account for life in lives for account in life.accounts if account.text):
        counts.update(account.words)
        number += 1
    shares = {word: round(count / number, 3) for word, count in sorted(counts.items())}
    return {word: share for word, share in shares.items() if share >= _COMMON}


def examples(lives: Sequence[Lived], common: dict[str, float]) -> list[Example]:
    """The candidate pairs of which it is known whether they are the same, with others' happenings beside them."""
    rarity = Rarity.of((account for life in lives for account in life.accounts), common)
    found = []
    for life in among_others(lives):
        for pair in candidates(life.accounts, rarity):
            ends = frozenset((pair.one.event, pair.other.event))
            if ends not in life.doubtful and not ends <= life.strangers:
                found.append(Example(pair, ends in life.same))
    return found


def learned(lives: Sequence[Lived]) -> str:
    """The weights of lives, as JSON."""
    common = background(lives)
    known = examples(lives, common)
    sorts = {}
    for sort in Sort:
        own = [example for example in known if example.pair.sort is sort]
        rows = np.array([vector(example.pair.found) for example in own])
        fitted = fit_signed(rows, np.array([float(example.same) for example in own]))
        named = {name: round(float(weight), 3) for name, weight in zip(FEATURES, fitted[1:], strict=True)}
        kept = {name: weight for name, weight in named.items() if weight}
        sorts[sort.value] = {"bias": round(float(fitted[0]), 3), "threshold": SURE[sort], "weights": kept}
    return json.dumps({"sorts": sorts, "background": common}, indent=1, ensure_ascii=False) + "\n"


def fit_signed(rows: NDArray[np.float64], same: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `fit`, without the features that would count against what they say: these are left out, the worst first."""
    signs = np.array([0.0, *(float(name in FOR) - float(name in AGAINST) for name in FEATURES)])
    used = np.ones(rows.shape[1], dtype=bool)
    while True:
        weights = np.zeros(rows.shape[1] + 1)
        weights[np.r_[True, used]] = fit(rows[:, used], same)
        wrong = weights * signs
        if wrong.min() >= 0:
            return weights
        used[int(wrong.argmin()) - 1] = False


def fit(
    rows: NDArray[np.float64], same: NDArray[np.float64], shares: NDArray[np.float64] | float = 1.0
) -> NDArray[np.float64]:
    """Bias and weights of a logistic regression with a ridge on the weights; a row counts `shares` times."""
    design = np.hstack([np.ones((len(rows), 1)), rows])
    ridge = np.diag([0.01, *[RIDGE] * rows.shape[1]])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (shares * (same - chance)) - ridge @ weights
        curve = (design * (shares * chance * (1 - chance))[:, None]).T @ design + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def measured(lives: Iterable[Lived], weights: Weights) -> tuple[int, int, int]:
    """(right, linked, to be linked) pairs."""
    right = linked = wanted = 0
    for life in lives:
        found = {frozenset((link.one, link.other)) for link in links(life.accounts, weights)} - life.doubtful
        right, linked, wanted = right + len(found & life.same), linked + len(found), wanted + len(life.same)
    return right, linked, wanted


def _check(lives: Sequence[Lived]) -> None:
    """Prints what weights find in lives that they were not learned from."""
    total = np.zeros(3)
    for fold in range(_FOLDS):
        held = [life for number, life in enumerate(lives) if number % _FOLDS == fold]
        rest = [life for number, life in enumerate(lives) if number % _FOLDS != fold]
        total += measured(held, read_weights(learned(rest)))
    right, linked, wanted = total
    print(f"left out: precision {right / linked:.3f}, recall {right / wanted:.3f} of {int(wanted)} pairs")


def main() -> None:
    """Learns, and writes the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=_WEIGHTS)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    lives = list(read_lives(load_lexicon()))
    if given.check:
        _check(lives)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(learned(lives), encoding="utf-8")
    right, linked, wanted = measured(lives, read_weights(given.out.read_text("utf-8")))
    print(f"{given.out}: precision {right / linked:.3f}, recall {right / wanted:.3f} of {wanted} pairs learned from")


if __name__ == "__main__":
    main()
