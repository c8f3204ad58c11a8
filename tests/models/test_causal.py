"""A causal model on this machine as decomposer: a tiny one, made here, is tuned on steps and asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from reqap_kg.config import DECOMPOSER_SIZES, DEFAULT_ENCODER
from reqap_kg.errors import ConfigError
from reqap_kg.models.encoder import weights_folder
from reqap_kg.models.planning.causal import CausalModel, conversation

STEPS = [("how many runs", 'apply(l=qud("runs"), fct=len)'), ("runs", 'retrieve(query="runs")')]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = AutoTokenizer.from_pretrained(weights_folder(DEFAULT_ENCODER), local_files_only=True)
    shape = GPT2Config(vocab_size=len(tokenizer), n_positions=128, n_embd=32, n_layer=1, n_head=2)
    GPT2LMHeadModel(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_each_step_is_learned_after_those_before_it() -> None:
    from reqap_kg.training.decomposer_steps import conversations  # brings transformers, which takes seconds

    first, second = conversations(STEPS)
    assert [turn["role"] for turn in second] == ["user", "assistant", "user", "assistant"]
    assert second[:2] == first
    assert first[0]["content"].startswith("Starting with a new question.")
    assert second[-1]["content"] == STEPS[1][1]


def test_without_a_chat_template_a_conversation_is_lines() -> None:
    assert conversation(object(), [{"role": "user", "content": "Good day"}]) == "User: Good day\nAssistant:"


@pytest.mark.long
@pytest.mark.model
def test_tuning_teaches_the_steps(tiny: Path, tmp_path: Path) -> None:
    from reqap_kg.training.decomposer_steps import Plan, tuned

    losses = tuned(str(tiny), [STEPS], tmp_path, Plan(epochs=60, rate=1e-2, batch=2))
    assert losses[-1] < losses[0] / 4
    model = CausalModel(str(tmp_path), answer_tokens=24)
    assert model.tuned
    (answer,) = model.complete(
        [{"role": "user", "content": 'Starting with a new question. Input: QUD("how many runs")'}]
    )
    assert answer.replace(" ", "").startswith("apply(l=qud(")


@pytest.mark.model
def test_several_samples_are_several_answers(tiny: Path) -> None:
    model = CausalModel(str(tiny), samples=3, temperature=1.0, answer_tokens=4)
    assert not model.tuned
    assert len(model.complete([{"role": "user", "content": "Good day"}])) == 3


def test_sizes_are_names_of_the_hub_and_a_missing_folder_is_told() -> None:
    assert CausalModel("XS").name == DECOMPOSER_SIZES["XS"]
    with pytest.raises(ConfigError, match="not there"):
        CausalModel("/nowhere/at/all").complete([{"role": "user", "content": "Good day"}])
