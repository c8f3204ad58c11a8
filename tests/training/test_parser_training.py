"""Training the parser: a run that was cut off goes on as if it had not been, and one may begin with earlier weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from reqap_kg.models.planning.parser import FOLDER, WEIGHTS
from reqap_kg.operators.forms.decoding import SYMBOLS
from reqap_kg.training.corpus import Pair, read_corpus
from reqap_kg.training.parser import CHECKPOINT, Example, Plan, Trainer

PLAN = Plan(epochs=2, batch=8)


class _CutOff(Exception):
    pass


class _Short(Trainer):
    """A trainer that is cut off in its second epoch."""

    def _batches(self, epoch: int) -> Iterator[list[Example]]:
        if epoch:
            raise _CutOff
        yield from super()._batches(epoch)


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return read_corpus(Path(__file__).resolve().parents[2] / "corpus" / "train.jsonl")[:48]


@pytest.mark.model
def test_training_that_was_cut_off_goes_on(pairs: list[Pair], tmp_path: Path) -> None:
    weights = WEIGHTS.format(seed=PLAN.seed)
    Trainer(pairs, PLAN).train(tmp_path / "whole")
    with pytest.raises(_CutOff):
        _Short(pairs, PLAN).train(tmp_path / "cut")
    assert (tmp_path / "cut" / CHECKPOINT.format(seed=PLAN.seed)).exists()
    assert (tmp_path / "cut" / weights).read_bytes() != (tmp_path / "whole" / weights).read_bytes()
    Trainer(pairs, PLAN).train(tmp_path / "cut")
    assert (tmp_path / "cut" / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()
    assert not (tmp_path / "cut" / CHECKPOINT.format(seed=PLAN.seed)).exists()


@pytest.mark.model
def test_training_begins_with_weights_that_are_there(pairs: list[Pair]) -> None:
    fresh, warm, other = (Trainer(pairs, PLAN) for _ in range(3))
    warm.begin_with(FOLDER)
    other.begin_with(FOLDER)
    said = [trainer.network.said.weight[: len(SYMBOLS)] for trainer in (fresh, warm, other)]
    assert not torch.equal(said[0], said[1])
    assert torch.equal(said[1], said[2])
