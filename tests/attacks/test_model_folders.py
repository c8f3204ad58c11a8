"""Folders of models are data: nothing of them is run, whichever setting names them."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.errors import ConfigError
from reqap_kg.models.encoder import load_encoder, weights_folder
from reqap_kg.models.folders import checked_folder, running
from reqap_kg.models.planning.base_model import base_model
from reqap_kg.models.reading.adapters import CrossEncoderClassifier, SequenceExtractor
from reqap_kg.texts.document import Document, TextKind

_DOCUMENT = Document("e", TextKind.NOTE, "a title", "at home", datetime(2024, 1, 2))
_CODE = """
from pathlib import Path
(Path(__file__).parent / "RAN").write_text("code ran")
class Module:
    @classmethod
    def load(cls, *a, **k): return cls()
    @classmethod
    def from_pretrained(cls, *a, **k): return cls()
"""


def _asks(name: str) -> list[Callable[[], Any]]:
    return [
        lambda: load_encoder(name).encode(["a text"]),
        lambda: CrossEncoderClassifier(name).relevance([("a", "b")]),
        lambda: CrossEncoderClassifier(name).patterns([("a", "b")]),
        lambda: SequenceExtractor(name).tag([("place", _DOCUMENT)]),
        lambda: base_model(name),
    ]


def _folder(path: Path, files: dict[str, Any]) -> Path:
    for name, said in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(said if isinstance(said, str) else json.dumps(said), encoding="utf-8")
    return path


_PLAIN = {"model_type": "bert", "architectures": ["BertModel"], "num_labels": 1}
_EVIL: list[dict[str, Any]] = [
    {"modules.json": [{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}], "evil.py": _CODE},
    {"modules.json": [{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}]},
    {"modules.json": [{"idx": 0, "name": "0", "path": "", "type": "os.system"}], "config.json": _PLAIN},
    {"modules.json": {"type": "evil.Module"}},
    {"modules.json": [{"idx": 0, "name": "0", "path": "../..", "type": "sentence_transformers.models.Dense"}]},
    {"config.json": {**_PLAIN, "auto_map": {"AutoModel": "evil.Module"}}},
    {"config.json": {**_PLAIN, "auto_map": {"AutoModel": "evil.Module"}}, "evil.py": _CODE},
    {"config.json": _PLAIN, "tokenizer_config.json": {"auto_map": {"AutoTokenizer": ["evil.Module", None]}}},
    {"config.json": _PLAIN, "sentence_bert_config.json": {"model_args": {"trust_remote_code": True}}},
    {"config.json": _PLAIN, "sentence_bert_config.json": {"tokenizer_name_or_path": "/elsewhere"}},
    {"config.json": _PLAIN, "router_config.json": {"types": {"query_0": "evil.Module"}}},
    {"config.json": {**_PLAIN, "sentence_transformers": {"activation_fn": "torch.hub.load"}}},
    {"config.json": {**_PLAIN, "_attn_implementation": "somebody/kernels"}},
    {"config.json": _PLAIN, "adapter_config.json": {"base_model_name_or_path": "/elsewhere"}},
    {"config.json": _PLAIN, "pytorch_model.bin": "no weights"},
    {"config.json": _PLAIN, "1_Dense/pytorch_model.bin": "no weights"},
    {"config.json": _PLAIN, "model.safetensors.index.json": {"weight_map": {"a": "evil.bin"}}},
    {"config.json": _PLAIN, "model.safetensors.index.json": {"weight_map": {"a": "../../x.safetensors"}}},
    {"config.json": "[" * 100_000},
    {"README.md": "nothing of a model"},
]


@pytest.mark.smoke
@pytest.mark.parametrize("files", _EVIL, ids=range(len(_EVIL)))
def test_nothing_but_data_is_loaded_by_any_setting(files: dict[str, Any], tmp_path: Path) -> None:
    folder = _folder(tmp_path / "model", files)
    for ask in _asks(str(folder)):
        with pytest.raises(ConfigError):
            ask()
    assert not (folder / "RAN").exists()


@pytest.mark.smoke
@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(["config.json", "modules.json", "tokenizer_config.json", "deep/x.json"]),
        st.recursive(
            st.none() | st.text(max_size=5) | st.integers(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["type", "types", "path", "a"]), inner, max_size=3)
            ),
        ),
    ),
    st.integers(0, 3),
)
def test_code_named_at_any_depth_is_refused(said: dict[str, Any], depth: int) -> None:
    hidden: Any = {"auto_map": {"AutoModel": "evil.Module"}}
    for _ in range(depth):
        hidden = [{"a": hidden}]
    with tempfile.TemporaryDirectory() as place:
        folder = _folder(Path(place), {"config.json": _PLAIN, **said, "special.json": hidden})
        with pytest.raises(ConfigError):
            checked_folder(folder)


def test_the_published_model_is_loaded_from_a_folder(tmp_path: Path) -> None:
    place = weights_folder(DEFAULT_ENCODER)
    assert place is not None
    folder = shutil.copytree(place, tmp_path / "model")
    assert load_encoder(str(folder)).encode(["a text"]).shape == (1, 384)


def test_weights_that_are_none_are_told(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "model", {"config.json": _PLAIN, "model.safetensors": "none"})
    for ask in _asks(str(folder)):
        with pytest.raises(ConfigError):
            ask()


def test_a_pattern_that_gives_up_on_a_text_is_said() -> None:
    """A tokenizer's patterns are its folder's own, and may backtrack until the library gives up: a panic."""
    words = Tokenizer(WordLevel({"a": 0}, unk_token="a"))
    words.pre_tokenizer = Split(Regex(r"(?:a|a|aa)+$"), "isolated")  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ConfigError, match="the tokenizer of some/model gives up on a text"), running("some/model"):
        words.encode("a" * 40 + "!")
    with pytest.raises(KeyboardInterrupt), running("some/model"):
        raise KeyboardInterrupt
