"""The weights and the tokenizer of a base model of Llama's shape: a file in GGUF, or a folder with safetensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import ConfigError
from ..folders import loading, model_folder
from .shapes import Shape

if TYPE_CHECKING:
    import torch
    from gguf import GGUFReader
    from tokenizers import Tokenizer

_ARCHITECTURE: Final = "llama"
_DEFAULT_ROPE: Final = 10_000.0
_PARTS: Final = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
"""Names of a layer's tensors in GGUF, and in a Llama."""
_WHOLE: Final = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


@dataclass(frozen=True)
class BaseModel:
    """A base model: its shape, its weights as single floats, its tokenizer, and the token that begins a text."""

    shape: Shape
    weights: Mapping[str, torch.Tensor]
    tokenizer: Tokenizer
    begin: int


def base_model(place: Path | str) -> BaseModel:
    """The base model in a file of GGUF, a folder, or of that name in the hub's cache. Raises ConfigError where it is
    not there, is damaged, or is of another shape."""
    path = Path(place)
    with loading(str(place)):
        return _of_gguf(path) if path.suffix == ".gguf" else _of_folder(model_folder(str(place)))


def _of_gguf(path: Path) -> BaseModel:
    from gguf import GGUFReader

    if not path.is_file():
        raise ConfigError(f"the weights {path} are not there")
    reader = GGUFReader(path)

    def told(name: str, default: float | None = None) -> Any:
        field = reader.get_field(name)
        if field is None and default is None:
            raise ConfigError(f"{path} does not tell its {name}")
        return default if field is None else field.contents()

    if told("general.architecture") != _ARCHITECTURE:
        raise ConfigError(f"{path} is no model of Llama's shape, but of {told('general.architecture')}'s")
    heads, width = told("llama.attention.head_count"), told("llama.embedding_length")
    head = told("llama.attention.key_length", width // heads)
    shape = Shape(
        layers=told("llama.block_count"),
        width=width,
        heads=heads,
        kv_heads=told("llama.attention.head_count_kv"),
        head=head,
        inner=told("llama.feed_forward_length"),
        vocabulary=len(told("tokenizer.ggml.tokens")),
        epsilon=told("llama.attention.layer_norm_rms_epsilon"),
        frequencies=_frequencies(head, told("llama.rope.freq_base", _DEFAULT_ROPE)),
    )
    tokenizer = _pieces(told("tokenizer.ggml.tokens"), told("tokenizer.ggml.merges"))
    return BaseModel(shape, _tensors(reader, shape), tokenizer, told("tokenizer.ggml.bos_token_id"))


def _tensors(reader: GGUFReader, shape: Shape) -> dict[str, torch.Tensor]:
    import torch
    from gguf.quants import dequantize

    found: dict[str, torch.Tensor] = {}
    for one in reader.tensors:
        parts = one.name.removesuffix(".weight").split(".")
        name = f"model.layers.{parts[1]}.{_PARTS[parts[2]]}" if parts[0] == "blk" else _WHOLE[parts[0]]
        tensor = torch.from_numpy(dequantize(one.data, one.tensor_type).copy()).float()
        if parts[-1] in ("attn_q", "attn_k"):
            tensor = _in_halves(tensor, shape.head)
        found[f"{name}.weight"] = tensor
    return found


def _in_halves(tensor: torch.Tensor, head: int) -> torch.Tensor:
    """Rows of a head in the order of a Llama: GGUF has the two halves of a rotation side by side."""
    rows, width = tensor.shape
    return tensor.view(rows // head, head // 2, 2, width).transpose(1, 2).reshape(rows, width)


def _pieces(tokens: list[str], merges: list[str]) -> Tokenizer:
    """SmolLM's tokenizer: pieces of bytes; each digit stands by itself."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    known = {token: at for at, token in enumerate(tokens)}
    pairs = [(one, other) for one, _, other in (merge.partition(" ") for merge in merges)]
    strange = next((f"{one} {other}" for one, other in pairs if not {one, other, one + other} <= known.keys()), None)
    if strange is not None:
        raise ConfigError(f"the tokenizer joins “{strange}”, which are no tokens of it")
    found = Tokenizer(models.BPE(known, pairs))
    digits = pre_tokenizers.Digits(individual_digits=True)
    found.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    found.decoder = decoders.ByteLevel()
    return found


def _of_folder(folder: Path) -> BaseModel:
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != _ARCHITECTURE:
        raise ConfigError(f"{folder} is no model of Llama's shape, but of {config.get('model_type')}'s")
    try:
        heads, width = config["num_attention_heads"], config["hidden_size"]
        shape = Shape(
            layers=config["num_hidden_layers"],
            width=width,
            heads=heads,
            kv_heads=config.get("num_key_value_heads", heads),
            head=config.get("head_dim") or width // heads,
            inner=config["intermediate_size"],
            vocabulary=config["vocab_size"],
            epsilon=config.get("rms_norm_eps", 1e-6),
            frequencies=_told_frequencies(config),
        )
    except (KeyError, TypeError) as bad:
        raise ConfigError(f"{folder / 'config.json'} does not tell {bad}") from bad
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ConfigError(f"the weights of {folder} are not there: no *.safetensors")
    weights = {name: tensor.float() for file in files for name, tensor in load_file(file).items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    begin = config.get("bos_token_id")
    return BaseModel(shape, weights, tokenizer, begin if isinstance(begin, int) else 0)


def _frequencies(head: int, base: float) -> tuple[float, ...]:
    return tuple(base ** (-at / head) for at in range(0, head, 2))


def _told_frequencies(config: Mapping[str, Any]) -> tuple[float, ...]:
    """The frequencies of a configuration; other ways to spread them than the first one are transformers' to compute."""
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    told = config.get("rope_scaling") or {}
    kind = told.get("rope_type", told.get("type", "default"))
    if kind == "default":
        return _frequencies(head, config.get("rope_theta", _DEFAULT_ROPE))
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    if kind not in ROPE_INIT_FUNCTIONS:
        raise ConfigError(f"rotary positions of the kind {kind} are not known")
    return tuple(ROPE_INIT_FUNCTIONS[kind](LlamaConfig(**config), None)[0].tolist())
