"""The light forward pass gives what transformers and sentence-transformers give; weights keep within their levels."""

import numpy as np
import pytest
import torch

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.models.bert import Bert, BertFiles
from reqap_kg.models.encoder import LightEncoder, SentenceEncoder, load_encoder, weights_folder
from reqap_kg.models.reading.light_network import LightNetwork
from reqap_kg.models.weights import load_trained
from reqap_kg.training.saving import save_trained

pytestmark = pytest.mark.model

TEXTS = ["", "x", "Dinner w/ Clara", "I ate bacalhau at my sister's. " * 40, "日本語 🏃 naïve", "5k run, 24:10"]


@pytest.fixture(scope="module")
def folder():
    found = weights_folder(DEFAULT_ENCODER)
    assert found is not None
    return found


def test_the_default_encoder_is_the_light_one():
    assert isinstance(load_encoder(), LightEncoder)


def test_vectors_are_those_of_sentence_transformers(folder):
    light, full = LightEncoder("x", folder).encode(TEXTS), SentenceEncoder("x", folder).encode(TEXTS)
    assert (light * full).sum(axis=1).min() > 0.999


@pytest.fixture(scope="module")
def network(folder):
    from reqap_kg.training.reading_network import ReadingNetwork  # brings transformers, which takes seconds

    torch.manual_seed(1)
    return ReadingNetwork.of_encoder(folder).eval()


def test_eight_bits_keep_weights_within_half_a_level(network, tmp_path):
    save_trained(network, tmp_path / "w.safetensors")
    stored = load_trained(tmp_path / "w.safetensors")
    for name, parameter in network.named_parameters():
        level = parameter.detach().abs().amax(dim=-1, keepdim=True) / 127
        assert ((stored[name] - parameter.detach()).abs() <= level * 0.51 + 1e-7).all(), name


def test_logits_are_those_of_the_network_that_was_trained(network, folder, tmp_path):
    from transformers import AutoTokenizer

    save_trained(network, tmp_path / "w.safetensors")
    light = LightNetwork.of_files(folder, tmp_path / "w.safetensors", 64)
    read, keys = light.read(TEXTS), LightEncoder("x", folder).encode(["dish", "who took part"])
    tokens = AutoTokenizer.from_pretrained(folder)(
        TEXTS, truncation=True, max_length=64, padding=True, return_tensors="pt"
    )
    kept, lines = tokens["attention_mask"].bool().numpy(), [2, 3]
    weights = np.zeros((2, kept.shape[1]), dtype=np.float32)
    weights[:, 1:3] = 0.5
    with torch.inference_mode():
        states, means = network.states(dict(tokens))
        mentions = network.mentions(states, means, torch.tensor(lines), torch.tensor(weights))
        full = [
            network.tags(states, torch.tensor(keys)).numpy()[kept],
            network.triggers(states).numpy()[kept],
            network.standing(mentions).numpy(),
            network.places(mentions).numpy(),
            network.phrases(torch.tensor(keys)).numpy(),
        ]
    told = read.mentions(lines, weights)
    found = [
        read.tags(keys)[kept],
        read.triggers()[kept],
        read.standing(told),
        read.places(told),
        light.phrases(keys),
    ]
    for one, other in zip(found, full, strict=True):
        assert np.abs(one - other).max() < 0.15 * max(1.0, np.abs(other).max())
    assert light.near == pytest.approx((10.0, -4.0))


def test_the_upper_layers_over_the_lower_ones_are_all(folder):
    files = BertFiles(folder)
    bert, encodings = Bert(files, files.weights()), files.tokenizer(64).encode_batch(TEXTS)
    with torch.inference_mode():
        (whole, below), mask = bert.layers(encodings, (6, 4))
        above = bert.above(below, mask, 4)
    held = mask.bool()
    assert torch.allclose(above[held], whole[held], atol=1e-4)
