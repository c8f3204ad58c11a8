"""A causal language model as a parser: a tiny one, made here, is trained and asked."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from reqap_kg.config import SMALLEST
from reqap_kg.errors import ConfigError
from reqap_kg.models.planning.adapter import load_learnt
from reqap_kg.models.planning.base_model import base_model
from reqap_kg.models.planning.causal import CausalParser, causal_parser, place_of
from reqap_kg.operators.forms.grammar import format_form
from reqap_kg.planner.proposers.parsing import Before, asked_words
from reqap_kg.training.corpus import Pair
from reqap_kg.training.forms import parse_form

from .tiny_llama import tiny_llama

PAIRS = [
    ("how often did I swim in May", 'count(events("swim", time="in May"))'),
    ("when did I last row", 'get(date, last(events("row")))'),
    ("what did I eat with Ines", 'get(dish, events("eat", participant="Ines"))'),
    ("most played song", "most(song, count(events(\"song\")))"),
]  # fmt: skip


def pairs() -> list[Pair]:
    return [Pair(question, (), parse_form(form), "g1", "a") for question, form in PAIRS for _ in range(3)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def trained(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained")
    trained_for(tiny, out, 60.0)
    return out


def trained_for(tiny: Path, out: Path, passes: float) -> None:
    from reqap_kg.models.planning.shapes import AdapterShape
    from reqap_kg.training.causal import CausalTrainer, Plan

    plan = Plan(passes=passes, rate=5e-3, batch=4, warm=4, kept_every=0.0, mean=0.9)
    CausalTrainer(pairs(), str(tiny), base_model(tiny), AdapterShape(0, 16), plan).train(out)


def test_its_states_are_those_of_transformers(tiny: Path) -> None:
    import torch
    from transformers import LlamaModel

    from reqap_kg.models.planning.llama import Llama
    from reqap_kg.models.planning.shapes import AdapterShape

    held = base_model(tiny)
    ours = Llama(held.shape, held.weights, [[1]], AdapterShape(1)).eval()
    ids = torch.randint(0, held.shape.vocabulary, (2, 9), generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        theirs = LlamaModel.from_pretrained(tiny).eval()(ids).last_hidden_state
        whole, _ = ours(ids)
        _, past = ours(ids[:, :4])
        rest, _ = ours(ids[:, 4:], past)
    assert torch.allclose(whole, theirs, atol=1e-4)
    assert torch.allclose(rest, theirs[:, 4:], atol=1e-4)


def test_a_file_of_gguf_is_read_as_its_folder(tiny: Path, tmp_path: Path) -> None:
    import torch

    held = base_model(tiny)
    found = base_model(as_gguf(tiny, tmp_path / "tiny.gguf"))
    assert found.shape.epsilon == pytest.approx(held.shape.epsilon)
    assert replace(found.shape, epsilon=held.shape.epsilon) == held.shape
    assert found.begin == held.begin
    assert set(found.weights) == set(held.weights)
    for name, one in held.weights.items():
        assert torch.equal(found.weights[name], one), name
    assert found.tokenizer.encode(" then").ids == held.tokenizer.encode(" then").ids


def as_gguf(folder: Path, path: Path) -> Path:
    """The model of a folder as llama.cpp writes it: the two halves of a rotation side by side."""
    from gguf import GGUFWriter

    held = base_model(folder)
    shape = held.shape
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(shape.layers)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_key_length(shape.head)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_freq_base(10_000.0)
    vocabulary = held.tokenizer.get_vocab()
    writer.add_token_list(sorted(vocabulary, key=lambda token: vocabulary[token]))
    writer.add_token_merges(["t h"])
    writer.add_bos_token_id(held.begin)
    names = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight"}
    parts = {
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
        "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
    }  # fmt: skip
    for name, one in held.weights.items():
        if name in names:
            writer.add_tensor(names[name], one.numpy())
            continue
        _, _, at, part = name.removesuffix(".weight").split(".", 3)
        if part in ("self_attn.q_proj", "self_attn.k_proj"):
            rows, width = one.shape
            one = one.view(rows // shape.head, 2, shape.head // 2, width).transpose(1, 2).reshape(rows, width)
        writer.add_tensor(f"blk.{at}.{parts[part]}.weight", one.numpy().copy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.model
@pytest.mark.parametrize("small", [False, True])
def test_it_writes_what_it_was_taught(trained: Path, *, small: bool) -> None:
    parser = causal_parser(str(trained), small=small)
    for question, form in PAIRS:
        asked = asked_words(question)
        best, *others = parser.parse(asked.words, asked.gaps)
        assert format_form(best.form) == format_form(parse_form(form))
        assert best.score > 0.3
        assert all(one.score <= best.score for one in others)
        assert sum(one.score for one in (best, *others)) <= 1.001


@pytest.mark.model
def test_training_goes_on_where_it_was_cut_off(tiny: Path, tmp_path: Path) -> None:
    import torch

    from reqap_kg.models.planning.shapes import AdapterShape
    from reqap_kg.training.causal import CausalTrainer, Plan

    plan = Plan(passes=4.0, rate=1e-2, batch=4, warm=2, kept_every=0.0)

    def trainer() -> CausalTrainer:
        return CausalTrainer(pairs(), str(tiny), base_model(tiny), AdapterShape(1, 4), plan)

    trainer().train(tmp_path / "whole")
    trainer().train(tmp_path / "cut", until=5)
    trainer().train(tmp_path / "cut")
    one, other = (load_learnt(tmp_path / name / "adapter.safetensors") for name in ("whole", "cut"))
    for name, weight in one.weights.items():
        assert torch.equal(weight, other.weights[name]), name


@pytest.mark.model
def test_it_begins_with_an_adapter_that_is_there(tiny: Path, trained: Path) -> None:
    from reqap_kg.models.planning.shapes import AdapterShape
    from reqap_kg.training.causal import CausalTrainer, Plan

    fresh = CausalTrainer(pairs(), str(tiny), base_model(tiny), AdapterShape(0, 16), Plan(batch=4))
    rng = random.Random(1)
    examples = [fresh.example(one, rng) for one in fresh.taught]
    before = fresh.loss(examples).item()
    fresh.begin_with(trained / "adapter.safetensors")
    assert fresh.loss(examples).item() < before / 5


@pytest.mark.model
def test_questions_that_are_too_long_lose_their_earliest_turns(trained: Path) -> None:
    parser = causal_parser(str(trained))
    long, last, question = "how often did I swim in May " * 30, "when did I last row", "what did I eat with Ines"
    asked, short = asked_words(question, Before((long, last))), asked_words(question, Before((last,)))
    assert parser.parse(asked.words, asked.gaps) == parser.parse(short.words, short.gaps)
    alone = asked_words(long)
    assert parser.parse(alone.words, alone.gaps) == ()


@pytest.mark.model
def test_a_domain_has_its_own_attributes(trained: Path) -> None:
    parser = causal_parser(str(trained), own_keys=("waiting_time", "ward"))
    asked = asked_words("what did I eat with Ines")
    for guess in parser.parse(asked.words, asked.gaps):
        assert "dish" not in format_form(guess.form)
        assert "participant" not in format_form(guess.form)


def test_what_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no adapter"):
        causal_parser(str(tmp_path))
    with pytest.raises(ConfigError, match="no such folder"):
        base_model(tmp_path / "nowhere")
    monkeypatch.setattr("reqap_kg.models.planning.installing.find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="models install"):
        place_of(SMALLEST, tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(ConfigError, match="Llama"):
        base_model(tmp_path)


@pytest.mark.model
def test_a_damaged_adapter_is_told(trained: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "adapter.safetensors"
    damaged.write_bytes((trained / "adapter.safetensors").read_bytes()[:-100])
    with pytest.raises(ConfigError, match="cannot be loaded"):
        CausalParser(damaged)
