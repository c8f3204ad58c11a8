"""What training a causal language model as a parser of questions learns, in one small file of halves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import ConfigError
from ..folders import loading
from .llama import AdapterShape

if TYPE_CHECKING:
    from torch import Tensor

_RANGES: Final = "ranges."
_TOLD: Final = "reqap-kg"
"""The name under which the file tells what it holds."""


@dataclass(frozen=True)
class Adapter:
    """Weights by their names in `llama.Llama`, and what they are of: the names of our own tokens, the attributes among
    them, the words that forms use unasked, the attributes of personal events, the words that forms leave out."""

    base: str
    """The base model: XS, a size, or its folder."""
    shape: AdapterShape
    own: tuple[str, ...]
    keys: tuple[str, ...]
    words: tuple[str, ...]
    personal: tuple[str, ...]
    asides: tuple[str, ...]
    weights: Mapping[str, Tensor]
    ranges: Mapping[str, Tensor]
    """How large the channels are that each matrix of the adapted model reads (`small.ranges`)."""


def save_adapter(adapter: Adapter, path: Path) -> None:
    """Writes an adapter."""
    from safetensors.torch import save_file

    told = {name: value for name, value in vars(adapter).items() if name not in ("weights", "ranges")}
    told["shape"] = vars(adapter.shape)
    held = {**adapter.weights, **{f"{_RANGES}{name}": one for name, one in adapter.ranges.items()}}
    weights = {name: one.detach().half().cpu().contiguous() for name, one in held.items()}
    part = path.with_suffix(".part")
    save_file(weights, part, {_TOLD: json.dumps(told)})
    part.replace(path)


def load_adapter(path: Path) -> Adapter:
    """An adapter as single floats. Raises ConfigError where there is none, or it is damaged."""
    from safetensors import safe_open

    if not path.is_file():
        raise ConfigError(f"there is no adapter {path}")
    with loading(str(path)), safe_open(path, "pt") as held:
        told = json.loads((held.metadata() or {})[_TOLD])
        tensors = {name: held.get_tensor(name).float() for name in held.keys()}  # noqa: SIM118 - no mapping
        weights = {name: one for name, one in tensors.items() if not name.startswith(_RANGES)}
        ranges = {name.removeprefix(_RANGES): one for name, one in tensors.items() if name.startswith(_RANGES)}
        shape = AdapterShape(**told.pop("shape"))
        base = told.pop("base")
        return Adapter(
            base, shape, **{name: tuple(value) for name, value in told.items()}, weights=weights, ranges=ranges
        )
